/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - what keeps a machine busy, and whether it still answers
 */
#ifndef TPROF_SELFTESTS_STORM_H
#define TPROF_SELFTESTS_STORM_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common.h"

#define STORM_MAX	16

/**
 * struct storm - processes that do the same over and over
 * @is_over:	shared with them: they end after what they do just now
 * @pids:	they
 * @nr:		how many
 */
struct storm {
	bool	*is_over;
	pid_t	pids[STORM_MAX];
	int	nr;
};

int storm_begin(struct storm *storm);
int storm_add(struct storm *storm, void (*blow)(void));
int storm_end(struct storm *storm);

/* What each of them does. */
void blow_calls(void);
void blow_processes(void);
void blow_threads(void);
void blow_maps(void);
void blow_cpus(void);
void blow_memory(void);

/**
 * struct probe - a thread that sleeps, and looks how late it comes back
 * @thread:	it
 * @is_over:	it ends
 * @worst:	how late it was at most, in nanoseconds
 * @sleeps:	how often it slept
 */
struct probe {
	pthread_t	thread;
	bool		is_over;
	__u64		worst;
	__u64		sleeps;
};

int probe_begin(struct probe *probe);
void probe_end(struct probe *probe);

#endif /* TPROF_SELFTESTS_STORM_H */
