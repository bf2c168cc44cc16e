// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the choice of the way by which an NMI is served, on x86_model
 *
 * A counter that is armed alone and counts user mode is served in fewer steps than
 * others, and a common sample is taken by a function of its own. Nothing else may take
 * these ways.
 */
#include <string.h>

#include "unit.h"
#include "x86/x86_overflow.h"
#include "x86_job.h"

/* Return the number of the NMIs of two periods that are for all sources. */
static int nmis_for_all(unsigned long watched)
{
	int before = job_nmis_for_all;

	tprof_nmi_cpus.watched = watched;
	model_run(2000);
	return job_nmis_for_all - before;
}

static void test_sources(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, false);
	job_arm(&job, 1);
	unit_ok(!nmis_for_all(BIT(0)),
		job_on(kind, "an NMI is for the first source if no other is watched"));
	unit_ok(nmis_for_all(BIT(0) | BIT(1)) == 2 && nmis_for_all(BIT(1)) == 2,
		job_on(kind, "an NMI is for all sources if another one is watched"));
	unit_ok(job.samples == 6, job_on(kind, "each way takes the same samples"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void test_common(enum model_kind kind, bool counts_kernel)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, counts_kernel);
	job.event.is_common = true;
	job_arm(&job, 1);
	model_run(3000);
	unit_ok(job.samples == 3 && job.commons == 3,
		job_on(kind, "common samples are taken by their own function"));
	model.is_nmi_held = true;
	model_run(2500);
	model_deliver();
	model.is_nmi_held = false;
	unit_ok(job.samples == 4 && job.commons == 3 && job.periods == 5000,
		job_on(kind, "a sample of several periods is not a common one"));
	job.event.is_common = false;
	model_run(1000);
	unit_ok(job.samples == 5 && job.commons == 3,
		job_on(kind, "when its event stops, a sample is not a common one"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void test_sole(enum model_kind kind)
{
	struct job first, second, kernel;
	struct tprof_x86_counter *sole;

	job_reset(kind);
	job_prepare(&first, 1000, false);
	job_prepare(&second, 1000, false);
	job_prepare(&kernel, 1000, true);
	job_arm(&first, 1);
	sole = model.caps.global_status ? &first.counter : NULL;
	unit_ok(xcpu.sole == sole, job_on(kind, "the only counter is the sole one"));
	job_arm(&second, 0);
	model_run(2500);
	unit_ok(first.samples == 2 && second.samples == 2 && !xcpu.sole,
		job_on(kind, "if two counters overflow together, both are served"));
	tprof_x86_cpu_disarm(&xcpu, 0);
	unit_ok(xcpu.sole == sole, job_on(kind, "the counter that remains is the sole one"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	memset(verdicts, 0, sizeof(verdicts));
	model_nmi();
	unit_ok(first.samples == 2 && !xcpu.sole && verdicts[TPROF_NMI_FOREIGN] == 1,
		job_on(kind, "after the sole counter was disarmed, an NMI is a foreign one"));
	job_arm(&kernel, 1);
	unit_ok(!xcpu.sole, job_on(kind, "a counter of kernel mode is not the sole one"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

/* The status shows the sole counter, but it has not overflowed. */
static void test_stuck_sole(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, false);
	job_arm(&job, 1);
	model_run(500);
	model.stuck = BIT(1);
	model.lvtpc |= model.caps.masks_lvtpc ? APIC_LVT_MASKED : 0;
	model_nmi();
	unit_ok(!job.samples && verdicts[TPROF_NMI_FOREIGN] == 1,
		job_on(kind, "a status bit that stays set is no overflow of the sole counter"));
	model.stuck = 0;
	model_run(500);
	unit_ok(job.samples == 1, job_on(kind, "its next overflow is a sample"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void spend_100_cycles(struct job *job)
{
	model.tsc += 100;
}

/* An NMI that is measured stands for TPROF_COST_NMI_SHARE NMIs, of all counters that it serves. */
static void test_cost(enum model_kind kind, bool counts_kernel)
{
	const u64 share = TPROF_COST_NMI_SHARE;
	struct job first, second;

	job_reset(kind);
	job_prepare(&first, 1000, counts_kernel);
	job_prepare(&second, 1000, counts_kernel);
	first.on_sample = spend_100_cycles;
	second.on_sample = spend_100_cycles;
	job_arm(&first, 1);
	model_run(1000);
	unit_ok(first.samples == 1 && !first.cell.interrupts && !first.cell.cycles,
		job_on(kind, "an NMI between those that are measured has no cost"));
	tprof_nmi_cpus.sampled = 2 * share + share / 2 + 2;
	model_run(1000);
	unit_ok(first.samples == 2 && first.cell.interrupts == share &&
		first.cell.cycles == share * 100,
		job_on(kind, "an NMI that is measured stands for others"));
	job_arm(&second, 0);
	model_run(1000);
	unit_ok(first.samples == 3 && second.samples == 1 &&
		first.cell.interrupts == share + share / 2 && second.cell.interrupts == share / 2 &&
		first.cell.cycles == second.cell.cycles + share * 100,
		job_on(kind, "two counters share the cost of an NMI"));
	tprof_nmi_cpus.watched = BIT(0) | BIT(1);
	tprof_x86_cpu_disarm(&xcpu, 0);
	model_run(1000);
	unit_ok(first.samples == 4 && first.cell.interrupts == 2 * share + share / 2,
		job_on(kind, "an NMI for all sources is measured, too"));
	model_nmi();
	unit_ok(first.cell.interrupts == 2 * share + share / 2,
		job_on(kind, "an NMI that serves no counter costs no event"));
	first.event.cost.cells = NULL;
	model_run(1000);
	unit_ok(first.samples == 5, job_on(kind, "an event without a cost is sampled"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

/* Counters that overflow in turn are measured in turn. */
static void test_turns(void)
{
	const u64 share = TPROF_COST_NMI_SHARE;
	u64 nr = 0, nr_even = 0, at;

	for (at = 0; at < share * share; at++) {
		tprof_nmi_cpus.sampled = at;
		if (!tprof_x86_overflow_is_measured())
			continue;
		nr++;
		nr_even += at % 2 == 0;
	}
	unit_ok(nr == share && nr_even == share / 2, "one NMI in 64 is measured, of each counter");
	tprof_nmi_cpus.sampled = 0;
	unit_ok(!tprof_x86_overflow_is_measured(), "the first NMI is not measured");
}

int main(void)
{
	test_turns();
	for (int kind = 0; kind < NR_MODELS; kind++) {
		test_sources(kind);
		test_common(kind, false);
		test_common(kind, true);
		test_sole(kind);
		test_cost(kind, false);
		test_cost(kind, true);
		if (model.caps.global_status)
			test_stuck_sole(kind);
	}
	return unit_exit();
}
