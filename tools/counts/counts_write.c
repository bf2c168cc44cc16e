// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - write counts to a recording
 */
#include <string.h>

#include "counts/counts_write.h"
#include "counts/thread_map.h"

/* Return how many lanes have a place of their own in the recording. */
static u32 nr_kept(const struct counts_writer *writer)
{
	u32 nr = writer->counting->nr_lanes;

	if (!writer->per_thread || nr <= STAT_THREADS_MAX)
		return nr;
	return STAT_THREADS_MAX - 1;
}

/* Without lines for threads, there is a single thread: the process, or all of them. */
static u32 list_threads(const struct counts_writer *writer, struct stat_thread *threads)
{
	const struct thread_rows *rows = &writer->counting->threads;
	struct thread_row others = { .kind = ROW_OTHERS };
	u32 i, nr = nr_kept(writer);

	if (!writer->per_thread) {
		threads[0] = (struct stat_thread){ .tid = writer->pid };
		strncpy(threads[0].comm, writer->comm, STAT_COMM_BYTES - 1);
		return 1;
	}
	for (i = 0; i < nr; i++)
		thread_map_put(&threads[i], &rows->rows[i]);
	if (nr == writer->counting->nr_lanes)
		return nr;
	others.nr = writer->counting->nr_lanes - nr;
	thread_map_put(&threads[nr], &others);
	return nr + 1;
}

static void write_scope(const struct counts_writer *writer, struct bytes *out)
{
	const u32 any = STAT_ANY_CPU;
	struct stat_thread threads[STAT_THREADS_MAX];
	struct stat_scope scope = {
		.aggregation = STAT_GLOBALLY,
		.interval = writer->interval,
		.threads = threads,
		.nr_threads = list_threads(writer, threads),
		.cpus = &any,
		.nr_cpus = 1,
	};

	if (writer->per_thread)
		scope.aggregation = stat_by_thread();
	if (writer->per_cpu) {
		scope.aggregation = STAT_BY_CPU;
		scope.cpus = writer->counting->lanes;
		scope.nr_cpus = writer->counting->nr_lanes;
	}
	stat_record_begin(out, &scope);
}

/*
 * Events that were not counted were enabled, but did not run. That is what perf writes, and
 * prints as "not counted". The times on CPUs that an event is not for are those for which it was
 * enabled, but did not run.
 */
static struct stat_reading read_lane(const struct counts_writer *writer,
				     const struct counted_event *event, u32 lane, u64 elapsed)
{
	const struct count_cell *cell = &event->cells[lane];
	struct stat_reading reading = { .cpu = STAT_ANY_CPU };

	if (writer->per_cpu)
		reading.cpu = writer->counting->lanes[lane];
	if (writer->per_thread)
		reading.thread = lane;
	if (event->state != COUNTED) {
		reading.enabled = elapsed ? elapsed : 1;
		return reading;
	}
	reading.value = cell->total;
	reading.running = cell->total_ns;
	reading.enabled = cell->total_ns + cell->total_missed_ns;
	return reading;
}

static void write_event(const struct counts_writer *writer, u32 index, struct bytes *out,
			u64 elapsed)
{
	const struct counted_event *event = &writer->counting->events[index];
	u32 lane, nr = nr_kept(writer), nr_lanes = writer->counting->nr_lanes;
	struct stat_reading reading, others = { .id = writer->ids[index], .cpu = STAT_ANY_CPU,
						.thread = nr };

	for (lane = 0; lane < nr_lanes; lane++) {
		reading = read_lane(writer, event, lane, elapsed);
		reading.id = writer->ids[index];
		if (lane < nr) {
			stat_record_count(out, &reading);
			continue;
		}
		others.value += reading.value;
		others.enabled += reading.enabled;
		others.running += reading.running;
	}
	if (nr < nr_lanes)
		stat_record_count(out, &others);
}

/*
 * Append the counts since the start, as they were read last, at @elapsed ns since the start. An
 * event that the CPU does not have gets no record, as in perf.
 */
void counts_write_round(struct counts_writer *writer, struct bytes *out, u64 elapsed)
{
	u32 i;

	if (!writer->has_begun)
		write_scope(writer, out);
	writer->has_begun = true;
	for (i = 0; i < writer->counting->nr_events; i++) {
		if (writer->counting->events[i].state != COUNTED_UNKNOWN)
			write_event(writer, i, out, elapsed);
	}
	stat_record_round(out, !writer->interval, elapsed);
}
