// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the counters of one CPU: arm, disarm, move and read them
 *
 * Context: interrupts off, on the CPU of the counters. NMIs may come between
 * any two steps. The unit tests compile this file in user space, over a model of the
 * registers.
 */
#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/log2.h>
#else
#include <errno.h>
#endif

#include "x86/x86_cpu.h"
#include "x86/x86_fault.h"
#include "x86/x86_intruder.h"
#include "x86/x86_register.h"
#include "x86/x86_reset.h"
#include "x86/x86_saved.h"

/* The counters of each CPU. x86_host.c allocates them. */
struct tprof_x86_cpu __percpu *tprof_x86_cpus;

/*
 * Return @select->general, without HostOnly if SVM is off. While SVM is off, a
 * counter with HostOnly would count nothing, and there are no guests to
 * exclude.
 */
static u64 effective_select(const struct tprof_x86_select *select)
{
	u64 efer;

	if (!(select->general & AMD64_EVENTSEL_HOSTONLY))
		return select->general;
	if (tprof_msr_read_safe(MSR_EFER, &efer) || efer & EFER_SVME)
		return select->general;
	return select->general & ~AMD64_EVENTSEL_HOSTONLY;
}

static int control_row(struct tprof_x86_cpu *xcpu, int row, u64 general,
		       u64 fixed)
{
	u32 shift;

	if (!tprof_reg_is_fixed(row)) {
		xcpu->selects[row] = general;
		return tprof_reg_write(xcpu, tprof_reg_select(&xcpu->caps, row),
				      tprof_reg_gated(xcpu, row));
	}
	shift = (row - TPROF_X86_FIXED) * TPROF_FIXED_STRIDE;
	xcpu->fixed_ctrl &= ~(TPROF_FIXED_MASK << shift);
	xcpu->fixed_ctrl |= fixed << shift;
	return tprof_reg_write(xcpu, xcpu->caps.fixed_ctrl, xcpu->fixed_ctrl);
}

/*
 * While @sole is set, the NMI handler serves it alone: it would miss a second counter, and
 * use one that has been disarmed.
 */
static void clear_sole(struct tprof_x86_cpu *xcpu)
{
	WRITE_ONCE(xcpu->sole, NULL);
	barrier();
}

static void set_sole(struct tprof_x86_cpu *xcpu)
{
	u64 armed = xcpu->armed;

	barrier();
	if (is_power_of_2(armed) && !xcpu->kernel && xcpu->caps.global_status)
		WRITE_ONCE(xcpu->sole, xcpu->counters[__ffs(armed)]);
}

/*
 * Set the counter's bit in @armed last, when @counters and @kernel are up to date: from
 * then on, the NMI handler serves the counter.
 */
static void announce_counter(struct tprof_x86_cpu *xcpu, int row, bool counts_kernel)
{
	clear_sole(xcpu);
	if (counts_kernel)
		WRITE_ONCE(xcpu->kernel, xcpu->kernel | BIT_ULL(row));
	WRITE_ONCE(xcpu->armed, xcpu->armed | BIT_ULL(row));
	set_sole(xcpu);
}

static void retract_counter(struct tprof_x86_cpu *xcpu, int row)
{
	clear_sole(xcpu);
	WRITE_ONCE(xcpu->armed, xcpu->armed & ~BIT_ULL(row));
	WRITE_ONCE(xcpu->kernel, xcpu->kernel & ~BIT_ULL(row));
	set_sole(xcpu);
}

/* Undo announce_counter() and control_row(). */
static void unload_row(struct tprof_x86_cpu *xcpu, int row)
{
	retract_counter(xcpu, row);
	control_row(xcpu, row, 0, 0);
}

/**
 * tprof_x86_cpu_place - choose the event that a counter will count when it is armed
 * @xcpu:	counters of this CPU
 * @counter:	event to count
 * @select:	control values for the event
 * @row:	hardware counter that is not armed
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_cpu_place(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			 const struct tprof_x86_select *select, int row)
{
	xcpu->counters[row] = counter;
	xcpu->kinds[row] = select;
}

/* Prepare for a change of the event of @row, where the processor needs that. */
static void reset_for(struct tprof_x86_cpu *xcpu, int row)
{
	u64 rows = xcpu->armed;

	if (likely(!xcpu->caps.needs_reset) || tprof_reg_is_fixed(row))
		return;
	tprof_x86_reset(xcpu);
	for (; rows; rows &= rows - 1) {
		if (xcpu->counters[__ffs(rows)]->is_shown)
			tprof_x86_cpu_show(xcpu->counters[__ffs(rows)]);
	}
}

/*
 * Let a counter count an event as soon as it is enabled. The period continues
 * where it was.
 */
static int load_row(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		    const struct tprof_x86_select *select, int row)
{
	int err;

	reset_for(xcpu, row);
	counter->msr = tprof_reg_counter(&xcpu->caps, row);
	counter->pmc = tprof_reg_pmc(row);
	err = tprof_reg_write(xcpu, counter->msr, tprof_x86_counter_resume(counter));
	/* The NMI handler will execute RDPMC: check now whether that faults. */
	if (!err && tprof_pmc_read_safe(counter->pmc)) {
		xcpu->fault = counter->msr;
		err = -EIO;
	}
	if (err)
		return err;
	tprof_x86_cpu_place(xcpu, counter, select, row);
	/* Until tprof_x86_intruder_learn(), an NMI compares nothing. */
	counter->ctrl_mask = 0;
	announce_counter(xcpu, row, select->counts_kernel);
	err = control_row(xcpu, row, effective_select(select), select->fixed);
	if (err)
		unload_row(xcpu, row);
	else
		tprof_x86_intruder_learn(xcpu, row);
	return err;
}

/**
 * tprof_x86_cpu_arm - start a counter
 * @xcpu:	counters of this CPU, with @caps filled in
 * @counter:	event to count, with its width, count and period
 * @select:	control values for the event
 * @row:	hardware counter, free and able to count the event
 *
 * Context: interrupts off, on the CPU.
 * Return: 0; -EBUSY if an intruder uses the counters; or -EIO if a register could not be
 * accessed: @xcpu->fault says which.
 */
int tprof_x86_cpu_arm(struct tprof_x86_cpu *xcpu,
		      struct tprof_x86_counter *counter,
		      const struct tprof_x86_select *select, int row)
{
	int err = 0;

	if (tprof_x86_intruder_is_here(xcpu))
		return -EBUSY;
	if (!xcpu->armed)
		err = tprof_x86_saved_take_over(xcpu);
	if (err)
		return err;
	counter->sampled_at = tprof_x86_cpu_clock(counter, tprof_tsc());
	err = tprof_x86_fault() ?: load_row(xcpu, counter, select, row);
	if (!err) {
		err = tprof_x86_fault() ?: tprof_x86_cpu_enable(xcpu, tprof_reg_enabled(xcpu));
		if (err)
			unload_row(xcpu, row);
	}
	if (err && !xcpu->armed)
		tprof_x86_saved_give_back(xcpu);
	if (!err && counter->is_shown)
		tprof_x86_cpu_show(counter);
	return err;
}

/**
 * tprof_x86_cpu_disarm - stop a counter
 * @xcpu:	counters of this CPU
 * @row:	hardware counter that is armed, or was until an intruder came
 *
 * When the function returns, an NMI for an overflow may still be on its way.
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_cpu_disarm(struct tprof_x86_cpu *xcpu, int row)
{
	struct tprof_x86_counter *counter = xcpu->counters[row];

	if (tprof_x86_intruder_is_here(xcpu))
		return;
	retract_counter(xcpu, row);
	tprof_x86_cpu_enable(xcpu, tprof_reg_enabled(xcpu));
	control_row(xcpu, row, 0, 0);
	tprof_x86_counter_settle(counter, tprof_pmc_read(counter->pmc));
	if (counter->is_shown)
		tprof_page_hide(counter->event->page, counter->count);
	if (!xcpu->armed)
		tprof_x86_saved_give_back(xcpu);
}

/* Give an event the width of the hardware counter that it will have. */
static void fit_counter(const struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			int row)
{
	tprof_x86_counter_set_width(counter, tprof_x86_row_bits(&xcpu->caps, row),
				    xcpu->caps.has_full_width, counter->grain);
}

/* Set the width of the hardware counter, and move what freezes it. */
static void change_row(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		       int from, int to)
{
	if (xcpu->shut & BIT_ULL(from))
		xcpu->shut |= BIT_ULL(to);
	xcpu->shut &= ~BIT_ULL(from);
	if (READ_ONCE(xcpu->stalled) & BIT_ULL(from))
		set_bit(to, &xcpu->stalled);
	clear_bit(from, &xcpu->stalled);
	fit_counter(xcpu, counter, to);
}

/* All counters stand still, or at least this one does as soon as it is unloaded. */
static int move_row(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		    const struct tprof_x86_select *select, int from, int to)
{
	int err;

	unload_row(xcpu, from);
	tprof_x86_counter_settle(counter, tprof_pmc_read(counter->pmc));
	/* If an overflow waits for its NMI, settling has made its sample due at @to. */
	if (xcpu->caps.global_clear)
		tprof_msr_write(xcpu->caps.global_clear, BIT_ULL(from) | xcpu->caps.clear_also);
	change_row(xcpu, counter, from, to);
	err = tprof_x86_fault() ?: load_row(xcpu, counter, select, to);
	if (!err)
		return 0;
	/* The registers of @from could be written before. */
	change_row(xcpu, counter, to, from);
	load_row(xcpu, counter, select, from);
	return err;
}

/**
 * tprof_x86_cpu_move - let an event go on at another hardware counter
 * @xcpu:	counters of this CPU
 * @counter:	event, armed or not
 * @select:	control values for the event
 * @from:	hardware counter of the event
 * @to:		hardware counter that is free and able to count the event
 *
 * The event keeps its count and the rest of its period. A sample that is due is taken at
 * @to. Meanwhile all counters stand still, so that events go on counting the same.
 * If the PMU cannot stop all counters at once, only this event misses what happens
 * during the move.
 *
 * Context: interrupts off, on the CPU.
 * Return: 0, or -EIO if a register of @to could not be accessed; then the event goes on at
 * @from.
 */
int tprof_x86_cpu_move(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		       const struct tprof_x86_select *select, int from, int to)
{
	int err;

	if (tprof_x86_intruder_is_here(xcpu) || !(xcpu->armed & BIT_ULL(from))) {
		change_row(xcpu, counter, from, to);
		tprof_x86_cpu_place(xcpu, counter, select, to);
		return 0;
	}
	/* An NMI that comes while no counter is armed is claimed, but leaves LVTPC masked. */
	tprof_nmi_expect(xcpu->source);
	tprof_x86_cpu_enable(xcpu, 0);
	err = move_row(xcpu, counter, select, from, to);
	tprof_nmi_expect(xcpu->source);
	tprof_lvtpc_write(APIC_DM_NMI);
	if (counter->is_shown)
		tprof_x86_cpu_show(counter);
	tprof_x86_cpu_enable(xcpu, tprof_reg_enabled(xcpu));
	return err;
}

/* Return true if a counter counts what it would with the control values @select. */
static bool has_control(const struct tprof_x86_cpu *xcpu, int row,
			const struct tprof_x86_select *select)
{
	u32 shift = (row - TPROF_X86_FIXED) * TPROF_FIXED_STRIDE;

	if (tprof_reg_is_fixed(row))
		return (xcpu->fixed_ctrl >> shift & TPROF_FIXED_MASK) == select->fixed;
	return xcpu->selects[row] == effective_select(select);
}

/* Exchange the events of a counter that stands still and is not announced. */
static void exchange_row(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			 const struct tprof_x86_select *select, int row)
{
	bool is_same = has_control(xcpu, row, select);

	if (!is_same)
		reset_for(xcpu, row);
	fit_counter(xcpu, counter, row);
	counter->msr = tprof_reg_counter(&xcpu->caps, row);
	counter->pmc = tprof_reg_pmc(row);
	tprof_msr_write(counter->msr, tprof_x86_counter_resume(counter));
	if (!is_same)
		control_row(xcpu, row, effective_select(select), select->fixed);
}

/* Let the stall of a row be that of the event that it will count. */
static void exchange_stall(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter, int row)
{
	xcpu->counters[row]->is_stalled = READ_ONCE(xcpu->stalled) & BIT_ULL(row);
	if (counter->is_stalled)
		set_bit(row, &xcpu->stalled);
	else
		clear_bit(row, &xcpu->stalled);
	counter->is_stalled = false;
}

/* An event whose overflow still waits for its NMI gets the sample when it is back. */
static void acknowledge_row(struct tprof_x86_cpu *xcpu, int row)
{
	if (xcpu->caps.global_clear)
		tprof_msr_write(xcpu->caps.global_clear, BIT_ULL(row) | xcpu->caps.clear_also);
	tprof_nmi_expect(xcpu->source);
	/* If the NMI came while no counter was armed, LVTPC is masked. */
	tprof_lvtpc_write(APIC_DM_NMI);
}

/* Let an armed counter count another event. Its gate is closed. */
static void load_seat(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		      const struct tprof_x86_select *select, int row)
{
	struct tprof_x86_counter *last = xcpu->counters[row];
	bool is_over = tprof_x86_counter_is_over(last, tprof_pmc_read(last->pmc));

	if (unlikely(is_over))
		tprof_nmi_expect(xcpu->source);
	retract_counter(xcpu, row);
	tprof_x86_counter_settle(last, tprof_pmc_read(last->pmc));
	is_over |= tprof_x86_counter_is_over(last, last->prev);
	exchange_stall(xcpu, counter, row);
	exchange_row(xcpu, counter, select, row);
	tprof_x86_cpu_place(xcpu, counter, select, row);
	tprof_x86_intruder_note(xcpu, counter, row);
	if (unlikely(is_over))
		acknowledge_row(xcpu, row);
	announce_counter(xcpu, row, select->counts_kernel);
	if (counter->is_shown)
		tprof_x86_cpu_show(counter);
}

/**
 * tprof_x86_cpu_seat - let a counter count another event that shares it
 * @xcpu:	counters of this CPU
 * @counter:	event to count
 * @select:	control values for the event
 * @row:	hardware counter, armed or not
 *
 * The gate of the counter is closed. If the counter is not armed,
 * it counts this event as soon as it is.
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_cpu_seat(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			const struct tprof_x86_select *select, int row)
{
	if (!(xcpu->shut & BIT_ULL(row)))
		tprof_x86_cpu_gate(xcpu, BIT_ULL(row), false);
	if (xcpu->armed & BIT_ULL(row) &&
	    !tprof_x86_intruder_took(xcpu, tprof_x86_counter_is_ours(xcpu->counters[row]))) {
		load_seat(xcpu, counter, select, row);
		return;
	}
	exchange_stall(xcpu, counter, row);
	fit_counter(xcpu, counter, row);
	tprof_x86_cpu_place(xcpu, counter, select, row);
}

/**
 * tprof_x86_cpu_has_seat - report whether a counter counts an event now
 * @xcpu:	counters of this CPU
 * @counter:	event
 * @row:	hardware counter of the event, shared or not
 *
 * Context: interrupts off, on the CPU.
 * Return: true if the counter is armed for the event, even if its gate is closed.
 */
bool tprof_x86_cpu_has_seat(const struct tprof_x86_cpu *xcpu,
			    const struct tprof_x86_counter *counter, int row)
{
	return xcpu->armed & BIT_ULL(row) && xcpu->counters[row] == counter;
}

/**
 * tprof_x86_cpu_show - show a counter in the page of its event
 * @counter:	counter that is armed on this CPU, with @is_shown
 *
 * If an NMI changes the counter, it shows the counter, too.
 *
 * Context: NMI, or interrupts off; on the CPU.
 */
void tprof_x86_cpu_show(const struct tprof_x86_counter *counter)
{
	u32 changes;

	do {
		changes = READ_ONCE(counter->changes);
		barrier();
		tprof_page_show(counter->event->page, counter->pmc, hweight64(counter->mask),
				counter->count - tprof_x86_counter_extend(counter, counter->prev));
		barrier();
	} while (changes != READ_ONCE(counter->changes));
}
