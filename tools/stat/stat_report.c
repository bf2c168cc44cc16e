// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx stat - print the counts of a recording
 */
#include <errno.h>
#include <stdlib.h>

#include "cli/file_input.h"
#include "cli/say.h"
#include "cli/streams.h"
#include "counts/counts_read.h"
#include "stat/stat_report.h"

/**
 * struct stat_report - a recording that is printed
 * @counts:	reads its counts
 * @output:	prints them
 */
struct stat_report {
	struct counts_reader counts;
	struct stat_output *output;
};

static int print_round(void *arg, u64 elapsed)
{
	struct stat_report *report = arg;
	struct stat_output *output = report->output;

	output->per_cpu = report->counts.per_cpu;
	output->per_thread = report->counts.per_thread;
	output->intervals = report->counts.scope.interval;
	stat_lines(output, elapsed);
	return stream_error(output->out);
}

static void say_notes(const char *name, const struct counts_reader *counts)
{
	if (counts->nr_orphans)
		say_note("%s: left out %llu counts of unknown events, CPUs or threads; if it is damaged, count again",
			 name, counts->nr_orphans);
	if (counts->nr_left_out)
		say_note("%s: left out %u events; tprof-lx prints at most %u", name,
			 counts->nr_left_out, TPROF_LX_MAX_EVENTS);
}

static int print_counts(struct stat_report *report, const char *name)
{
	struct counts_reader *counts = &report->counts;
	struct stat_times times = { 0 };
	int err = counts_read(counts);

	say_notes(name, counts);
	if (counts->elapsed)
		statistics_add(&times.elapsed, (double)counts->elapsed / NSEC_PER_SEC);
	if (counts->nr_rounds)
		stat_end(report->output, &times);
	if (err)
		return say_input_failed(name, err, &counts->reader->msg);
	if (!counts->nr_rounds)
		return say_error("%s has no counts; count with stat --record or record --count",
				 name);
	return STATUS_OK;
}

/* Print the counts of the recording of --report to @output. Return the status. */
int stat_report(struct stat_output *output, const struct stat_options *opts)
{
	struct stat_report *report = calloc(1, sizeof(*report));
	struct reader reader;
	int fd, status;

	if (!report)
		return say_failure(-ENOMEM, opts->report);
	fd = open_input(opts->report, &reader);
	if (fd < 0) {
		free(report);
		return STATUS_FAILED;
	}
	report->output = output;
	report->counts.reader = &reader;
	report->counts.per_cpu = opts->per_cpu;
	report->counts.per_thread = opts->per_thread;
	report->counts.per_process = opts->per_process;
	report->counts.is_cumulative = opts->cumulative;
	report->counts.take_round = print_round;
	report->counts.arg = report;
	output->counting = &report->counts.counting;
	output->recording = opts->report;
	status = print_counts(report, opts->report);
	counts_reader_free(&report->counts);
	close_input(opts->report, &reader, fd);
	free(report);
	return status;
}
