// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - counters that stand still: their gates are closed, or their events stalled
 *
 * Context: interrupts off, on the CPU of the counters; an event stalls in the NMI of its
 * counter. The unit tests compile this file in user space, over a model of the registers.
 */
#include "x86/x86_register.h"
#include "x86/x86_stall.h"

/* Write the control registers of general counters, as their gates and stalls want it. */
static void write_selects(struct tprof_x86_cpu *xcpu, u64 rows)
{
	int row;

	while (rows) {
		row = __ffs(rows);
		rows &= rows - 1;
		tprof_msr_write(tprof_reg_select(&xcpu->caps, row), tprof_reg_gated(xcpu, row));
	}
}

/**
 * tprof_x86_cpu_hold_stalled - stop counters that an NMI has stalled meanwhile
 * @xcpu:	counters of this CPU
 *
 * If an NMI that stalls a counter interrupts a change of the registers, the change may start
 * the counter again.
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_cpu_hold_stalled(struct tprof_x86_cpu *xcpu)
{
	unsigned long stalled;

	/* An NMI may stall another counter in the loop, but each counter only once. */
	do {
		stalled = READ_ONCE(xcpu->stalled);
		WRITE_ONCE(xcpu->global_ctrl, xcpu->global_ctrl & ~stalled);
		if (xcpu->caps.global_ctrl)
			tprof_msr_write(xcpu->caps.global_ctrl, READ_ONCE(xcpu->global_ctrl));
		else
			write_selects(xcpu, stalled & xcpu->armed);
	} while (stalled != READ_ONCE(xcpu->stalled));
}

/**
 * tprof_x86_cpu_enable - let counters count, and no others
 * @xcpu:	counters of this CPU
 * @rows:	mask of the counters; those that an NMI stalls meanwhile stand still
 *
 * Set @xcpu->global_ctrl before the register: an NMI handler may write
 * @xcpu->global_ctrl to the register at any time.
 *
 * Context: interrupts off, on the CPU.
 * Return: 0 or -EIO.
 */
int tprof_x86_cpu_enable(struct tprof_x86_cpu *xcpu, u64 rows)
{
	int err = 0;

	WRITE_ONCE(xcpu->global_ctrl, rows | xcpu->foreign);
	if (xcpu->caps.global_ctrl)
		err = tprof_reg_write(xcpu, xcpu->caps.global_ctrl, rows | xcpu->foreign);
	if (unlikely(rows & READ_ONCE(xcpu->stalled)))
		tprof_x86_cpu_hold_stalled(xcpu);
	return err;
}

/**
 * tprof_x86_cpu_gate_selects - open or close gates by the control registers
 * @xcpu:	counters of this CPU, with @shut up to date
 * @rows:	mask of counters that are armed
 *
 * A register that an intruder has changed is left as it is.
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_cpu_gate_selects(struct tprof_x86_cpu *xcpu, u64 rows)
{
	if (tprof_x86_intruder_took(xcpu, tprof_x86_rows_are_ours(xcpu, rows)))
		return;
	write_selects(xcpu, rows);
	if (unlikely(READ_ONCE(xcpu->stalled)))
		tprof_x86_cpu_hold_stalled(xcpu);
}

/*
 * Stop a counter. If the handler has stopped all counters, the register is 0, and must stay
 * so until the handler has returned. So only clear the bit of the counter in it.
 */
static void stall_row(struct tprof_x86_cpu *xcpu, int row)
{
	u32 msr = xcpu->caps.global_ctrl;

	set_bit(row, &xcpu->stalled);
	WRITE_ONCE(xcpu->global_ctrl, xcpu->global_ctrl & ~BIT_ULL(row));
	if (msr)
		tprof_msr_write(msr, tprof_msr_read(msr) & ~BIT_ULL(row));
	else
		write_selects(xcpu, BIT_ULL(row));
}

/*
 * Start a counter again, unless its gate is closed or an intruder uses it. Its period goes on where
 * it stopped, but the time of the stall is no part of it. Not inline, so that the lint nmi finds
 * the calls of this function, which do not happen in an NMI.
 */
static noinline void resume_row(struct tprof_x86_cpu *xcpu, int row)
{
	struct tprof_x86_counter *counter = xcpu->counters[row];

	clear_bit(row, &xcpu->stalled);
	if (!(xcpu->armed & BIT_ULL(row)) || tprof_x86_intruder_is_here(xcpu))
		return;
	counter->sampled_at = tprof_x86_cpu_clock(counter, tprof_tsc());
	tprof_x86_cpu_enable(xcpu, tprof_reg_enabled(xcpu));
	if (!xcpu->caps.global_ctrl)
		tprof_x86_cpu_gate_selects(xcpu, BIT_ULL(row));
}

/**
 * tprof_x86_cpu_stall - stall a counter, or end its stall
 * @xcpu:	counters of this CPU
 * @row:	hardware counter; it need not be armed for the end of a stall
 * @is_stalled:	let the counter stand still, even if its gate is open
 *
 * Context: NMI of the counter to stall it, else interrupts off; on the CPU.
 */
void tprof_x86_cpu_stall(struct tprof_x86_cpu *xcpu, int row, bool is_stalled)
{
	if (is_stalled)
		stall_row(xcpu, row);
	else
		resume_row(xcpu, row);
}
