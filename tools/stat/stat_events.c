// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx stat - add the events of -e, or the default events
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/say.h"
#include "events/event_attr.h"
#include "events/event_name.h"
#include "stat/stat_events.h"

/* The software events that perf counts by default. */
#define DEFAULT_SOFT_EVENTS "task-clock,context-switches,cpu-migrations,page-faults"

/* By thread: tasks migrate while they do not run, so no thread counts that. */
#define DEFAULT_SOFT_BY_THREAD	"task-clock,context-switches,page-faults"

/* The default software events that happen in user mode, too. */
#define DEFAULT_USER_EVENTS "task-clock,page-faults"

/* If there are too few counters, counting_shrink() gives up the last event first. */
#define DEFAULT_COUNTERS "cycles,instructions,branches,branch-misses,cache-references,cache-misses"

/**
 * struct wanted - an event to count
 * @spec:	the parsed event of -e
 * @backend:	back end that counts it
 * @attr:	attr to add it with
 */
struct wanted {
	struct event_spec spec;
	const struct tprof_lx_backend *backend;
	struct perf_event_attr attr;
};

static int resolve(struct stat_session *session, struct wanted *wanted)
{
	struct event_defaults defaults = { .all_user = session->opts->all_user,
					   .all_kernel = session->opts->all_kernel,
					   .features = session->info.info.features,
					   .user_only = event_user_only(&session->info.info),
					   /* Do not count the child of stat before its exec. */
					   .on_exec = session->opts->is_process_scope &&
						      *session->opts->command,
					   .clockid = CLOCK_MONOTONIC };
	const struct event_spec *spec = &wanted->spec;
	struct message msg;

	wanted->backend = event_backend(spec, session->info.backends,
					session->info.info.nr_backends, &msg);
	/* A wrong back end in -e is a usage error. Missing counters are not. */
	if (!wanted->backend && !*spec->backend)
		return say_error("%s", msg.text);
	if (!wanted->backend ||
	    event_count_attr(spec, &defaults, wanted->backend, &wanted->attr, &msg))
		return say_usage("%s", msg.text);
	return STATUS_OK;
}

/* Add an event. Return 0, or set @msg and return -errno. */
static int add_event(struct stat_session *session, const struct wanted *wanted,
		     struct message *msg)
{
	enum counted_state state = COUNTED;
	struct tprof_lx_event added;
	int err;

	err = claim_event(&session->claim, &wanted->spec, wanted->backend, &wanted->attr, &added,
			  msg);
	if (!err)
		say_detail("event %s: back end %s", wanted->spec.name, wanted->backend->name);
	if (err == -EOPNOTSUPP && session->opts->is_default)
		state = COUNTED_UNKNOWN;
	else if (err)
		return err;
	err = counting_add(&session->counting, wanted->spec.name, &wanted->attr, added.index,
			   state);
	if (err)
		return message_set(msg, err, "cannot add an event: %s", strerror(-err));
	session->counting.events[session->counting.nr_events - 1].cores = wanted->spec.cores;
	session->counting.events[session->counting.nr_events - 1].cpus = wanted->spec.cpus;
	return 0;
}

static int parse_events(struct stat_session *session, const struct event_list *events,
			struct wanted *wanted, u32 *nr)
{
	struct event_spec specs[TPROF_LX_MAX_EVENTS];
	struct message msg;
	int status = STATUS_OK;
	u32 i;

	if (event_list_parse(events, specs, ARRAY_SIZE(specs), nr, &msg))
		return say_usage("%s", msg.text);
	for (i = 0; i < *nr && !status; i++) {
		wanted[i].spec = specs[i];
		status = resolve(session, &wanted[i]);
	}
	return status;
}

/*
 * Add all events. Check all of them first, because adding an event may park the
 * watchdog. If an event cannot be added, set @msg and @err, but print nothing.
 */
static int add_events(struct stat_session *session, const struct event_list *events,
		      struct message *msg, int *err)
{
	struct wanted wanted[TPROF_LX_MAX_EVENTS];
	u32 i, nr;
	int status = parse_events(session, events, wanted, &nr);

	*err = 0;
	for (i = 0; i < nr && !status && !*err; i++)
		*err = add_event(session, &wanted[i], msg);
	return *err ? STATUS_FAILED : status;
}

/*
 * Without working counters, count tsc by default. In process scope, this measures how
 * long the processes ran. For all processes, the tsc would measure only the elapsed
 * time, so fail.
 */
static int add_ticks(struct stat_session *session, const char *reason)
{
	const struct event_list ticks = { .all = { "tsc" }, .nr = 1 };
	struct message msg;
	int err, status;

	if (!session->opts->is_process_scope)
		return say_error("there is no counter for cycles: %s; '-e tsc' counts clock ticks",
				 reason);
	say_note("counting clock ticks (tsc) only: %s", reason);
	status = add_events(session, &ticks, &msg, &err);
	return err ? say_error("%s", msg.text) : status;
}

/* Add events. Print an error if one is refused. */
static int add_or_fail(struct stat_session *session, const struct event_list *events)
{
	struct message msg;
	int err, status = add_events(session, events, &msg, &err);

	return err ? say_error("%s", msg.text) : status;
}

/*
 * Add the default events of the hardware. If the counters cannot be used, set @reason, and
 * add none.
 */
static int add_counters(struct stat_session *session, const char **reason)
{
	static const struct event_list counters = { .all = { DEFAULT_COUNTERS }, .nr = 1 };
	struct message msg;
	int err, status;

	*reason = NULL;
	if (!event_counters(session->info.backends, session->info.info.nr_backends)) {
		*reason = event_why_no_counters();
		return STATUS_OK;
	}
	status = add_events(session, &counters, &msg, &err);
	/* EIO: the counters failed the module's test. */
	if (err == -EIO)
		*reason = "the counters do not work; see tprof-lx info";
	else if (err == -EACCES)
		*reason = "users without privileges may not use the counters";
	else if (err)
		return say_error("%s", msg.text);
	return *reason ? STATUS_OK : status;
}

static const char *default_soft_events(const struct stat_session *session)
{
	if (event_user_only(&session->info.info))
		return DEFAULT_USER_EVENTS;
	return session->opts->per_thread ? DEFAULT_SOFT_BY_THREAD : DEFAULT_SOFT_EVENTS;
}

static int add_defaults(struct stat_session *session)
{
	const struct event_list soft = { .all = { default_soft_events(session) }, .nr = 1 };
	bool has_soft = device_has_backend(&session->info, EVENT_SOFT);
	const char *reason;
	int status = has_soft ? add_or_fail(session, &soft) : STATUS_OK;

	if (!status)
		status = add_counters(session, &reason);
	if (status || !reason)
		return status;
	/* Older modules have no software events. */
	if (!has_soft)
		return add_ticks(session, reason);
	say_note("counting software events only: %s", reason);
	return STATUS_OK;
}

/* Add the events of -e or, without -e, the default events. */
int stat_add_events(struct stat_session *session)
{
	const struct stat_options *opts = session->opts;
	int status;

	if (event_user_only(&session->info.info))
		say_note("counting in user mode only; sudo counts all");
	status = opts->is_default ? add_defaults(session) : add_or_fail(session, &opts->events);
	if (!status && !counting_mask(&session->counting))
		return say_error("this CPU has none of the default events; see tprof-lx list");
	return status;
}
