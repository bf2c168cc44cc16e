// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - moves running events to other counters
 *
 * Many events can be counted by some counters only. So an event that starts may find its
 * counters taken by events that could use others. These events move, on their CPU and in
 * one function call, so no task switch and no READ comes in between.
 *
 * All counters stand still meanwhile, if the PMU has a register for that. So all events miss
 * the same few events. The one that moves is read, and loaded into the other counter with the
 * rest of its period. If its overflow was waiting for an NMI, its sample is taken there. Its
 * closed gate or stall goes with it (tprof_x86_cpu_move()), and so does its bit in the mask of
 * the gate that it is behind.
 *
 * Context: process, under the x86 lock, with CPU hotplug locked.
 */
#include <linux/bitops.h>
#include <linux/container_of.h>

#include "base/ipi.h"
#include "base/params.h"
#include "x86/x86_move.h"
#include "x86/x86_run_types.h"

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

static void move_gate(struct tprof_pmu_gate *gate, int from, int to)
{
	if (gate)
		gate->rows = (gate->rows & ~BIT_ULL(from)) | BIT_ULL(to);
}

/* If the counter is shared, all its events move, but only one of them uses it now. */
static int move_events(struct tprof_x86_rows *rows, int from, int to)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct tprof_x86_seat *seat;
	int err;

	err = tprof_x86_cpu_move(xcpu, xcpu->counters[from], xcpu->kinds[from], from, to);
	if (err)
		return err;
	tprof_x86_rows_move(rows, from, to);
	/* An NMI of the moved counter may have stalled @from, which the event had until now. */
	if (unlikely(test_and_clear_bit(from, &xcpu->stalled)))
		tprof_x86_cpu_stall(xcpu, to, true);
	for (seat = rows->seats[to]; seat; seat = seat->next)
		move_gate(container_of(seat, struct tprof_x86_run, seat)->gate, from, to);
	return 0;
}

static void call_move(void *data)
{
	struct move_call *call = data;
	u32 i;

	for (i = 0; i < call->moves->nr && !call->err; i++)
		call->err = move_events(call->rows, call->moves->from[i], call->moves->to[i]);
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
			    cpu, rows->in_way);
		return err;
	}
	err = tprof_ipi_call(cpu, call_move, &call);
	return err ?: call.err;
}
