// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - the call trees of a recording, which is read again for them
 */
#include "cli/say.h"
#include "profile/latency.h"
#include "profile/wall.h"
#include "report/report_order.h"
#include "report/report_trees.h"

static void sort_paths(struct gather *gather)
{
	u32 i;

	for (i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i])
			call_tree_sort(&gather->profiles[i]->paths);
	}
}

/*
 * Read the recording. Return STATUS_OK, or print a message and return STATUS_FAILED. Call
 * report_trees_free() only if this succeeds.
 */
int report_trees_read(struct report_trees *trees, const struct report_options *opts,
		      enum report_trees_kind kind)
{
	struct gathered *gathered = &trees->gathered;
	int status, err = 0;

	*trees = (struct report_trees){ .options = opts->gather };
	trees->options.chain_trees = kind == REPORT_TREES;
	trees->options.paths = kind == REPORT_PATHS;
	trees->options.progress = NULL;
	status = gathered_open(gathered, &trees->options, &opts->symbols, opts->input);
	if (status)
		return status;
	if (opts->wall)
		err = wall_merge(&gathered->gather, &gathered->reader);
	if (!err && kind == REPORT_TREES && opts->gather.latency)
		err = latency_merge(&gathered->gather);
	if (!err && kind == REPORT_TREES)
		err = report_sort(opts, &gathered->gather);
	else if (!err)
		sort_paths(&gathered->gather);
	if (!err)
		return STATUS_OK;
	report_trees_free(trees);
	return say_failure(err, opts->input);
}

void report_trees_free(struct report_trees *trees)
{
	gathered_close(&trees->gathered);
}
