/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - work for functions that are to be sampled
 */
#ifndef TPROF_WORKLOADS_MILL_H
#define TPROF_WORKLOADS_MILL_H

/*
 * Spend time in the calling function. Using the frame address makes the compiler set
 * up a frame, if it uses frame pointers. PLAIN programs must have no frames.
 */
__attribute__((always_inline))
static inline unsigned long mill(unsigned long value, unsigned int steps)
{
#ifndef PLAIN
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
#endif
	while (steps--)
		value = value * 6364136223846793005UL + 1;
	return value;
}

#endif /* TPROF_WORKLOADS_MILL_H */
