// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the reset of general counters that some processors need
 *
 * On Nehalem and Westmere, a general counter whose event has been changed may count cycles
 * instead of the event, or nothing: Intel's errata AAK100, AAP53 and BD53. What remedies
 * this is to let all general counters count certain events for a moment, before the event is
 * programmed. All of these count nothing. The manuals have three; Linux programs four counters,
 * the last two with the same, since three were seen not to suffice.
 *
 * Context: interrupts off, on the CPU of the counters. NMIs may come between any two
 * steps. The unit tests compile this file in user space, over a model of the registers.
 */
#include "x86/x86_reset.h"
#include "x86/x86_stall.h"

/* Number of general counters of these processors. */
#define NR_ROWS		4

/*
 * Program the events, enable the counters, and stop them. Counters in @rows are this module's,
 * and stand still. The event of a counter that firmware runs is left to another one.
 */
static void pulse_rows(struct tprof_x86_cpu *xcpu, u64 rows)
{
	static const u32 events[NR_ROWS] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };
	int i, row;

	for (i = 0; i < NR_ROWS; i++) {
		row = rows & BIT_ULL(i) ? i : __ffs(rows);
		tprof_msr_write_safe(tprof_reg_select(&xcpu->caps, row), events[i]);
		tprof_msr_write_safe(tprof_reg_counter(&xcpu->caps, row), 0);
	}
	tprof_msr_write_safe(xcpu->caps.global_ctrl, rows | xcpu->foreign);
	tprof_msr_write_safe(xcpu->caps.global_ctrl, xcpu->foreign);
}

/* Let no NMI serve the general counters. Return the mask of those that were armed. */
static u64 retract_rows(struct tprof_x86_cpu *xcpu, u64 rows)
{
	u64 armed = xcpu->armed & rows;

	WRITE_ONCE(xcpu->sole, NULL);
	barrier();
	WRITE_ONCE(xcpu->armed, xcpu->armed & ~armed);
	WRITE_ONCE(xcpu->kernel, xcpu->kernel & ~armed);
	return armed;
}

static void settle_rows(struct tprof_x86_cpu *xcpu, u64 armed)
{
	struct tprof_x86_counter *counter;

	for (; armed; armed &= armed - 1) {
		counter = xcpu->counters[__ffs(armed)];
		tprof_x86_counter_settle(counter, tprof_pmc_read(counter->pmc));
	}
}

/* Program the events of the counters again. If an overflow waited for its NMI, it comes again. */
static void reload_rows(struct tprof_x86_cpu *xcpu, u64 rows, u64 armed)
{
	struct tprof_x86_counter *counter;
	int row;

	tprof_msr_write(xcpu->caps.global_clear, armed | xcpu->caps.clear_also);
	for (; rows; rows &= rows - 1) {
		row = __ffs(rows);
		if (!(armed & BIT_ULL(row))) {
			xcpu->selects[row] = 0;
			tprof_msr_write_safe(tprof_reg_select(&xcpu->caps, row), 0);
			continue;
		}
		counter = xcpu->counters[row];
		tprof_msr_write(counter->msr, tprof_x86_counter_resume(counter));
		tprof_msr_write(tprof_reg_select(&xcpu->caps, row), tprof_reg_gated(xcpu, row));
	}
}

/**
 * tprof_x86_reset - reset the general counters, before one gets another event
 * @xcpu:	counters of this CPU, which this module has taken over, with @caps.needs_reset
 *
 * Armed counters go on with their counts and periods; meanwhile, all stand still. A general
 * counter that is not armed has no event afterwards.
 */
void tprof_x86_reset(struct tprof_x86_cpu *xcpu)
{
	u64 rows = xcpu->own & (BIT_ULL(NR_ROWS) - 1), armed;
	u64 enabled = xcpu->global_ctrl & ~xcpu->foreign, kernel = xcpu->kernel;
	struct tprof_x86_counter *sole = xcpu->sole;

	/* If an NMI finds no counter armed, it is claimed, but leaves LVTPC masked. */
	tprof_nmi_expect(xcpu->source);
	tprof_x86_cpu_enable(xcpu, 0);
	armed = retract_rows(xcpu, rows);
	settle_rows(xcpu, armed);
	pulse_rows(xcpu, rows);
	reload_rows(xcpu, rows, armed);
	WRITE_ONCE(xcpu->kernel, kernel);
	WRITE_ONCE(xcpu->armed, xcpu->armed | armed);
	barrier();
	WRITE_ONCE(xcpu->sole, sole);
	tprof_nmi_expect(xcpu->source);
	tprof_lvtpc_write(APIC_DM_NMI);
	tprof_x86_cpu_enable(xcpu, enabled);
}
