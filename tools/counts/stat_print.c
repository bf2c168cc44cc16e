// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - print counts in any format
 */
#include <string.h>

#include "base/printable.h"
#include "cli/say.h"
#include "counts/stat_output.h"

#define LEAST_NAME_WIDTH	24

/*
 * Print the heading. stat_lines() calls this before the first count, so that
 * nothing is printed if counting cannot start.
 */
static void begin(struct stat_output *output)
{
	u32 i;
	int width;

	output->has_begun = true;
	output->name_width = LEAST_NAME_WIDTH;
	for (i = 0; i < output->counting->nr_events; i++) {
		width = strlen(output->counting->events[i].name);
		if (width > output->name_width)
			output->name_width = width;
	}
	if (output->format->begin)
		output->format->begin(output);
}

static void print_cell(const struct stat_output *output, const struct counted_event *event,
		       u32 lane, u64 time)
{
	const struct count_cell *cell = &event->cells[lane];
	struct stat_line line = {
		.time = time,
		.cpu = output->per_cpu ? output->counting->lanes[lane] : TPROF_LX_SUM,
		.thread = output->per_thread ? &output->counting->threads.rows[lane] : NULL,
		.event = event,
		.count = cell->values.nr ? cell->values.mean : cell->value,
		.ran_ns = cell->times.nr ? cell->times.mean : cell->ran_ns,
		.missed_ns = cell->misses.nr ? cell->misses.mean : cell->missed_ns,
		.yields = cell->yields,
		.deviation = statistics_deviation(&cell->values),
	};

	/* Skip a CPU that was offline all the time, or on which no target ran. */
	if (output->per_cpu && event->state == COUNTED && line.ran_ns == 0)
		return;
	metric_of(output->counting, event, lane, &line.metric);
	output->format->line(output, &line);
}

/* Print all counts. With -I, @time is the end of the interval, in ns since the start. */
void stat_lines(struct stat_output *output, u64 time)
{
	u32 lane, event;

	if (!output->has_begun)
		begin(output);
	for (lane = 0; lane < output->counting->nr_lanes; lane++) {
		for (event = 0; event < output->counting->nr_events; event++)
			print_cell(output, &output->counting->events[event], lane, time);
	}
}

/* Warn of events that have stopped because another program uses their counters. */
static void tell_yields(const struct counting *counting)
{
	u32 event;

	for (event = 0; event < counting->nr_events; event++) {
		if (counting_yields(counting, event))
			say_note("%s is wrong: another program changed the counter; end that program, and count again",
				 printable(counting->events[event].name));
	}
}

/* Print the times, after the last count. */
void stat_end(const struct stat_output *output, const struct stat_times *times)
{
	tell_yields(output->counting);
	if (output->format->end)
		output->format->end(output, times);
	fflush(output->out);
}
