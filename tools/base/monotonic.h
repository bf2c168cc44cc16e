/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - time of CLOCK_MONOTONIC, which never jumps
 */
#ifndef TPROF_MONOTONIC_H
#define TPROF_MONOTONIC_H

#include <time.h>

#include "base/types.h"

static inline u64 monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

#endif /* TPROF_MONOTONIC_H */
