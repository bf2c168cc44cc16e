/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the arithmetic of a counter that counts up and overflows
 *
 * A start value of -n (mod 2^width) lets a hardware counter overflow after n
 * events. Whenever the counter is read, the events since the last read or write
 * are accounted for:
 *
 *   delta = (now - prev) mod 2^width
 *   count += delta			64 bits
 *   left -= delta			a sample is due if left <= 0
 *
 * The next period starts where the last one ended, not where the interrupt
 * found the counter. So the number of samples differs from events / period by
 * one at most, whatever the skid.
 *
 * The events from a start value to the overflow are a lap, of at most @lap events. A
 * longer period takes several laps. If no samples are taken, the overflow at the end
 * of each lap only updates @count.
 *
 * Context: any; the inline functions in NMI or with interrupts off. The file also
 * compiles in user space, for the unit tests.
 */
#ifndef TPROF_X86_COUNTER_H
#define TPROF_X86_COUNTER_H

#include "x86/x86_counter_types.h"
#include "x86/x86_regs.h"

u64 tprof_x86_counter_advance(struct tprof_x86_counter *counter, u64 now, u64 now_tsc);
u64 tprof_x86_counter_merge(const struct tprof_x86_counter *counter, u64 over);
void tprof_x86_counter_set_width(struct tprof_x86_counter *counter, u32 bits,
				 bool is_full_width, u64 grain);
void tprof_x86_counter_set_period(struct tprof_x86_counter *counter,
				  u64 period, bool is_random, u64 seed);
void tprof_x86_counter_bound(struct tprof_x86_counter *counter, u64 limit);
void tprof_x86_counter_set_rate(struct tprof_x86_counter *counter, u64 target,
				u64 min_period, bool is_random, u64 seed);
void tprof_x86_counter_set_count(struct tprof_x86_counter *counter, u64 count);
u64 tprof_x86_counter_resume(struct tprof_x86_counter *counter);
void tprof_x86_counter_settle(struct tprof_x86_counter *counter, u64 now);

/*
 * Return true if the counter overflowed. Every start value has the highest bit set; the
 * overflow clears it.
 */
static inline bool tprof_x86_counter_is_over(const struct tprof_x86_counter *counter,
					     u64 now)
{
	return !(now & counter->top);
}

/* Return the start value for an overflow after @lap events, rounded up for @grain. */
static inline u64 tprof_x86_counter_give(struct tprof_x86_counter *counter,
					 u64 lap)
{
	lap = (lap + counter->grain) & ~counter->grain;
	counter->prev = -lap & counter->mask;
	return counter->prev;
}

/*
 * Return the start value that continues the period. If the period takes several laps, the
 * first may be shorter than @lap, the others are not. If @grain makes a lap longer, the
 * sample comes some events late, and the next period is shorter by as many.
 */
static inline u64 tprof_x86_counter_load(struct tprof_x86_counter *counter)
{
	u64 lap = ((u64)(counter->left - 1) & (counter->lap - 1)) + 1;

	return tprof_x86_counter_give(counter, lap);
}

/* Return the count of the event; @now is the value of the hardware counter. */
static inline u64 tprof_x86_counter_total(const struct tprof_x86_counter *counter,
					  u64 now)
{
	return counter->count + ((now - counter->prev) & counter->mask);
}

/* Return @value, a value of the hardware counter, with its highest bit copied to the left. */
static inline u64 tprof_x86_counter_extend(const struct tprof_x86_counter *counter, u64 value)
{
	return (value ^ counter->top) - counter->top;
}

/*
 * If this NMI interrupted tprof_x86_cpu_read(), let that read @prev and @count
 * again.
 */
static __always_inline void
tprof_x86_counter_note_change(struct tprof_x86_counter *counter)
{
	/*
	 * This is one instruction. It is a data race, because the NMI may have
	 * interrupted a read of @changes.
	 */
	data_race(counter->changes++);
}

/**
 * tprof_x86_counter_is_steady - report whether tprof_x86_counter_advance_steady() may
 * serve a counter
 * @counter:	counter that is armed
 * @now:	value of the hardware counter
 *
 * After an overflow, @now is the number of events since the overflow. If the
 * counter has not overflowed, or if more than one sample is due, @now is not
 * below @steady_limit.
 *
 * Context: NMI, or interrupts off.
 * Return: true if the counter has overflowed and a single sample is due.
 */
static __always_inline bool
tprof_x86_counter_is_steady(const struct tprof_x86_counter *counter, u64 now)
{
	return now < counter->steady_limit;
}

/**
 * tprof_x86_counter_advance_steady - account for the events of a steady counter
 * @counter:	counter with tprof_x86_counter_is_steady()
 * @now:	value of the hardware counter
 *
 * The function does the same as tprof_x86_counter_advance() and
 * tprof_x86_counter_load(). The start value is then in @counter->prev, and the period of
 * the sample is @counter->next.
 *
 * Context: NMI, or interrupts off.
 */
static __always_inline void
tprof_x86_counter_advance_steady(struct tprof_x86_counter *counter, u64 now)
{
	counter->count += (now - counter->prev) & counter->mask;
	counter->left = counter->next - now;
	counter->prev = -counter->left & counter->mask;
}

#endif /* TPROF_X86_COUNTER_H */
