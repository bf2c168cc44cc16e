// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - add the events of -e, of --off-cpu and of --wakers, or by default the best
 * available event
 */
#include "cli/say.h"
#include "events/event_parse.h"
#include "record/record_counts.h"
#include "record/record_events.h"

/* Add event @name, with a sample every @period nanoseconds or occurrences. */
static int add_by_period(struct recording *rec, const struct event_defaults *defaults,
			 const char *name, u64 period)
{
	struct event_spec spec;
	struct message msg;

	if (event_parse(name, &spec, &msg))
		return say_error("%s", msg.text);
	spec.period = period;
	return session_events_add(&rec->events, defaults, &spec);
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
		return session_events_add_clock(&rec->events, defaults,
						"it measures time, as off-cpu does");
	return session_events_add_default(&rec->events, defaults);
}

/*
 * Return true if the events begin at the exec of the command. Before it, the child runs code of
 * tprof-lx. With -D, the command runs already when the events start.
 */
static bool begins_at_exec(const struct recording *rec, const struct record_options *opts)
{
	return rec->claim.flags & TPROF_LX_EVENT_PROCESS && rec->child.pid &&
	       !opts->pids.nr && !opts->comm.follow && !opts->delay;
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
		.user_only = event_user_only(&rec->info.info),
		.on_exec = begins_at_exec(rec, opts),
		.parallelism = opts->latency,
	};
	struct event_spec specs[TPROF_LX_MAX_EVENTS];
	const char *twice, *option;
	struct message msg;
	int status = STATUS_OK;
	u32 i, nr;

	if (defaults.user_only) {
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
	defaults.is_sole = nr <= 1 && !opts->off_cpu && !opts->counts.nr;
	if (!nr)
		status = add_first(rec, &defaults, opts->off_cpu);
	for (i = 0; i < nr && !status; i++)
		status = session_events_add(&rec->events, &defaults, &specs[i]);
	if (opts->off_cpu && !status)
		status = add_by_period(rec, &defaults, "off-cpu", opts->off_cpu);
	if (opts->wakers && !status)
		status = add_by_period(rec, &defaults, "wakeups", 1);
	return status ? status : record_add_counts(rec, opts, &defaults);
}
