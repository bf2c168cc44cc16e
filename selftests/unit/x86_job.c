// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - run events on x86_model, a model of the counter registers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "x86_job.h"

void (*tprof_test_interrupt)(void);
u64 job_interrupts;
int job_nmis_for_all;
struct tprof_nmi_cpu tprof_nmi_cpus;

struct tprof_x86_cpu xcpu;
int verdicts[3];
unsigned long jiffies;
static const struct tprof_x86_ops *vendor;

static void take(struct tprof_pmu_event *event, struct pt_regs *regs,
		 u64 period, u64 merged)
{
	struct job *job = (struct job *)event;

	job->samples++;
	job->periods += period;
	if (job->on_sample)
		job->on_sample(job);
}

void tprof_sample_take_common(struct tprof_pmu_event *event, struct pt_regs *regs, u64 period)
{
	((struct job *)event)->commons++;
	take(event, regs, period, 0);
}

void tprof_x86_suspect(void)
{
	xcpu.is_suspect = true;
}

void tprof_nmi_expect(const struct tprof_nmi_source *source)
{
}

void tprof_nmi_count_sampled(struct pt_regs *regs)
{
	verdicts[TPROF_NMI_SAMPLED]++;
}

int tprof_nmi_end(struct pt_regs *regs, enum tprof_nmi_verdict verdict)
{
	verdicts[verdict]++;
	return verdict != TPROF_NMI_FOREIGN;
}

int tprof_nmi_serve_all(unsigned int type, struct pt_regs *regs)
{
	job_nmis_for_all++;
	return tprof_nmi_end(regs, vendor->handle(regs));
}

static void handle_nmi(void)
{
	vendor->entry(0, NULL);
}

void job_reset(enum model_kind kind)
{
	tprof_test_interrupt = NULL;
	model_reset(kind);
	memset(&xcpu, 0, sizeof(xcpu));
	memset(verdicts, 0, sizeof(verdicts));
	tprof_nmi_cpus.watched = BIT(0);
	/* No NMI is measured, unless a test wants it. */
	tprof_nmi_cpus.sampled = 1;
	job_nmis_for_all = 0;
	xcpu.caps = model.caps;
	tprof_x86_cpus = &xcpu;
	if (model.caps.vendor == TPROF_X86_INTEL)
		vendor = &tprof_x86_intel;
	else
		vendor = model.caps.masks_lvtpc ? &tprof_x86_amd_guest : &tprof_x86_amd;
	model_nmi = handle_nmi;
}

void job_prepare(struct job *job, u64 period, bool counts_kernel)
{
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_HARDWARE,
		.config		= PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel	= !counts_kernel,
	};

	memset(job, 0, sizeof(*job));
	if (tprof_x86_select(&attr, &xcpu.caps, &job->select))
		abort();
	job->event.sink = take;
	job->event.cost.cells = &job->cell;
	job->counter.event = &job->event;
	tprof_x86_counter_set_width(&job->counter, xcpu.caps.general_bits,
				    xcpu.caps.has_full_width,
				    job->select.grain);
	tprof_x86_counter_set_period(&job->counter, period, false, 1);
}

int job_arm(struct job *job, int row)
{
	return tprof_x86_cpu_arm(&xcpu, &job->counter, &job->select, row);
}

const char *job_on(enum model_kind kind, const char *what)
{
	static const char *const kinds[NR_MODELS] = {
		"intel v1", "intel v3", "intel v4", "nehalem", "amd k7", "amd core", "amd v2",
		"amd guest",
	};
	static char name[128];

	snprintf(name, sizeof(name), "%s: %s", kinds[kind], what);
	return name;
}

void job_interrupt(void)
{
	tprof_test_interrupt = NULL;
	model_run(7);
	job_interrupts += 7;
	tprof_test_interrupt = job_interrupt;
}
