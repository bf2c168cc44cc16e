// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the reset of Nehalem's counters, on x86_model
 *
 * In the model, a general counter that gets an event without a reset counts nothing. All other
 * tests on x86_model run on it, too; these tests check when a reset happens, and that it costs
 * other events nothing.
 */
#include "unit.h"
#include "x86/x86_saved.h"
#include "x86_job.h"

/* Prepare an event other than that of job_prepare(): branches. */
static void prepare_other(struct job *job, u64 period)
{
	job_prepare(job, period, true);
	job->select.general = (job->select.general & ~0xffULL) | 0xc4;
}

static void test_when(void)
{
	struct job first, same, other, fixed;

	job_reset(MODEL_NEHALEM);
	job_prepare(&first, 1000, true);
	job_prepare(&same, 1000, true);
	prepare_other(&other, 1000);
	job_prepare(&fixed, 0, true);
	job_arm(&first, 1);
	unit_ok(model.nr_resets == 1, "the counters are reset before one gets an event");
	job_arm(&fixed, 32);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
	model_run(2500);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	tprof_x86_cpu_seat(&xcpu, &same.counter, &same.select, 1);
	unit_ok(model.nr_resets == 1,
		"fixed counters, gates, overflows and the same event need no reset");
	tprof_x86_cpu_seat(&xcpu, &other.counter, &other.select, 1);
	unit_ok(model.nr_resets == 2, "another event that shares the counter needs one");
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
	tprof_x86_cpu_move(&xcpu, &other.counter, &other.select, 1, 3);
	unit_ok(model.nr_resets == 3, "an event that moves needs one");
	model_run(2500);
	unit_ok(other.samples == 2 && tprof_x86_cpu_read(&other.counter) == 2500,
		"after that, the event counts");
	unit_ok(tprof_x86_cpu_read(&fixed.counter) == 5000, "the fixed counter misses nothing");
	unit_ok(first.samples == 2 && first.counter.count == 2500,
		"an event that lost its counter keeps its count");
}

/* Events share a counter beside others, and NMIs come between any two steps of the resets. */
static void test_turns(void)
{
	struct job first, second, beside, fixed;
	u64 ran[2] = {};
	struct model before;

	job_reset(MODEL_NEHALEM);
	before = model;
	job_prepare(&first, 1000, true);
	prepare_other(&second, 700);
	job_prepare(&beside, 300, true);
	job_prepare(&fixed, 200, true);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	job_arm(&first, 1);
	job_arm(&beside, 0);
	job_arm(&fixed, 32);
	job_interrupts = 0;
	for (int i = 0; i < 500; i++) {
		struct job *job = i & 1 ? &second : &first;

		tprof_test_interrupt = job_interrupt;
		tprof_x86_cpu_seat(&xcpu, &job->counter, &job->select, 1);
		tprof_test_interrupt = NULL;
		tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
		model_run(i % 97);
		tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
		ran[i & 1] += i % 97;
	}
	model_run(40);
	unit_ok(first.counter.count == ran[0] && tprof_x86_cpu_read(&second.counter) == ran[1],
		"each event counts its own turns");
	unit_ok(first.samples == ran[0] / 1000 && second.samples == ran[1] / 700,
		"each event has its samples");
	unit_ok(model.nr_resets == 501, "each turn begins with a reset");
	unit_ok(tprof_x86_cpu_read(&beside.counter) == tprof_x86_cpu_read(&fixed.counter) &&
		tprof_x86_cpu_read(&beside.counter) > ran[0] + ran[1],
		"events beside them count the same");
	unit_ok(beside.samples == tprof_x86_cpu_read(&beside.counter) / 300 &&
		fixed.samples == tprof_x86_cpu_read(&fixed.counter) / 200,
		"resets cost them no sample");
	tprof_x86_cpu_disarm(&xcpu, 32);
	tprof_x86_cpu_disarm(&xcpu, 1);
	tprof_x86_cpu_disarm(&xcpu, 0);
	unit_ok(model_is_as(&before), "after that, all registers are restored");
}

/* An overflow waits for its NMI when the counters are reset. */
static void test_overflow(void)
{
	struct job first, second;

	job_reset(MODEL_NEHALEM);
	job_prepare(&first, 1000, true);
	prepare_other(&second, 1000);
	job_arm(&first, 0);
	model.is_nmi_held = true;
	model_run(1010);
	job_arm(&second, 1);
	model_deliver();
	model.is_nmi_held = false;
	model_run(40);
	unit_ok(first.samples == 1 && first.periods == 1000,
		"a sample that is due at a reset is taken after it");
	model_run(3950);
	unit_ok(first.samples == 5 && tprof_x86_cpu_read(&first.counter) == 5000 &&
		second.samples == 3 && tprof_x86_cpu_read(&second.counter) == 3990,
		"samples go on after it");
}

/* Counters that firmware runs are not reset, but all events of the reset are programmed. */
static void test_firmware(void)
{
	struct job job;

	for (int row = 0; row < 4; row++) {
		job_reset(MODEL_NEHALEM);
		model.select[row] = 0x4300c0;
		model.value[row] = 0;
		xcpu.foreign = tprof_x86_saved_running(&xcpu);
		job_prepare(&job, 0, true);
		job_arm(&job, row ^ 1);
		model_run(500);
		unit_ok(tprof_x86_cpu_read(&job.counter) == 500, "an event beside firmware counts");
		unit_ok(model.value[row] == 500 && model.select[row] == 0x4300c0,
			"firmware's counter goes on through a reset");
	}
}

int main(void)
{
	test_when();
	test_turns();
	test_overflow();
	test_firmware();
	return unit_exit();
}
