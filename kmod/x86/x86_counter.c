// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the arithmetic of a counter that counts up and overflows
 *
 * How a frequency is held: at each sample tprof_x86_counter_adapt() compares
 * the time since the last sample with @target, both in TSC cycles, and changes
 * the period by their ratio:
 *
 *   ratio = elapsed / target = (elapsed * inverse) >> INVERSE_SHIFT
 *
 *   ratio < 1/8               period *= 8
 *   ratio < 1/2               period *= 2
 *   ratio > 3/2               period /= 2
 *   7/8 < ratio < 9/8         period += period * (1 - ratio) / 4
 *   else                      period += period * (1 - ratio)
 *
 * The last line is Newton's step for period / ratio, and needs no division. A
 * quarter of it averages an uneven load over a few samples. The period grows
 * faster than it shrinks. A period that is far too short costs a storm of
 * samples. One that looks too long may only mean that the CPU slept.
 *
 * A frequency that the machine cannot keep must not stop the machine. If taking
 * a sample lasts as long as the time between two samples, as in an emulator,
 * the period would shrink to the smallest. So the time from the sample to the
 * end of the handler is measured, too (@spent). Where
 *
 *   spent * COST_SHARE > target
 *
 * the frequency is not held. stay_below() then keeps the time between two
 * samples from 1 to 2 times spent * COST_SHARE. The factor leaves room for the
 * time that an interrupt takes outside of its handler, which is not measured.
 *
 * A frequency begins with a short period for any event. With a long one, a rare
 * event would take seconds to show that the period is too long.
 *
 * Context: any. Compiles in user space.
 */
#ifdef __KERNEL__
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#endif

#include "x86/x86_counter.h"

/* A ratio of 1 in fixed point, and what ratios are compared with. */
#define ONE		BIT_ULL(16)
#define MUCH_TOO_FAST	(ONE / 8)
#define TOO_FAST	(ONE / 2)
#define NEARLY_RIGHT	(ONE / 8)
#define TOO_SLOW	(ONE * 3 / 2)

/*
 * The handler may take 1 / COST_SHARE of the time between two samples. In an
 * emulator the whole interrupt takes five times as long as the handler, under a
 * hypervisor not much less.
 */
#define COST_SHARE	8

/*
 * For a bounded period, the whole interrupt may take BOUNDED_SHARE times as
 * long as the handler, and the CPU still gets on with other work.
 */
#define BOUNDED_SHARE	32

/* Bits of @inverse behind the binary point. */
#define INVERSE_SHIFT	48

/* First period where a frequency is held. */
#define FIRST_PERIOD	1000ULL

/* @left without samples: beyond any period, and a multiple of any @lap. */
#define ENDLESS		BIT_ULL(62)

/* Without full width, a written value is sign-extended from this bit. */
#define NARROW_WRITE	31

static bool is_too_dear(const struct tprof_x86_counter *counter)
{
	return unlikely(COST_SHARE * counter->spent > counter->target);
}

/* Keep the time between samples from 1 to 2 times @spent * @share. */
static u64 stay_below(const struct tprof_x86_counter *counter, u64 elapsed,
		      u64 share)
{
	u64 least = share * counter->spent;

	if (elapsed < least)
		return min(counter->period * 2, TPROF_X86_MAX_PERIOD);
	if (elapsed > 2 * least)
		return max(counter->period / 2, counter->min_period);
	return counter->period;
}

/**
 * tprof_x86_counter_adapt - find the next period that comes nearer to the rate
 * @counter:	counter whose sample is due
 * @elapsed:	TSC cycles since the last sample
 *
 * Context: NMI.
 * Return: the next period.
 */
u64 tprof_x86_counter_adapt(const struct tprof_x86_counter *counter,
			    u64 elapsed)
{
	u64 period = counter->period;
	s64 wrong;
	u64 ratio;

	if (is_too_dear(counter))
		return stay_below(counter, elapsed, COST_SHARE);
	/* From here on the product below has at most 49 bits. */
	if (elapsed >= 2 * counter->target)
		return max(period / 2, counter->min_period);
	ratio = elapsed * counter->inverse >> (INVERSE_SHIFT - 16);
	if (ratio < MUCH_TOO_FAST)
		return min(period * 8, TPROF_X86_MAX_PERIOD);
	if (ratio < TOO_FAST)
		return min(period * 2, TPROF_X86_MAX_PERIOD);
	if (ratio > TOO_SLOW)
		return max(period / 2, counter->min_period);
	wrong = (s64)ONE - (s64)ratio;
	if (wrong < (s64)NEARLY_RIGHT && wrong > -(s64)NEARLY_RIGHT)
		wrong /= 4;
	period += (s64)period * wrong / (s64)ONE;
	return clamp(period, counter->min_period, TPROF_X86_MAX_PERIOD);
}

/* Marsaglia's 64-bit xorshift: its state never becomes 0. */
static u64 throw_dice(struct tprof_x86_counter *counter)
{
	u64 random = counter->random;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	counter->random = random;
	return random;
}

/* Choose the next period: @period, or a random one around it if @is_random. */
static void choose_period(struct tprof_x86_counter *counter)
{
	u64 span;

	counter->next = counter->period;
	if (!counter->is_random)
		return;
	span = BIT_ULL(__fls(counter->period)) >> TPROF_X86_RANDOM_SHIFT;
	counter->next += (throw_dice(counter) & (span - 1)) - span / 2;
}

/* Other CPUs may read the count at any time. */
static void count_slowed(struct tprof_x86_counter *counter, bool is_slowed)
{
	WRITE_ONCE(counter->slowed, counter->slowed + is_slowed);
}

/**
 * tprof_x86_counter_vary - adapt the period of a counter, and choose the next
 * one
 * @counter:	counter whose sample is due
 * @now_tsc:	TSC
 *
 * Context: NMI.
 */
void tprof_x86_counter_vary(struct tprof_x86_counter *counter, u64 now_tsc)
{
	u64 elapsed = now_tsc - counter->sampled_at;

	if (counter->target) {
		count_slowed(counter, is_too_dear(counter));
		counter->period = tprof_x86_counter_adapt(counter, elapsed);
	} else if (counter->is_bounded) {
		count_slowed(counter, elapsed < BOUNDED_SHARE * counter->spent);
		counter->period = stay_below(counter, elapsed, BOUNDED_SHARE);
	}
	counter->sampled_at = now_tsc;
	choose_period(counter);
}

/**
 * tprof_x86_counter_merge - count further samples that are due at once
 * @counter:	counter with its next period chosen
 * @over:	events that it counted beyond the sample that is due
 *
 * A division is affordable here: this is called only if the counter has counted
 * a whole further period before its interrupt came.
 *
 * Context: NMI.
 * Return: number of further samples. The last one may be one event short.
 */
u64 tprof_x86_counter_merge(const struct tprof_x86_counter *counter, u64 over)
{
	return div64_u64(over + TPROF_X86_MIN_LEFT - 1, counter->next);
}

/**
 * tprof_x86_counter_set_width - describe the hardware counter of an event
 * @counter:	counter that does not run
 * @bits:	width of the hardware counter
 * @is_full_width: a write sets all of its bits
 * @grain:	mask of low bits that must be clear in a start value
 */
void tprof_x86_counter_set_width(struct tprof_x86_counter *counter, u32 bits,
				 bool is_full_width, u64 grain)
{
	u32 lap_bits = bits - 1;

	if (!is_full_width && lap_bits > NARROW_WRITE)
		lap_bits = NARROW_WRITE;
	counter->mask = bits >= 64 ? ~0ULL : BIT_ULL(bits) - 1;
	counter->top = BIT_ULL(bits - 1);
	counter->lap = BIT_ULL(lap_bits);
	counter->grain = grain;
}

/*
 * Without samples @left has no end. Its low bits are chosen so that the
 * hardware counter overflows when the low bits of the count do.
 */
static void set_counter_distance(struct tprof_x86_counter *counter)
{
	if (counter->period) {
		choose_period(counter);
		counter->left = counter->next;
	} else {
		counter->left = -counter->count & (ENDLESS - 1);
		counter->left |= ENDLESS;
	}
}

/**
 * tprof_x86_counter_set_period - take a sample every so many events
 * @counter:	counter that does not run
 * @period:	events; 0 to count without samples
 * @is_random:	vary the period
 * @seed:	any number, for the random generator
 */
void tprof_x86_counter_set_period(struct tprof_x86_counter *counter,
				  u64 period, bool is_random, u64 seed)
{
	counter->period = period;
	counter->target = 0;
	counter->is_random = is_random && period >> TPROF_X86_RANDOM_SHIFT;
	counter->is_bounded = false;
	counter->is_timed = false;
	counter->is_varied = counter->is_random;
	/* 0 is the generator's only fixed point. */
	counter->random = seed | 1;
	set_counter_distance(counter);
}

/**
 * tprof_x86_counter_bound - let a short period grow, so that the CPU gets on
 * @counter:	counter that does not run, with its period set
 * @limit:	longest period that can be shorter than an interrupt
 *
 * Otherwise the CPU could go from one interrupt to the next for ever. A counter
 * of user mode only cannot cause that, because the CPU has to execute a period
 * in user mode first, but it can come near.
 */
void tprof_x86_counter_bound(struct tprof_x86_counter *counter, u64 limit)
{
	if (!counter->period || counter->period > limit)
		return;
	counter->min_period = counter->period;
	counter->spent = 0;
	counter->is_bounded = true;
	counter->is_timed = true;
	counter->is_varied = true;
}

/**
 * tprof_x86_counter_set_rate - take samples at a frequency
 * @counter:	counter that does not run
 * @target:	TSC cycles from sample to sample
 * @min_period:	smallest period that adapting may choose
 * @is_random:	vary the period
 * @seed:	any number, for the random generator
 */
void tprof_x86_counter_set_rate(struct tprof_x86_counter *counter, u64 target,
				u64 min_period, bool is_random, u64 seed)
{
	counter->target = target;
	counter->inverse = div64_u64(BIT_ULL(INVERSE_SHIFT), target);
	counter->spent = 0;
	counter->min_period = min_period;
	counter->period = max(FIRST_PERIOD, min_period);
	counter->is_random = is_random;
	counter->is_bounded = false;
	counter->is_timed = true;
	counter->is_varied = true;
	counter->random = seed | 1;
	set_counter_distance(counter);
}

/**
 * tprof_x86_counter_set_count - set the count of an event
 * @counter:	counter that does not run
 * @count:	events
 */
void tprof_x86_counter_set_count(struct tprof_x86_counter *counter, u64 count)
{
	counter->count = count;
	if (!counter->period)
		set_counter_distance(counter);
}

/**
 * tprof_x86_counter_begin - find the start value of a counter
 * @counter:	counter that does not run
 * @now_tsc:	TSC
 *
 * A sample that was due when the counter was stopped comes at once.
 *
 * Context: interrupts off, on the CPU of the counter.
 * Return: start value, which the caller writes to the hardware counter.
 */
u64 tprof_x86_counter_begin(struct tprof_x86_counter *counter, u64 now_tsc)
{
	counter->sampled_at = now_tsc;
	counter->is_plain = counter->period && !counter->is_varied &&
			    !counter->grain && counter->next <= counter->lap &&
			    counter->next >= TPROF_X86_MIN_LEFT;
	if (counter->left >= TPROF_X86_MIN_LEFT)
		return tprof_x86_counter_load(counter);
	return tprof_x86_counter_give(counter, TPROF_X86_MIN_LEFT);
}

/**
 * tprof_x86_counter_settle - account for the events of a counter that stopped
 * @counter:	counter that has been stopped
 * @now:	value of the hardware counter
 *
 * If the counter overflowed and its interrupt did not come before the stop, the
 * sample is taken after the next start. Events beyond it belong to the next
 * period.
 *
 * Context: interrupts off, on the CPU of the counter.
 */
void tprof_x86_counter_settle(struct tprof_x86_counter *counter, u64 now)
{
	u64 delta = (now - counter->prev) & counter->mask;

	counter->count += delta;
	counter->left -= delta;
	counter->prev = now;
}
