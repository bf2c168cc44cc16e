// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx stat - add the events of -e, or the default events
 */
#include <errno.h>
#include <time.h>

#include "cli/say.h"
#include "events/event_attr.h"
#include "stat/stat_events.h"

/* If there are too few counters, counting_shrink() gives up the last event first. */
#define DEFAULT_EVENTS "cycles,instructions,branches,branch-misses,cache-references,cache-misses"

/* Clear the fields of @attr that describe records: events of stat only count. */
static void only_count(struct perf_event_attr *attr)
{
	attr->sample_type = 0;
	attr->sample_id_all = 0;
	attr->use_clockid = 0;
	attr->clockid = 0;
}

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
					   .clockid = CLOCK_MONOTONIC };
	const struct event_spec *spec = &wanted->spec;
	struct message msg;

	if (spec->period || spec->freq || spec->random)
		return say_usage("event %s has a sampling term, but stat only counts; remove the term",
				 spec->name);
	if (spec->not_idle)
		return say_usage("event %s: modifier I filters samples, but stat only counts; remove the modifier",
				 spec->name);
	wanted->backend = event_backend(spec, session->info.backends,
					session->info.info.nr_backends, &msg);
	/* Missing counters are no usage error, but a wrong back end in -e is. */
	if (!wanted->backend && !*spec->backend)
		return say_error("%s", msg.text);
	if (!wanted->backend ||
	    event_attr(spec, &defaults, wanted->backend, false, &wanted->attr, &msg))
		return say_usage("%s", msg.text);
	if (!(wanted->backend->flags & TPROF_LX_BACKEND_COUNTS))
		return say_usage("event %s is a sampling clock and counts nothing; see tprof-lx list",
				 spec->name);
	only_count(&wanted->attr);
	return STATUS_OK;
}

static int add_event(struct stat_session *session, const struct wanted *wanted)
{
	enum counted_state state = COUNTED;
	struct tprof_lx_event added;
	struct message msg;
	int err;

	err = claim_event(&session->claim, &wanted->spec, wanted->backend, &wanted->attr, &added,
			  &msg);
	if (!err)
		say_detail("event %s: back end %s", wanted->spec.name, wanted->backend->name);
	if (err == -EOPNOTSUPP && session->opts->is_default)
		state = COUNTED_UNKNOWN;
	else if (err)
		return say_error("%s", msg.text);
	err = counting_add(&session->counting, wanted->spec.name, &wanted->attr, added.index,
			   state);
	return err ? say_failure(err, "cannot add an event") : STATUS_OK;
}

/* Set @events to the events of -e, or else to the default events. */
static int choose_events(const struct stat_session *session, struct event_list *events)
{
	*events = session->opts->events;
	if (!session->opts->is_default)
		return STATUS_OK;
	if (!event_counters(session->info.backends, session->info.info.nr_backends))
		return say_error("there is no counter for cycles: %s; '-e tsc' counts clock ticks",
				 event_why_no_counters());
	events->all[events->nr++] = DEFAULT_EVENTS;
	return STATUS_OK;
}

static int parse_events(struct stat_session *session, struct wanted *wanted, u32 *nr)
{
	struct event_spec specs[TPROF_LX_MAX_EVENTS];
	struct event_list events;
	struct message msg;
	int status = choose_events(session, &events);
	u32 i;

	if (status)
		return status;
	if (event_list_parse(&events, specs, ARRAY_SIZE(specs), nr, &msg))
		return say_usage("%s", msg.text);
	for (i = 0; i < *nr && !status; i++) {
		wanted[i].spec = specs[i];
		status = resolve(session, &wanted[i]);
	}
	return status;
}

/* Add all events. Check all of them first, as adding one may park the watchdog. */
int stat_add_events(struct stat_session *session)
{
	struct wanted wanted[TPROF_LX_MAX_EVENTS];
	u32 i, nr;
	int status = parse_events(session, wanted, &nr);

	for (i = 0; i < nr && !status; i++)
		status = add_event(session, &wanted[i]);
	if (!status && !counting_mask(&session->counting))
		return say_error("this CPU has none of the default events; see tprof-lx list");
	return status;
}
