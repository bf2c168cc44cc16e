/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - the monotonic clock in seconds
 */
#ifndef TPROF_WORKLOADS_NOW_H
#define TPROF_WORKLOADS_NOW_H

#include <time.h>

static inline double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

#endif /* TPROF_WORKLOADS_NOW_H */
