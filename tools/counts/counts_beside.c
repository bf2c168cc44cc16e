// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - events of --count beside those that sample
 *
 * The module counts all events of the session, also those that sample, if their back end can
 * count.
 */
#include <errno.h>

#include "cli/say.h"
#include "counts/counts_beside.h"

/* Let the counts have each event of the session that counts. */
static int choose_counted(struct counting *counting, const struct session_events *events)
{
	const struct claim *claim = events->claim;
	const struct cpu_list all = { 0 };
	const struct perfdata_event *event;
	struct tprof_lx_count count;
	u32 i;
	int err;

	counting->device = claim->device;
	err = counting_choose_lanes(counting, &all, claim->info->info.nr_cpus, false);
	for (i = 0; i < events->nr && !err; i++) {
		event = &events->all[i];
		/* Clocks sample, but count nothing. */
		if (device_read(claim->device, TPROF_LX_SUM, i, &count) == -EOPNOTSUPP)
			continue;
		err = counting_add(counting, event->name, &event->attr, i, COUNTED);
		if (!err)
			counting->events[counting->nr_events - 1].cores = events->cores[i];
	}
	return err;
}

/*
 * Add the events in @list to those that sample, which were added before. Return STATUS_OK, or
 * print an error and return another status.
 */
int counts_beside_add(struct counting *counting, struct session_events *events,
		      const struct event_list *list, const struct event_defaults *defaults)
{
	const struct tprof_lx_info *info = &events->claim->info->info;
	struct event_spec specs[TPROF_LX_MAX_EVENTS];
	struct message msg;
	int err, status = STATUS_OK;
	u32 i, nr;

	if (!(info->features & TPROF_LX_FEATURE_COUNT_RECORDS))
		return say_error("the loaded module (version %s) does not count beside samples; update and reload it",
				 info->version);
	if (event_list_parse(list, specs, ARRAY_SIZE(specs), &nr, &msg))
		return say_usage("%s", msg.text);
	for (i = 0; i < nr && !status; i++)
		status = session_events_count(events, defaults, &specs[i]);
	if (status)
		return status;
	err = choose_counted(counting, events);
	return err ? say_failure(err, "cannot count") : STATUS_OK;
}
