// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - moves running events to other counters
 *
 * Many events can be counted by some counters only. So an event that starts may find its
 * counters taken by events that could use others. These events move, on their CPU and in
 * one function call, so no task switch and no READ comes in between.
 *
 * Context: process, under the x86 lock, with CPU hotplug locked.
 */
#include <linux/container_of.h>
#include <linux/smp.h>

#include "base/params.h"
#include "x86/x86_move.h"
#include "x86/x86_run.h"

/**
 * struct move_call - moves on one CPU
 * @rows:	counters of the CPU
 * @moves:	the moves
 * @err:	result: 0 or -EIO
 */
struct move_call {
	struct tprof_x86_rows		*rows;
	const struct tprof_x86_moves	*moves;
	int				err;
};

static int move_run(struct tprof_x86_run *run, int from, int to)
{
	int err;

	err = tprof_x86_cpu_move(this_cpu_ptr(tprof_x86_cpus), &run->counter, &run->select,
				 from, to);
	if (err)
		return err;
	tprof_x86_rows_move(run->rows, from, to);
	if (run->gate)
		run->gate->rows = (run->gate->rows & ~BIT_ULL(from)) | BIT_ULL(to);
	return 0;
}

static void call_move(void *data)
{
	struct move_call *call = data;
	struct tprof_x86_seat *seat;
	u32 i;

	for (i = 0; i < call->moves->nr && !call->err; i++) {
		seat = call->rows->seats[call->moves->from[i]];
		call->err = move_run(container_of(seat, struct tprof_x86_run, seat),
				     call->moves->from[i], call->moves->to[i]);
	}
}

/**
 * tprof_x86_move_off - move events so that a counter becomes free
 * @cpu:	online CPU
 * @rows:	counters of that CPU
 * @able:	mask of counters, one of which is to become free
 *
 * Return: 0; -EBUSY if no moves can free one of them; -EIO if a register could not be
 * accessed: some events may have moved.
 */
int tprof_x86_move_off(int cpu, struct tprof_x86_rows *rows, u64 able)
{
	struct tprof_x86_moves moves;
	struct move_call call = { .rows = rows, .moves = &moves };
	int err;

	err = tprof_x86_rows_plan(rows, able, &moves);
	if (err) {
		tprof_debug(TPROF_TOPIC_PMU, "CPU %d: events on counters %#llx are in the way\n",
			    cpu, moves.in_way);
		return err;
	}
	err = smp_call_function_single(cpu, call_move, &call, 1);
	return err ?: call.err;
}
