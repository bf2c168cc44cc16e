// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - counters that firmware or another program uses, on x86_model
 *
 * The tests check on every kind of PMU that a counter which ran before is found, goes on and
 * keeps its registers, and that a counter which another program starts in the meantime is
 * respected.
 */
#include "unit.h"
#include "x86/x86_saved.h"
#include "x86_job.h"

/* A counter that firmware has left running, in user and kernel mode. */
#define FIRMWARE_SELECT	0x4300c0

/* Return the row of a counter that the tests let firmware use. */
static int firmware_row(enum model_kind kind)
{
	return kind == MODEL_INTEL_V4 ? 34 : 0;
}

/* Let firmware use its counter. */
static void begin_firmware(int row)
{
	if (row >= 32)
		model.fixed_ctrl |= 3ULL << (row - 32) * 4;
	else
		model.select[row] = FIRMWARE_SELECT;
	model.value[row] = 0;
}

static void test_found(enum model_kind kind)
{
	int row = firmware_row(kind);

	job_reset(kind);
	unit_ok(!tprof_x86_saved_running(&xcpu), job_on(kind, "idle counters do not run"));
	begin_firmware(row);
	unit_ok(tprof_x86_saved_running(&xcpu) == BIT_ULL(row),
		job_on(kind, "a counter that firmware uses runs"));
	if (!model.caps.global_ctrl)
		return;
	model.global_ctrl = 0;
	unit_ok(!tprof_x86_saved_running(&xcpu),
		job_on(kind, "a counter without its global bit does not run"));
}

/* Let the counter interrupt, as all of perf's do. */
static void let_interrupt(int row)
{
	if (row >= 32)
		model.fixed_ctrl |= 8ULL << (row - 32) * 4;
	else
		model.select[row] |= BIT_ULL(20);
}

static void test_silent(enum model_kind kind)
{
	int row = firmware_row(kind), other = row ^ 1;

	job_reset(kind);
	begin_firmware(row);
	begin_firmware(other);
	unit_ok(tprof_x86_saved_silent(&xcpu) == (BIT_ULL(row) | BIT_ULL(other)),
		job_on(kind, "counters that run and do not interrupt are not perf's"));
	let_interrupt(other);
	unit_ok(tprof_x86_saved_silent(&xcpu) == BIT_ULL(row),
		job_on(kind, "a counter that interrupts may be perf's"));
	if (!model.caps.has_ds)
		return;
	model.pebs = BIT_ULL(row);
	unit_ok(!tprof_x86_saved_silent(&xcpu), "a counter with PEBS may be perf's");
	model.pebs = 0;
	model.extended[row][0] = BIT_ULL(row);
	unit_ok(!tprof_x86_saved_silent(&xcpu), "a counter that reloads itself may be perf's");
	model.extended[row][0] = 0;
	model.extended[row][1] = 1;
	unit_ok(!tprof_x86_saved_silent(&xcpu), "a counter with an extension may be perf's");
}

static void test_goes_on(enum model_kind kind)
{
	int row = firmware_row(kind);
	struct job job;

	job_reset(kind);
	begin_firmware(row);
	xcpu.foreign = tprof_x86_saved_running(&xcpu);
	job_prepare(&job, 1000, true);
	unit_ok(!job_arm(&job, 1), job_on(kind, "a counter is armed beside firmware's"));
	model_run(2500);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	model_run(100);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
	model_run(500);
	unit_ok(job.samples == 3 && tprof_x86_cpu_read(&job.counter) == 3000,
		job_on(kind, "it counts and samples as ever"));
	unit_ok(model.value[row] == 3100, job_on(kind, "firmware's counter misses nothing"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	model_run(100);
	unit_ok(model.value[row] == 3200 && model_counts(row),
		job_on(kind, "firmware's counter goes on after the last one is disarmed"));
	unit_ok(row >= 32 ? model.fixed_ctrl == 3ULL << (row - 32) * 4 :
			    model.select[row] == FIRMWARE_SELECT,
		job_on(kind, "firmware's control register is as before"));
}

static void test_taken_meanwhile(enum model_kind kind)
{
	int row = firmware_row(kind);
	struct model before;
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, true);
	begin_firmware(row);
	before = model;
	unit_ok(job_arm(&job, 1) == -EBUSY, job_on(kind, "a counter that began to run is -EBUSY"));
	unit_ok(model_is_as(&before) && !xcpu.armed,
		job_on(kind, "after that, all registers are as before"));
}

/* The last user has left PEBS and auto-reload on, for our counter and for firmware's. */
static void test_leftovers(void)
{
	const u64 mine = BIT_ULL(1) | BIT_ULL(33), theirs = BIT_ULL(34);
	struct model before;
	struct job job;

	job_reset(MODEL_INTEL_V4);
	begin_firmware(34);
	xcpu.foreign = theirs;
	model.pebs = mine | theirs;
	model.extended[1][0] = 0x2;
	model.extended[33][1] = 0xfff0;
	model.extended[34][1] = 0xff00;
	before = model;
	job_prepare(&job, 1000, true);
	job_arm(&job, 1);
	unit_ok(model.pebs == theirs, "PEBS is off, but for firmware's counter");
	unit_ok(!model.extended[1][0] && !model.extended[33][1] && model.extended[34][1] == 0xff00,
		"auto-reload is off, but for firmware's counter");
	tprof_x86_cpu_disarm(&xcpu, 1);
	unit_ok(model_is_as(&before), "after that, PEBS and auto-reload are as before");
}

int main(void)
{
	for (int kind = 0; kind < NR_MODELS; kind++) {
		test_found(kind);
		test_silent(kind);
		test_goes_on(kind);
		test_taken_meanwhile(kind);
	}
	test_leftovers();
	return unit_exit();
}
