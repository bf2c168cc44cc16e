/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - gates: events that count only while a target runs
 *
 * An event with a gate stays on the counters of its CPUs. While no target runs on a CPU,
 * the gate there is closed and the event's counter stands still. So neither the migration
 * of a target nor a new thread costs anything, and a switch between two targets changes
 * no register.
 */
#ifndef TPROF_GATE_H
#define TPROF_GATE_H

#include <linux/list.h>
#include <linux/percpu.h>

#include "base/tasks.h"
#include "gate/gate_set.h"
#include "gate/tally.h"
#include "pmu/pmu.h"
#include "sample/sampler.h"

/**
 * struct tprof_gate - the gate of a session on one CPU
 * @node:	entry in the CPU's list of gates, while @set has events
 * @targets:	tasks that open the gate: a copy, for speed, which has the same bitmaps
 * @tally:	counts by thread, or NULL
 * @opening:	open while a target runs
 * @set:	events behind the gate: one of @sets
 * @sets:	memory of @set and of the set that will replace it
 * @mask:	indexes of the events in @set; under the cpu lock
 *
 * All but @sets and @mask are changed only on the CPU, with interrupts off.
 */
struct tprof_gate {
	struct hlist_node		node;
	struct tprof_tasks		targets;
	struct tprof_tally		*tally;
	struct tprof_pmu_opening	opening;
	const struct tprof_gate_set	*set;
	struct tprof_gate_set		sets[2];
	u32				mask;
};

int tprof_gate_alloc(struct tprof_gate __percpu **gates, const struct tprof_tasks *targets,
		     struct tprof_tally *tally);
void tprof_gate_free(struct tprof_gate __percpu *gates);
u64 tprof_gate_change(struct tprof_gate *gate, int cpu,
		      struct tprof_sampler *const *samplers, u32 mask);
void tprof_gate_look(void);
void tprof_gate_look_everywhere(void);
void tprof_gate_settle(struct tprof_gate *gate, int cpu);
u64 tprof_gate_open_ns(struct tprof_gate *gate, int cpu);

#endif /* TPROF_GATE_H */
