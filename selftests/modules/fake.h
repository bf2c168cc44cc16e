/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - what the two files of the back end "fake" share
 */
#ifndef TPROF_FAKE_H
#define TPROF_FAKE_H

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/refcount.h>

#include "pmu/pmu.h"
#include "tprof_lx_fake.h"

/**
 * struct fake_event - an event of the back end "fake"
 * @node:	entry in fake_events; fake_lock
 * @pmu:	the event as the core sees it
 * @running:	CPUs on which the sink may be called
 * @users:	references: the owner's and one for each request
 * @unused:	completed with the last reference
 */
struct fake_event {
	struct list_head	node;
	struct tprof_pmu_event	*pmu;
	struct cpumask		running;
	refcount_t		users;
	struct completion	unused;
};

int fake_job_run(struct fake_event *event, struct tprof_lx_fake_emit *emit);
int fake_job_init(void);
void fake_job_uninit(void);

#endif /* TPROF_FAKE_H */
