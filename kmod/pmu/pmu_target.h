/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - whether a task is a target of an event
 */
#ifndef TPROF_PMU_TARGET_H
#define TPROF_PMU_TARGET_H

#include <linux/bitops.h>
#include <linux/sched.h>

/* Return true if @task is in a target process: gates are open while it runs. */
static inline bool tprof_pmu_is_target(const unsigned long *targets,
				       const struct task_struct *task)
{
	return test_bit(task->tgid, targets);
}

#endif /* TPROF_PMU_TARGET_H */
