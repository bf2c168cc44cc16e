// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - read the counts of a recording
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/interned.h"
#include "counts/counts_read.h"
#include "counts/thread_map.h"
#include "perfdata/record_visitor.h"

/* In counts_reader.event_of: the event has no counts, or was left out. */
#define NO_EVENT	255

/**
 * struct source - what has readings of its own: an event, on a CPU or of a thread
 * @event:	index of the event in the reader
 * @now:	the last reading
 * @before:	the reading at the end of the last round
 */
struct source {
	u32	event;
	struct stat_reading now;
	struct stat_reading before;
};

static struct source *find_source(struct counts_reader *counts, u32 event,
				  const struct stat_reading *reading)
{
	/* 12 bits for the event, 12 for the thread, 32 for the CPU: no two have the same key. */
	u64 key = (u64)event << 44 | (u64)reading->thread << 32 | reading->cpu;
	struct source *source = hash_table_get(&counts->sources, key, sizeof(*source));

	if (source)
		source->event = event;
	return source;
}

/* A CPU that comes online after the first round has no lane: the list is complete by then. */
static void add_cpu(struct counts_reader *counts, u32 cpu)
{
	if (counts->is_counted)
		return;
	counts->cpus.bits[cpu / 8] |= 1 << cpu % 8;
	if (counts->cpus.bytes < cpu / 8 + 1)
		counts->cpus.bytes = cpu / 8 + 1;
}

static int take_reading(struct counts_reader *counts, const struct stat_reading *reading)
{
	const struct reader_event *event = reader_find_event(counts->reader, reading->id);
	struct source *source;

	if (!event || reading->thread >= STAT_THREADS_MAX ||
	    (reading->cpu >= CPU_LIST_MAX && reading->cpu != STAT_ANY_CPU)) {
		counts->nr_orphans++;
		return 0;
	}
	source = find_source(counts, event - counts->reader->events, reading);
	if (!source)
		return -ENOMEM;
	source->now = *reading;
	counts->has_fresh = true;
	if (reading->cpu == STAT_ANY_CPU)
		counts->has_all_cpus = true;
	else
		add_cpu(counts, reading->cpu);
	return 0;
}

static u32 cores_of(const char *name)
{
	if (begins_with(name, "cpu_core/"))
		return TPROF_LX_EVENT_CPU_CORE;
	return begins_with(name, "cpu_atom/") ? TPROF_LX_EVENT_CPU_ATOM : 0;
}

/* Return true for each event that has readings, by its index in the reader. */
static void find_counted(const struct counts_reader *counts, bool *is_counted)
{
	const struct source *source;
	size_t at = 0;

	while ((source = hash_table_next(&counts->sources, &at)))
		is_counted[source->event] = true;
}

/*
 * Add the events in the order of the recording. An event without readings is one that samples
 * and does not count, or one that the CPU did not have.
 */
static int add_events(struct counts_reader *counts)
{
	bool is_counted[READER_MAX_EVENTS] = { false };
	struct counting *counting = &counts->counting;
	const struct reader_event *event;
	u32 i;
	int err = 0;

	find_counted(counts, is_counted);
	memset(counts->event_of, NO_EVENT, sizeof(counts->event_of));
	for (i = 0; i < counts->reader->nr_events && !err; i++) {
		event = &counts->reader->events[i];
		if (!is_counted[i] && event->layout.attr.sample_period)
			continue;
		if (counting->nr_events == ARRAY_SIZE(counting->events)) {
			counts->nr_left_out++;
			continue;
		}
		counts->event_of[i] = counting->nr_events;
		err = counting_add(counting, event->name, &event->layout.attr, i,
				   COUNTED_UNKNOWN);
		counting->events[counting->nr_events - 1].cores = cores_of(event->name);
	}
	counts->is_counted = true;
	return err;
}

/* perf may have counted threads on each CPU apart, or all threads of a CPU together. */
static bool has_threads(const struct counts_reader *counts)
{
	return counts->has_all_cpus && !counts->cpus.bytes &&
	       (counts->scope.nr_threads > 1 || counts->scope.aggregation > STAT_GLOBALLY);
}

/* Choose what has a lane: what the caller wants, else what was printed when it was counted. */
static int choose_lanes(struct counts_reader *counts)
{
	bool has_cpus = counts->cpus.bytes && !counts->has_all_cpus;
	struct message *msg = &counts->reader->msg;

	if (counts->per_cpu && !has_cpus)
		return message_set(msg, -ENODATA, "it has no counts by CPU; count with -A");
	if (counts->per_thread && !has_threads(counts))
		return message_set(msg, -ENODATA,
				   "it has no counts by thread; count with --per-thread");
	if (counts->per_cpu || counts->per_thread)
		return 0;
	counts->per_cpu = has_cpus && counts->scope.aggregation == STAT_BY_CPU;
	counts->per_thread = has_threads(counts) && counts->scope.aggregation > STAT_GLOBALLY;
	return 0;
}

static int add_rows(struct counts_reader *counts)
{
	struct thread_row *row;
	u32 i;

	counts->rows = calloc(counts->scope.nr_threads + 1, sizeof(*counts->rows));
	if (!counts->rows)
		return -ENOMEM;
	for (i = 0; i < counts->scope.nr_threads; i++) {
		row = &counts->rows[i];
		thread_map_get(&counts->threads[i], row);
		if (counts->per_process && row->kind == ROW_THREAD && !row->thread.pid)
			return message_set(&counts->reader->msg, -ENODATA,
					   "it lacks the processes of its threads; count with tprof-lx stat");
	}
	return 0;
}

static int add_lanes(struct counts_reader *counts)
{
	struct counting *counting = &counts->counting;
	int err = choose_lanes(counts);
	u32 i;

	if (!err && counts->per_thread)
		err = add_rows(counts);
	if (!err)
		err = counting_choose_lanes(counting, &counts->cpus, CPU_LIST_MAX,
					    counts->per_cpu);
	for (i = 0; !err && i < counting->nr_lanes && counts->per_cpu; i++)
		counts->lane_of[counting->lanes[i]] = i;
	return err;
}

static u64 difference(u64 now, u64 before)
{
	return now > before ? now - before : 0;
}

/* Add the difference between two readings to a lane. */
static void add_source(struct counts_reader *counts, const struct source *source)
{
	const struct stat_reading *now = &source->now, *before = &source->before;
	u64 value = difference(now->value, before->value);
	u64 running = difference(now->running, before->running);
	u64 missed = difference(difference(now->enabled, before->enabled), running);
	u32 index = counts->event_of[source->event];
	struct counted_event *event;
	struct count_cell *cell;

	if (index == NO_EVENT)
		return;
	event = &counts->counting.events[index];
	if (counts->per_cpu && !cpu_list_has(&counts->cpus, now->cpu)) {
		counts->nr_orphans++;
		return;
	}
	if (running || !missed)
		event->state = COUNTED;
	else if (event->state == COUNTED_UNKNOWN)
		event->state = COUNTED_NOT;
	if (counts->scope.scales && running && missed)
		value = (double)value * (running + missed) / running;
	if (counts->per_thread && now->thread < counts->scope.nr_threads) {
		counts->rows[now->thread].values[index] += value;
		counts->rows[now->thread].ran_ns[index] += running;
	}
	if (counts->per_thread)
		return;
	cell = &event->cells[counts->per_cpu ? counts->lane_of[now->cpu] : 0];
	cell->value += value;
	cell->ran_ns += running;
	cell->missed_ns += missed;
}

static void clear_lanes(struct counts_reader *counts)
{
	struct counting *counting = &counts->counting;
	u32 i;

	for (i = 0; i < counting->nr_events && !counts->per_thread; i++)
		memset(counting->events[i].cells, 0,
		       counting->nr_lanes * sizeof(*counting->events[i].cells));
	for (i = 0; i < counts->scope.nr_threads && counts->per_thread; i++) {
		memset(counts->rows[i].values, 0, sizeof(counts->rows[i].values));
		memset(counts->rows[i].ran_ns, 0, sizeof(counts->rows[i].ran_ns));
	}
}

/* Let the lanes of @counts->counting be the threads. */
static int show_threads(struct counts_reader *counts)
{
	struct thread_rows *shown = &counts->counting.threads;
	size_t nr = counts->scope.nr_threads;

	if (!shown->rows)
		shown->rows = calloc(nr + 1, sizeof(*shown->rows));
	if (!shown->rows)
		return -ENOMEM;
	memcpy(shown->rows, counts->rows, nr * sizeof(*shown->rows));
	shown->nr = nr;
	return counts->per_process ? counting_join_threads(&counts->counting) :
				     counting_show_threads(&counts->counting);
}

/* End a round of readings at @elapsed ns after the start. */
static int end_round(struct counts_reader *counts, u64 elapsed)
{
	struct source *source;
	size_t at = 0;
	int err = 0;

	if (!counts->is_counted) {
		err = add_lanes(counts);
		if (!err)
			err = add_events(counts);
	}
	if (err)
		return err;
	if (!counts->is_cumulative)
		clear_lanes(counts);
	while ((source = hash_table_next(&counts->sources, &at))) {
		add_source(counts, source);
		source->before = source->now;
	}
	if (counts->per_thread)
		err = show_threads(counts);
	if (err)
		return err;
	counts->counting.elapsed_ns = elapsed - (counts->is_cumulative ? 0 : counts->elapsed);
	counts->elapsed = elapsed;
	counts->nr_rounds++;
	counts->has_fresh = false;
	return counts->take_round(counts->arg, elapsed);
}

static int take_record(void *arg, const struct record *record)
{
	struct counts_reader *counts = arg;
	struct stat_reading reading;
	u64 elapsed;

	if (stat_read_scope(record, &counts->scope))
		return 0;
	/* Readings refer to the first list of threads. */
	if (!counts->scope.nr_threads &&
	    stat_read_threads(record, counts->threads, &counts->scope.nr_threads))
		return 0;
	if (stat_read_count(record, &reading))
		return take_reading(counts, &reading);
	/* Without intervals, there is one round: all counts since the start. */
	if (!stat_read_round(record, &elapsed) || !counts->has_fresh)
		return 0;
	return end_round(counts, elapsed);
}

static int skip_samples(void *arg, const struct lent_sample *samples, size_t nr)
{
	(void)arg;
	(void)samples;
	(void)nr;
	return 0;
}

/*
 * Read the recording to its end, and call @counts->take_round for each round. perf ends a file of
 * intervals with readings of no round, and perf stat report skips them. If there is no round at
 * all, the recorder was killed: call @counts->take_round for what it read. Return 0 or -errno.
 */
int counts_read(struct counts_reader *counts)
{
	struct record_visitor visitor = { .take_samples = skip_samples,
					  .take_record = take_record, .arg = counts };
	int err = visit_records(&visitor, counts->reader);

	if (!err && !counts->nr_rounds && counts->has_fresh)
		err = end_round(counts, 0);
	return err;
}

void counts_reader_free(struct counts_reader *counts)
{
	hash_table_free(&counts->sources, free);
	counting_free(&counts->counting);
	free(counts->rows);
}
