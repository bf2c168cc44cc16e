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
	slot->id = added.id;
	slot->name = strdup(spec->name);
	if (!slot->name)
		return message_set(msg, -ENOMEM, "cannot add an event: %s", strerror(ENOMEM));
	events->nr++;
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
