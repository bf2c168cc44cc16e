// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - gates: events that count and sample only while a target runs
 *
 * A probe of sched_switch opens and closes the gates of its CPU. It runs before the
 * switch, so the kernel's work for the switch counts for the next task.
 *
 * Context: the probe runs with interrupts off and the lock of a run queue held. The
 * gates of a CPU are changed only there, with interrupts off, so they need no lock.
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <asm/msr.h>
#include <trace/events/sched.h>

#include "base/gfp.h"
#include "base/grace.h"
#include "base/ipi.h"
#include "base/tracepoints.h"
#include "base/tsc.h"
#include "gate/gate.h"
#include "gate/page.h"

/*
 * What a CPU has to do at a task switch. One gate is the common case, so there is a fast way
 * for each state of a lone gate. After a change of the list, or of a gate without a tally,
 * choose_way() is called, or the new way written.
 */
enum way {
	/* There is no gate. */
	WAY_NONE,
	/* Open the gate for a target. */
	WAY_SHUT,
	/* Close the gate, unless the next task is a target, too. */
	WAY_OPEN,
	/* Let the next task count in the tally of the gate. */
	WAY_TALLIED,
	/* There are several gates: look at each. */
	WAY_ALL,
};

/* For each CPU, the gates that have events behind them, and the way for them. */
static DEFINE_PER_CPU(struct hlist_head, cpu_gates);
static DEFINE_PER_CPU(enum way, cpu_way);

/* Protects @nr_users; taken inside the session lock. */
static DEFINE_MUTEX(probe_lock);
/* Number of sessions that need the probe. */
static unsigned int nr_users;

/*
 * Note that a gate opens or closes. Task switches call the functions, so they keep the time in
 * TSC cycles.
 *
 * If an NMI or another CPU reads the opening between two steps of the change, it finds too
 * little time. With too much, a clock would take a sample too early.
 */
static __always_inline void note_open(struct tprof_pmu_opening *opening, u64 tsc)
{
	WRITE_ONCE(opening->since_tsc, tsc);
	WRITE_ONCE(opening->is_open, true);
}

static __always_inline void note_shut(struct tprof_pmu_opening *opening, u64 tsc)
{
	u64 cycles = opening->open_tsc + tprof_tsc_between(opening->since_tsc, tsc);

	WRITE_ONCE(opening->is_open, false);
	WRITE_ONCE(opening->open_tsc, cycles);
}

static __always_inline void note_swing(struct tprof_pmu_opening *opening, bool is_open, u64 tsc)
{
	if (is_open)
		note_open(opening, tsc);
	else
		note_shut(opening, tsc);
}

static __always_inline void swing_part(const struct tprof_pmu_gate *part, bool is_open)
{
	void (*swing)(const struct tprof_pmu_gate *gate, bool is_open) = READ_ONCE(part->swing);

	swing(part, is_open);
}

/*
 * Prepare a gate with a rich set for its opening. Pages change while the counters stand still, and
 * a sample must find its own target counted.
 */
static __always_inline void enrich_open(struct tprof_gate *gate)
{
	const struct tprof_gate_set *set = gate->set;

	if (set->is_counted)
		atomic_inc(gate->counter);
	if (set->has_pages)
		tprof_page_open_all(set->parts, set->nr_parts, &gate->opening);
}

/* Undo enrich_open(), after the counters have stopped. */
static __always_inline void enrich_shut(struct tprof_gate *gate)
{
	const struct tprof_gate_set *set = gate->set;

	if (set->has_pages)
		tprof_page_close_all(set->parts, set->nr_parts, &gate->opening);
	if (set->is_counted)
		atomic_dec(gate->counter);
}

/*
 * Open or close a gate at the time @tsc. The function must be fast, because task switches call
 * it. The gate has events behind it, so its set has at least one part.
 */
static __always_inline void swing_gate(struct tprof_gate *gate, bool is_open, u64 tsc)
{
	const struct tprof_gate_set *set = gate->set;
	const struct tprof_pmu_gate *part = set->parts, *end = part + set->nr_parts;

	note_swing(&gate->opening, is_open, tsc);
	if (unlikely(set->is_rich) && is_open)
		enrich_open(gate);
	do {
		swing_part(part, is_open);
	} while (++part < end);
	if (unlikely(set->is_rich) && !is_open)
		enrich_shut(gate);
}

static bool is_wrong_for(const struct tprof_gate *gate, const struct task_struct *task)
{
	return tprof_tasks_has(&gate->targets, task) != gate->opening.is_open;
}

/* Settle the tally of a gate at the time @tsc, and let @next count, which may be NULL. */
static __always_inline void pass_tally(const struct tprof_gate *gate, struct task_struct *next,
				       u64 tsc)
{
	tprof_tally_pass(gate->tally, gate->set->parts, gate->set->nr_parts, next, tsc);
}

static noinline void close_tallied_gate(struct tprof_gate *gate)
{
	const struct tprof_gate_set *set = gate->set;
	u64 now = rdtsc();

	swing_gate(gate, false, now);
	if (unlikely(!set->is_quiet) || !tprof_tally_leave(gate->tally, set->parts, now))
		pass_tally(gate, NULL, now);
}

static noinline void open_tallied_gate(struct tprof_gate *gate, struct task_struct *task)
{
	u64 now = rdtsc();

	tprof_tally_enter(gate->tally, task, now);
	swing_gate(gate, true, now);
}

/*
 * Open or close a gate, if it is wrong for @task, and let @task count. The gate is closed
 * before the tally reads the counts, and opened after the tally has found a cell, so no events
 * in between count.
 */
static __always_inline void set_tallied_gate(struct tprof_gate *gate, struct task_struct *task,
					     bool is_target)
{
	if (!gate->opening.is_open) {
		if (is_target)
			open_tallied_gate(gate, task);
	} else if (is_target) {
		pass_tally(gate, task, rdtsc());
	} else {
		close_tallied_gate(gate);
	}
}

/* Return the first gate of this CPU, or NULL. */
static __always_inline struct tprof_gate *this_gates(void)
{
	struct hlist_node *first = this_cpu_read(cpu_gates.first);

	return hlist_entry_safe(first, struct tprof_gate, node);
}

/* Choose the way of this CPU, after a gate or the list of gates has changed. */
static void choose_way(void)
{
	const struct tprof_gate *gate = this_gates();
	enum way way;

	if (!gate)
		way = WAY_NONE;
	else if (gate->node.next)
		way = WAY_ALL;
	else if (gate->tally)
		way = WAY_TALLIED;
	else
		way = gate->opening.is_open ? WAY_OPEN : WAY_SHUT;
	this_cpu_write(cpu_way, way);
}

/* Open or close the gates of this CPU for @task. */
static void set_gates(struct task_struct *task)
{
	struct tprof_gate *gate = this_gates();

	hlist_for_each_entry_from(gate, node) {
		if (gate->tally)
			set_tallied_gate(gate, task, tprof_tasks_has(&gate->targets, task));
		else if (is_wrong_for(gate, task))
			swing_gate(gate, !gate->opening.is_open, rdtsc());
	}
	choose_way();
}

/* Free the counts of the current task, which has exited and has left the tallies. */
static void bury_current(void)
{
	struct tprof_gate *gate;

	hlist_for_each_entry(gate, this_cpu_ptr(&cpu_gates), node) {
		if (gate->tally)
			tprof_tally_bury(gate->tally, current);
	}
}

/* Pass from the current task to @next with all gates of this CPU. */
static noinline void pass_all(struct task_struct *next, unsigned int prev_state)
{
	set_gates(next);
	if (unlikely(prev_state == TASK_DEAD))
		bury_current();
}

/*
 * Swing a gate with a set that is not plain. The functions for plain sets, and those for sets that
 * are counted beside, end with a call of these, and so save no registers for them.
 */
static noinline void open_rich(struct tprof_gate *gate, u64 tsc)
{
	swing_gate(gate, true, tsc);
}

static noinline void close_rich(struct tprof_gate *gate, u64 tsc)
{
	swing_gate(gate, false, tsc);
}

static noinline void open_counted(struct tprof_gate *gate, u64 tsc)
{
	if (unlikely(!gate->set->is_single)) {
		open_rich(gate, tsc);
		return;
	}
	atomic_inc(gate->counter);
	note_open(&gate->opening, tsc);
	swing_part(gate->set->parts, true);
}

static noinline void close_counted(struct tprof_gate *gate, u64 tsc)
{
	if (unlikely(!gate->set->is_single)) {
		close_rich(gate, tsc);
		return;
	}
	note_shut(&gate->opening, tsc);
	swing_part(gate->set->parts, false);
	atomic_dec(gate->counter);
}

/*
 * Open or close @gate, which is the only one of this CPU and has no tally. A plain set is the
 * common case: then the function calls only the back end.
 */
static __always_inline void swing_lone(struct tprof_gate *gate, bool is_open)
{
	u64 now = rdtsc();

	this_cpu_write(cpu_way, is_open ? WAY_OPEN : WAY_SHUT);
	if (unlikely(!gate->set->is_plain)) {
		if (is_open)
			open_counted(gate, now);
		else
			close_counted(gate, now);
		return;
	}
	note_swing(&gate->opening, is_open, now);
	swing_part(gate->set->parts, is_open);
}

static noinline void open_lone(struct tprof_gate *gate)
{
	swing_lone(gate, true);
}

static noinline void close_lone(struct tprof_gate *gate)
{
	swing_lone(gate, false);
}

/* Serve a switch between targets, in most cases. Otherwise return false. */
static __always_inline bool pass_quickly(const struct tprof_gate *gate, struct task_struct *next)
{
	const struct tprof_gate_set *set = gate->set;

	return likely(set->is_quiet && tprof_tasks_has(&gate->targets, next)) &&
	       tprof_tally_switch(gate->tally, set->parts, next);
}

/* Pass to @next with the only gate of this CPU, which has a tally. */
static noinline void pass_tallied(struct tprof_gate *gate, struct task_struct *next,
				  unsigned int prev_state)
{
	if (unlikely(prev_state == TASK_DEAD))
		pass_all(next, prev_state);
	else if (!pass_quickly(gate, next))
		set_tallied_gate(gate, next, tprof_tasks_has(&gate->targets, next));
}

/*
 * Open or close the gates of this CPU for @next. Most switches change no gate: then the
 * function calls nothing, so the compiler saves no registers.
 */
static void pass_gates(void *data, bool preempt, struct task_struct *prev,
		       struct task_struct *next, unsigned int prev_state)
{
	enum way way = this_cpu_read(cpu_way);
	struct tprof_gate *gate = this_gates();

	if (likely(way == WAY_SHUT)) {
		if (unlikely(tprof_tasks_has(&gate->targets, next)))
			open_lone(gate);
	} else if (way == WAY_OPEN) {
		if (unlikely(!tprof_tasks_has(&gate->targets, next)))
			close_lone(gate);
	} else if (way == WAY_TALLIED) {
		pass_tallied(gate, next, prev_state);
	} else if (way == WAY_ALL) {
		pass_all(next, prev_state);
	}
}

/* The build fails if the prototype of the probe differs from its tracepoint's. */
static void __maybe_unused check_probe(void)
{
	check_trace_callback_type_sched_switch(pass_gates);
}

static int use_probe(void)
{
	int err = 0;

	mutex_lock(&probe_lock);
	if (!nr_users)
		err = tprof_tracepoint_register_last("sched_switch", pass_gates, NULL);
	if (!err)
		nr_users++;
	mutex_unlock(&probe_lock);
	return err;
}

static void unuse_probe(void)
{
	mutex_lock(&probe_lock);
	if (!--nr_users)
		tprof_tracepoint_unregister("sched_switch", pass_gates, NULL);
	mutex_unlock(&probe_lock);
	/* The module may be unloaded only when no probe runs any more. */
	tprof_grace_of_probes();
}

/* For each possible CPU: Documentation/calls.md. */
static_assert(sizeof(struct tprof_gate) <= 3232);

/**
 * tprof_gate_alloc - allocate the gates of a session, without events
 * @gates:	result: a gate for each CPU
 * @targets:	tasks that open the gates
 * @tally:	counts by thread, or NULL
 *
 * Context: process, may sleep, without the CPU hotplug lock.
 * Return: 0, -ENOMEM, or -ENOENT if this kernel has no tracepoint of task switches.
 */
int tprof_gate_alloc(struct tprof_gate __percpu **gates, const struct tprof_tasks *targets,
		     struct tprof_tally *tally)
{
	/* Memory of this size is aligned to it: it is a cache line. */
	atomic_t *parallelism = kzalloc(SMP_CACHE_BYTES, TPROF_GFP);
	int cpu, err = -ENOMEM;
	struct tprof_gate *gate;

	*gates = __alloc_percpu_gfp(sizeof(**gates), __alignof__(**gates), TPROF_GFP);
	if (!*gates || !parallelism)
		goto err_free;
	for_each_possible_cpu(cpu) {
		gate = per_cpu_ptr(*gates, cpu);
		gate->targets = *targets;
		gate->tally = tally;
		gate->parallelism = parallelism;
		gate->counter = parallelism;
		gate->set = &gate->sets[0];
	}
	err = use_probe();
	if (!err)
		return 0;

err_free:
	kfree(parallelism);
	free_percpu(*gates);
	*gates = NULL;
	return err;
}

/**
 * tprof_gate_parallelism - return where the number of open gates is
 * @gates:	gates of a session
 *
 * Return: the number for all CPUs, valid until tprof_gate_free().
 */
const atomic_t *tprof_gate_parallelism(struct tprof_gate __percpu *gates)
{
	return raw_cpu_ptr(gates)->parallelism;
}

/**
 * tprof_gate_free - free the gates of a session
 * @gates:	gates without events, or NULL
 *
 * Context: process, may sleep, without the CPU hotplug lock.
 */
void tprof_gate_free(struct tprof_gate __percpu *gates)
{
	atomic_t *parallelism;

	if (!gates)
		return;
	unuse_probe();
	parallelism = raw_cpu_ptr(gates)->parallelism;
	WARN_ON_ONCE(atomic_read(parallelism));
	kfree(parallelism);
	free_percpu(gates);
}

/**
 * struct gate_change - a change of a gate, made on its CPU
 * @gate:	gate
 * @set:	new events behind it
 * @open_tsc:	result: TSC cycles for which the gate was open until now
 */
struct gate_change {
	struct tprof_gate		*gate;
	const struct tprof_gate_set	*set;
	u64				open_tsc;
};

/* Open the gate, which has new events, if @task is a target. */
static void open_gate_for(struct tprof_gate *gate, struct task_struct *task)
{
	bool is_target = tprof_tasks_has(&gate->targets, task);
	u64 now = rdtsc();

	/* No thread gets what `soft` has counted before its events came behind the gate. */
	if (gate->tally)
		pass_tally(gate, is_target ? task : NULL, now);
	if (is_target)
		swing_gate(gate, true, now);
}

/*
 * Keep the gate closed during the change: the old events count before it, the
 * new events after it.
 */
static void change_gate(struct gate_change *change)
{
	struct tprof_gate *gate = change->gate;

	if (gate->opening.is_open && gate->tally)
		close_tallied_gate(gate);
	else if (gate->opening.is_open)
		swing_gate(gate, false, rdtsc());
	change->open_tsc = gate->opening.open_tsc;
	hlist_del_init(&gate->node);
	gate->set = change->set;
	if (gate->set->nr_parts) {
		hlist_add_head(&gate->node, this_cpu_ptr(&cpu_gates));
		open_gate_for(gate, current);
	}
	choose_way();
}

/*
 * Change a gate on its CPU. Samples of other CPUs must not miss a target that runs here before and
 * after the change, so the gate meanwhile counts aside.
 */
static void call_change(void *data)
{
	struct gate_change *change = data;
	struct tprof_gate *gate = change->gate;
	atomic_t aside = ATOMIC_INIT(0);

	gate->counter = &aside;
	change_gate(change);
	gate->counter = gate->parallelism;
	atomic_add(atomic_read(&aside), gate->parallelism);
}

/**
 * tprof_gate_change - change which events are behind a gate
 * @cpu:	its CPU, online
 * @samplers:	events of the session
 * @mask:	mask of the events to be behind the gate, all of them started
 *
 * The gate is opened if a target runs now.
 *
 * Context: process, CPU hotplug locked, under the cpu lock.
 * Return: ns for which the gate was open before the change.
 */
u64 tprof_gate_change(struct tprof_gate *gate, int cpu,
		      struct tprof_sampler *const *samplers, u32 mask)
{
	struct tprof_gate_set *set = &gate->sets[gate->set == &gate->sets[0]];
	struct gate_change change = { .gate = gate, .set = set };

	tprof_gate_set_fill(set, cpu, samplers, mask);
	tprof_ipi_call(cpu, call_change, &change);
	gate->mask = mask;
	return tprof_tsc_to_ns(change.open_tsc);
}

/**
 * tprof_gate_look - open or close the gates of this CPU, after targets have changed
 *
 * Context: any but NMI.
 */
void tprof_gate_look(void)
{
	unsigned long flags;

	local_irq_save(flags);
	set_gates(current);
	local_irq_restore(flags);
}

static void call_look(void *unused)
{
	tprof_gate_look();
}

/**
 * tprof_gate_look_on - open or close the gates of some CPUs, after targets have changed
 * @cpus:	CPUs, online or not
 *
 * Barrier Q, pairs with pass_gates(): the change of the targets is visible before the
 * IPI. If pass_gates() did not see the change, the IPI comes after that switch, and
 * tests the task that runs since then. On return, no NMI that saw the old targets is
 * running.
 *
 * Context: process, may sleep.
 */
void tprof_gate_look_on(const struct cpumask *cpus)
{
	tprof_ipi_call_all(cpus, call_look, NULL);
}

/**
 * tprof_gate_look_everywhere - same as tprof_gate_look_on(), for all CPUs
 *
 * Context: process, may sleep.
 */
void tprof_gate_look_everywhere(void)
{
	tprof_gate_look_on(cpu_online_mask);
}

/**
 * struct gate_reading - a reading of an event behind a gate, made on its CPU
 * @gate:	gate
 * @event:	event
 * @count:	result: count of @event
 * @open_tsc:	result: TSC cycles for which the gate was open until then
 */
struct gate_reading {
	const struct tprof_gate		*gate;
	const struct tprof_pmu_event	*event;
	u64				count;
	u64				open_tsc;
};

static void call_read_gate(void *data)
{
	struct gate_reading *reading = data;

	reading->count = reading->event->ops->read_here(reading->event);
	reading->open_tsc = tprof_pmu_open_cycles(&reading->gate->opening, rdtsc());
}

/**
 * tprof_gate_read - read the count of an event, and how long its gate has been open
 * @cpu:	CPU of the gate, online
 * @event:	event behind the gate, which counts
 * @count:	result: its count
 *
 * Context: process, CPU hotplug locked, under the cpu lock.
 * Return: ns for which the gate has been open.
 */
u64 tprof_gate_read(const struct tprof_gate *gate, int cpu, const struct tprof_pmu_event *event,
		    u64 *count)
{
	struct gate_reading reading = { .gate = gate, .event = event };

	tprof_ipi_call(cpu, call_read_gate, &reading);
	*count = reading.count;
	return tprof_tsc_to_ns(reading.open_tsc);
}

static void call_settle(void *data)
{
	const struct tprof_gate *gate = data;

	if (gate->set->nr_parts)
		tprof_tally_settle(gate->tally, gate->set->parts, gate->set->nr_parts);
}

/**
 * tprof_gate_settle - bring the tally of a gate up to date
 * @gate:	gate with a tally
 * @cpu:	its CPU, online
 *
 * Context: process, CPU hotplug locked, under the cpu lock.
 */
void tprof_gate_settle(struct tprof_gate *gate, int cpu)
{
	tprof_ipi_call(cpu, call_settle, gate);
}
