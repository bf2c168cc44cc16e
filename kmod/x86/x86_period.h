/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the next period of a counter
 *
 * How the period is adapted to a frequency: at each sample, tprof_x86_period_adapt() compares the
 * time since the last sample with @target, both in TSC cycles, and changes the period by
 * their ratio. For an event of processes, the time passes only while its gate is open.
 *
 *   ratio = elapsed / target = (elapsed * inverse) >> TPROF_X86_INVERSE_SHIFT
 *
 *   ratio < 1/8               period *= 8
 *   ratio < 1/2               period *= 2
 *   ratio > 3/2               period /= 2
 *   7/8 < ratio < 9/8         period += period * (1 - ratio) / 4
 *   else                      period += period * (1 - ratio)
 *
 * The last line is Newton's step for period / ratio, and needs no division. Near
 * the right period, only a quarter of the step is taken, which averages an uneven
 * load over a few samples. The period grows faster than it shrinks, because a period
 * that is far too short causes a storm of samples. A period that looks too long may
 * be right: the CPU may have been idle.
 *
 * A frequency that is too high for the machine must not take all of the CPU's time.
 * If taking a sample lasts as long as the time between two samples, as in an
 * emulator, the period would shrink to @min_period. So the time that the handler needs
 * for a sample is measured, too (@spent). If
 *
 *   spent * COST_SHARE > target
 *
 * the frequency is given up for now, and tprof_x86_period_stay_below() keeps the time between two
 * samples above spent * COST_SHARE, but below twice that. COST_SHARE allows for the
 * time that an interrupt takes before and after that, which is not measured.
 *
 * With a frequency, the first period is short, whatever the event. A long first
 * period of a rare event would take seconds, and only after it would the period
 * shrink.
 *
 * Context: NMI, or interrupts off. Only x86_counter.c includes this file, so that the path of an
 * overflow has these functions inline. It also compiles in user space, for the unit tests.
 */
#ifndef TPROF_X86_PERIOD_H
#define TPROF_X86_PERIOD_H

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/minmax.h>
#endif

#include "x86/x86_counter_types.h"

/* A ratio of 1 in fixed point, and the limits in the table above. */
#define ONE_SHIFT	16
#define ONE		BIT_ULL(ONE_SHIFT)
#define MUCH_TOO_FAST	(ONE / 8)
#define TOO_FAST	(ONE / 2)
#define NEARLY_RIGHT	(ONE / 8)
#define TOO_SLOW	(ONE * 3 / 2)

/*
 * With a frequency, @spent may be 1 / COST_SHARE of the time between two samples. The
 * whole interrupt takes longer: five times as long in an emulator, and not much less
 * under a hypervisor.
 */
#define COST_SHARE	8

/*
 * With @is_bounded, @spent may be 1 / BOUNDED_SHARE of the time between two samples. So
 * the CPU makes progress if the whole interrupt takes less than BOUNDED_SHARE times
 * as long.
 */
#define BOUNDED_SHARE	32

/* Number of fraction bits of @inverse. */
#define TPROF_X86_INVERSE_SHIFT	48

static inline bool tprof_x86_period_is_too_dear(const struct tprof_x86_counter *counter)
{
	return unlikely(COST_SHARE * counter->spent > counter->target);
}

/*
 * Return the next period. @elapsed is the time between the last two samples:
 *
 *   elapsed < spent * share         period *= 2
 *   elapsed > 2 * spent * share     period /= 2
 */
static __always_inline u64
tprof_x86_period_stay_below(const struct tprof_x86_counter *counter, u64 elapsed, u64 share)
{
	u64 least = share * counter->spent;

	if (elapsed < least)
		return min(counter->period * 2, TPROF_X86_MAX_PERIOD);
	if (elapsed > 2 * least)
		return max(counter->period / 2, counter->min_period);
	return counter->period;
}

/*
 * Return a period that comes closer to the frequency. @elapsed is the time between the
 * last two samples.
 */
static __always_inline u64 tprof_x86_period_adapt(const struct tprof_x86_counter *counter,
						  u64 elapsed)
{
	u64 period = counter->period;
	s64 wrong;
	u64 ratio;

	if (tprof_x86_period_is_too_dear(counter))
		return tprof_x86_period_stay_below(counter, elapsed, COST_SHARE);
	/* After this check, the product below has at most 49 bits. */
	if (elapsed >= 2 * counter->target)
		return max(period / 2, counter->min_period);
	ratio = elapsed * counter->inverse >> (TPROF_X86_INVERSE_SHIFT - ONE_SHIFT);
	if (ratio < MUCH_TOO_FAST)
		return min(period * 8, TPROF_X86_MAX_PERIOD);
	if (ratio < TOO_FAST)
		return min(period * 2, TPROF_X86_MAX_PERIOD);
	if (ratio > TOO_SLOW)
		return max(period / 2, counter->min_period);
	wrong = (s64)ONE - (s64)ratio;
	if (wrong < (s64)NEARLY_RIGHT && wrong > -(s64)NEARLY_RIGHT)
		wrong >>= 2;
	/* Shifts round down, and need fewer instructions than divisions of an s64. */
	period += (s64)period * wrong >> ONE_SHIFT;
	return clamp(period, counter->min_period, TPROF_X86_MAX_PERIOD);
}

/* Marsaglia's 64-bit xorshift: its state never becomes 0. */
static __always_inline u64 tprof_x86_period_dice(struct tprof_x86_counter *counter)
{
	u64 random = counter->random;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	counter->random = random;
	return random;
}

/* Return a random period around @period. */
static __always_inline u64 tprof_x86_period_random(struct tprof_x86_counter *counter)
{
	u64 span = BIT_ULL(__fls(counter->period)) >> TPROF_X86_RANDOM_SHIFT;

	return counter->period + (tprof_x86_period_dice(counter) & (span - 1)) - span / 2;
}

/* Choose the next period: @period, or a random one around it if @is_random. */
static __always_inline void tprof_x86_period_choose(struct tprof_x86_counter *counter)
{
	counter->next = counter->is_random ? tprof_x86_period_random(counter) : counter->period;
}

/* Use WRITE_ONCE(): other CPUs may read @slowed at any time. */
static inline void tprof_x86_period_count_slowed(struct tprof_x86_counter *counter, bool is_slowed)
{
	if (unlikely(is_slowed))
		WRITE_ONCE(counter->slowed, counter->slowed + 1);
}

/* Adapt the average period if that is due, and choose the next period. */
static __always_inline void tprof_x86_period_vary(struct tprof_x86_counter *counter, u64 now_tsc)
{
	u64 elapsed = now_tsc - counter->sampled_at;

	if (counter->target) {
		tprof_x86_period_count_slowed(counter, tprof_x86_period_is_too_dear(counter));
		counter->period = tprof_x86_period_adapt(counter, elapsed);
	} else if (counter->is_bounded) {
		tprof_x86_period_count_slowed(counter, elapsed < BOUNDED_SHARE * counter->spent);
		counter->period = tprof_x86_period_stay_below(counter, elapsed, BOUNDED_SHARE);
	}
	counter->sampled_at = now_tsc;
	tprof_x86_period_choose(counter);
}

#endif /* TPROF_X86_PERIOD_H */
