/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - keep a machine busy, and check that it still responds
 */
#ifndef TPROF_SELFTESTS_STORM_H
#define TPROF_SELFTESTS_STORM_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "harness/common.h"

#define STORM_MAX	16

/**
 * struct storm_score - results of a storm, in memory shared by its processes
 * @is_over:	the processes must exit after their current call of blow()
 * @done:	number of calls of blow() that succeeded
 * @failed:	number of calls of blow() that failed
 */
struct storm_score {
	bool	is_over;
	__u64	done;
	__u64	failed;
};

/**
 * struct storm - processes that keep the machine busy
 * @score:	results, in shared memory
 * @pids:	ids of the processes
 * @nr:		number of processes
 *
 * Each process calls a function in a loop: the parameter blow() of storm_add().
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

/* Functions to pass as blow(). Each returns 0 or -errno. */
int blow_calls(void);
int blow_processes(void);
int blow_threads(void);
int blow_maps(void);
int blow_cpus(void);
int blow_memory(void);

int hold_memory(void);
bool memory_is_short(void);

/**
 * struct probe - a thread that repeatedly sleeps and measures how late it wakes up
 * @thread:	the thread
 * @cpu:	CPU to sleep on
 * @is_over:	the thread must exit after its current sleep
 * @worst:	largest delay of a wake-up, in nanoseconds
 * @sleeps:	number of completed sleeps on @cpu; grows only while @cpu is online
 * @seen:	value of @sleeps at the last probes_look()
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
 * struct probes - one probe on each CPU that was online at probes_begin()
 * @probe:	the probes
 * @nr:		number of probes
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
