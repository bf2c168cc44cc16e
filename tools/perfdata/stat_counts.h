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

void stat_record_begin(struct bytes *out, s32 pid, const char *comm);
void stat_record_count(struct bytes *out, u64 id, u64 value, u64 ran_ns);
void stat_record_round(struct bytes *out, u64 elapsed);

void stat_counts_add(struct stat_counts *counts, struct reader *reader,
		     const struct record *record);

#endif /* TPROF_STAT_COUNTS_H */
