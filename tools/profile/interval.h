/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how sure a share is that was found by sampling
 */
#ifndef TPROF_INTERVAL_H
#define TPROF_INTERVAL_H

#include "base/types.h"

/**
 * struct interval - where a share is, in 95 of 100 cases
 * @low:	in percent
 * @high:	likewise
 */
struct interval {
	double	low;
	double	high;
};

struct interval interval_of(double share, u64 samples);

#endif /* TPROF_INTERVAL_H */
