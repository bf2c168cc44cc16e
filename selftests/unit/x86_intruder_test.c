// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - an intruder that changes the registers while events run, on x86_model
 *
 * The tests check on every kind of PMU that the change is noticed at a gate, at an overflow and
 * where an event is read or stopped; that the intruder keeps what it has written; and that the
 * events keep what they have counted.
 */
#include "unit.h"
#include "x86/x86_intruder.h"
#include "x86/x86_saved.h"
#include "x86_job.h"

/* What an intruder counts: in user and kernel mode, with an interrupt. */
#define INTRUDER_SELECT	0x5300c4

/* Events of the counters 0 and 1, and of a fixed counter where the test uses one. */
static struct job first, second, fixed;

static void begin(enum model_kind kind, u64 period)
{
	job_reset(kind);
	jiffies = 1000;
	job_prepare(&first, period, true);
	job_prepare(&second, period, true);
	job_arm(&first, 0);
	job_arm(&second, 1);
	if (kind == MODEL_INTEL_V4) {
		job_prepare(&fixed, period, true);
		job_arm(&fixed, 32);
	}
}

/* As KVM with a mediated vPMU leaves the registers after a guest has run. */
static void clear_registers(void)
{
	for (int row = 0; row < 8; row++)
		model.select[row] = 0;
	for (int row = 0; row < TPROF_X86_MAX_ROWS; row++)
		model.value[row] = 0;
	model.global_ctrl = 0;
	model.fixed_ctrl = 0;
}

static bool has_yielded(void)
{
	return xcpu.has_yielded && !xcpu.armed && !xcpu.sole;
}

static void test_read(enum model_kind kind)
{
	struct model left;

	begin(kind, 0);
	model_run(500);
	unit_ok(!tprof_x86_intruder_is_here(&xcpu) && xcpu.armed,
		job_on(kind, "without an intruder, events go on"));
	model.select[1] = INTRUDER_SELECT;
	model.value[1] = 77;
	unit_ok(tprof_x86_intruder_is_here(&xcpu) && has_yielded(),
		job_on(kind, "a changed register is noticed"));
	unit_ok(model.select[1] == INTRUDER_SELECT && model.value[1] == 77,
		job_on(kind, "the intruder keeps its counter"));
	unit_ok(!model.select[0] && !model.fixed_ctrl && !model_counts(0) && !model_counts(32),
		job_on(kind, "the other counters are stopped"));
	unit_ok(first.counter.count == 500, job_on(kind, "a counter that is ours keeps its count"));
	unit_ok(!second.counter.count, job_on(kind, "an intruder's counter adds nothing"));
	left = model;
	tprof_x86_cpu_gate(&xcpu, 3, false);
	tprof_x86_cpu_gate(&xcpu, 3, true);
	tprof_x86_cpu_disarm(&xcpu, 0);
	tprof_x86_cpu_disarm(&xcpu, 1);
	model_nmi();
	unit_ok(job_arm(&first, 0) == -EBUSY && model_is_as(&left),
		job_on(kind, "after that, no register is written"));
}

static void test_gate(enum model_kind kind)
{
	struct model left;

	begin(kind, 0);
	model_run(300);
	unit_ok(tprof_x86_cpu_read(&first.counter) == 300, job_on(kind, "the count is read"));
	jiffies = 1010;
	tprof_x86_cpu_gate(&xcpu, 3, false);
	tprof_x86_cpu_gate(&xcpu, 3, true);
	jiffies = 1030;
	model_run(100);
	clear_registers();
	left = model;
	tprof_x86_cpu_gate(&xcpu, 3, false);
	unit_ok(has_yielded() && model_is_as(&left),
		job_on(kind, "registers that KVM has cleared are noticed at a gate"));
	unit_ok(first.counter.count == 300 && xcpu.yielded_at == 1030,
		job_on(kind, "the event has the count that was last read"));
	unit_ok(first.counter.doubtful == 30,
		job_on(kind, "its counts are doubtful since its register was last compared"));
}

static void test_closed_gate(enum model_kind kind)
{
	struct model left;

	begin(kind, 0);
	model_run(300);
	tprof_x86_cpu_gate(&xcpu, 3, false);
	tprof_x86_cpu_read(&first.counter);
	clear_registers();
	left = model;
	tprof_x86_cpu_gate(&xcpu, 3, true);
	unit_ok(has_yielded() && model_is_as(&left) && first.counter.count == 300,
		job_on(kind, "registers that KVM has cleared are noticed when a gate opens"));
}

/* The intruder stops all counters, and leaves what they count. */
static void test_stopped(enum model_kind kind)
{
	begin(kind, 0);
	model_run(300);
	jiffies = 1010;
	tprof_x86_cpu_gate(&xcpu, 3, false);
	tprof_x86_cpu_gate(&xcpu, 3, true);
	jiffies = 1030;
	model_run(100);
	model.global_ctrl = 0;
	tprof_x86_cpu_gate(&xcpu, 3, false);
	unit_ok(has_yielded() && first.counter.count == 400 && second.counter.count == 400,
		job_on(kind, "counters that an intruder has stopped keep their counts"));
	unit_ok(first.counter.doubtful == 20,
		job_on(kind, "their counts are doubtful since the last gate"));
}

/* As perf leaves the register when KVM switches AMD's SVM on or off. */
static void test_all_enabled(enum model_kind kind)
{
	begin(kind, 0);
	model_run(300);
	model.global_ctrl = model.caps.counters;
	tprof_x86_cpu_gate(&xcpu, 3, false);
	model_run(50);
	tprof_x86_cpu_gate(&xcpu, 3, true);
	model_run(100);
	model.global_ctrl = model.caps.counters;
	unit_ok(!tprof_x86_intruder_is_here(&xcpu) && model.global_ctrl == xcpu.armed,
		job_on(kind, "counters that count nothing may be enabled"));
	unit_ok(tprof_x86_cpu_read(&first.counter) == 400,
		job_on(kind, "an event whose gate was open then is exact"));
	tprof_x86_cpu_gate(&xcpu, 3, false);
	model.global_ctrl = model.caps.counters;
	model_run(100);
	tprof_x86_cpu_gate(&xcpu, 3, true);
	unit_ok(has_yielded(), job_on(kind, "an event whose gate was closed then stops"));
	begin(kind, 0);
	model.select[2] = INTRUDER_SELECT;
	model.global_ctrl = model.caps.counters;
	unit_ok(tprof_x86_intruder_is_here(&xcpu) && model.select[2] == INTRUDER_SELECT &&
		model.global_ctrl == model.caps.counters,
		job_on(kind, "an intruder that counts by another counter keeps it"));
}

/* The end of a stall writes the register that enables all counters. */
static void test_stall(enum model_kind kind)
{
	struct model left;

	begin(kind, 0);
	model_run(300);
	tprof_x86_cpu_stall(&xcpu, 0, true);
	clear_registers();
	model.select[0] = INTRUDER_SELECT;
	model.global_ctrl = model.caps.global_ctrl ? BIT_ULL(0) : 0;
	left = model;
	tprof_x86_cpu_stall(&xcpu, 0, false);
	unit_ok(has_yielded() && model_is_as(&left),
		job_on(kind, "an intruder is noticed at the end of a stall"));
}

static void test_overflow(enum model_kind kind, bool is_alone)
{
	begin(kind, 1000);
	if (is_alone) {
		tprof_x86_cpu_disarm(&xcpu, 0);
		if (kind == MODEL_INTEL_V4)
			tprof_x86_cpu_disarm(&xcpu, 32);
	}
	model_run(1500);
	jiffies = 1040;
	model.select[1] = INTRUDER_SELECT;
	model_run(600);
	unit_ok(second.samples == 1 && xcpu.is_suspect &&
		(!is_alone || !verdicts[TPROF_NMI_FOREIGN]),
		job_on(kind, "an overflow of an intruder is no sample, but is claimed"));
	unit_ok(tprof_x86_intruder_is_here(&xcpu) && has_yielded() &&
		model.select[1] == INTRUDER_SELECT,
		job_on(kind, "after the NMI, the CPU yields"));
	unit_ok(is_alone || first.samples == 2,
		job_on(kind, "other events were sampled until then"));
	unit_ok(second.counter.count == 1000 && second.counter.doubtful == 40,
		job_on(kind, "the event is right up to its last sample"));
}

/* The intruder counts the same event, so that only the value shows it. */
static void test_jump(enum model_kind kind)
{
	begin(kind, 0);
	model_run(100);
	tprof_x86_cpu_read(&first.counter);
	model.value[0] += BIT_ULL(kind == MODEL_INTEL_V1 ? 30 : 40);
	model.select[1] = INTRUDER_SELECT;
	tprof_x86_intruder_is_here(&xcpu);
	unit_ok(first.counter.count == 100,
		job_on(kind, "a count that is impossible adds nothing"));
}

static void test_seat(enum model_kind kind)
{
	struct job third;

	begin(kind, 0);
	model_run(100);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	model.select[1] = INTRUDER_SELECT;
	model.value[1] = 5;
	job_prepare(&third, 0, true);
	tprof_x86_cpu_seat(&xcpu, &third.counter, &third.select, 1);
	unit_ok(has_yielded() && model.select[1] == INTRUDER_SELECT && model.value[1] == 5,
		job_on(kind, "an event that shares a counter leaves it to an intruder"));
}

/* Some hypervisors drop bits of a register. That is no intruder. */
static void test_dropped(enum model_kind kind)
{
	begin(kind, 1000);
	tprof_x86_cpu_disarm(&xcpu, 1);
	model.dropped = 0xff00;
	second.select.general |= 0x4100;
	job_arm(&second, 1);
	model_run(2500);
	tprof_x86_cpu_gate(&xcpu, 3, false);
	tprof_x86_cpu_gate(&xcpu, 3, true);
	unit_ok(second.samples == 2 && !tprof_x86_intruder_is_here(&xcpu),
		job_on(kind, "bits that a register drops are not compared"));
	model.select[1] |= 0x800000;
	unit_ok(tprof_x86_intruder_is_here(&xcpu), job_on(kind, "its other bits are"));
}

int main(void)
{
	for (int kind = 0; kind < NR_MODELS; kind++) {
		test_read(kind);
		test_gate(kind);
		test_closed_gate(kind);
		if (model.caps.global_ctrl) {
			test_stopped(kind);
			test_all_enabled(kind);
		}
		test_stall(kind);
		test_overflow(kind, false);
		test_overflow(kind, true);
		test_jump(kind);
		test_seat(kind);
		test_dropped(kind);
	}
	return unit_exit();
}
