/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - read the counts of a recording
 *
 * Recordings of `stat`, of `record` and of perf stat record have counts. Each reading of an
 * event, on a CPU or of a thread, is the count since the start. At the end of a round, the
 * differences from the round before are added up in the lanes of struct counting, so that
 * stat_output.h prints them as those of a session.
 */
#ifndef TPROF_COUNTS_READ_H
#define TPROF_COUNTS_READ_H

#include "base/hash_table.h"
#include "counts/counting.h"
#include "perfdata/stat_counts.h"

/**
 * struct counts_reader - the counts of a recording
 * @reader:	the recording
 * @per_cpu:	make a lane for each CPU; the recording may require it
 * @per_thread:	make a lane for each thread; the recording may require it
 * @per_process: make a lane for each process of the threads
 * @is_cumulative: let the lanes have the counts since the start, not those of a round
 * @take_round:	called when a round is over; returns 0 or -errno
 * @arg:	first argument of @take_round
 * @counting:	the counts of the round
 * @scope:	what was counted
 * @threads:	the threads in the recording
 * @rows:	their counts
 * @sources:	all readings by event, CPU and thread
 * @event_of:	index in @counting.events of each event that has counts
 * @is_counted:	@counting has the events
 * @cpus:	the CPUs that have readings of their own
 * @lane_of:	the lane of each CPU
 * @has_all_cpus: a reading is of all CPUs together
 * @has_fresh:	readings came after the last round
 * @nr_rounds:	number of rounds
 * @elapsed:	time in ns from the start to the end of the last round
 * @nr_orphans:	number of readings of no event, CPU or thread; they are left out
 * @nr_left_out: number of events that were left out, since there are too many
 */
struct counts_reader {
	struct reader *reader;
	bool	per_cpu;
	bool	per_thread;
	bool	per_process;
	bool	is_cumulative;
	int	(*take_round)(void *arg, u64 elapsed);
	void	*arg;
	struct counting counting;
	struct stat_scope scope;
	struct stat_thread threads[STAT_THREADS_MAX];
	struct thread_row *rows;
	struct hash_table sources;
	u8	event_of[READER_MAX_EVENTS];
	bool	is_counted;
	struct cpu_list cpus;
	u16	lane_of[CPU_LIST_MAX];
	bool	has_all_cpus;
	bool	has_fresh;
	u64	nr_rounds;
	u64	elapsed;
	u64	nr_orphans;
	u32	nr_left_out;
};

int counts_read(struct counts_reader *counts);
void counts_reader_free(struct counts_reader *counts);

#endif /* TPROF_COUNTS_READ_H */
