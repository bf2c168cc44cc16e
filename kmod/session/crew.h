/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the events of a session, and the CPUs that they run on
 */
#ifndef TPROF_CREW_H
#define TPROF_CREW_H

#include <linux/cpumask.h>
#include <linux/list.h>

#include "gate/gate.h"
#include "sample/sampler.h"

/**
 * struct tprof_crew - the events of a session and the CPUs that they run on
 * @node:	entry in the list of prepared sessions; under the cpu lock
 * @stream:	stream that takes the records
 * @cpus:	CPUs to run on; constant while any event runs
 * @hosts:	CPUs on which targets may run, or all; constant while any event runs. If an event
 *		that samples other tasks, too, starts beside others, the rings stay as they are
 * @ring_bytes:	size of the rings of CPUs in both @cpus and @hosts; constant while any event runs
 * @samplers:	the events; constant while they run
 * @gates:	gate of each CPU for the events with @is_gated, NULL if there are none;
 *		constant while any such event runs
 * @running:	mask of the running events; under the cpu lock
 */
struct tprof_crew {
	struct list_head	node;
	struct tprof_stream	*stream;
	cpumask_var_t		cpus;
	cpumask_var_t		hosts;
	unsigned long		ring_bytes;
	struct tprof_sampler	*samplers[TPROF_LX_MAX_EVENTS];
	struct tprof_gate __percpu *gates;
	u32			running;
};

#endif /* TPROF_CREW_H */
