/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - run events on x86_model, a model of the counter registers
 *
 * There is one CPU. Its NMIs call the module's handler for the vendor of the model.
 */
#ifndef TPROF_UNIT_X86_JOB_H
#define TPROF_UNIT_X86_JOB_H

#include "x86_model.h"

/**
 * struct job - an event that counts its samples
 * @event:	the event that is passed to the module
 * @counter:	hardware counter of @event
 * @select:	event-select value of @event
 * @samples:	number of samples taken
 * @commons:	number of samples taken by tprof_sample_take_common()
 * @periods:	sum of the periods of all samples
 * @cell:	cost of the event
 * @on_sample:	called for each sample, or NULL
 */
struct job {
	struct tprof_pmu_event		event;
	struct tprof_x86_counter	counter;
	struct tprof_x86_select		select;
	u64				samples;
	u64				commons;
	u64				periods;
	struct tprof_cost_cell		cell;
	void				(*on_sample)(struct job *job);
};

extern struct tprof_x86_cpu xcpu;

/* verdicts[x]: number of NMIs with the verdict x of enum tprof_nmi_verdict */
extern int verdicts[3];

/* Number of NMIs that were for all sources. */
extern int job_nmis_for_all;

/* Number of events that job_interrupt() has added. */
extern u64 job_interrupts;

void job_reset(enum model_kind kind);
void job_prepare(struct job *job, u64 period, bool counts_kernel);
int job_arm(struct job *job, int row);

/* Return the name of a test: @what, on a PMU of type @kind. */
const char *job_on(enum model_kind kind, const char *what);

/* Set tprof_test_interrupt to this: add events between the steps of the code under test. */
void job_interrupt(void);

#endif /* TPROF_UNIT_X86_JOB_H */
