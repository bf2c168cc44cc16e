/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the software events that run, and their counts
 *
 * With a period, an event also takes samples. Its hook calls the sink, with the registers of
 * the page fault or of the tick, or else with the address and the frame of the function that
 * called the hook, from which the kernel's unwinder starts. Interrupts are off meanwhile, so
 * the chain's memory is used by one sample only. An NMI only counts: exceptions look like an
 * NMI to the hook, but the sink expects that nothing interrupts an NMI. The next occurrence
 * outside of NMIs takes the sample. A task that migrates does not run, so migrations have no
 * samples; the task clock has none, as the back end `timer` samples by time.
 *
 * Samples of software events cannot hang a CPU, as each of them stands for work that the CPU
 * has done. Without CAP_SYS_ADMIN, they may take 1/8 of its time: see COST_SHARE.
 * @ticks_merged of STATS counts the samples that are part of a later one, and @samples_slowed
 * those that came later for this reason.
 *
 * For `wakeups`, the hook runs in the task that wakes the thread, or in an interrupt. A sample
 * is of that task, and has the id of the woken thread as PERF_SAMPLE_RAW. By this id,
 * `report --wakers` joins it with the next sample of `off-cpu` of that thread. The hook tests
 * whether the woken thread is a target (@samples_others of the event), so a sample may be of a
 * task that is none. So the tracker of such a session writes the records of all tasks, and sessions
 * without privileges cannot have the event.
 */
#ifndef TPROF_SOFT_EVENT_H
#define TPROF_SOFT_EVENT_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <asm/barrier.h>
#include <asm/local64.h>

#include "pmu/pmu.h"

enum tprof_soft_kind {
	TPROF_SOFT_TASK_CLOCK,
	TPROF_SOFT_PAGE_FAULTS,
	TPROF_SOFT_CONTEXT_SWITCHES,
	TPROF_SOFT_CPU_MIGRATIONS,
	TPROF_SOFT_TICKS,
	TPROF_SOFT_LOCK_CONTENTION,
	TPROF_SOFT_OFF_CPU,
	TPROF_SOFT_WAKEUPS,
	TPROF_SOFT_NR_KINDS,
};

/**
 * struct tprof_soft_cell - count of an event on one CPU
 * @count:	events, or nanoseconds of the task clock or off CPU. An NMI may increment
 *		it.
 * @sampled:	value of @count up to which samples have been taken
 * @since_ns:	CLOCK_MONOTONIC: of the task clock, at the last settle_clock(); of an event
 *		off CPU, at its start on the CPU
 * @rests_from:	TSC at the end of the last sample
 * @rest:	TSC cycles after @rests_from in which no sample is taken
 * @slowed:	number of samples that were due within such a rest
 * @is_late:	the next sample has been due within the rest
 * @runs:	the event runs on the CPU and is not stalled
 * @is_shut:	the gate of the task clock is closed
 *
 * Written only on the CPU, or while the event does not run there; START and STOP write @runs from
 * any CPU. The CPU writes all but @count with interrupts off, and not in an NMI.
 */
struct tprof_soft_cell {
	local64_t	count;
	u64		sampled;
	u64		since_ns;
	u64		rests_from;
	u64		rest;
	u64		slowed;
	bool		is_late;
	bool		runs;
	bool		is_shut;
};

/**
 * tprof_soft_cell_runs - report whether an event runs on a CPU
 * @cell:	its cell of that CPU
 *
 * Barrier X, pairs with soft_start().
 *
 * Context: any, on that CPU.
 * Return: true if a hook must count.
 */
static inline bool tprof_soft_cell_runs(const struct tprof_soft_cell *cell)
{
	return smp_load_acquire(&cell->runs); /* barrier X */
}

/**
 * struct tprof_soft_event - an event of the back end `soft`
 * @node:	entry in the list of the events of @kind, which hooks walk under RCU
 * @pmu:	the event as the core sees it
 * @kind:	what is counted
 * @excludes:	exclude_kernel and exclude_user of the attr; index: user_mode()
 * @cells:	count of each CPU
 */
struct tprof_soft_event {
	struct hlist_node		node;
	struct tprof_pmu_event		*pmu;
	enum tprof_soft_kind		kind;
	bool				excludes[2];
	struct tprof_soft_cell __percpu	*cells;
};

/**
 * struct tprof_soft_place - where an event happened
 * @regs:	registers of the interrupted context, or NULL if a function called the hook
 * @ip:		address in that function
 * @frame:	address of the hook's frame on the stack
 * @raw:	PERF_SAMPLE_RAW, for kinds that have it
 */
struct tprof_soft_place {
	struct pt_regs	*regs;
	unsigned long	ip;
	unsigned long	frame;
	u32		raw;
};

void tprof_soft_event_add(struct tprof_soft_event *event);
void tprof_soft_event_remove(struct tprof_soft_event *event);
bool tprof_soft_event_exists(enum tprof_soft_kind kind);
void tprof_soft_event_count(enum tprof_soft_kind kind, const struct task_struct *task,
			    const struct tprof_soft_place *place);
bool tprof_soft_event_add_off_cpu(const struct task_struct *task, u64 since, u64 now);
void tprof_soft_event_sample_off_cpu(struct pt_regs *regs, char state);
u32 tprof_soft_event_raw(const struct tprof_pmu_event *pmu);

#endif /* TPROF_SOFT_EVENT_H */
