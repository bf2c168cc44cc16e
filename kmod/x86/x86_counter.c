// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the arithmetic of a counter that counts up and overflows
 *
 * How a frequency is held. The time since the last sample is held against the
 * time it should have been, both in cycles of the TSC, by a multiplication
 * with the reciprocal: ratio 1 is right, 2 is too slow by two. Far from 1 the
 * period goes up by eight or down by two at most: up quickly, as a period that
 * is far too short costs a storm of samples, and down slowly, as what looks
 * like one that is too long may be a CPU that slept. Between the two Newton's
 * step for the inverse, 2 - ratio, does without dividing. Near 1 a quarter of
 * it, so that an uneven load is averaged over a few samples.
 *
 * A rate that the machine cannot keep must not stop it: where taking a sample
 * lasts as long as the time between two, as in an emulator, the period would
 * shrink to the smallest. So the time to the end of the handler is measured as
 * well, and a frequency that leaves less than COST_SHARE times as much from one
 * sample to the next is not held but stayed below. That is a bound with room:
 * what an interrupt takes before the handler and after it is not in it.
 *
 * A frequency begins with a short period, whatever the event: a rare one could
 * not tell for seconds that its period is too long.
 *
 * Context: any. Compiles in user space.
 */
#ifdef __KERNEL__
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#endif

#include "x86/x86_counter.h"

/* A ratio of one, and what it is compared with. */
#define ONE		BIT_ULL(16)
#define MUCH_TOO_FAST	(ONE / 8)
#define TOO_FAST	(ONE / 2)
#define NEARLY_RIGHT	(ONE / 8)
#define TOO_SLOW	(ONE * 3 / 2)

/*
 * A handler's time may be so small a part of the time between two samples. In
 * an emulator, and not much less under a hypervisor, it is a fifth of what the
 * whole interrupt takes.
 */
#define COST_SHARE	8

/*
 * Where a period is bounded, the whole interrupt may be so many handlers long, and
 * the CPU still comes on.
 */
#define BOUNDED_SHARE	32

/* The reciprocal of a time has so many bits behind the point. */
#define INVERSE_SHIFT	48

/* With which period a frequency begins. */
#define FIRST_PERIOD	1000ULL

/* As far away as a distance can be, and a multiple of any lap. */
#define ENDLESS		BIT_ULL(62)

/* Sign extended from bit 31, which is all that some counters take. */
#define NARROW_WRITE	31

static bool is_too_dear(const struct tprof_x86_counter *counter)
{
	return unlikely(COST_SHARE * counter->spent > counter->target);
}

/* As many samples as there may be at that price, and not more. */
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
 * tprof_x86_counter_adapt - a period nearer to the one that holds the rate
 * @counter:	counter whose sample is due
 * @elapsed:	TSC cycles since the one before
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
	/* So the product has at most 49 bits. */
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

/* Marsaglia's xorshift of 64 bits, which never comes to 0. */
static u64 throw_dice(struct tprof_x86_counter *counter)
{
	u64 random = counter->random;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	counter->random = random;
	return random;
}

/* The next distance: the period, or as the dice say around it. */
static void choose_period(struct tprof_x86_counter *counter)
{
	u64 span;

	counter->next = counter->period;
	if (!counter->is_random)
		return;
	span = BIT_ULL(__fls(counter->period)) >> TPROF_X86_RANDOM_SHIFT;
	counter->next += (throw_dice(counter) & (span - 1)) - span / 2;
}

/* Read from other CPUs at any time. */
static void count_slowed(struct tprof_x86_counter *counter, bool is_slowed)
{
	WRITE_ONCE(counter->slowed, counter->slowed + is_slowed);
}

/**
 * tprof_x86_counter_vary - choose a next distance that is not the same
 * @counter:	counter whose sample is due
 * @now_tsc:	the TSC
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
 * tprof_x86_counter_merge - more than one sample is due at once
 * @counter:	its next distance is chosen
 * @over:	how far it is beyond the sample that is due
 *
 * So rare that it may divide: the counter went on by a whole period before the
 * interrupt came.
 *
 * Context: NMI.
 * Return: how many of what follows are due as well. The last of them may not
 * quite be.
 */
u64 tprof_x86_counter_merge(const struct tprof_x86_counter *counter, u64 over)
{
	return div64_u64(over + TPROF_X86_MIN_LEFT - 1, counter->next);
}

/**
 * tprof_x86_counter_set_width - which counter it is going to be
 * @counter:	counter that does not run
 * @bits:	width of the hardware's
 * @is_full_width: all of them can be written
 * @grain:	mask of low bits that must be clear in what is written
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
 * Without samples, the distance has no end, but its laps end where the low bits
 * of the count overflow: so the counter is as near to its edge as the count.
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
 * tprof_x86_counter_set_period - how many events make a sample
 * @counter:	counter that does not run
 * @period:	events; 0 to count without samples
 * @is_random:	vary it
 * @seed:	for that, any number
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
	/* The generator's one fixed point is 0. */
	counter->random = seed | 1;
	set_counter_distance(counter);
}

/**
 * tprof_x86_counter_bound - keep samples from taking all the time
 * @counter:	counter that does not run, with its period
 * @limit:	longer periods than that last longer than any interrupt
 *
 * Or the CPU would go from one interrupt into the next, and never on. What counts
 * the user's work alone cannot come to that, as a period of it has to be done first,
 * but it can come near.
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
 * tprof_x86_counter_set_rate - how often a sample is wanted
 * @counter:	counter that does not run
 * @target:	TSC cycles from one to the next
 * @min_period:	the shortest period to come to
 * @is_random:	vary the period
 * @seed:	for that, any number
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
 * tprof_x86_counter_set_count - say what was counted so far
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
 * tprof_x86_counter_begin - what the counter is to be given as it starts
 * @counter:	counter that does not run
 * @now_tsc:	the TSC
 *
 * A sample that was due when the counter was stopped comes at once.
 *
 * Context: interrupts off, on the CPU of the counter.
 * Return: the value, which is taken for given.
 */
u64 tprof_x86_counter_begin(struct tprof_x86_counter *counter, u64 now_tsc)
{
	counter->sampled_at = now_tsc;
	if (counter->left >= TPROF_X86_MIN_LEFT)
		return tprof_x86_counter_load(counter);
	return tprof_x86_counter_give(counter, TPROF_X86_MIN_LEFT);
}

/**
 * tprof_x86_counter_settle - account for what was counted, as it stops
 * @counter:	counter that has been stopped
 * @now:	what it holds
 *
 * An overflow whose interrupt does not come any more is told after the next
 * start, and what went on beyond it is part of the distance that follows.
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
