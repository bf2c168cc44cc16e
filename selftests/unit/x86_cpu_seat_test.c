// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - events that take turns on one counter, on x86_model
 *
 * Each event must count and sample as if it had the counter alone.
 */
#include "unit.h"
#include "x86_job.h"

#define ROW	1

/* Let only @job count, until @events have happened. */
static void run_seated(struct job *job, u64 events)
{
	if (xcpu.counters[ROW] != &job->counter)
		tprof_x86_cpu_seat(&xcpu, &job->counter, &job->select, ROW);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(ROW), true);
	model_run(events);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(ROW), false);
}

static void begin(enum model_kind kind, struct job *first, struct job *second)
{
	job_reset(kind);
	job_prepare(first, 1000, true);
	job_prepare(second, 700, true);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(ROW), false);
	job_arm(first, ROW);
}

static void end(void)
{
	tprof_x86_cpu_disarm(&xcpu, ROW);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(ROW), true);
}

static void test_turns(enum model_kind kind)
{
	struct job first, second, beside;
	struct model before;
	u64 ran[2] = {};

	begin(kind, &first, &second);
	end();
	before = model;
	begin(kind, &first, &second);
	job_prepare(&beside, 300, false);
	job_arm(&beside, 0);
	for (int i = 0; i < 500; i++) {
		run_seated(&first, i % 130);
		ran[0] += i % 130;
		run_seated(&second, 3 * i % 90);
		ran[1] += 3 * i % 90;
	}
	unit_ok(first.counter.count == ran[0] && tprof_x86_cpu_read(&second.counter) == ran[1],
		job_on(kind, "each event counts its own turns"));
	unit_ok(first.samples == ran[0] / 1000 && second.samples == ran[1] / 700,
		job_on(kind, "each period goes on at the next turn"));
	unit_ok(beside.samples == (ran[0] + ran[1]) / 300,
		job_on(kind, "turns cost other counters nothing"));
	unit_ok(tprof_x86_cpu_has_seat(&xcpu, &second.counter, ROW) &&
		!tprof_x86_cpu_has_seat(&xcpu, &first.counter, ROW),
		job_on(kind, "the last event has the counter"));
	tprof_x86_cpu_disarm(&xcpu, 0);
	end();
	unit_ok(model_is_as(&before), job_on(kind, "after turns, all registers are restored"));
}

/* The NMI of an overflow comes when another event has the counter. */
static void test_late_overflow(enum model_kind kind)
{
	struct job first, second;

	begin(kind, &first, &second);
	model.is_nmi_held = true;
	run_seated(&first, 1010);
	run_seated(&second, 100);
	model_deliver();
	unit_ok(!first.samples && !second.samples,
		job_on(kind, "an overflow is no sample of the next event"));
	model.is_nmi_held = false;
	run_seated(&first, 10);
	unit_ok(first.samples == 1 && first.periods == 1000,
		job_on(kind, "the sample is taken at the next turn"));
	run_seated(&second, 650);
	run_seated(&first, 1000);
	unit_ok(first.samples == 2 && second.samples == 1 && second.counter.count == 750,
		job_on(kind, "samples go on after that"));
	end();
}

static void test_stall(enum model_kind kind)
{
	struct job first, second;

	begin(kind, &first, &second);
	run_seated(&first, 500);
	tprof_x86_cpu_stall(&xcpu, ROW, true);
	run_seated(&second, 2100);
	unit_ok(second.samples == 3, job_on(kind, "a stall is that of one event"));
	run_seated(&first, 5000);
	unit_ok(!first.samples && tprof_x86_cpu_read(&first.counter) == 500,
		job_on(kind, "an event is still stalled at its next turn"));
	tprof_x86_cpu_stall(&xcpu, ROW, false);
	run_seated(&second, 100);
	run_seated(&first, 600);
	unit_ok(first.samples == 1, job_on(kind, "after the stall, its period goes on"));
	end();
	unit_ok(!xcpu.stalled && !xcpu.shut, job_on(kind, "no stall is left"));
}

/* Another gate opens before the gate of the last event closes. */
static void test_overtaking(enum model_kind kind)
{
	struct job first, second;

	begin(kind, &first, &second);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(ROW), true);
	model_run(400);
	run_seated(&second, 300);
	unit_ok(first.counter.count == 400 && tprof_x86_cpu_read(&second.counter) == 300,
		job_on(kind, "an event that overtakes stops the other one first"));
	end();
}

/* While the machine sleeps, events change, but no register does. */
static void test_sleep(enum model_kind kind)
{
	struct job first, second;
	int writes;

	begin(kind, &first, &second);
	run_seated(&first, 400);
	tprof_x86_cpu_disarm(&xcpu, ROW);
	writes = model.nr_writes;
	run_seated(&second, 300);
	unit_ok(model.nr_writes == writes, job_on(kind, "without arming, no register changes"));
	tprof_x86_cpu_arm(&xcpu, xcpu.counters[ROW], xcpu.kinds[ROW], ROW);
	run_seated(&second, 100);
	run_seated(&first, 50);
	unit_ok(second.counter.count == 100 && tprof_x86_cpu_read(&first.counter) == 450,
		job_on(kind, "the last event goes on after a sleep"));
	end();
}

/* An event that had no turn before the sleep does not know the width of the counter. */
static void test_first_turn_in_sleep(enum model_kind kind)
{
	struct job first, second;

	begin(kind, &first, &second);
	tprof_x86_cpu_disarm(&xcpu, ROW);
	second.counter.mask = 0;
	tprof_x86_cpu_seat(&xcpu, &second.counter, &second.select, ROW);
	job_arm(&second, ROW);
	run_seated(&second, 2100);
	unit_ok(tprof_x86_cpu_read(&second.counter) == 2100 && second.samples == 3,
		job_on(kind, "an event counts that had its first turn in a sleep"));
	end();
}

static void test_writes(enum model_kind kind)
{
	struct job first, second;
	int writes;

	begin(kind, &first, &second);
	writes = model.nr_writes;
	tprof_x86_cpu_seat(&xcpu, &second.counter, &second.select, ROW);
	unit_ok(model.nr_writes == writes + 1,
		job_on(kind, "a turn of the same kind of event writes one register"));
	first.select.general ^= ARCH_PERFMON_EVENTSEL_OS;
	writes = model.nr_writes;
	tprof_x86_cpu_seat(&xcpu, &first.counter, &first.select, ROW);
	unit_ok(xcpu.caps.needs_reset || model.nr_writes == writes + 2,
		job_on(kind, "a turn of another kind of event writes two registers"));
	end();
}

int main(void)
{
	for (int kind = 0; kind < NR_MODELS; kind++) {
		test_turns(kind);
		test_late_overflow(kind);
		test_stall(kind);
		test_overtaking(kind);
		test_sleep(kind);
		test_first_turn_in_sleep(kind);
		test_writes(kind);
	}
	return unit_exit();
}
