// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - moving an event to another counter, on x86_model
 *
 * A move must lose no event and no sample, even if NMIs arrive between any two steps.
 */
#include "unit.h"
#include "x86_job.h"

/* Move an event from @row to another row than 0. Return its row. */
static int move(struct job *job, int row, int turn)
{
	u64 rows = job->select.rows & ~BIT_ULL(row) & ~BIT_ULL(0);
	int to;

	if (!rows)
		return row;
	to = turn & 1 ? __fls(rows) : __ffs(rows);
	return tprof_x86_cpu_move(&xcpu, &job->counter, &job->select, row, to) ? row : to;
}

/*
 * Events happen, and NMIs come, between any two steps of a move. If all counters can be
 * stopped, both counters must count the same of these events.
 */
static void test_moving(enum model_kind kind)
{
	struct job steady, moving;
	struct model before;
	u64 run = 0, lag = 0, total, seen;
	bool is_right = true;
	int row = 1;

	job_reset(kind);
	before = model;
	job_prepare(&steady, 200, true);
	job_prepare(&moving, 150, false);
	job_arm(&steady, 0);
	job_arm(&moving, row);
	job_interrupts = 0;
	for (int i = 0; i < 500; i++) {
		model_run(i % 160);
		run += i % 160;
		tprof_test_interrupt = job_interrupt;
		row = move(&moving, row, i);
		tprof_test_interrupt = NULL;
		total = tprof_x86_cpu_read(&steady.counter);
		seen = tprof_x86_cpu_read(&moving.counter);
		is_right &= total >= run && total <= run + job_interrupts;
		is_right &= total - seen >= lag;
		lag = total - seen;
	}
	model_run(150);
	total = tprof_x86_cpu_read(&steady.counter);
	unit_ok(is_right && lag <= job_interrupts && (!lag || !xcpu.caps.global_ctrl),
		job_on(kind, "an event that moves counts the same as others"));
	seen = tprof_x86_cpu_read(&moving.counter);
	unit_ok(moving.samples == seen / 150,
		job_on(kind, "an event that moves keeps the rest of its period"));
	unit_ok(steady.samples == total / 200, job_on(kind, "a move costs other events no sample"));
	tprof_x86_cpu_disarm(&xcpu, row);
	tprof_x86_cpu_disarm(&xcpu, 0);
	unit_ok(moving.counter.count == seen && steady.counter.count == total &&
		model_is_as(&before),
		job_on(kind, "after moves, all registers are restored"));
}

/* Move an event while the NMI of its overflow is on its way, and nothing else is armed. */
static void test_overflow_in_move(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, true);
	job_arm(&job, 1);
	model.is_nmi_held = true;
	model_run(1010);
	tprof_x86_cpu_move(&xcpu, &job.counter, &job.select, 1, 0);
	model_deliver();
	model.is_nmi_held = false;
	model_run(10);
	unit_ok(job.samples == 1 && job.periods == 1000,
		job_on(kind, "a sample that is due is taken after the move"));
	model_run(4000);
	unit_ok(job.samples == 5 && tprof_x86_cpu_read(&job.counter) == 5020,
		job_on(kind, "samples go on after such a move"));
	tprof_x86_cpu_disarm(&xcpu, 0);
}

static void test_frozen_move(enum model_kind kind)
{
	struct job gated;

	job_reset(kind);
	job_prepare(&gated, 1000, true);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	job_arm(&gated, 1);
	tprof_x86_cpu_move(&xcpu, &gated.counter, &gated.select, 1, 0);
	model_run(3000);
	unit_ok(!gated.samples && !tprof_x86_cpu_read(&gated.counter) && xcpu.shut == BIT_ULL(0),
		job_on(kind, "a closed gate moves with its event"));
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(0), true);
	model_run(3500);
	unit_ok(gated.samples == 3, job_on(kind, "the gate opens after the move"));
	tprof_x86_cpu_stall(&xcpu, 0, true);
	tprof_x86_cpu_move(&xcpu, &gated.counter, &gated.select, 0, 1);
	model_run(3000);
	unit_ok(gated.samples == 3 && xcpu.stalled == BIT_ULL(1),
		job_on(kind, "a stall moves with its event"));
	tprof_x86_cpu_stall(&xcpu, 1, false);
	model_run(600);
	unit_ok(gated.samples == 4 && tprof_x86_cpu_read(&gated.counter) == 4100,
		job_on(kind, "the stall ends after the move"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	tprof_x86_cpu_move(&xcpu, &gated.counter, &gated.select, 1, 0);
	unit_ok(!model_counts(0) && !model_counts(1) && gated.counter.count == 4100,
		job_on(kind, "an event that is not armed moves without a register"));
}

/* The register of the new counter faults. */
static void test_fault_in_move(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, true);
	job_arm(&job, 1);
	model_run(2500);
	model.fault = xcpu.caps.counter;
	model.fault_writes = true;
	unit_ok(tprof_x86_cpu_move(&xcpu, &job.counter, &job.select, 1, 0) == -EIO,
		job_on(kind, "a move to a register that faults fails"));
	model.fault = 0;
	model_run(2500);
	unit_ok(job.samples == 5 && tprof_x86_cpu_read(&job.counter) == 5000,
		job_on(kind, "after a failed move, the event goes on where it was"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

int main(void)
{
	for (int kind = 0; kind < NR_MODELS; kind++) {
		test_moving(kind);
		test_overflow_in_move(kind);
		test_frozen_move(kind);
		test_fault_in_move(kind);
	}
	return unit_exit();
}
