// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - counts beside the samples
 *
 * The session has the events of --count beside those that sample. The module counts all of
 * them, also those that sample, if their back end can count. The counts since the start are
 * printed at the end, and when SIGUSR1 asks for them. The recording has those of each thread in
 * READ records.
 */
#include <errno.h>

#include "cli/say.h"
#include "counts/counts_beside.h"
#include "record/record_counts.h"

static void choose_writer(struct recording *rec, const struct record_options *opts)
{
	const struct counting *counting = &rec->counts.counting;
	struct counts_writer *writer = &rec->counts.writer;
	u32 i;

	*writer = (struct counts_writer){
		.counting = counting,
		.interval = opts->interval,
		.comm = *opts->command ? *opts->command : "",
	};
	for (i = 0; i < counting->nr_events; i++)
		writer->ids[i] = rec->events.all[counting->events[i].index].id;
}

static void choose_output(struct recording *rec, const struct record_options *opts)
{
	struct recording_counts *counts = &rec->counts;

	counts->totals = (struct stat_output){
		.out = stderr,
		.format = &stat_text,
		.counting = &counts->counting,
		.command = opts->command,
		.cpus = &opts->cpus,
		.pids = &opts->pids,
		.tids = &opts->tids,
		.is_process_scope = !opts->everything,
		.is_alone = opts->no_inherit,
	};
	counts->intervals = counts->totals;
	counts->intervals.intervals = true;
	counts->interval = opts->interval;
	counts->per_thread = opts->per_thread;
}

/*
 * Add the events of --count to those that sample. Return STATUS_OK, or print an error and
 * return another status.
 */
int record_add_counts(struct recording *rec, const struct record_options *opts,
		      const struct event_defaults *defaults)
{
	struct event_defaults plain = *defaults;
	int status;

	if (!opts->counts.nr)
		return STATUS_OK;
	plain.thread_counts = rec->claim.flags & TPROF_LX_EVENT_PROCESS;
	status = counts_beside_add(&rec->counts.counting, &rec->events, &opts->counts, &plain);
	if (status)
		return status;
	choose_output(rec, opts);
	choose_writer(rec, opts);
	rec->ending.has_counts = true;
	return STATUS_OK;
}

/* Read the counts since the start, or since the last interval. */
static int read_counts(struct recording *rec, bool is_cumulative, u64 elapsed)
{
	int err;

	rec->counts.counting.is_cumulative = is_cumulative;
	rec->counts.counting.elapsed_ns = elapsed;
	err = counting_read(&rec->counts.counting);
	return err ? say_failure(err, "cannot read the counts") : STATUS_OK;
}

/* Return when the interval ends in which @now is. */
u64 recording_next_interval(const struct recording *rec, u64 now)
{
	u64 interval = rec->counts.interval;

	return interval ? rec->started + ((now - rec->started) / interval + 1) * interval : ~0ULL;
}

/* Append the counts that were read last, at @elapsed ns after the start. */
void recording_add_counts(struct recording *rec, struct bytes *out, u64 elapsed)
{
	rec->counts.writer.pid = rec->targets.nr == 1 && !rec->comm.follow ?
				 rec->targets.pids[0] : -1;
	counts_write_round(&rec->counts.writer, out, elapsed);
}

/* Write the counts of an interval to the file. Keep the first error in @rec->output_err. */
static void write_interval(struct recording *rec, u64 elapsed)
{
	struct bytes out = { 0 };
	size_t written;

	recording_add_counts(rec, &out, elapsed);
	if (!rec->output_err)
		rec->output_err = bytes_err(&out);
	if (!rec->output_err)
		rec->output_err = writer_append(&rec->writer, out.data, out.len, &written);
	bytes_free(&out);
}

/* Print the counts of the interval that ends at @now. */
int recording_print_interval(struct recording *rec, u64 now)
{
	u64 time = now - rec->started;
	int status = read_counts(rec, false, time - rec->counts.printed_at);

	if (status)
		return status;
	rec->counts.printed_at = time;
	status_clear();
	stat_lines(&rec->counts.intervals, time);
	fflush(rec->counts.intervals.out);
	/* recording_finish() has written those of the last interval. */
	if (!rec->stopped)
		write_interval(rec, time);
	return STATUS_OK;
}

static void print_table(struct stat_output *output, u64 elapsed)
{
	struct stat_times times = { 0 };

	statistics_add(&times.elapsed, (double)elapsed / NSEC_PER_SEC);
	output->has_begun = false;
	stat_lines(output, elapsed);
	stat_end(output, &times);
}

/* Print the counts from the start to @now. */
int recording_print_counts(struct recording *rec, u64 now)
{
	int status = read_counts(rec, true, now - rec->started);

	if (status)
		return status;
	status_clear();
	print_table(&rec->counts.totals, now - rec->started);
	return STATUS_OK;
}

/* Leave out the events that the module does not count by thread. */
static void drop_sums(struct counting *counting)
{
	struct tprof_lx_threads list;
	u32 i;

	for (i = 0; i < counting->nr_events; i++) {
		if (device_threads(counting->device, counting->events[i].index, NULL, 0, &list))
			counting->events[i].state = COUNTED_NOT;
	}
}

/* Print the counts of the whole recording, after its end. */
int recording_print_all_counts(struct recording *rec)
{
	struct recording_counts *counts = &rec->counts;
	int err, status;

	if (!counts->counting.nr_events || !rec->started)
		return STATUS_OK;
	status = counts->interval ? recording_print_interval(rec, rec->stopped) : STATUS_OK;
	if (!status)
		status = recording_print_counts(rec, rec->stopped);
	if (status || !counts->per_thread)
		return status;
	drop_sums(&counts->counting);
	err = counting_read_threads(&counts->counting);
	if (err)
		return say_failure(err, "cannot read the counts of the threads");
	counts->totals.per_thread = true;
	print_table(&counts->totals, rec->stopped - rec->started);
	return STATUS_OK;
}
