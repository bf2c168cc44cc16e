// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - the call trees of a recording, which is read again for them
 */
#include <unistd.h>

#include "cli/file_input.h"
#include "cli/gather_input.h"
#include "cli/say.h"
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
	int status, err = 0;

	*trees = (struct report_trees){ .options = opts->gather };
	trees->options.chain_trees = kind == REPORT_TREES;
	trees->options.paths = kind == REPORT_PATHS;
	trees->options.progress = NULL;
	trees->fd = open_input(opts->input, &trees->reader);
	if (trees->fd < 0)
		return STATUS_FAILED;
	status = gather_input(&trees->gather, &trees->options, &opts->symbols, &trees->reader,
			      opts->input);
	if (!status && opts->wall)
		err = wall_merge(&trees->gather, &trees->reader);
	if (!status && !err && kind == REPORT_TREES)
		err = report_sort(opts, &trees->gather);
	else if (!status && !err)
		sort_paths(&trees->gather);
	if (err)
		status = say_failure(err, opts->input);
	if (status)
		report_trees_free(trees);
	return status;
}

void report_trees_free(struct report_trees *trees)
{
	gather_free(&trees->gather);
	reader_close(&trees->reader);
	close(trees->fd);
}
