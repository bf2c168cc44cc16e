/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counters that stand still: their gates are closed, or their events stalled
 *
 * A gate belongs to a counter, armed or not: @shut of struct tprof_x86_cpu is the mask of the
 * counters whose gate is closed. So a counter that is armed again after suspend counts only if
 * its gate is open. @stalled is the mask of those whose event is stalled, so that a task
 * switch does not start a stalled counter. An NMI may stall a counter while its CPU changes
 * the enable bits of others. So that change looks at @stalled again when it is done.
 *
 * Context: interrupts off, on the CPU of the counters.
 */
#ifndef TPROF_X86_STALL_H
#define TPROF_X86_STALL_H

#include "x86/x86_intruder.h"

int tprof_x86_cpu_enable(struct tprof_x86_cpu *xcpu, u64 rows);
void tprof_x86_cpu_gate_selects(struct tprof_x86_cpu *xcpu, u64 rows);
void tprof_x86_cpu_stall(struct tprof_x86_cpu *xcpu, int row, bool is_stalled);
void tprof_x86_cpu_hold_stalled(struct tprof_x86_cpu *xcpu);

/**
 * tprof_x86_cpu_gate - open or close the gates of counters
 * @xcpu:	counters of this CPU
 * @rows:	mask of counters
 * @is_open:	let them count
 *
 * If the PMU has a register that enables all counters, one write to it opens or
 * closes all these gates. If a counter is not armed, only its bit in @shut changes.
 * tprof_x86_cpu_arm() reads the bit. An intruder's value of that register is left as it is.
 *
 * Context: interrupts off, on the CPU.
 */
static __always_inline void
tprof_x86_cpu_gate(struct tprof_x86_cpu *xcpu, u64 rows, bool is_open)
{
	u64 armed = rows & xcpu->armed;
	u64 ctrl;

	xcpu->shut = is_open ? xcpu->shut & ~rows : xcpu->shut | rows;
	if (unlikely(!armed))
		return;
	if (unlikely(!xcpu->caps.global_ctrl)) {
		tprof_x86_cpu_gate_selects(xcpu, armed);
		return;
	}
	if (tprof_x86_intruder_took(xcpu, tprof_x86_global_is_ours(xcpu) &&
				    (!is_open || tprof_x86_rows_are_ours(xcpu, armed))))
		return;
	xcpu->trusted = jiffies;
	ctrl = xcpu->global_ctrl;
	ctrl = is_open ? ctrl | (armed & ~READ_ONCE(xcpu->stalled)) : ctrl & ~armed;
	/* An NMI handler may write @global_ctrl to the register at any time. */
	WRITE_ONCE(xcpu->global_ctrl, ctrl);
	tprof_msr_write(xcpu->caps.global_ctrl, ctrl);
	if (unlikely(ctrl & READ_ONCE(xcpu->stalled)))
		tprof_x86_cpu_hold_stalled(xcpu);
}

#endif /* TPROF_X86_STALL_H */
