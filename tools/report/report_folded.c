// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print call paths, one per line, for flame graph tools
 */
#include "cli/folded.h"
#include "cli/say.h"
#include "report/report_format.h"
#include "report/report_options.h"

static int print_folded(const struct report_options *opts, const struct gather *gather)
{
	bool times = opts->wall || opts->gather.wakers || opts->gather.latency;
	s64 nr = folded_print(stdout, gather, times);

	return nr < 0 ? nr : 0;
}

static int check(const struct report_options *opts)
{
	if (opts->sort || opts->fields || opts->key_options.parent || opts->call_graph ||
	    opts->order || opts->limit >= 0 || opts->show_samples || opts->confidence ||
	    opts->yes_children || opts->no_children)
		return say_usage("report: --folded prints only call paths; leave out keys, columns, trees and limits");
	if (opts->gather.threads)
		return say_usage("report: --folded prints only call paths; leave out -T");
	return STATUS_OK;
}

static int check_profiles(const struct report_options *opts, const struct gather *gather)
{
	return folded_check(opts->input, gather);
}

const struct report_format report_folded_format = {
	.whole_paths = true,
	.check = check,
	.check_profiles = check_profiles,
	.print = print_folded,
};
