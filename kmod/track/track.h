/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - side-band records: tasks, names, mappings, modules
 *
 * The sources of side-band records are probes on tracepoints and on perf_event_mmap(), a
 * module notifier, and deferred call chains. A record is written into the lane
 * (ring and counts) of the current CPU. A source is registered only while a tracker
 * that needs it is attached, that is, while a session that requested its records runs.
 *
 * Context: probes are preemptible on kernels newer than 6.18. The probe of sched_switch runs
 * with a raw spinlock of the scheduler held. So, on PREEMPT_RT kernels too, a probe takes no
 * lock, allocates
 * nothing and does not sleep. Records of mappings are written in task work, which may
 * sleep.
 */
#ifndef TPROF_TRACK_H
#define TPROF_TRACK_H

#include "track/track_list.h"

int tprof_track_attach(struct tprof_tracker *tracker);
int tprof_track_replace(struct tprof_tracker *old, struct tprof_tracker *new);
void tprof_track_detach(struct tprof_tracker *tracker);
void tprof_track_write_comm(const struct tprof_tracker *tracker, u16 misc,
			    const struct task_struct *task, const char *comm);

int tprof_track_init(void);
void tprof_track_uninit(void);

#endif /* TPROF_TRACK_H */
