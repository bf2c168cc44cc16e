/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - declarations shared by the files of the back end "fake"
 */
#ifndef TPROF_FAKE_H
#define TPROF_FAKE_H

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/refcount.h>

struct file;

#include "pmu/pmu.h"
#include "tprof_lx_fake.h"

/**
 * struct fake_event - an event of the back end "fake"
 * @node:	entry in fake_events; protected by fake_lock
 * @pmu:	event of the core that this event implements
 * @running:	CPUs on which the event runs; its sink may be called only there
 * @open:	CPUs on which the gate of the event is open
 * @stalled:	CPUs on which the event is stalled
 * @users:	number of references; one is held until fake_event_uninit(), and one
 *		by each request under way
 * @unused:	completed when the last reference is dropped
 */
struct fake_event {
	struct list_head	node;
	struct tprof_pmu_event	*pmu;
	struct cpumask		running;
	struct cpumask		open;
	struct cpumask		stalled;
	refcount_t		users;
	struct completion	unused;
};

int fake_job_run(struct fake_event *event, struct tprof_lx_fake_emit *emit);
int fake_job_init(void);
void fake_job_uninit(void);

long fake_count_ioctl(void __user *argp);
long fake_count_late_ioctl(struct file *file, void __user *argp);
void fake_count_let_close(void);
void fake_count_close(struct file *file);
int fake_count_init(void);
void fake_count_uninit(void);

#endif /* TPROF_FAKE_H */
