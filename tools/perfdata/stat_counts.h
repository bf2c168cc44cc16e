/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counts in a recording, as perf stat record writes them
 *
 * STAT records have the counts of events, and a STAT_ROUND record after them has the time for
 * which they were counted. THREAD_MAP, CPU_MAP and STAT_CONFIG say what was counted, and come
 * before. Samples may be in the same file: perf stat report skips them, and perf report skips
 * the counts.
 */
#ifndef TPROF_STAT_COUNTS_H
#define TPROF_STAT_COUNTS_H

#include "base/bytes.h"
#include "perfdata/reader.h"

/* In a reading, the counts are of all CPUs together. */
#define STAT_ANY_CPU	(~0U)

/* Maximum number of threads in a THREAD_MAP record, and of CPUs in a CPU_MAP record. */
#define STAT_THREADS_MAX	2729
#define STAT_CPUS_MAX		32000

#define STAT_COMM_BYTES		16

/*
 * How perf adds the readings of an event up. perf counts places of the machine by further values,
 * and has renumbered them and threads twice: stat_by_thread() is the value of the perf that came
 * with the running kernel.
 */
#define STAT_BY_CPU		0
#define STAT_GLOBALLY		1

u32 stat_by_thread(void);

/**
 * struct stat_thread - an entry of a THREAD_MAP record
 * @tid:	thread; -1 for all, or for what @comm says
 * @more:	tprof-lx adds this number, which perf ignores
 * @comm:	name of the thread
 */
struct stat_thread {
	s32	tid;
	u32	more;
	char	comm[STAT_COMM_BYTES];
};

/**
 * struct stat_scope - what was counted
 * @aggregation: how perf adds the readings up
 * @interval:	interval of the rounds in ns, or 0 if there is one round
 * @scales:	the values are those of a part of the time: value * enabled / running is the count
 * @threads:	the threads
 * @nr_threads:	number of @threads, at most STAT_THREADS_MAX
 * @cpus:	the CPUs
 * @nr_cpus:	number of @cpus, at most STAT_CPUS_MAX
 */
struct stat_scope {
	u32	aggregation;
	u64	interval;
	bool	scales;
	const struct stat_thread *threads;
	u32	nr_threads;
	const u32 *cpus;
	u32	nr_cpus;
};

/**
 * struct stat_reading - a STAT record: the count of an event since the start
 * @id:		identifier of the event
 * @cpu:	CPU, or STAT_ANY_CPU
 * @thread:	index of the thread in THREAD_MAP
 * @value:	events counted
 * @enabled:	time in ns for which the event was enabled
 * @running:	time in ns for which it was counted
 */
struct stat_reading {
	u64	id;
	u32	cpu;
	u32	thread;
	u64	value;
	u64	enabled;
	u64	running;
};

/* Counts of further events are left out: they would make memory grow with their number. */
#define STAT_COUNTS_MAX	64

/**
 * struct stat_count - the count of an event
 * @event:	index of the event in the reader
 * @name:	its name
 * @value:	events counted, on all CPUs and for all threads
 * @enabled:	time in ns for which the event was enabled
 * @running:	time in ns for which it was counted
 */
struct stat_count {
	u32	event;
	char	name[64];
	u64	value;
	u64	enabled;
	u64	running;
};

/**
 * struct stat_counts - the counts of a recording; empty if all members are zero
 * @all:	the counts, in the order of their first records
 * @nr:		number of @all
 * @is_round_over: the next STAT record begins another round
 * @elapsed:	time in ns since the start of the counting, by the last STAT_ROUND record
 * @nr_left_out: number of records of further events
 */
struct stat_counts {
	struct stat_count all[STAT_COUNTS_MAX];
	u32	nr;
	bool	is_round_over;
	u64	elapsed;
	u64	nr_left_out;
};

void stat_record_begin(struct bytes *out, const struct stat_scope *scope);
void stat_record_count(struct bytes *out, const struct stat_reading *reading);
void stat_record_round(struct bytes *out, bool is_final, u64 elapsed);

bool stat_read_scope(const struct record *record, struct stat_scope *scope);
bool stat_read_threads(const struct record *record, struct stat_thread *threads, u32 *nr);
bool stat_read_count(const struct record *record, struct stat_reading *reading);
bool stat_read_round(const struct record *record, u64 *elapsed);

void stat_counts_add(struct stat_counts *counts, struct reader *reader,
		     const struct record *record);

#endif /* TPROF_STAT_COUNTS_H */
