// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the arithmetic of a counter that counts up and overflows
 *
 * Context: any. The file also compiles in user space, for the unit tests.
 */
#ifdef __KERNEL__
#include <linux/math64.h>
#include <linux/minmax.h>
#endif

#include "x86/x86_counter.h"
#include "x86/x86_period.h"

/* First period of a counter whose period is then adapted to a frequency. */
#define FIRST_PERIOD	1000ULL

/*
 * If no samples are taken, ENDLESS is added to @left. It exceeds any period and is a
 * multiple of any @lap.
 */
#define ENDLESS		BIT_ULL(62)

/* If a counter has no full-width write, a value is sign-extended from this bit. */
#define NARROW_WRITE	31

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
		tprof_x86_period_vary(counter, now_tsc);
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
		tprof_x86_period_choose(counter);
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
	counter->inverse = div64_u64(BIT_ULL(TPROF_X86_INVERSE_SHIFT), target);
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
