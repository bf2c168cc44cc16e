/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - let the CPU read memory into its cache ahead of use
 */
#ifndef TPROF_PREFETCH_H
#define TPROF_PREFETCH_H

/*
 * Prefetch the line of the cache at @at, which need not be valid. The empty asm is for GCC,
 * which removes the call of a function that only prefetches.
 */
static inline void prefetch(const void *at)
{
	__builtin_prefetch(at);
	__asm__ volatile("" : : "r"(at));
}

#endif /* TPROF_PREFETCH_H */
