/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a loop that is inlined into its caller
 */
#ifndef TPROF_WORKLOADS_MILL_H
#define TPROF_WORKLOADS_MILL_H

/*
 * Run @steps steps in the calling function. The compiler may omit the frame of a
 * leaf function, but not if the function uses __builtin_frame_address(). Programs
 * that are built without frame pointers define PLAIN.
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
