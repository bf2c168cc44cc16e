/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the arithmetic of a counter that counts up and overflows
 *
 * A counter is given a value so that it overflows when as many events have
 * come as are to be waited for. Whatever happens to it then, all is told by
 * how far it went since it was last looked at:
 *
 *   delta = (now - prev) mod 2^width	is added to the 64-bit count
 *   left -= delta			at 0 or below, the sample is due
 *
 * The next distance starts where this one ended, not where the interrupt found
 * the counter: so there are as many samples as periods, to one, whatever the
 * skid. A distance beyond what the counter can be given takes several laps.
 *
 * Without a period the laps go on for ever and keep the count.
 *
 * Context: any; the inline functions in NMI. Compiles in user space.
 */
#ifndef TPROF_X86_COUNTER_H
#define TPROF_X86_COUNTER_H

#include "x86/x86_regs.h"

struct tprof_pmu_event;

/*
 * A distance shorter than this may be over before the counter runs again, and
 * some counters do not like to be given the last event before the overflow.
 */
#define TPROF_X86_MIN_LEFT	2

/* The longest period: those longer than the counter is wide take several laps. */
#define TPROF_X86_MAX_PERIOD	BIT_ULL(46)

/* An eighth of a period, rounded down to a power of two, can be random. */
#define TPROF_X86_RANDOM_SHIFT	3

/**
 * struct tprof_x86_counter - an event on one CPU
 * @left:	events from @prev to the next sample; not above 0 if it was due
 *		when the counter was stopped
 * @prev:	what the counter held when it was last looked at or written
 * @count:	events until then, since the event was made
 * @mask:	of the counter's width
 * @top:	its highest bit
 * @lap:	longest distance that it can be given
 * @grain:	mask of low bits that must be clear in what it is given
 * @next:	distance that is being gone; the period of the next sample
 * @period:	distance on average; 0 without samples
 * @min_period:	smallest that adapting and varying may come to
 * @random:	state of the generator
 * @target:	time from sample to sample, in cycles of the TSC; 0 unless a
 *		frequency is to be held
 * @inverse:	2^48 / @target
 * @sampled_at:	TSC at the last sample
 * @spent:	TSC cycles from then to the end of its NMI's handler; if @is_bounded,
 *		of those of all counters
 * @slowed:	samples after which the rate, or the period, could not be held for that
 * @changes:	grows whenever an NMI has changed @prev and @count
 * @msr:	register by which the counter is written
 * @pmc:	number by which RDPMC reads it
 * @is_random:	vary @next around @period
 * @is_bounded:	the period grows when samples would take all the time
 * @is_timed:	@sampled_at and @spent are kept: a rate is held, or @is_bounded
 * @is_varied:	@next is not the same each time: @is_timed, or @is_random
 * @event:	whose it is
 *
 * Of its CPU alone while it is armed: in NMI, and with interrupts off. Others read
 * @slowed.
 */
struct tprof_x86_counter {
	s64			left;
	u64			prev;
	u64			count;
	u64			mask;
	u64			top;
	u64			lap;
	u64			grain;
	u64			next;
	u64			period;
	u64			min_period;
	u64			random;
	u64			target;
	u64			inverse;
	u64			sampled_at;
	u64			spent;
	u64			slowed;
	u32			changes;
	u32			msr;
	u32			pmc;
	bool			is_random;
	bool			is_bounded;
	bool			is_timed;
	bool			is_varied;
	struct tprof_pmu_event	*event;
};

/**
 * struct tprof_x86_sample - a sample that is due
 * @period:	events that it stands for
 * @merged:	further samples that were due and are in it
 */
struct tprof_x86_sample {
	u64	period;
	u64	merged;
};

u64 tprof_x86_counter_adapt(const struct tprof_x86_counter *counter,
			    u64 elapsed);
void tprof_x86_counter_vary(struct tprof_x86_counter *counter, u64 now_tsc);
u64 tprof_x86_counter_merge(const struct tprof_x86_counter *counter, u64 over);
void tprof_x86_counter_set_width(struct tprof_x86_counter *counter, u32 bits,
				 bool is_full_width, u64 grain);
void tprof_x86_counter_set_period(struct tprof_x86_counter *counter,
				  u64 period, bool is_random, u64 seed);
void tprof_x86_counter_bound(struct tprof_x86_counter *counter, u64 limit);
void tprof_x86_counter_set_rate(struct tprof_x86_counter *counter, u64 target,
				u64 min_period, bool is_random, u64 seed);
void tprof_x86_counter_set_count(struct tprof_x86_counter *counter, u64 count);
u64 tprof_x86_counter_begin(struct tprof_x86_counter *counter, u64 now_tsc);
void tprof_x86_counter_settle(struct tprof_x86_counter *counter, u64 now);

/* Has it gone past its end? It starts below, with the highest bit set. */
static inline bool tprof_x86_counter_is_over(const struct tprof_x86_counter *counter,
					     u64 now)
{
	return !(now & counter->top);
}

/* Give the counter @lap events, or a few more: what is taken for given. */
static inline u64 tprof_x86_counter_give(struct tprof_x86_counter *counter,
					 u64 lap)
{
	lap = (lap + counter->grain) & ~counter->grain;
	counter->prev = -lap & counter->mask;
	return counter->prev;
}

/*
 * What the counter is to be given to go on. Of a distance of many laps the first
 * one is the short one. One that is longer for the grain's sake is late like one
 * whose interrupt was, and the next is as much shorter.
 */
static inline u64 tprof_x86_counter_load(struct tprof_x86_counter *counter)
{
	u64 lap = ((u64)(counter->left - 1) & (counter->lap - 1)) + 1;

	return tprof_x86_counter_give(counter, lap);
}

/* Events since the event was made, if the counter holds @now. */
static inline u64 tprof_x86_counter_total(const struct tprof_x86_counter *counter,
					  u64 now)
{
	return counter->count + ((now - counter->prev) & counter->mask);
}

/**
 * tprof_x86_counter_advance - account for what was counted
 * @counter:	counter that overflowed
 * @now:	what it holds
 * @now_tsc:	the TSC, if @counter->is_varied
 * @sample:	filled in if one is due
 *
 * Context: NMI, or interrupts off.
 * Return: true if a sample is due, and then the next distance has begun.
 */
static __always_inline bool
tprof_x86_counter_advance(struct tprof_x86_counter *counter, u64 now,
			  u64 now_tsc, struct tprof_x86_sample *sample)
{
	u64 delta = (now - counter->prev) & counter->mask;
	u64 over;

	counter->count += delta;
	counter->prev = now;
	counter->left -= delta;
	if (counter->left > 0)
		return false;
	over = -counter->left;
	sample->period = counter->next;
	sample->merged = 0;
	if (unlikely(counter->is_varied))
		tprof_x86_counter_vary(counter, now_tsc);
	if (unlikely(over + TPROF_X86_MIN_LEFT > counter->next)) {
		sample->merged = tprof_x86_counter_merge(counter, over);
		sample->period += sample->merged * counter->next;
		over -= sample->merged * counter->next;
	}
	counter->left = counter->next - over;
	return true;
}

#endif /* TPROF_X86_COUNTER_H */
