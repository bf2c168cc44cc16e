/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - side-band records: tasks, names, mappings, modules
 *
 * Probes on the scheduler's tracepoints and on perf_event_mmap(), and a module
 * notifier, are the sources of side-band records. A record is written into the lane
 * (ring and counts) of the current CPU. A source is registered only while a tracker
 * that needs it is attached, that is, while a session that requested its records runs.
 *
 * Context: probes run not preemptible, with raw spinlocks of the scheduler held
 * (sched_switch): no lock, no allocation, nothing that sleeps, on PREEMPT_RT
 * kernels too. Records of mappings are written in task work, which may sleep.
 */
#ifndef TPROF_TRACK_H
#define TPROF_TRACK_H

#include "track/track_list.h"

int tprof_track_attach(struct tprof_tracker *tracker);
void tprof_track_detach(struct tprof_tracker *tracker);

int tprof_track_init(void);
void tprof_track_uninit(void);

#endif /* TPROF_TRACK_H */
