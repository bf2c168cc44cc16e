/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - events that are counted: reading them, run by run
 *
 * The counts of the module only grow. Each reading here is of what was added
 * since the one before, and the readings of several runs make a mean.
 */
#ifndef TPROF_COUNTING_H
#define TPROF_COUNTING_H

#include "base/parse.h"
#include "live/device.h"
#include "stat/statistics.h"

/**
 * struct count_cell - an event on a CPU, or on all of them
 * @value:	counted since the reading before
 * @ran_ns:	how long it ran in that time
 * @seen:	the count of the module at the last reading
 * @seen_ns:	the same for @ran_ns
 * @values:	@value of each run
 * @times:	@ran_ns of each run
 */
struct count_cell {
	u64	value;
	u64	ran_ns;
	u64	seen;
	u64	seen_ns;
	struct statistics values;
	struct statistics times;
};

/* What became of an event that was asked for. */
enum counted_state {
	COUNTED,
	COUNTED_NOT,		/* there was no counter left for it */
	COUNTED_UNKNOWN,	/* this CPU has no such event */
};

/**
 * struct counted_event - an event
 * @name:	as it is printed
 * @attr:	as it was asked for
 * @index:	its number in the session
 * @state:	is it counted?
 * @cells:	one for each of the lanes
 */
struct counted_event {
	char	*name;
	struct perf_event_attr attr;
	u32	index;
	enum counted_state state;
	struct count_cell *cells;
};

/**
 * struct counting - a set of events that are counted together
 * @device:	the session
 * @events:	its events
 * @nr_events:	how many
 * @lanes:	numbers of CPUs, or TPROF_LX_SUM alone
 * @nr_lanes:	how many
 */
struct counting {
	int	device;
	struct counted_event events[TPROF_LX_MAX_EVENTS];
	u32	nr_events;
	u32	*lanes;
	u32	nr_lanes;
};

int counting_choose_lanes(struct counting *counting, const struct cpu_list *cpus, u32 nr_cpus,
			  bool per_cpu);
int counting_add(struct counting *counting, const char *name, const struct perf_event_attr *attr,
		 u32 index, enum counted_state state);
u32 counting_mask(const struct counting *counting);
bool counting_shrink(struct counting *counting);
int counting_read(struct counting *counting);
void counting_end_run(struct counting *counting);
void counting_free(struct counting *counting);

#endif /* TPROF_COUNTING_H */
