/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the places in the kernel where software events happen
 *
 * A hook is registered while an event of its kind exists, and increments the counts of this
 * CPU. Most counts are the same as perf's, with perf's numbers:
 *
 *   context-switches	sched_switch, for the task that is switched out
 *   cpu-migrations	sched_migrate_task, on the CPU that moves the task, if its CPU changes
 *   page-faults		page_fault_user and page_fault_kernel, at addresses of user
 *			space, where the kernel may handle a fault
 *   ticks			kprobe on update_process_times(); perf has no such event
 *   lock-contention	contention_begin; perf has no number for it
 *   off-cpu		sched_switch, when a thread is switched in: since it was switched out
 *   wakeups		sched_waking, on the CPU that wakes the thread
 *
 * The task clock has no hook: it is the time that the gate of the event was open or, for all
 * processes, that the event ran.
 *
 * A hook may be called in a switch, before or after the gates of the CPU have changed, and a
 * migration or a wakeup happens to a task that does not run. So events of processes do not
 * depend on the state of a gate: the hook tests whether the task is a target. Only the task
 * clock has a gate. Hooks of a stalled event skip it. The probe of sched_switch runs before
 * that of gate.c, so that a switch counts for the thread that is switched out.
 */
#ifndef TPROF_SOFT_HOOKS_H
#define TPROF_SOFT_HOOKS_H

#include "soft/soft_event.h"

int tprof_soft_hooks_get(enum tprof_soft_kind kind);
bool tprof_soft_hooks_exist(enum tprof_soft_kind kind);
bool tprof_soft_hooks_can_sample(enum tprof_soft_kind kind);
void tprof_soft_hooks_put(enum tprof_soft_kind kind);

#endif /* TPROF_SOFT_HOOKS_H */
