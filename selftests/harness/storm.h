/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - what keeps a machine busy, and whether it still answers
 */
#ifndef TPROF_SELFTESTS_STORM_H
#define TPROF_SELFTESTS_STORM_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "harness/common.h"

#define STORM_MAX	16

/**
 * struct storm_score - what is shared with the processes of a storm
 * @is_over:	they end after what they do just now
 * @done:	how often one has done it
 * @failed:	how often that failed
 */
struct storm_score {
	bool	is_over;
	__u64	done;
	__u64	failed;
};

/**
 * struct storm - processes that do the same over and over
 * @score:	in shared memory
 * @pids:	they
 * @nr:		how many
 */
struct storm {
	struct storm_score *score;
	pid_t	pids[STORM_MAX];
	int	nr;
};

int storm_begin(struct storm *storm);
int storm_add(struct storm *storm, int (*blow)(void));
int storm_add_on(struct storm *storm, int (*blow)(void), int cpu);
int storm_renew(struct storm *storm, int i, int (*blow)(void));
int storm_end(struct storm *storm);

/* What each of them does; 0 or -errno. */
int blow_calls(void);
int blow_processes(void);
int blow_threads(void);
int blow_maps(void);
int blow_cpus(void);
int blow_memory(void);

bool memory_is_short(void);

/**
 * struct probe - a thread that sleeps on a CPU, and looks how late it comes back
 * @thread:	it
 * @cpu:	where; while that is offline it waits
 * @is_over:	it ends
 * @worst:	how late it was at most, in nanoseconds
 * @sleeps:	how often it slept there
 * @seen:	as often by the last probes_look()
 */
struct probe {
	pthread_t	thread;
	int		cpu;
	bool		is_over;
	__u64		worst;
	__u64		sleeps;
	__u64		seen;
};

/**
 * struct probes - one on each CPU that was online
 * @probe:	they
 * @nr:		how many
 */
struct probes {
	struct probe	*probe;
	int		nr;
};

int probes_begin(struct probes *probes);
void probes_look(struct probes *probes);
bool probes_came(const struct probes *probes);
void probes_end(struct probes *probes);
void probes_free(struct probes *probes);

#endif /* TPROF_SELFTESTS_STORM_H */
