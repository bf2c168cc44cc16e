/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - what functions that are to be sampled do
 */
#ifndef TPROF_WORKLOADS_MILL_H
#define TPROF_WORKLOADS_MILL_H

/*
 * A part of whoever calls it. Whoever asks for his frame has one, where there are
 * frame pointers; PLAIN programs are without.
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
