/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - gates: events that count only while a target runs
 *
 * An event with a gate stays on the counters of its CPUs. While no target runs on a CPU,
 * the gate there is closed and the event's counter stands still. So neither the migration
 * of a target nor a new thread costs anything, and a switch between two targets changes
 * no register.
 *
 * perf moves an event from task to task. Here, a session has a gate on each CPU, and behind it
 * are its events of processes (TPROF_LX_EVENT_PROCESS). A probe of sched_switch looks for the
 * next task in the set of targets or, with enable_on_exec, of the targets that have called
 * execve(2). Only if the result differs from the state of the gate, it calls swing() of the
 * back ends. The counters of Intel and AMD then stop or go on by one write of the register
 * that enables all of them. So a count is exact, and all events of a session count the same
 * time.
 *
 * START arms the counters of all CPUs with the gates closed. When all are armed, it puts all
 * events of each CPU behind its gate at once; this opens the gate if a target is current. If a
 * counter cannot be armed, no gate has opened. STOP removes the events from the gates of all
 * CPUs before it disarms the first. An IPI makes these changes on the CPU of the gate. While a
 * gate is open, the cycles of the TSC are added up; READ returns them in nanoseconds, as the
 * time that the event ran.
 *
 * A period is a part of the counter's value, so it stands still while the gate is closed, and
 * the next target of the CPU continues it. So threads that are shorter than a period are
 * sampled, each at its share, and on each CPU the periods of all samples add up to the count
 * within one period. perf gives each thread a period of its own, and never samples such
 * threads. No overflow comes while the gate is closed, so other tasks get no NMI. Only an
 * overflow just before a switch can find another task, when its NMI comes: it is filtered.
 *
 * If a period adapts to a frequency, the time between two samples is that for which the gate
 * was open (struct tprof_pmu_opening, tprof_x86_cpu_clock()). Otherwise a target that runs for
 * a tenth of the time would get ten times as many samples.
 *
 * Parallelism (TPROF_LX_EVENT_PARALLELISM) is the number of gates of the session that are open
 * and have such an event behind them. A gate adds itself before its counters go on, and removes
 * itself after they stand still. So each sample of a target counts at least that target, and
 * nothing is to be found out at forks, exits and switches between two targets. A change of the
 * events behind an open gate is one step for other CPUs: call_change().
 */
#ifndef TPROF_GATE_H
#define TPROF_GATE_H

#include <linux/atomic.h>
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
 * @parallelism: number of counted gates of the session that are open. It has a cache line of its
 *		own, which open and closing gates of all CPUs write; constant
 * @counter:	what the gate counts itself in: @parallelism, but call_change() counts aside
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
	atomic_t			*parallelism;
	atomic_t			*counter;
	struct tprof_pmu_opening	opening;
	const struct tprof_gate_set	*set;
	struct tprof_gate_set		sets[2];
	u32				mask;
};

int tprof_gate_alloc(struct tprof_gate __percpu **gates, const struct tprof_tasks *targets,
		     struct tprof_tally *tally);
void tprof_gate_free(struct tprof_gate __percpu *gates);
const atomic_t *tprof_gate_parallelism(struct tprof_gate __percpu *gates);
u64 tprof_gate_change(struct tprof_gate *gate, int cpu,
		      struct tprof_sampler *const *samplers, u32 mask);
void tprof_gate_look(void);
void tprof_gate_look_on(const struct cpumask *cpus);
void tprof_gate_look_everywhere(void);
void tprof_gate_settle(struct tprof_gate *gate, int cpu);
u64 tprof_gate_read(const struct tprof_gate *gate, int cpu, const struct tprof_pmu_event *event,
		    u64 *count);

#endif /* TPROF_GATE_H */
