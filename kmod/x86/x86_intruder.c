// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - intruders: programs that use counters which this module has reserved
 *
 * A reservation binds only those that ask for it. Firmware, drivers that write the registers
 * themselves, and KVM with a mediated vPMU do not. KVM clears the control registers and the
 * counters after a guest has run. From perfmon version 6 on, perf may not either: x86_reserve.c.
 *
 * So the registers are compared with what this module has written: at a gate the register that
 * enables all counters, and those of the counters that it lets count; at an overflow the control
 * register of the counter; where an event is started, moved, read or stopped, or goes on after a
 * stall, all of them. If one differs, an intruder uses the counters, and this CPU yields: all its
 * events stop, and keep what they have counted. Registers that are still as this module has
 * written them are cleared. The others belong to the intruder and are left as they are. No event
 * starts on the CPU until all that ran have stopped there.
 *
 * Counts and samples between the last comparison that found no intruder and the yield may be
 * wrong. STATS says how long that was.
 *
 * Context: interrupts off, on the CPU of the counters. The unit tests compile this file in user
 * space, over a model of the registers.
 */
#include "pmu/nmi.h"
#include "pmu/page.h"
#include "pmu/pmu.h"
#include "x86/x86_intruder.h"
#include "x86/x86_saved.h"

/*
 * The most events that a counter counts in a cycle of the TSC, as a power of 2: processors
 * complete up to 12 instructions in a cycle, and run up to twice as fast as the TSC.
 */
#define EVENTS_SHIFT	5

/**
 * tprof_x86_intruder_note - note what the control register of a counter must contain
 * @xcpu:	counters of this CPU
 * @counter:	event that @row counts, not announced, or with @ctrl_mask 0
 * @row:	hardware counter; its control register has been written
 *
 * If the PMU has no register that enables all counters, gates change the enable bit.
 */
void tprof_x86_intruder_note(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			     int row)
{
	u32 shift = (row - TPROF_X86_FIXED) * TPROF_FIXED_STRIDE;
	u64 mask = xcpu->kept_select;

	counter->trusted = jiffies;
	counter->doubtful = 0;
	if (tprof_reg_is_fixed(row)) {
		mask = TPROF_FIXED_MASK << shift;
		counter->ctrl = xcpu->caps.fixed_ctrl;
		counter->ctrl_value = xcpu->fixed_ctrl;
	} else {
		if (!xcpu->caps.global_ctrl)
			mask &= ~ARCH_PERFMON_EVENTSEL_ENABLE;
		counter->ctrl = tprof_reg_select(&xcpu->caps, row);
		counter->ctrl_value = xcpu->selects[row];
	}
	barrier();
	counter->ctrl_mask = mask;
}

/**
 * tprof_x86_intruder_learn - note what the registers must contain, without bits that they drop
 * @xcpu:	counters of this CPU
 * @row:	hardware counter; its control register, and the one that enables all counters,
 *		have been written
 *
 * Some hypervisors drop bits that they do not know.
 */
void tprof_x86_intruder_learn(struct tprof_x86_cpu *xcpu, int row)
{
	u64 value;

	if (!tprof_reg_is_fixed(row) &&
	    !tprof_msr_read_safe(tprof_reg_select(&xcpu->caps, row), &value))
		xcpu->kept_select &= ~(value ^ tprof_reg_gated(xcpu, row));
	tprof_x86_intruder_note(xcpu, xcpu->counters[row], row);
	if (xcpu->caps.global_ctrl && !tprof_msr_read_safe(xcpu->caps.global_ctrl, &value))
		xcpu->kept_global &= ~(value ^ READ_ONCE(xcpu->global_ctrl));
}

/*
 * Return true if other counters than ours were enabled, too, but count nothing. perf enables all
 * counters of a CPU when KVM switches AMD's SVM on or off there: amd_pmu_enable_virt(). If one
 * of ours was to stand still, it may have counted what it must not.
 */
static bool global_is_harmless(struct tprof_x86_cpu *xcpu)
{
	u64 ours = READ_ONCE(xcpu->global_ctrl);

	return !(xcpu->armed & ~ours) &&
	       !(ours & ~tprof_msr_read(xcpu->caps.global_ctrl) & xcpu->kept_global) &&
	       !(tprof_x86_saved_running(xcpu) & xcpu->own & ~xcpu->armed);
}

/* Return true if the control register of each armed counter is as this module has written it. */
static bool controls_are_ours(const struct tprof_x86_cpu *xcpu)
{
	struct tprof_x86_counter *counter;
	u64 rows = xcpu->armed;

	for (; rows; rows &= rows - 1) {
		counter = xcpu->counters[__ffs(rows)];
		if (!tprof_x86_counter_is_ours(counter))
			return false;
		counter->trusted = jiffies;
	}
	return true;
}

static void write_global(struct tprof_x86_cpu *xcpu)
{
	u64 value;

	/* An NMI that stalls a counter changes both in between. */
	do {
		value = READ_ONCE(xcpu->global_ctrl);
		tprof_msr_write(xcpu->caps.global_ctrl, value);
	} while (value != READ_ONCE(xcpu->global_ctrl));
}

/*
 * Return true if all registers of the armed counters are as this module has written them, or
 * are now, and were never such that a counter counts wrongly.
 */
static bool all_are_ours(struct tprof_x86_cpu *xcpu)
{
	bool is_same = !xcpu->caps.global_ctrl || tprof_x86_global_is_ours(xcpu);

	if (!is_same && !global_is_harmless(xcpu))
		return false;
	xcpu->trusted = jiffies;
	if (!controls_are_ours(xcpu))
		return false;
	if (!is_same)
		write_global(xcpu);
	return true;
}

/*
 * Set @counter->doubtful. A counter whose control register is still ours has counted the right
 * events, but perhaps not at the right time: since the last overflow or gate. Another one may
 * have counted anything since its own register was last compared.
 */
static void note_doubt(const struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		       bool is_ours)
{
	unsigned long since = counter->trusted;

	if (is_ours && time_after(xcpu->trusted, since))
		since = xcpu->trusted;
	counter->doubtful = jiffies - since;
}

/*
 * Stop a counter if it is still ours. Its last events count if it can have counted as many
 * since the registers were taken over: an intruder may have written the counter, or may count
 * the same. Else the event has the count that was last read.
 */
static void stop_counter(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter)
{
	u64 now = tprof_pmc_read(counter->pmc), most = (tprof_tsc() - xcpu->since) << EVENTS_SHIFT;
	bool is_ours = tprof_x86_counter_is_ours(counter);

	if (is_ours)
		tprof_msr_write_safe(counter->ctrl, counter->ctrl == xcpu->caps.fixed_ctrl ?
				     tprof_msr_read(counter->ctrl) & ~counter->ctrl_mask : 0);
	note_doubt(xcpu, counter, is_ours);
	if (is_ours && ((now - counter->prev) & counter->mask) <= most)
		tprof_x86_counter_settle(counter, now);
	else if (counter->last_read > counter->count)
		counter->count = counter->last_read;
	if (counter->is_shown)
		tprof_page_hide(counter->event->page, counter->count);
}

/* Leave the counters of this CPU to an intruder. An NMI may still be on its way. */
static void yield_all(struct tprof_x86_cpu *xcpu)
{
	bool is_global_ours = xcpu->caps.global_ctrl && tprof_x86_global_is_ours(xcpu);
	u64 rows = xcpu->armed;

	tprof_nmi_expect(xcpu->source);
	WRITE_ONCE(xcpu->sole, NULL);
	barrier();
	WRITE_ONCE(xcpu->armed, 0);
	WRITE_ONCE(xcpu->kernel, 0);
	/* An NMI handler may write @global_ctrl to the register at any time. */
	WRITE_ONCE(xcpu->global_ctrl, xcpu->foreign);
	if (is_global_ours)
		tprof_msr_write_safe(xcpu->caps.global_ctrl, xcpu->foreign);
	for (; rows; rows &= rows - 1)
		stop_counter(xcpu, xcpu->counters[__ffs(rows)]);
	xcpu->yielded_at = jiffies;
	WRITE_ONCE(xcpu->has_yielded, true);
}

/**
 * tprof_x86_intruder_is_here - look for an intruder, and yield to it
 * @xcpu:	counters of this CPU
 *
 * Context: interrupts off, on the CPU.
 * Return: true if the CPU has yielded, now or before.
 */
bool tprof_x86_intruder_is_here(struct tprof_x86_cpu *xcpu)
{
	u64 stalled;

	if (!xcpu->armed)
		return xcpu->has_yielded;
	/* An NMI that stalls a counter may have come between two steps: look once more. */
	do {
		stalled = READ_ONCE(xcpu->stalled);
		if (!READ_ONCE(xcpu->is_suspect) && all_are_ours(xcpu))
			return false;
	} while (stalled != READ_ONCE(xcpu->stalled));
	yield_all(xcpu);
	return true;
}
