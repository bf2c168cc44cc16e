/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - CLOCK_MONOTONIC, computed inline in any context
 *
 * tprof_mono_ns() computes the same time as ktime_get_mono_fast_ns(), from a copy of
 * the timekeeper's values. The timekeeper changes its values at each tick and then
 * calls mono_update(), by the notifier chain that KVM also uses.
 * tprof_mono_ns() calls ktime_get_mono_fast_ns() in three cases: the clock source
 * is not the TSC, this CPU's TSC is outside of the @valid cycles that begin at @last,
 * or mono_update() runs at the same time.
 *
 * The copy is needed as each sample reads the time: ktime_get_mono_fast_ns() takes some forty
 * instructions in four functions, and the whole of a common sample about a hundred. No inline
 * function of the kernel reads the timekeeper's values.
 *
 * mono_update() replaces the two copies one after the other, and @seq selects the
 * copy that is not being replaced. So an NMI that interrupts mono_update() reads a
 * complete copy, without waiting.
 *
 * Context: the functions that read the time run in any context, NMI included;
 * everything else in process context.
 */
#ifndef TPROF_MONO_H
#define TPROF_MONO_H

#include <linux/seqlock.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <asm/tsc.h>

/**
 * struct tprof_mono_base - values that convert TSC cycles to nanoseconds
 * @last:	TSC when the timekeeper last changed its values
 * @valid:	number of cycles after @last for which the values hold; 0 if the clock
 *		source is not the TSC
 * @shifted:	nanoseconds to add to @base, shifted left by @shift
 * @base:	time at @last, in nanoseconds, without @shifted
 * @mult:	nanoseconds per cycle, shifted left by @shift; as wide as its product
 * @shift:	number of bits by which @shifted and @mult are shifted
 */
struct tprof_mono_base {
	u64	last;
	u64	valid;
	u64	shifted;
	u64	base;
	u64	mult;
	u32	shift;
} ____cacheline_aligned;

/**
 * struct tprof_mono - two copies of the timekeeper's values
 * @bases:	the copies
 * @seq:	odd while @bases[0] is being replaced; readers then use @bases[1]
 */
struct tprof_mono {
	struct tprof_mono_base	bases[2];
	seqcount_latch_t	seq;
} ____cacheline_aligned;

extern struct tprof_mono tprof_mono;

/**
 * tprof_mono_at - compute CLOCK_MONOTONIC at a value of the TSC, without a call
 * @tsc:	TSC that this CPU has just read
 * @ns:		result: nanoseconds
 *
 * Return: false if the values do not hold for @tsc, or are being replaced.
 */
static __always_inline bool tprof_mono_at(u64 tsc, u64 *ns)
{
	/* Barrier N, pairs with mono_update(). */
	unsigned int seq = raw_read_seqcount_latch(&tprof_mono.seq);
	const struct tprof_mono_base *base = &tprof_mono.bases[seq & 1];
	/*
	 * Racy reads: if @seq has changed, their result is not used. If @last is later than
	 * @tsc, @delta wraps around, and exceeds @valid.
	 */
	u64 delta = tsc - data_race(base->last);
	u64 sum;

	/* Racy, see above. */
	if (unlikely(delta >= data_race(base->valid)))
		return false;
	/* Racy, see above. */
	sum = data_race(base->base + ((delta * base->mult + base->shifted) >> base->shift));
	/* Compute @sum before this barrier(): then fewer values need a register. */
	barrier_data(sum);
	if (unlikely(read_seqcount_latch_retry(&tprof_mono.seq, seq)))
		return false;
	*ns = sum;
	return true;
}

/**
 * tprof_mono_read - compute the present CLOCK_MONOTONIC without a call
 * @ns:		result: nanoseconds
 *
 * Return: the same as tprof_mono_at().
 */
static __always_inline bool tprof_mono_read(u64 *ns)
{
	return tprof_mono_at(rdtsc(), ns);
}

/**
 * tprof_mono_ns_at - read CLOCK_MONOTONIC at a value of the TSC
 * @tsc:	TSC that this CPU has just read
 *
 * Return: nanoseconds, at @tsc or now.
 */
static __always_inline u64 tprof_mono_ns_at(u64 tsc)
{
	u64 ns;

	return likely(tprof_mono_at(tsc, &ns)) ? ns : ktime_get_mono_fast_ns();
}

/**
 * tprof_mono_ns - read CLOCK_MONOTONIC
 *
 * Return: nanoseconds.
 */
static __always_inline u64 tprof_mono_ns(void)
{
	return tprof_mono_ns_at(rdtsc());
}

u64 tprof_mono_clock(void);

int tprof_mono_init(void);
void tprof_mono_uninit(void);

#endif /* TPROF_MONO_H */
