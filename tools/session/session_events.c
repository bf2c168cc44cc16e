// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - add events to a session: those of the command line, or the best available event
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/say.h"
#include "events/event_parse.h"
#include "session/session_events.h"

/* Note the event in the next slot, which has been added with its attr. */
static int keep_event(struct session_events *events, const struct event_spec *spec, u64 id,
		      struct message *msg)
{
	struct perfdata_event *slot = &events->all[events->nr];

	slot->id = id;
	slot->name = strdup(spec->name);
	if (!slot->name)
		return message_set(msg, -ENOMEM, "cannot add an event: %s", strerror(ENOMEM));
	events->cores[events->nr++] = spec->cores;
	return 0;
}

/* Add an event to the session. On failure, set @msg to the reason. */
static int open_event(struct session_events *events, const struct event_defaults *defaults,
		      const struct event_spec *spec, struct message *msg)
{
	struct perfdata_event *slot = &events->all[events->nr];
	const struct device_info *info = events->claim->info;
	const struct tprof_lx_backend *backend;
	struct tprof_lx_event added;
	int err;

	backend = event_backend(spec, info->backends, info->info.nr_backends, msg);
	if (!backend)
		return spec->backend[0] ? -EINVAL : -ENODEV;
	err = event_attr(spec, defaults, backend, !events->nr, &slot->attr, msg);
	if (err)
		return err;
	err = claim_event(events->claim, spec, backend, &slot->attr, &added, msg);
	if (err)
		return err;
	err = keep_event(events, spec, added.id, msg);
	if (err)
		return err;
	events->needs_all |= event_is_wakeups(spec);
	if (added.period)
		say_detail("event %s: back end %s, one sample every %llu", spec->name,
			   backend->name, added.period);
	else
		say_detail("event %s: back end %s, %llu samples a second", spec->name,
			   backend->name, slot->attr.sample_freq);
	return 0;
}

/* Add an event of the command line. A wrong name is a usage error, missing hardware is not. */
int session_events_add(struct session_events *events, const struct event_defaults *defaults,
		       const struct event_spec *spec)
{
	struct message msg;
	int err = open_event(events, defaults, spec, &msg);

	if (!err)
		return STATUS_OK;
	if (err == -EBUSY)
		return say_error("%s; event nmi samples by a clock and needs no counter",
				 msg.text);
	return err == -EINVAL ? say_usage("%s", msg.text) : say_error("%s", msg.text);
}

/* The fields that the trailer of a record may have. */
#define TRAILER_TYPES	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
			 PERF_SAMPLE_IDENTIFIER)

/*
 * Add an event that only counts. Its attr in the recording has the trailer of the first event,
 * so that readers find the event of each record in the same place.
 */
static int open_count(struct session_events *events, const struct event_defaults *defaults,
		      const struct event_spec *spec, struct message *msg)
{
	struct perfdata_event *slot = &events->all[events->nr];
	const struct perf_event_attr *first = &events->all[0].attr;
	const struct device_info *info = events->claim->info;
	const struct tprof_lx_backend *backend;
	struct tprof_lx_event added;
	struct perf_event_attr attr;
	u32 flags = events->claim->flags;
	int err;

	if (events->nr == TPROF_LX_MAX_EVENTS)
		return message_set(msg, -ENOSPC, "event %s is one too many; give at most %u",
				   spec->name, TPROF_LX_MAX_EVENTS);
	backend = event_backend(spec, info->backends, info->info.nr_backends, msg);
	if (!backend)
		return spec->backend[0] ? -EINVAL : -ENODEV;
	err = event_count_attr(spec, defaults, backend, &attr, msg);
	if (err)
		return err;
	slot->attr = attr;
	slot->attr.sample_type = first->sample_type & TRAILER_TYPES;
	slot->attr.sample_id_all = 1;
	slot->attr.use_clockid = 1;
	slot->attr.clockid = first->clockid;
	events->claim->flags &= ~TPROF_LX_EVENT_STALL;
	if (defaults->thread_counts)
		events->claim->flags |= TPROF_LX_EVENT_THREADS;
	else
		events->claim->flags &= ~TPROF_LX_EVENT_SWITCHES;
	/* Without READ records, the event has no record that could have a trailer. */
	err = claim_event(events->claim, spec, backend,
			  defaults->thread_counts ? &slot->attr : &attr, &added, msg);
	events->claim->flags = flags;
	if (err)
		return err;
	say_detail("event %s: back end %s, counts%s", spec->name, backend->name,
		   defaults->thread_counts ? " by thread" : "");
	return keep_event(events, spec, added.id, msg);
}

/*
 * Add an event that only counts, beside those that sample, which were added before. If
 * @defaults requests counts by thread, but threads cannot have this one, count the sum only.
 */
int session_events_count(struct session_events *events, const struct event_defaults *defaults,
			 const struct event_spec *spec)
{
	struct event_defaults sum = *defaults;
	struct message msg;
	int err = open_count(events, defaults, spec, &msg);

	sum.thread_counts = false;
	if (err == -EOPNOTSUPP && defaults->thread_counts)
		err = open_count(events, &sum, spec, &msg);
	if (!err)
		return STATUS_OK;
	return err == -EINVAL ? say_usage("%s", msg.text) : say_error("%s", msg.text);
}

static const struct tprof_lx_backend *find_backend(const struct claim *claim, const char *name)
{
	u32 i;

	for (i = 0; i < claim->info->info.nr_backends; i++) {
		if (!strcmp(claim->info->backends[i].name, name))
			return &claim->info->backends[i];
	}
	return NULL;
}

static int try_event(struct session_events *events, const struct event_defaults *defaults,
		     const char *name, struct message *msg)
{
	struct event_spec spec;
	int err = event_parse(name, &spec, msg);

	return err ? err : open_event(events, defaults, &spec, msg);
}

/* Add event cycles. Return 0, or set @msg to the reason and return -errno. */
static int try_cycles(struct session_events *events, const struct event_defaults *defaults,
		      struct message *msg)
{
	if (!event_counters(events->claim->info->backends, events->claim->info->info.nr_backends))
		return message_set(msg, -ENODEV, "no counter: %s", event_why_no_counters());
	return try_event(events, defaults, "cycles", msg);
}

/* Return a short reason why event cycles was refused with @err. */
static const char *why_no_cycles(const struct claim *claim, int err)
{
	const struct tprof_lx_backend *counters =
		event_counters(claim->info->backends, claim->info->info.nr_backends);

	if (!counters)
		return event_why_no_counters();
	if (counters->flags & TPROF_LX_BACKEND_DEGRADED)
		return counters->text;
	if (err == -EACCES)
		return "users without privileges may not use the counters";
	return err == -EBUSY ? "the counters are held (-v names the holder)" :
			       "the counters cannot count cycles";
}

/*
 * Add event nmi, or event timer if nmi is missing or degraded. Print a note with @why,
 * the reason why event cycles is not used.
 */
int session_events_add_clock(struct session_events *events, const struct event_defaults *defaults,
			     const char *why)
{
	const struct tprof_lx_backend *nmi = find_backend(events->claim, "nmi");
	bool usable = nmi && !(nmi->flags & TPROF_LX_BACKEND_DEGRADED);
	struct message msg;
	int err;

	err = try_event(events, defaults, usable ? "nmi" : "timer", &msg);
	if (err)
		return say_error("%s", msg.text);
	if (usable)
		say_note("sampling by event nmi: %s", why);
	else
		say_note("sampling by event timer, blind while interrupts are off: %s", why);
	if (!usable)
		say_detail("event nmi: %s", nmi ? nmi->text : "the module has no such back end");
	return STATUS_OK;
}

/* Add event cycles, or a clock if no counter can count cycles. */
int session_events_add_default(struct session_events *events, const struct event_defaults *defaults)
{
	struct message msg;
	int err = try_cycles(events, defaults, &msg);

	if (!err) {
		say_note("sampling by event cycles");
		return STATUS_OK;
	}
	say_detail("event cycles: %s", msg.text);
	return session_events_add_clock(events, defaults, why_no_cycles(events->claim, err));
}

void session_events_free(struct session_events *events)
{
	u32 i;

	for (i = 0; i < events->nr; i++)
		free((char *)events->all[i].name);
	events->nr = 0;
}
