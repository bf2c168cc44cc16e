/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event on one CPU
 */
#ifndef TPROF_X86_COUNTER_TYPES_H
#define TPROF_X86_COUNTER_TYPES_H

#include "x86/x86_regs.h"

struct tprof_pmu_event;
struct tprof_pmu_opening;

/*
 * Minimum number of events from a start value to the overflow. If fewer events
 * were left, they could pass before the handler starts the counter again. Also,
 * some counters fail if they are started one event before the overflow.
 */
#define TPROF_X86_MIN_LEFT	2

/* The longest period. On a narrower counter it takes several laps. */
#define TPROF_X86_MAX_PERIOD	BIT_ULL(46)

/* The random part of a period spans 1/8 of it, rounded down to a power of 2. */
#define TPROF_X86_RANDOM_SHIFT	3

/**
 * struct tprof_x86_counter - an event on one CPU
 * @left:	events from @prev to the next sample; 0 or less if a sample was
 *		due when the counter was stopped
 * @prev:	value of the hardware counter when it was last read or written
 * @count:	count of the event when the hardware counter was @prev
 * @last_read:	count of the event when it was last read
 * @trusted:	jiffies when @ctrl was last found to have the value @ctrl_value
 * @doubtful:	jiffies before a yield to an intruder in which the counts may be wrong
 * @ctrl_mask:	bits of the register @ctrl that control the hardware counter, as far as the
 *		register keeps them
 * @ctrl_value:	value of these bits while the event counts
 * @mask:	mask of the hardware counter's width
 * @top:	highest bit of the hardware counter
 * @lap:	maximum number of events from a start value to the overflow; a
 *		power of 2
 * @grain:	mask of low bits that must be clear in a start value
 * @next:	the current period, which the next sample reports
 * @last:	events that the last sample of tprof_x86_counter_advance() stands for
 * @period:	average period; 0 if no samples are taken
 * @min_period:	smallest @period that adapting may choose
 * @random:	state of the random generator
 * @target:	cycles of tprof_x86_cpu_clock() from sample to sample if @period is adapted to a
 *		frequency; else 0
 * @inverse:	2^48 / @target
 * @sampled_at:	tprof_x86_cpu_clock() at the last sample
 * @spent:	cycles of the TSC that the last sample took, from before the reload of the
 *		counter; if @is_bounded, multiplied by the number of armed counters
 * @slowed:	number of samples at which @spent was too long to hold the
 *		frequency or period
 * @steady_limit: tprof_x86_counter_advance_steady() serves an overflow if the hardware
 *		counter is below this value; 0 if it serves none
 * @changes:	incremented when an NMI has changed @prev and @count
 * @changes_before: value of @changes at the beginning of the NMI that is measured
 * @ctrl:	register that controls the hardware counter
 * @msr:	register that writes the hardware counter
 * @pmc:	index by which RDPMC reads the hardware counter
 * @is_stalled:	the event is stalled, while another event has the hardware counter
 * @is_random:	vary @next around @period
 * @is_bounded:	@period grows if samples would take all of the CPU's time
 * @is_timed:	@spent is measured, because @target or @is_bounded needs it
 * @is_varied:	@next is not always the same: @is_timed or @is_random
 * @is_shown:	@event has a count page
 * @event:	event that is counted
 * @opening:	the event's gate on this CPU, or NULL
 *
 * While the counter is armed, its CPU accesses it in NMI and with interrupts off.
 * Other CPUs only read @slowed.
 */
struct tprof_x86_counter {
	s64			left;
	u64			prev;
	u64			count;
	u64			last_read;
	unsigned long		trusted;
	unsigned long		doubtful;
	u64			ctrl_mask;
	u64			ctrl_value;
	u64			mask;
	u64			top;
	u64			lap;
	u64			grain;
	u64			next;
	u64			last;
	u64			period;
	u64			min_period;
	u64			random;
	u64			target;
	u64			inverse;
	u64			sampled_at;
	u64			spent;
	u64			slowed;
	u64			steady_limit;
	u32			changes;
	u32			changes_before;
	u32			ctrl;
	u32			msr;
	u32			pmc;
	bool			is_stalled;
	bool			is_random;
	bool			is_bounded;
	bool			is_timed;
	bool			is_varied;
	bool			is_shown;
	struct tprof_pmu_event	*event;
	const struct tprof_pmu_opening *opening;
};

#endif /* TPROF_X86_COUNTER_TYPES_H */
