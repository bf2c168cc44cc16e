/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the samples of a page, with times in steps
 *
 * A page has about a million points at most. If a recording has more samples, the step of
 * time is doubled until enough samples with equal keys are in the same step.
 *
 * If there are a million points, the step is doubled until equal points are half of them, as
 * long as there are 1024 steps.
 */
#ifndef TPROF_HTML_POINTS_H
#define TPROF_HTML_POINTS_H

#include "base/types.h"

/**
 * struct point - samples with equal keys in a step of time
 * @time:	key: number of the step
 * @event:	key: number of the event in the page
 * @run:	key: number of the recording in the page
 * @thread:	key: index of the thread
 * @cpu:	key: the CPU, NO_CPU if it was not recorded
 * @stack:	key: call stack
 * @tuple:	key: samples_find_keys()
 * @samples:	number of the samples
 * @weight:	sum of their periods
 */
struct point {
	u32	time;
	u32	event : 24;
	u32	run : 8;
	u32	thread;
	u32	cpu;
	u32	stack;
	u32	tuple;
	u32	samples;
	u64	weight;
};

/**
 * struct points - all points; points_init() makes it empty
 * @list:	the points; after points_settle(), in the order of their times
 * @nr:		number of points
 * @room:	capacity of @list
 * @most:	number of points at which the step is doubled
 * @first:	time of the first sample
 * @last:	number of the last step
 * @shift:	a step has 2^@shift ns
 * @nr_samples:	number of samples
 */
struct points {
	struct point *list;
	size_t	nr;
	size_t	room;
	size_t	most;
	u64	first;
	u32	last;
	u32	shift;
	u64	nr_samples;
};

/* The step of a recording that has few samples: 4 microseconds. */
#define POINTS_SHIFT	12

extern size_t points_most, points_max;

void points_init(struct points *points);
int points_make_room(struct points *points);
int points_add(struct points *points, u64 time, const struct point *point);
void points_settle(struct points *points);
u32 points_step(const struct points *points, u64 time);
void points_free(struct points *points);

#endif /* TPROF_HTML_POINTS_H */
