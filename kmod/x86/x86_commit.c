// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - lets events of a CPU begin and end, all in one call of the CPU
 *
 * START takes a counter for each event, and STOP notes which events give theirs back. Then the
 * CPU arms and disarms these counters.
 *
 * Context: process, under the x86 lock, with CPU hotplug locked. call_commit() runs with
 * interrupts off, on the CPU.
 */
#include <linux/bitops.h>
#include <linux/container_of.h>

#include "base/ipi.h"
#include "base/params.h"
#include "x86/x86_commit.h"
#include "x86/x86_dirty.h"
#include "x86/x86_host.h"

/**
 * struct commit - what events of a CPU are to do
 * @rows:	counters of the CPU
 * @is_asleep:	arm no counter: the machine sleeps
 * @err:	result: 0 or -errno of the first event that could not begin
 */
struct commit {
	struct tprof_x86_rows	*rows;
	bool			is_asleep;
	int			err;
};

static int begin_run(struct tprof_x86_run *run, bool is_asleep)
{
	int err = 0;

	if (is_asleep)
		tprof_x86_host_place_here(&run->counter, &run->select, run->seat.row);
	else
		err = tprof_x86_host_arm_here(&run->counter, &run->select, run->seat.row);
	run->is_armed = !err && !is_asleep;
	if (!err)
		run->step = TPROF_X86_GOES_ON;
	return err;
}

static void end_run(const struct tprof_x86_run *run)
{
	const struct tprof_x86_leaving leaving = {
		.row = run->seat.row,
		.is_armed = run->is_armed,
		.is_gated = run->counter.event->is_gated,
		.is_stalling = run->counter.event->is_stalling,
	};

	tprof_x86_host_leave_here(&leaving);
}

static void call_commit(void *data)
{
	struct commit *commit = data;
	u64 left = commit->rows->taken;
	struct tprof_x86_run *run;

	for (; left; left &= left - 1) {
		run = tprof_x86_run_of_row(commit->rows, __ffs(left));
		if (run->step == TPROF_X86_ENDS)
			end_run(run);
		else if (run->step == TPROF_X86_BEGINS && !commit->err)
			commit->err = begin_run(run, commit->is_asleep);
	}
}

static bool has_steps(const struct tprof_x86_rows *rows)
{
	u64 left = rows->taken;

	for (; left; left &= left - 1) {
		if (tprof_x86_run_of_row(rows, __ffs(left))->step)
			return true;
	}
	return false;
}

/**
 * tprof_x86_commit - arm and disarm the counters of events that begin and end
 * @cpu:	online CPU
 * @rows:	counters of the CPU
 * @is_asleep:	arm none, but choose their events for later
 *
 * The events that end still have their counters, which the caller gives back.
 *
 * Return: 0; -EBUSY or -EIO, as tprof_x86_cpu_arm(), if an event could not begin. Others may have.
 */
int tprof_x86_commit(int cpu, struct tprof_x86_rows *rows, bool is_asleep)
{
	struct commit commit = { .rows = rows, .is_asleep = is_asleep };
	int err;

	if (!has_steps(rows))
		return 0;
	tprof_x86_dirty_clear_late(cpu);
	err = tprof_ipi_call(cpu, call_commit, &commit) ?: commit.err;
	if (err == -EIO)
		tprof_debug(TPROF_TOPIC_PMU, "CPU %d: register %#x faults\n",
			    cpu, per_cpu_ptr(tprof_x86_cpus, cpu)->fault);
	return err;
}
