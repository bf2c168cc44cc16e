// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the arithmetic of a counter that counts up and overflows
 *
 * How the period is adapted to a frequency: at each sample, adapt_period() compares the
 * time since the last sample with @target, both in TSC cycles, and changes the period by
 * their ratio. For an event of processes, the time passes only while its gate is open.
 *
 *   ratio = elapsed / target = (elapsed * inverse) >> INVERSE_SHIFT
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
 * the frequency is given up for now, and stay_below() keeps the time between two
 * samples above spent * COST_SHARE, but below twice that. COST_SHARE allows for the
 * time that an interrupt takes before and after that, which is not measured.
 *
 * With a frequency, the first period is short, whatever the event. A long first
 * period of a rare event would take seconds, and only after it would the period
 * shrink.
 *
 * Context: any. The file also compiles in user space, for the unit tests.
 */
#ifdef __KERNEL__
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#endif

#include "x86/x86_counter.h"

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
#define INVERSE_SHIFT	48

/* First period of a counter whose period is then adapted to a frequency. */
#define FIRST_PERIOD	1000ULL

/*
 * If no samples are taken, ENDLESS is added to @left. It exceeds any period and is a
 * multiple of any @lap.
 */
#define ENDLESS		BIT_ULL(62)

/* If a counter has no full-width write, a value is sign-extended from this bit. */
#define NARROW_WRITE	31

static bool is_too_dear(const struct tprof_x86_counter *counter)
{
	return unlikely(COST_SHARE * counter->spent > counter->target);
}

/*
 * Return the next period. @elapsed is the time between the last two samples:
 *
 *   elapsed < spent * share         period *= 2
 *   elapsed > 2 * spent * share     period /= 2
 */
static __always_inline u64 stay_below(const struct tprof_x86_counter *counter, u64 elapsed,
				      u64 share)
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
static __always_inline u64 adapt_period(const struct tprof_x86_counter *counter, u64 elapsed)
{
	u64 period = counter->period;
	s64 wrong;
	u64 ratio;

	if (is_too_dear(counter))
		return stay_below(counter, elapsed, COST_SHARE);
	/* After this check, the product below has at most 49 bits. */
	if (elapsed >= 2 * counter->target)
		return max(period / 2, counter->min_period);
	ratio = elapsed * counter->inverse >> (INVERSE_SHIFT - ONE_SHIFT);
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
static __always_inline u64 throw_dice(struct tprof_x86_counter *counter)
{
	u64 random = counter->random;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	counter->random = random;
	return random;
}

/* Return a random period around @period. */
static __always_inline u64 random_period(struct tprof_x86_counter *counter)
{
	u64 span = BIT_ULL(__fls(counter->period)) >> TPROF_X86_RANDOM_SHIFT;

	return counter->period + (throw_dice(counter) & (span - 1)) - span / 2;
}

/* Choose the next period: @period, or a random one around it if @is_random. */
static __always_inline void choose_period(struct tprof_x86_counter *counter)
{
	counter->next = counter->is_random ? random_period(counter) : counter->period;
}

/* Use WRITE_ONCE(): other CPUs may read @slowed at any time. */
static void count_slowed(struct tprof_x86_counter *counter, bool is_slowed)
{
	if (unlikely(is_slowed))
		WRITE_ONCE(counter->slowed, counter->slowed + 1);
}

/* Adapt the average period if that is due, and choose the next period. */
static __always_inline void vary_period(struct tprof_x86_counter *counter, u64 now_tsc)
{
	u64 elapsed = now_tsc - counter->sampled_at;

	if (counter->target) {
		count_slowed(counter, is_too_dear(counter));
		counter->period = adapt_period(counter, elapsed);
	} else if (counter->is_bounded) {
		count_slowed(counter, elapsed < BOUNDED_SHARE * counter->spent);
		counter->period = stay_below(counter, elapsed, BOUNDED_SHARE);
	}
	counter->sampled_at = now_tsc;
	choose_period(counter);
}

/**
 * tprof_x86_counter_merge - find how many further samples are already due
 * @counter:	counter with its next period chosen
 * @over:	events that it has counted since the sample became due
 *
 * A division is affordable here: the function is called only if the counter has
 * counted about a whole further period before its interrupt came.
 *
 * Context: NMI.
 * Return: number of further samples. The last one may be counted one event before
 * its period is complete, because the counter cannot overflow after fewer than
 * TPROF_X86_MIN_LEFT events.
 */
u64 tprof_x86_counter_merge(const struct tprof_x86_counter *counter, u64 over)
{
	return div64_u64(over + TPROF_X86_MIN_LEFT - 1, counter->next);
}

/**
 * tprof_x86_counter_advance - account for the events of a counter
 * @counter:	counter that overflowed
 * @now:	value of the hardware counter
 * @now_tsc:	tprof_x86_cpu_clock(); not used unless @counter->is_varied
 *
 * If a sample is due, the next period begins.
 *
 * Context: NMI, or interrupts off.
 * Return: number of samples that are due, 0 if none. One sample is taken for all of
 * them, which stands for @counter->last events.
 */
u64 tprof_x86_counter_advance(struct tprof_x86_counter *counter, u64 now, u64 now_tsc)
{
	u64 delta = (now - counter->prev) & counter->mask;
	u64 over, merged;

	counter->count += delta;
	counter->prev = now;
	counter->left -= delta;
	if (counter->left > 0)
		return 0;
	over = -counter->left;
	/* The compiler must not keep the terms of @over: they take more registers. */
	OPTIMIZER_HIDE_VAR(over);
	counter->last = counter->next;
	if (counter->is_varied)
		vary_period(counter, now_tsc);
	counter->left = counter->next - over;
	if (likely(counter->left >= TPROF_X86_MIN_LEFT))
		return 1;
	merged = tprof_x86_counter_merge(counter, over);
	counter->last += merged * counter->next;
	counter->left += merged * counter->next;
	return 1 + merged;
}

/**
 * tprof_x86_counter_set_width - describe the hardware counter of an event
 * @counter:	counter that does not run
 * @bits:	width of the hardware counter
 * @is_full_width: the hardware counter can be written at its full width
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
 * Set @left to the number of events to the first sample. If no samples are taken, set it
 * to ENDLESS plus low bits which make the hardware counter overflow whenever @count
 * reaches a multiple of @lap.
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
 * tprof_x86_counter_set_period - let a counter take a sample every @period events
 * @counter:	counter that does not run
 * @period:	events from sample to sample; 0 to take no samples
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
	/* The state must not be 0: the generator would never leave it. */
	counter->random = seed | 1;
	set_counter_distance(counter);
}

/**
 * tprof_x86_counter_bound - let a short period grow, so that the CPU makes progress
 * @counter:	counter that does not run, with its period set
 * @limit:	longest period that an interrupt can outlast
 *
 * A period longer than @limit does not change. A short period that cannot grow could
 * make the CPU go from one interrupt to the next forever. If only user mode is
 * counted, user code runs for one period between two interrupts, but the
 * interrupts can still take almost all of the time.
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
 * tprof_x86_counter_set_rate - let a counter take samples at a frequency
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

/*
 * Return the value for @steady_limit, 0 if the counter is not steady. A counter is
 * steady under these conditions:
 *
 * - @next never changes.
 * - @prev is always -@left: each period is one lap, and is not rounded to
 *   @grain. Since @left can be @next + 1 (tprof_x86_counter_merge()), @next
 *   must be less than @lap.
 * - @left is large enough for a start value. It is too small if a sample was
 *   due when the counter was stopped.
 * - No page must be changed when the counter is.
 */
static u64 steady_limit(const struct tprof_x86_counter *counter)
{
	bool is_steady = counter->period && !counter->is_varied && !counter->is_shown &&
			!counter->grain &&
			counter->next < counter->lap &&
			counter->next >= TPROF_X86_MIN_LEFT &&
			counter->left >= TPROF_X86_MIN_LEFT;

	return is_steady ? counter->next - TPROF_X86_MIN_LEFT + 1 : 0;
}

/**
 * tprof_x86_counter_resume - compute the value with which a counter continues
 * @counter:	counter that does not run
 *
 * A sample that was due when the counter was stopped is taken right after the start.
 *
 * Context: interrupts off, on the CPU of the counter.
 * Return: start value, which the caller writes to the hardware counter.
 */
u64 tprof_x86_counter_resume(struct tprof_x86_counter *counter)
{
	counter->steady_limit = steady_limit(counter);
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
 * sample is taken after the next start. Events since the overflow belong to the next
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
