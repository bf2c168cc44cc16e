/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - read counts of events
 *
 * `stat` prints them, and `record` beside its samples.
 *
 * The module's counts only grow: the difference between two readings is the count of an
 * interval or of a run. Several runs are averaged. A lane has one count of each event:
 * with --per-cpu, there is a lane for each CPU; with --per-thread, for each row of threads.h
 * once they are read. Otherwise, a single lane has the sums of all CPUs.
 */
#ifndef TPROF_COUNTING_H
#define TPROF_COUNTING_H

#include "base/parse.h"
#include "live/device.h"
#include "counts/statistics.h"
#include "counts/threads.h"

/**
 * struct count_cell - counts of an event in one lane
 * @value:	difference of the module's counts at the last two readings
 * @ran_ns:	time in ns that the event ran between the last two readings
 * @missed_ns:	the same on CPUs that the event is not for
 * @seen:	the module's count at the last reading that was not cumulative
 * @seen_ns:	the module's ran_ns at that time
 * @seen_missed_ns: the module's missed_ns at that time
 * @total:	the module's count at the last reading
 * @total_ns:	the module's ran_ns at that time
 * @total_missed_ns: the module's missed_ns at that time
 * @yields:	how often the event stopped because another program uses its counter
 * @values:	statistics of @value over the runs
 * @times:	statistics of @ran_ns over the runs
 * @misses:	statistics of @missed_ns over the runs
 */
struct count_cell {
	u64	value;
	u64	ran_ns;
	u64	missed_ns;
	u64	seen;
	u64	seen_ns;
	u64	seen_missed_ns;
	u64	total;
	u64	total_ns;
	u64	total_missed_ns;
	u64	yields;
	struct statistics values;
	struct statistics times;
	struct statistics misses;
};

/* Whether an event is counted. */
enum counted_state {
	COUNTED,
	COUNTED_NOT,		/* no counter was free */
	COUNTED_UNKNOWN,	/* this CPU does not have the event */
};

/**
 * struct counted_event - an event
 * @name:	name to print
 * @attr:	attr that it was added with
 * @index:	index of the event in the session
 * @cores:	kind of cores that it counts on, as in struct event_spec
 * @cpus:	CPUs of its own; empty for all
 * @state:	whether it is counted
 * @cells:	counts, one per lane
 */
struct counted_event {
	char	*name;
	struct perf_event_attr attr;
	u32	index;
	u32	cores;
	struct cpu_list cpus;
	enum counted_state state;
	struct count_cell *cells;
};

/**
 * struct counting - events that are counted together
 * @device:	file descriptor of the session
 * @events:	the events
 * @nr_events:	number of @events
 * @lanes:	CPU number of each lane; TPROF_LX_SUM for the sum of all CPUs
 * @nr_lanes:	number of @lanes, or of rows of @threads
 * @threads:	the counts by thread, if they were read
 * @by_process:	a row of @threads has the sums of a process
 * @is_cumulative: counts are those since the start, not since the previous reading
 * @elapsed_ns:	time of the counts that are printed: of the interval, or the mean of the runs
 */
struct counting {
	int	device;
	struct counted_event events[TPROF_LX_MAX_EVENTS];
	u32	nr_events;
	u32	*lanes;
	u32	nr_lanes;
	struct thread_rows threads;
	bool	by_process;
	bool	is_cumulative;
	double	elapsed_ns;
};

int counting_choose_lanes(struct counting *counting, const struct cpu_list *cpus, u32 nr_cpus,
			  bool per_cpu);
int counting_add(struct counting *counting, const char *name, const struct perf_event_attr *attr,
		 u32 index, enum counted_state state);
bool counts_time(const struct counted_event *event);
u32 counting_mask(const struct counting *counting);
bool counting_shrink(struct counting *counting);
int counting_read(struct counting *counting);
u64 counting_yields(const struct counting *counting, u32 event);
int counting_read_threads(struct counting *counting);
int counting_show_threads(struct counting *counting);
int counting_join_threads(struct counting *counting);
void counting_end_run(struct counting *counting);
void counting_free(struct counting *counting);

#endif /* TPROF_COUNTING_H */
