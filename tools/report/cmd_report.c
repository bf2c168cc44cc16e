// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print profiles of a recording
 */
#include <errno.h>
#include <string.h>

#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/gather_input.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "profile/latency.h"
#include "profile/wall.h"
#include "cli/pager.h"
#include "report/report_order.h"
#include "report/report_sum.h"

static int print(const struct report_options *opts, const struct gather *gather)
{
	pid_t pager = 0;
	char buf[REPORT_SUM_LEN];
	int err;

	if (!opts->format->no_pager)
		pager = pager_start();
	err = opts->format->print(opts, gather);
	if (!opts->format->has_sum)
		say_note("%s", report_sum_text(gather, buf, sizeof(buf)));
	if (err < 0)
		say_error("%s", strerror(-err));
	if (!pager_wait(pager))
		return say_error("the pager cannot be run; check $PAGER, or use --stdio");
	return err ? STATUS_FAILED : STATUS_OK;
}

/* Print notes on what the file has but the report does not show. */
static void warn(const struct report_options *opts, const struct gather *gather)
{
	if (gather->threads.nr_left_out)
		say_note("%s: counts by thread are shown for the first %u events only",
			 opts->input, THREAD_COUNTS_EVENTS);
	if (gather->has_groups)
		say_note("%s: counts of other events in a sample's group are not shown",
			 opts->input);
}

static bool has_filter(const struct gather_filter *filter)
{
	return filter->events || filter->comms || filter->pids.nr || filter->tids.nr;
}

/* Check the options that depend on the contents of the file. */
static int check_gathered(const struct report_options *opts, const struct reader *reader,
			  const struct gather *gather)
{
	if (!gather_has_events(gather, reader))
		return say_no_event(opts->input, opts->gather.filter.events, reader);
	if (opts->gather.threads && !gather->threads.table.nr)
		return say_error("%s has no counts by thread%s; record them with -s", opts->input,
				 has_filter(&opts->gather.filter) ? " for these filters" : "");
	if (opts->gather.wakers && !gather->wakers.nr_noted)
		return say_error("%s has no wakeups; record them with --off-cpu --wakers",
				 opts->input);
	if ((opts->call_graph || opts->gather.parent) && gather->samples && !gather->has_chains)
		return say_error("%s has no call chains; record them with -g", opts->input);
	if (opts->symbols.inlines && gather->samples && !gather->has_chains)
		say_note("%s has no call chains, so no inlined functions; record with -g",
			 opts->input);
	return opts->format->check_profiles ? opts->format->check_profiles(opts, gather) :
					      STATUS_OK;
}

/* Add up the times on and off CPU. */
static int add_up(const struct report_options *opts, struct reader *reader, struct gather *gather)
{
	int err = gather_has_events(gather, reader) ? wall_merge(gather, reader) : 0;

	return err ? say_input_failed(opts->input, err, &reader->msg) : STATUS_OK;
}

static int present(struct report_options *opts, struct gather *gather)
{
	int err = report_finish_columns(opts, gather->children);

	if (!err)
		err = report_sort(opts, gather);
	if (err)
		return say_error("%s", err == -E2BIG ?
				 "too many columns; choose fewer with --fields" : strerror(-err));
	return print(opts, gather);
}

static int show(struct report_options *opts, struct reader *reader)
{
	struct gather gather;
	int refused, status;

	opts->gather.progress = progress_show;
	status = gather_input(&gather, &opts->gather, &opts->symbols, reader, opts->input);
	warn(opts, &gather);
	refused = opts->wall ? add_up(opts, reader, &gather) : STATUS_OK;
	if (opts->gather.latency && !opts->gather.paths && latency_merge(&gather))
		refused = say_failure(-ENOMEM, opts->input);
	if (!refused)
		refused = check_gathered(opts, reader, &gather);
	if (!refused && thread_counts_sort(&gather.threads))
		refused = say_failure(-ENOMEM, opts->input);
	if (!refused && (!status || gather.samples))
		refused = present(opts, &gather);
	if (refused)
		status = refused;
	gather_free(&gather);
	return status;
}

static int read_input(struct report_options *opts)
{
	struct reader reader;
	int fd = open_input(opts->input, &reader), status;

	if (fd < 0)
		return STATUS_FAILED;
	status = show(opts, &reader);
	close_input(opts->input, &reader, fd);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct report_options opts;
	int status;

	status = report_options_read(&opts, self, argc, argv);
	if (!status)
		status = read_input(&opts);
	sort_keys_free(&opts.key_options);
	return status;
}

const struct command report_command = {
	.name = "report",
	.summary = "show where the samples of a recording are",
	.operands = "",
	.text = "Reads recordings of tprof-lx record and perf record, from a file or a pipe.\n"
		"On a terminal, the tables are on a screen; its key h lists all keys.\n"
		"--comm, --dso and --sym hide rows; percentages still refer to all samples.\n"
		"--pid, --tid, --cpu and --time drop samples; percentages refer to the rest.\n",
	.more_help = report_print_words,
	.options = report_rows,
	.run = run,
};
