// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - add the events of -e and of --off-cpu, or by default the best available
 * event
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/say.h"
#include "events/event_parse.h"
#include "record/record_events.h"

/* Add an event to the session. On failure, set @msg to the reason. */
static int open_event(struct recording *rec, const struct event_defaults *defaults,
		      const struct event_spec *spec, struct message *msg)
{
	struct perfdata_event *slot = &rec->events[rec->nr_events];
	const struct tprof_lx_backend *backend;
	struct tprof_lx_event added;
	int err;

	backend = event_backend(spec, rec->info.backends, rec->info.info.nr_backends, msg);
	if (!backend)
		return spec->backend[0] ? -EINVAL : -ENODEV;
	err = event_attr(spec, defaults, backend, !rec->nr_events, &slot->attr, msg);
	if (err)
		return err;
	err = claim_event(&rec->claim, spec, backend, &slot->attr, &added, msg);
	if (err)
		return err;
	slot->id = added.id;
	slot->name = strdup(spec->name);
	if (!slot->name)
		return message_set(msg, -ENOMEM, "cannot add an event: %s", strerror(ENOMEM));
	rec->nr_events++;
	rec->needs_all |= event_is_wakeups(spec);
	if (added.period)
		say_detail("event %s: back end %s, one sample every %llu", spec->name,
			   backend->name, added.period);
	else
		say_detail("event %s: back end %s, %llu samples a second", spec->name,
			   backend->name, slot->attr.sample_freq);
	return 0;
}

/* Add an event of -e. A wrong name is a usage error, missing hardware is not. */
static int add_event(struct recording *rec, const struct event_defaults *defaults,
		     const struct event_spec *spec)
{
	struct message msg;
	int err = open_event(rec, defaults, spec, &msg);

	if (!err)
		return STATUS_OK;
	if (err == -EBUSY)
		return say_error("%s; event nmi samples by a clock and needs no counter",
				 msg.text);
	return err == -EINVAL ? say_usage("%s", msg.text) : say_error("%s", msg.text);
}

static const struct tprof_lx_backend *find_backend(const struct recording *rec, const char *name)
{
	u32 i;

	for (i = 0; i < rec->info.info.nr_backends; i++) {
		if (!strcmp(rec->info.backends[i].name, name))
			return &rec->info.backends[i];
	}
	return NULL;
}

static int try_event(struct recording *rec, const struct event_defaults *defaults,
		     const char *name, struct message *msg)
{
	struct event_spec spec;
	int err = event_parse(name, &spec, msg);

	return err ? err : open_event(rec, defaults, &spec, msg);
}

/* Add event cycles. Return 0, or set @msg to the reason and return -errno. */
static int try_cycles(struct recording *rec, const struct event_defaults *defaults,
		      struct message *msg)
{
	if (!event_counters(rec->info.backends, rec->info.info.nr_backends))
		return message_set(msg, -ENODEV, "no counter: %s", event_why_no_counters());
	return try_event(rec, defaults, "cycles", msg);
}

/* Return a short reason why event cycles was refused with @err. */
static const char *why_no_cycles(const struct recording *rec, int err)
{
	const struct tprof_lx_backend *counters =
		event_counters(rec->info.backends, rec->info.info.nr_backends);

	if (!counters)
		return event_why_no_counters();
	if (counters->flags & TPROF_LX_BACKEND_DEGRADED)
		return counters->text;
	return err == -EBUSY ? "the counters are held (-v names the holder)" :
			       "the counters cannot count cycles";
}

/*
 * Add event nmi, or event timer if nmi is missing or degraded. Print a note with @why,
 * the reason why event cycles is not used.
 */
static int add_clock(struct recording *rec, const struct event_defaults *defaults,
		     const char *why)
{
	const struct tprof_lx_backend *nmi = find_backend(rec, "nmi");
	bool usable = nmi && !(nmi->flags & TPROF_LX_BACKEND_DEGRADED);
	struct message msg;
	int err;

	err = try_event(rec, defaults, usable ? "nmi" : "timer", &msg);
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

static int add_default(struct recording *rec, const struct event_defaults *defaults)
{
	struct message msg;

	int err = try_cycles(rec, defaults, &msg);

	if (!err) {
		say_note("sampling by event cycles");
		return STATUS_OK;
	}
	say_detail("event cycles: %s", msg.text);
	return add_clock(rec, defaults, why_no_cycles(rec, err));
}

/* Add event @name, with a sample every @period nanoseconds or occurrences. */
static int add_by_period(struct recording *rec, const struct event_defaults *defaults,
			 const char *name, u64 period)
{
	struct event_spec spec;
	struct message msg;

	if (event_parse(name, &spec, &msg))
		return say_error("%s", msg.text);
	spec.period = period;
	return add_event(rec, defaults, &spec);
}

/* Return the event of -e that an option adds, too, or NULL. */
static const char *find_twice(const struct record_options *opts, const struct event_spec *specs,
			      u32 nr, const char **option)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		*option = opts->off_cpu && event_is_off_cpu(&specs[i]) ? "--off-cpu" :
			  opts->wakers && event_is_wakeups(&specs[i])  ? "--wakers" :
									 NULL;
		if (*option)
			return specs[i].name;
	}
	return NULL;
}

/*
 * Without -e and --off-cpu, add the best available event. With --off-cpu alone, add a clock
 * even if there are counters: its periods and those of event off-cpu are times, which report
 * can add up.
 */
static int add_first(struct recording *rec, const struct event_defaults *defaults, bool off_cpu)
{
	if (off_cpu)
		return add_clock(rec, defaults, "it measures time, as off-cpu does");
	return add_default(rec, defaults);
}

/*
 * Return true if the events begin at the exec of the command. Before it, the child runs code of
 * tprof-lx. With -D, the command runs already when the events start.
 */
static bool begins_at_exec(const struct recording *rec, const struct record_options *opts)
{
	return rec->claim.flags & TPROF_LX_EVENT_PROCESS && rec->child.pid && !opts->pids.nr &&
	       !opts->delay;
}

/* Add all events to the session. Return STATUS_OK, or another status after an error. */
int record_add_events(struct recording *rec, const struct record_options *opts)
{
	struct event_defaults defaults = {
		.period = opts->period,
		.freq = opts->rate.max ? rec->info.info.max_rate : opts->rate.hz,
		.is_max = opts->rate.max,
		.all_user = opts->all_user,
		.all_kernel = opts->all_kernel,
		.switches = opts->switches,
		.thread_counts = opts->stat,
		.chains = opts->chains,
		.clockid = opts->clockid,
		.sample_cpu = opts->sample_cpu || opts->everything || opts->cpus.bytes ||
			      opts->switches,
		.features = rec->info.info.features,
		.on_exec = begins_at_exec(rec, opts),
	};
	struct event_spec specs[TPROF_LX_MAX_EVENTS];
	const char *twice, *option;
	struct message msg;
	int status = STATUS_OK;
	u32 i, nr;

	if (rec->info.info.features & TPROF_LX_FEATURE_UNPRIVILEGED) {
		/* Threads leave the CPU in the kernel. */
		if (opts->off_cpu)
			return say_error("--off-cpu needs privileges; run it with sudo");
		say_note("sampling user mode only; sudo samples all");
	}
	if (event_list_parse(&opts->events, specs, ARRAY_SIZE(specs), &nr, &msg))
		return say_usage("%s", msg.text);
	twice = find_twice(opts, specs, nr, &option);
	if (twice)
		return say_usage("record: -e and %s both add event %s; leave out one", option,
				 twice);
	defaults.is_sole = nr <= 1 && !opts->off_cpu;
	if (!nr)
		status = add_first(rec, &defaults, opts->off_cpu);
	for (i = 0; i < nr && !status; i++)
		status = add_event(rec, &defaults, &specs[i]);
	if (opts->off_cpu && !status)
		status = add_by_period(rec, &defaults, "off-cpu", opts->off_cpu);
	if (opts->wakers && !status)
		status = add_by_period(rec, &defaults, "wakeups", 1);
	return status;
}
