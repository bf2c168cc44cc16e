// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - call paths, one per line, for flame graph tools
 */
#include <string.h>

#include "cli/file_input.h"
#include "cli/folded.h"
#include "cli/gather_input.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "export/samples.h"
#include "profile/path_order.h"

static int print(const struct export *export, struct gather *gather)
{
	const char *input = export->options->input;
	int err = 0, status;
	s64 nr = 0;
	u32 i;

	if (!gather_has_events(gather, export->reader))
		return say_no_event(input, gather->options->filter.events, export->reader);
	samples_note_losses(input, losses_sum(&gather->losses));
	status = folded_check(input, gather);
	if (status)
		return status;
	for (i = 0; i < gather->nr_profiles && !err; i++)
		err = gather->profiles[i] ? paths_sort(gather->profiles[i]) : 0;
	if (!err)
		nr = folded_print(export->out, gather, gather->options->latency);
	if (nr < 0)
		err = nr;
	else
		export->span->nr = nr ? gather->samples : 0;
	return err ? say_failure(err, input) : STATUS_OK;
}

static int write_folded(const struct export *export)
{
	const struct export_options *opts = export->options;
	struct gather_options options = { .filter = opts->gather.filter, .callers_first = true,
					  .paths = true, .latency = opts->gather.latency,
					  .progress = progress_show };
	struct gather gather;
	int failed, status;

	status = gather_input(&gather, &options, &opts->symbols, export->reader, opts->input);
	failed = print(export, &gather);
	gather_free(&gather);
	return failed ? failed : status;
}

const struct export_format export_folded = { .name = "folded", .write = write_folded };
