/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - CLOCK_MONOTONIC in any context, without a call
 *
 * The same as ktime_get_mono_fast_ns(), by a copy of what that one computes with:
 * the timekeeper notifies us of each change, which it makes at each tick. The
 * kernel is asked where the copy is of no use: if time does not come from the
 * TSC, or this CPU's TSC is behind the last change or too far ahead of it.
 *
 * There are two copies, and a change replaces one after the other. @seq selects
 * the copy that is not being changed. So an NMI in the middle of a change finds
 * one that is whole, and does not wait.
 *
 * Context: tprof_mono_ns() in any, NMI included.
 */
#ifndef TPROF_MONO_H
#define TPROF_MONO_H

#include <linux/seqlock.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <asm/tsc.h>

/**
 * struct tprof_mono_base - how cycles become nanoseconds
 * @last:	TSC at the last change
 * @valid:	cycles from @last for which this holds; 0 if time is not the TSC's
 * @shifted:	nanoseconds at @last beyond @base, shifted by @shift
 * @base:	nanoseconds at @last
 * @mult:	factor from cycles to shifted nanoseconds
 * @shift:	how much these are shifted
 */
struct tprof_mono_base {
	u64	last;
	u64	valid;
	u64	shifted;
	u64	base;
	u32	mult;
	u32	shift;
};

/**
 * struct tprof_mono - two copies, of which one does not change
 * @seq:	odd while the first copy is changed
 * @bases:	the copies
 */
struct tprof_mono {
	seqcount_latch_t	seq;
	struct tprof_mono_base	bases[2];
} ____cacheline_aligned;

extern struct tprof_mono tprof_mono;

/**
 * tprof_mono_ns - read CLOCK_MONOTONIC
 *
 * Return: nanoseconds.
 */
static __always_inline u64 tprof_mono_ns(void)
{
	const struct tprof_mono_base *base;
	u64 delta, ns;
	unsigned int seq;

	do {
		/* N, pairs with mono_update(). */
		seq = raw_read_seqcount_latch(&tprof_mono.seq);
		base = &tprof_mono.bases[seq & 1];
		delta = rdtsc_ordered() - base->last;
		if (unlikely(delta >= base->valid))
			return ktime_get_mono_fast_ns();
		ns = base->base +
		     ((delta * base->mult + base->shifted) >> base->shift);
		/* Compute before the check, not from values kept until after it. */
		OPTIMIZER_HIDE_VAR(ns);
	} while (unlikely(read_seqcount_latch_retry(&tprof_mono.seq, seq)));
	return ns;
}

u64 tprof_mono_clock(void);

int tprof_mono_init(void);
void tprof_mono_uninit(void);

#endif /* TPROF_MONO_H */
