// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the software events that run, and their counts
 *
 * Context: tprof_soft_event_count() runs in any context, NMI included, not preemptible;
 * the functions of the time off CPU in task switches and hard interrupts; the others in
 * process context.
 */
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <asm/segment.h>
#include <asm/tsc.h>

#include "base/tasks.h"
#include "base/tsc.h"
#include "soft/soft_event.h"

/*
 * After a sample that took the time t, a bounded event rests: it takes no sample for
 *
 *   rest = t * COST_SHARE * nr_bounded
 *
 * nr_bounded is the number of these events. So the samples of all of them take at most
 * 1 / COST_SHARE of the CPU's time. What happens within a rest is counted, and is part of
 * the period of the next sample.
 */
#define COST_SHARE	8

/* Upper bound of t. A longer time means that a hypervisor descheduled the CPU. */
#define MAX_SPENT_MS	1

/* Upper bound of a rest, so that each of thousands of events still samples. */
#define MAX_REST_MS	1000

/* Changed under the soft lock. */
static struct hlist_head events[TPROF_SOFT_NR_KINDS];
static unsigned int nr_bounded;

static bool is_bounded(const struct tprof_soft_event *event)
{
	return event->pmu->period && event->pmu->is_bounded;
}

/* PERF_SAMPLE_RAW of the sample being taken. Used with interrupts off, and not in an NMI. */
static DEFINE_PER_CPU(u32, sample_raw);

/**
 * tprof_soft_event_add - add an event to those that hooks count
 * @event:	event, completely initialised
 *
 * Context: process, under the soft lock.
 */
void tprof_soft_event_add(struct tprof_soft_event *event)
{
	hlist_add_head_rcu(&event->node, &events[event->kind]);
	WRITE_ONCE(nr_bounded, nr_bounded + is_bounded(event));
}

/**
 * tprof_soft_event_remove - undo tprof_soft_event_add()
 * @event:	event that does not run
 *
 * Hooks may use the event until tprof_grace_of_probes() returns.
 *
 * Context: process, under the soft lock.
 */
void tprof_soft_event_remove(struct tprof_soft_event *event)
{
	hlist_del_rcu(&event->node);
	WRITE_ONCE(nr_bounded, nr_bounded - is_bounded(event));
}

/**
 * tprof_soft_event_exists - check whether there is an event of a kind
 * @kind:	kind of events
 *
 * Context: process, under the soft lock.
 * Return: true if hooks count an event of @kind.
 */
bool tprof_soft_event_exists(enum tprof_soft_kind kind)
{
	return !hlist_empty(&events[kind]);
}

static bool counts_task(const struct tprof_soft_event *event, const struct task_struct *task)
{
	const struct tprof_pmu_event *pmu = event->pmu;

	return !pmu->is_gated || (task && tprof_tasks_has(pmu->targets, task));
}

static u64 nr_unsampled(const struct tprof_soft_cell *cell)
{
	return local64_read(&cell->count) - READ_ONCE(cell->sampled);
}

/* Return true if a sample is due. Note it if the event must rest. Context: not NMI. */
static bool is_sample_due(const struct tprof_soft_event *event, struct tprof_soft_cell *cell)
{
	if (!event->pmu->period || nr_unsampled(cell) < event->pmu->period)
		return false;
	/* If the TSC has started again, the difference is larger than any rest. */
	if (likely(!cell->rest || rdtsc() - cell->rests_from >= cell->rest))
		return true;
	cell->is_late = true;
	return false;
}

static void begin_rest(struct tprof_soft_cell *cell, u64 since, u64 now)
{
	u64 per_ms = tsc_khz ?: TPROF_ANY_TSC_KHZ;
	u64 spent = min(tprof_tsc_between(since, now), MAX_SPENT_MS * per_ms);

	cell->rests_from = now;
	cell->rest = min(spent * COST_SHARE * READ_ONCE(nr_bounded), MAX_REST_MS * per_ms);
	WRITE_ONCE(cell->slowed, cell->slowed + cell->is_late);
	cell->is_late = false;
}

/* Take a sample of @nr occurrences or nanoseconds. Context: interrupts off. */
static void sample_and_rest(const struct tprof_soft_event *event,
			    struct tprof_soft_cell *cell, struct pt_regs *regs, u64 nr,
			    u64 merged)
{
	u64 since = rdtsc(), now;

	WRITE_ONCE(cell->sampled, cell->sampled + nr);
	event->pmu->sink(event->pmu, regs, nr, merged);
	now = rdtsc();
	/* Time off CPU is sampled by an irq_work, others where they happen. */
	tprof_cost_spend(&event->pmu->cost, tprof_tsc_between(since, now),
			 event->kind == TPROF_SOFT_OFF_CPU);
	if (event->pmu->is_bounded)
		begin_rest(cell, since, now);
}

/*
 * Take a sample if one is due. With interrupts off, only an NMI can change the count
 * meanwhile, and the scratch memory of tprof_chain_gather() is not used by another sample.
 */
static noinline void take_due(const struct tprof_soft_event *event, struct tprof_soft_cell *cell,
			      const struct tprof_soft_place *place)
{
	/* Without X86_EFLAGS_FIXED, as tprof_chain_gather() expects for a calling function. */
	struct pt_regs caller = { .ip = place->ip, .sp = place->frame, .cs = __KERNEL_CS };
	u64 period = event->pmu->period;
	unsigned long flags;
	u64 due;

	local_irq_save(flags);
	due = div64_u64(nr_unsampled(cell), period);
	__this_cpu_write(sample_raw, place->raw);
	if (due && tprof_soft_cell_runs(cell))
		sample_and_rest(event, cell, place->regs ?: &caller, due * period, due - 1);
	local_irq_restore(flags);
}

/**
 * tprof_soft_event_count - count an occurrence on this CPU, in each event of
 * its kind
 * @kind:	what has happened
 * @task:	the task that it happened to, or NULL if the occurrence counts
 *		for no process
 * @place:	where it happened
 *
 * The event samples every @period occurrences. In an NMI, occurrences are only counted:
 * the next occurrence outside of NMIs takes their sample as well. in_nmi() is also true
 * in exceptions, which an NMI can interrupt, but the sink expects that nothing interrupts
 * an NMI.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_soft_event_count(enum tprof_soft_kind kind, const struct task_struct *task,
			    const struct tprof_soft_place *place)
{
	bool is_user = place->regs && user_mode(place->regs);
	struct tprof_soft_event *event;
	struct tprof_soft_cell *cell;

	/*
	 * Do not let lockdep check this walk: contended locks are counted in
	 * any context.
	 */
	hlist_for_each_entry_rcu_notrace(event, &events[kind], node) {
		cell = this_cpu_ptr(event->cells);
		if (!tprof_soft_cell_runs(cell) || event->excludes[is_user] ||
		    !counts_task(event, task))
			continue;
		local64_inc(&cell->count);
		if (!in_nmi() && is_sample_due(event, cell))
			take_due(event, cell, place);
	}
}

/**
 * tprof_soft_event_add_off_cpu - count the time for which a thread did not run, on the CPU
 * that switches it in
 * @task:	the thread
 * @since:	CLOCK_MONOTONIC when it was switched out, or S64_MAX if that is not known
 * @now:	CLOCK_MONOTONIC
 *
 * Context: task switch, interrupts off.
 * Return: true if an event has a sample due.
 */
bool tprof_soft_event_add_off_cpu(const struct task_struct *task, u64 since, u64 now)
{
	struct tprof_soft_event *event;
	struct tprof_soft_cell *cell;
	bool is_any_due = false;
	s64 ns;

	hlist_for_each_entry_rcu_notrace(event, &events[TPROF_SOFT_OFF_CPU], node) {
		cell = this_cpu_ptr(event->cells);
		/* Threads leave the CPU in kernel mode. */
		if (!tprof_soft_cell_runs(cell) || event->excludes[false] ||
		    !counts_task(event, task))
			continue;
		ns = now - max(since, cell->since_ns);
		if (ns > 0)
			local64_add(ns, &cell->count);
		is_any_due |= is_sample_due(event, cell);
	}
	return is_any_due;
}

/**
 * tprof_soft_event_sample_off_cpu - take the samples that tprof_soft_event_add_off_cpu()
 * found due
 * @regs:	registers of the current thread, which was switched in
 * @state:	letter of the state in which it was switched out, or 0
 *
 * A sample's period is all of the time since the last one.
 *
 * Context: hard interrupt.
 */
void tprof_soft_event_sample_off_cpu(struct pt_regs *regs, char state)
{
	struct tprof_soft_event *event;
	struct tprof_soft_cell *cell;

	__this_cpu_write(sample_raw, state);
	hlist_for_each_entry_rcu_notrace(event, &events[TPROF_SOFT_OFF_CPU], node) {
		cell = this_cpu_ptr(event->cells);
		/* Another event may have requested this sample. */
		if (tprof_soft_cell_runs(cell) && counts_task(event, current) &&
		    is_sample_due(event, cell))
			sample_and_rest(event, cell, regs, nr_unsampled(cell), 0);
	}
}

/**
 * tprof_soft_event_raw - return PERF_SAMPLE_RAW of the sample being taken
 * @pmu:	event that has this field
 *
 * Context: the call of the sink.
 * Return: time off CPU: letter of the state in which the thread waited, or 0; wakeups: id of
 * the thread that is woken.
 */
u32 tprof_soft_event_raw(const struct tprof_pmu_event *pmu)
{
	return __this_cpu_read(sample_raw);
}
