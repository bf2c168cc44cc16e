/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - compute the confidence interval of a percentage of samples
 */
#ifndef TPROF_INTERVAL_H
#define TPROF_INTERVAL_H

#include "base/types.h"

/**
 * struct interval - the 95 % confidence interval of a percentage
 * @low:	lower bound in percent
 * @high:	upper bound in percent
 */
struct interval {
	double	low;
	double	high;
};

struct interval interval_of(double share, u64 samples);

#endif /* TPROF_INTERVAL_H */
