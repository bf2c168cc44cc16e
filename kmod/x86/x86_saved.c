// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the contents of a CPU's registers before its counters are armed
 *
 * The registers' contents are saved before the first counter is armed, and
 * restored after the last one is disarmed. Counters that firmware lets run go on.
 *
 * Context: interrupts off, on the CPU of the counters. The unit tests compile this
 * file in user space, over a model of the registers.
 */
#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/errno.h>
#else
#include <errno.h>
#endif

#include "x86/x86_fault.h"
#include "x86/x86_register.h"
#include "x86/x86_saved.h"

typedef int (*row_function_t)(struct tprof_x86_cpu *xcpu, int row);

static int each_row(struct tprof_x86_cpu *xcpu, row_function_t function)
{
	u64 rows = xcpu->own;
	int row, err;

	while (rows) {
		row = __ffs(rows);
		rows &= rows - 1;
		err = function(xcpu, row);
		if (err)
			return err;
	}
	return 0;
}

static int save_row(struct tprof_x86_cpu *xcpu, int row)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	int err;

	err = tprof_reg_read(xcpu, tprof_reg_counter(caps, row),
			     &xcpu->saved.value[row]);
	if (err || tprof_reg_is_fixed(row))
		return err;
	return tprof_reg_read(xcpu, tprof_reg_select(caps, row),
			      &xcpu->saved.select[row]);
}

static int save_all(struct tprof_x86_cpu *xcpu)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	struct tprof_x86_saved *saved = &xcpu->saved;
	u64 status;
	int err = 0;

	if (caps->global_ctrl)
		err = tprof_reg_read(xcpu, caps->global_ctrl,
				     &saved->global_ctrl);
	/* The NMI handler will read the status: check now whether that faults. */
	if (!err && caps->global_status)
		err = tprof_reg_read(xcpu, caps->global_status, &status);
	if (!err && caps->fixed_ctrl)
		err = tprof_reg_read(xcpu, caps->fixed_ctrl,
				     &saved->fixed_ctrl);
	if (!err)
		err = each_row(xcpu, save_row);
	saved->lvtpc = tprof_lvtpc_read();
	return err;
}

/* Return the bits of foreign counters in the register that controls fixed counters. */
static u64 foreign_fixed(const struct tprof_x86_cpu *xcpu)
{
	u64 rows = xcpu->foreign >> TPROF_X86_FIXED, mask = 0;

	for (; rows; rows &= rows - 1)
		mask |= TPROF_FIXED_MASK << __ffs(rows) * TPROF_FIXED_STRIDE;
	return xcpu->saved.fixed_ctrl & mask;
}

static int quiet_row(struct tprof_x86_cpu *xcpu, int row)
{
	if (tprof_reg_is_fixed(row))
		return 0;
	return tprof_reg_write(xcpu, tprof_reg_select(&xcpu->caps, row), 0);
}

/* Stop all counters that are not foreign, and clear their overflows. */
static int quiet_all(struct tprof_x86_cpu *xcpu)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	int err = 0;

	if (caps->global_ctrl)
		err = tprof_reg_write(xcpu, caps->global_ctrl, xcpu->foreign);
	if (!err && caps->fixed_ctrl)
		err = tprof_reg_write(xcpu, caps->fixed_ctrl, foreign_fixed(xcpu));
	if (!err)
		err = each_row(xcpu, quiet_row);
	if (!err && caps->global_clear)
		err = tprof_reg_write(xcpu, caps->global_clear,
				      xcpu->own | caps->clear_also);
	return err;
}

/*
 * Save a register that may be missing, and let only the bits of @keep stay set. No counter
 * of this module needs the others.
 */
static u64 set_aside(u32 msr, u64 keep)
{
	u64 value;

	if (tprof_msr_read_safe(msr, &value))
		return 0;
	if (value & ~keep)
		tprof_msr_write_safe(msr, value & keep);
	return value;
}

static int set_row_aside(struct tprof_x86_cpu *xcpu, int row)
{
	xcpu->saved.reload[row] = set_aside(tprof_reg_alias(row, TPROF_ALIAS_RELOAD), 0);
	xcpu->saved.extension[row] = set_aside(tprof_reg_alias(row, TPROF_ALIAS_EXTENSION), 0);
	return 0;
}

/*
 * The last user may have left PEBS or auto-reload on. An overflow of a counter with PEBS
 * writes a record instead of sending an NMI, and auto-reload lets another counter's overflow
 * change the value of this one.
 */
static void set_leftovers_aside(struct tprof_x86_cpu *xcpu)
{
	if (xcpu->caps.has_ds)
		xcpu->saved.pebs = set_aside(MSR_IA32_PEBS_ENABLE, xcpu->foreign);
	if (xcpu->caps.extended)
		each_row(xcpu, set_row_aside);
}

static int restore_row_leftovers(struct tprof_x86_cpu *xcpu, int row)
{
	if (xcpu->saved.reload[row])
		tprof_msr_write_safe(tprof_reg_alias(row, TPROF_ALIAS_RELOAD),
				     xcpu->saved.reload[row]);
	if (xcpu->saved.extension[row])
		tprof_msr_write_safe(tprof_reg_alias(row, TPROF_ALIAS_EXTENSION),
				     xcpu->saved.extension[row]);
	return 0;
}

static void restore_leftovers(struct tprof_x86_cpu *xcpu)
{
	if (xcpu->caps.extended)
		each_row(xcpu, restore_row_leftovers);
	if (xcpu->caps.has_ds && xcpu->saved.pebs)
		tprof_msr_write_safe(MSR_IA32_PEBS_ENABLE, xcpu->saved.pebs);
}

static int restore_value(struct tprof_x86_cpu *xcpu, int row)
{
	tprof_reg_write(xcpu, tprof_reg_counter(&xcpu->caps, row),
			xcpu->saved.value[row]);
	return 0;
}

static int restore_select(struct tprof_x86_cpu *xcpu, int row)
{
	if (!tprof_reg_is_fixed(row))
		tprof_reg_write(xcpu, tprof_reg_select(&xcpu->caps, row),
				xcpu->saved.select[row]);
	return 0;
}

/*
 * Restore the counters' values first, so that no counter continues from a value
 * of this module. Restore @global_ctrl last, because it enables all counters.
 */
static void restore_all(struct tprof_x86_cpu *xcpu)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	const struct tprof_x86_saved *saved = &xcpu->saved;

	each_row(xcpu, restore_value);
	each_row(xcpu, restore_select);
	if (caps->fixed_ctrl)
		tprof_reg_write(xcpu, caps->fixed_ctrl, saved->fixed_ctrl);
	tprof_lvtpc_write(saved->lvtpc);
	restore_leftovers(xcpu);
	if (caps->global_ctrl)
		tprof_reg_write(xcpu, caps->global_ctrl, saved->global_ctrl);
}

/* Return the mask of the rows with one of these bits in their control registers. */
static u64 rows_with(struct tprof_x86_cpu *xcpu, u64 general, u64 fixed)
{
	u64 rows = xcpu->caps.counters, found = 0, fixed_ctrl = 0, select;
	int row;

	if (xcpu->caps.fixed_ctrl)
		tprof_msr_read_safe(xcpu->caps.fixed_ctrl, &fixed_ctrl);
	for (; rows; rows &= rows - 1) {
		row = __ffs(rows);
		if (tprof_reg_is_fixed(row)) {
			select = fixed_ctrl >> (row - TPROF_X86_FIXED) * TPROF_FIXED_STRIDE;
			if (select & fixed)
				found |= BIT_ULL(row);
		} else if (!tprof_msr_read_safe(tprof_reg_select(&xcpu->caps, row), &select) &&
			   select & general) {
			found |= BIT_ULL(row);
		}
	}
	return found;
}

/**
 * tprof_x86_saved_running - find the counters that firmware or another program runs
 * @xcpu:	counters of this CPU, none armed
 *
 * A register that cannot be read enables nothing: tprof_x86_saved_take_over() reports it.
 *
 * Return: mask of the rows that count now.
 */
u64 tprof_x86_saved_running(struct tprof_x86_cpu *xcpu)
{
	u64 global = ~0ULL;

	if (xcpu->caps.global_ctrl &&
	    tprof_msr_read_safe(xcpu->caps.global_ctrl, &global))
		return 0;
	return rows_with(xcpu, ARCH_PERFMON_EVENTSEL_ENABLE,
			 TPROF_FIXED_KERNEL | TPROF_FIXED_USER) & global;
}

/* Return the mask of the rows that write PEBS records or reload themselves. */
static u64 pebs_rows(struct tprof_x86_cpu *xcpu)
{
	u64 rows = xcpu->caps.extended, found = 0, reload, extension;

	if (xcpu->caps.has_ds)
		tprof_msr_read_safe(MSR_IA32_PEBS_ENABLE, &found);
	for (; rows; rows &= rows - 1) {
		reload = 0;
		extension = 0;
		tprof_msr_read_safe(tprof_reg_alias(__ffs(rows), TPROF_ALIAS_RELOAD), &reload);
		tprof_msr_read_safe(tprof_reg_alias(__ffs(rows), TPROF_ALIAS_EXTENSION),
				    &extension);
		if (reload | extension)
			found |= BIT_ULL(__ffs(rows));
	}
	return found;
}

/**
 * tprof_x86_saved_silent - find the counters that run and are not perf's
 * @xcpu:	counters of this CPU, none armed
 *
 * All counters of perf interrupt at their overflow, but those that write PEBS records or reload
 * themselves. Firmware has no handler for such an interrupt.
 *
 * Return: mask of the rows.
 */
u64 tprof_x86_saved_silent(struct tprof_x86_cpu *xcpu)
{
	return tprof_x86_saved_running(xcpu) & ~pebs_rows(xcpu) &
	       ~rows_with(xcpu, ARCH_PERFMON_EVENTSEL_INT, TPROF_FIXED_INTERRUPT);
}

/**
 * tprof_x86_saved_take_over - save the contents of the registers and stop all counters
 * @xcpu:	counters of this CPU, none armed
 *
 * Return: 0; -EBUSY if a counter runs that is not in @xcpu->foreign: another program has
 * started it meanwhile; -EIO if a register could not be accessed: @xcpu->fault says which.
 */
int tprof_x86_saved_take_over(struct tprof_x86_cpu *xcpu)
{
	int err;

	xcpu->fault = 0;
	if (tprof_x86_saved_running(xcpu) & ~xcpu->foreign)
		return -EBUSY;
	xcpu->own = xcpu->caps.counters & ~xcpu->foreign;
	err = save_all(xcpu);
	if (err)
		return err;
	set_leftovers_aside(xcpu);
	err = tprof_x86_fault() ?: quiet_all(xcpu);
	if (err) {
		restore_all(xcpu);
		return err;
	}
	xcpu->global_ctrl = xcpu->foreign;
	xcpu->fixed_ctrl = foreign_fixed(xcpu);
	xcpu->kept_global = xcpu->own;
	xcpu->kept_select = ~0ULL;
	xcpu->since = tprof_tsc();
	tprof_lvtpc_write(APIC_DM_NMI);
	return 0;
}

/**
 * tprof_x86_saved_give_back - restore what tprof_x86_saved_take_over() has saved
 * @xcpu:	counters of this CPU, none armed any more
 */
void tprof_x86_saved_give_back(struct tprof_x86_cpu *xcpu)
{
	quiet_all(xcpu);
	restore_all(xcpu);
}
