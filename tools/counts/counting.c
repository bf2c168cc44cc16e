// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - read counts of events
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counts/counting.h"
#include "events/event_parse.h"

/*
 * Set up the lanes (counting.h). Call this before the first counting_add(). Without
 * @per_cpu, there is one lane, for the sum of all CPUs. With @per_cpu, each CPU in
 * @cpus has a lane. An empty @cpus means each CPU below @nr_cpus.
 */
int counting_choose_lanes(struct counting *counting, const struct cpu_list *cpus, u32 nr_cpus,
			  bool per_cpu)
{
	u32 cpu;

	counting->lanes = calloc(per_cpu ? nr_cpus : 1, sizeof(*counting->lanes));
	if (!counting->lanes)
		return -ENOMEM;
	if (!per_cpu)
		counting->lanes[counting->nr_lanes++] = TPROF_LX_SUM;
	for (cpu = 0; per_cpu && cpu < nr_cpus; cpu++) {
		if (!cpus->bytes || cpu_list_has(cpus, cpu))
			counting->lanes[counting->nr_lanes++] = cpu;
	}
	return 0;
}

/* An event has its CPUs in its name, unless the user gave it another one. */
static void read_cpus(struct counted_event *event)
{
	struct event_spec spec;
	struct message ignored;

	if (strstr(event->name, "cpu=") && !event_parse(event->name, &spec, &ignored))
		event->cpus = spec.cpus;
}

/*
 * Add an event. Call this after counting_choose_lanes(). @index is the index of the
 * event in the session, used if @state is COUNTED.
 */
int counting_add(struct counting *counting, const char *name, const struct perf_event_attr *attr,
		 u32 index, enum counted_state state)
{
	struct counted_event *event = &counting->events[counting->nr_events];

	if (counting->nr_events == ARRAY_SIZE(counting->events))
		return -ENOSPC;
	*event = (struct counted_event){ .attr = *attr, .index = index, .state = state };
	event->name = strdup(name);
	if (event->name)
		read_cpus(event);
	event->cells = calloc(counting->nr_lanes, sizeof(*event->cells));
	counting->nr_events++;
	return event->name && event->cells ? 0 : -ENOMEM;
}

/* Return true if the count is a time in ns, which is printed in ms. */
bool counts_time(const struct counted_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (event->attr.config == PERF_COUNT_SW_TASK_CLOCK ||
		event->attr.config == PERF_COUNT_SW_CPU_CLOCK);
}

/* Return the mask of the events in state COUNTED, by index in the session. */
u32 counting_mask(const struct counting *counting)
{
	u32 i, mask = 0;

	for (i = 0; i < counting->nr_events; i++) {
		if (counting->events[i].state == COUNTED)
			mask |= 1U << counting->events[i].index;
	}
	return mask;
}

/*
 * Change the last event in state COUNTED to COUNTED_NOT, so that the session needs fewer
 * hardware counters. Never change event 0. Return false if no event was changed, or if no
 * event in state COUNTED is left.
 */
bool counting_shrink(struct counting *counting)
{
	u32 i = counting->nr_events;

	while (i-- > 1) {
		if (counting->events[i].state == COUNTED) {
			counting->events[i].state = COUNTED_NOT;
			return counting_mask(counting) != 0;
		}
	}
	return false;
}

static int read_cell(struct counting *counting, u32 event, u32 lane)
{
	struct count_cell *cell = &counting->events[event].cells[lane];
	struct tprof_lx_count count;
	int err = device_read(counting->device, counting->lanes[lane],
			      counting->events[event].index, &count);

	/* -EINVAL means that there is no such CPU: CPU numbers may have gaps. */
	if (err == -EINVAL && counting->lanes[lane] != TPROF_LX_SUM)
		return 0;
	if (err)
		return err;
	cell->value = count.value - (counting->is_cumulative ? 0 : cell->seen);
	cell->ran_ns = count.ran_ns - (counting->is_cumulative ? 0 : cell->seen_ns);
	cell->missed_ns = count.missed_ns - (counting->is_cumulative ? 0 : cell->seen_missed_ns);
	cell->total = count.value;
	cell->total_ns = count.ran_ns;
	cell->total_missed_ns = count.missed_ns;
	cell->yields = count.yields;
	if (counting->is_cumulative)
		return 0;
	cell->seen = count.value;
	cell->seen_ns = count.ran_ns;
	cell->seen_missed_ns = count.missed_ns;
	return 0;
}

/* Read all counts and, unless they are cumulative, subtract the previous reading. */
int counting_read(struct counting *counting)
{
	u32 event, lane;
	int err = 0;

	for (event = 0; event < counting->nr_events && !err; event++) {
		if (counting->events[event].state != COUNTED)
			continue;
		for (lane = 0; lane < counting->nr_lanes && !err; lane++)
			err = read_cell(counting, event, lane);
	}
	return err;
}

/* Return how often an event has stopped because another program uses its counter. */
u64 counting_yields(const struct counting *counting, u32 event)
{
	u64 yields = 0;
	u32 lane;

	for (lane = 0; lane < counting->nr_lanes; lane++)
		yields += counting->events[event].cells[lane].yields;
	return yields;
}

/* Add the counts of an event to the rows of the threads. */
static int read_threads(struct counting *counting, u32 event)
{
	struct tprof_lx_thread *threads = NULL, *more;
	struct tprof_lx_threads list = { 0 };
	u32 room;
	int err;

	/* A first call with no room returns the number of threads. */
	do {
		room = list.nr_threads;
		more = reallocarray(threads, room + 1, sizeof(*threads));
		err = more ? 0 : -ENOMEM;
		threads = more ? more : threads;
		if (!err)
			err = device_threads(counting->device, counting->events[event].index,
					     threads, room, &list);
	} while (!err && list.nr_threads > room);
	if (!err)
		err = thread_rows_add(&counting->threads, event, &list);
	free(threads);
	return err;
}

/* Make the counts of an event in the rows of the threads its cells. */
static int copy_cells(struct counting *counting, u32 event)
{
	struct count_cell *cells = calloc(counting->threads.nr + 1, sizeof(*cells));
	const struct thread_row *row = counting->threads.rows;
	size_t i;

	if (!cells)
		return -ENOMEM;
	for (i = 0; i < counting->threads.nr; i++, row++) {
		cells[i].value = row->values[event];
		cells[i].ran_ns = row->ran_ns[event];
		cells[i].total = cells[i].value;
		cells[i].total_ns = cells[i].ran_ns;
	}
	free(counting->events[event].cells);
	counting->events[event].cells = cells;
	return 0;
}

static u32 first_counted(const struct counting *counting)
{
	u32 event = 0;

	while (event < counting->nr_events && counting->events[event].state != COUNTED)
		event++;
	return event;
}

/* Sort the rows of the threads by the first event, and let each be a lane. */
int counting_show_threads(struct counting *counting)
{
	u32 event;
	int err = 0;

	thread_rows_sort(&counting->threads, first_counted(counting));
	for (event = 0; event < counting->nr_events && !err; event++)
		err = copy_cells(counting, event);
	counting->nr_lanes = err ? 0 : counting->threads.nr;
	return err;
}

/* Let each process have one row with the sums of its threads. Return 0 or -ENOMEM. */
int counting_join_threads(struct counting *counting)
{
	thread_rows_join(&counting->threads);
	counting->by_process = true;
	return counting_show_threads(counting);
}

/*
 * Read the counts of all threads, in place of their sum. Call this once, after STOP, so that
 * all events have the same threads.
 */
int counting_read_threads(struct counting *counting)
{
	u32 event;
	int err = 0;

	for (event = 0; event < counting->nr_events && !err; event++) {
		if (counting->events[event].state == COUNTED)
			err = read_threads(counting, event);
	}
	return err ? err : counting_show_threads(counting);
}

/* Add the latest readings to the statistics over all runs. */
void counting_end_run(struct counting *counting)
{
	struct count_cell *cell;
	u32 event, lane;

	for (event = 0; event < counting->nr_events; event++) {
		for (lane = 0; lane < counting->nr_lanes; lane++) {
			cell = &counting->events[event].cells[lane];
			statistics_add(&cell->values, cell->value);
			statistics_add(&cell->times, cell->ran_ns);
			statistics_add(&cell->misses, cell->missed_ns);
		}
	}
}

void counting_free(struct counting *counting)
{
	u32 i;

	for (i = 0; i < counting->nr_events; i++) {
		free(counting->events[i].name);
		free(counting->events[i].cells);
	}
	free(counting->lanes);
	thread_rows_free(&counting->threads);
}
