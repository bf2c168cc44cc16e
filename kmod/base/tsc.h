/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - converts cycles of the TSC to nanoseconds
 */
#ifndef TPROF_TSC_H
#define TPROF_TSC_H

#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <asm/tsc.h>

/* TSC frequency to assume if tsc_khz is 0. */
#define TPROF_ANY_TSC_KHZ	2000000

/* Return the cycles from @before to @now, or 0 if the TSC has started again meanwhile. */
static inline u64 tprof_tsc_between(u64 before, u64 now)
{
	s64 cycles = now - before;

	return max_t(s64, cycles, 0);
}

static inline u64 tprof_tsc_to_ns(u64 cycles)
{
	return mul_u64_u64_div_u64(cycles, NSEC_PER_MSEC, tsc_khz ?: TPROF_ANY_TSC_KHZ);
}

#endif /* TPROF_TSC_H */
