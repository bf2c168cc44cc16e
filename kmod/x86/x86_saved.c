// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the contents of a CPU's registers before its counters are armed
 *
 * The registers' contents are saved before the first counter is armed, and
 * restored after the last one is disarmed.
 *
 * Context: interrupts off, on the CPU of the counters. The unit tests compile this
 * file in user space, over a model of the registers.
 */
#ifndef __KERNEL__
#include <errno.h>
#endif

#include "x86/x86_fault.h"
#include "x86/x86_register.h"
#include "x86/x86_saved.h"

typedef int (*row_function_t)(struct tprof_x86_cpu *xcpu, int row);

static int each_row(struct tprof_x86_cpu *xcpu, row_function_t function)
{
	u64 rows = xcpu->caps.counters;
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

static int quiet_row(struct tprof_x86_cpu *xcpu, int row)
{
	if (tprof_reg_is_fixed(row))
		return 0;
	return tprof_reg_write(xcpu, tprof_reg_select(&xcpu->caps, row), 0);
}

/* Stop all counters and clear all overflows. */
static int quiet_all(struct tprof_x86_cpu *xcpu)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	int err = 0;

	if (caps->global_ctrl)
		err = tprof_reg_write(xcpu, caps->global_ctrl, 0);
	if (!err && caps->fixed_ctrl)
		err = tprof_reg_write(xcpu, caps->fixed_ctrl, 0);
	if (!err)
		err = each_row(xcpu, quiet_row);
	if (!err && caps->global_clear)
		err = tprof_reg_write(xcpu, caps->global_clear,
				      caps->counters | caps->clear_also);
	return err;
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
	if (caps->global_ctrl)
		tprof_reg_write(xcpu, caps->global_ctrl, saved->global_ctrl);
}

/**
 * tprof_x86_saved_take_over - save the contents of the registers and stop all counters
 * @xcpu:	counters of this CPU, none armed
 *
 * Return: 0, or -EIO if a register could not be accessed: @xcpu->fault says which.
 */
int tprof_x86_saved_take_over(struct tprof_x86_cpu *xcpu)
{
	int err;

	xcpu->fault = 0;
	err = save_all(xcpu);
	if (err)
		return err;
	err = tprof_x86_fault() ?: quiet_all(xcpu);
	if (err) {
		restore_all(xcpu);
		return err;
	}
	xcpu->global_ctrl = 0;
	xcpu->fixed_ctrl = 0;
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
