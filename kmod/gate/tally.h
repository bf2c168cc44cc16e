/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a tally: the counts of a session's events, by thread
 *
 * When a CPU switches from one target to another, or closes a gate, it adds to the cell of
 * the thread what each event has counted on this CPU since the last time. The same number is
 * part of the count that READ returns. So whatever the threads do,
 *
 *	sum of the threads + gone + unattributed = count
 *
 * The back end adds up by itself (settle() of struct tprof_pmu_gate), so that a switch calls
 * one function. Most switches from one target to another need no more than
 * tprof_tally_switch(), which has no other call. @gone has the counts of threads that exit
 * when enough cells are kept already, @unattributed has what no cell could take.
 *
 * If a READ record finds no room in the ring, the next one of the thread includes its counts.
 * After the last one, a cell that is kept still has them, and STOP writes the record: it lets
 * the worker empty the ring as often as that makes room. What even STOP cannot write, and the
 * records of threads without a kept cell, count in @side_lost of STATS.
 */
#ifndef TPROF_TALLY_H
#define TPROF_TALLY_H

#include <linux/percpu.h>
#include <asm/msr.h>

#include "base/tsc.h"
#include "gate/tally_cell.h"
#include "pmu/pmu.h"
#include "sample/sampler.h"

/**
 * struct tprof_tally_cpu - what a CPU has counted
 * @cell:	thread that runs and opens the gate, or NULL
 * @mark_tsc:	TSC at the last tprof_tally_add_time() or, if later, when the gate was opened
 * @marks:	count of each event at that time
 * @unattributed: counts while the pool of cells was empty or no target ran
 * @gone:	counts of threads that have exited and are not listed
 * @gone_tsc:	TSC cycles for which these threads ran
 * @nr_gone:	number of these threads
 *
 * Accessed on the CPU with interrupts off; the marks and unattributed counts of an event
 * that is not behind the gate, under the cpu lock.
 */
struct tprof_tally_cpu {
	struct tprof_cell	*cell;
	u64			mark_tsc;
	u64			marks[TPROF_LX_MAX_EVENTS];
	u64			unattributed[TPROF_LX_MAX_EVENTS];
	u64			gone[TPROF_LX_MAX_EVENTS];
	u64			gone_tsc;
	u64			nr_gone;
};

/**
 * struct tprof_tally - the counts of a session's events, by thread
 * @cpus:	what each CPU has counted
 * @samplers:	events of the session, by index
 * @nr_events:	number of @samplers
 * @speaker:	event with the trailer of records, NULL if no event has records; constant
 *		while events run
 * @is_telling:	READ records may be written
 * @tells_switches: some event has a READ record for each switch
 * @table:	cells of the threads
 */
struct tprof_tally {
	struct tprof_tally_cpu __percpu	*cpus;
	struct tprof_sampler *const	*samplers;
	u32				nr_events;
	const struct tprof_sampler	*speaker;
	bool				is_telling;
	bool				tells_switches;
	struct tprof_cell_table		table;
};

/**
 * struct tprof_tally_list - the counts of one event, by thread
 * @event:	index of the event
 * @threads:	result: threads
 * @room:	capacity of @threads
 * @nr:		result: number of threads, which may be larger
 */
struct tprof_tally_list {
	u32			event;
	struct tprof_lx_thread	*threads;
	u32			room;
	u32			nr;
};

struct tprof_tally *tprof_tally_alloc(struct tprof_sampler *const *samplers, u32 nr_events,
				      const struct cred *watcher, struct tprof_locked *locked);
void tprof_tally_free(struct tprof_tally *tally);
void tprof_tally_begin(struct tprof_tally *tally, const struct tprof_sampler *speaker);

void tprof_tally_settle(struct tprof_tally *tally, const struct tprof_pmu_gate *parts,
			u32 nr_parts);
void tprof_tally_pass(struct tprof_tally *tally, const struct tprof_pmu_gate *parts,
		      u32 nr_parts, struct task_struct *next, u64 tsc);
void tprof_tally_enter(struct tprof_tally *tally, struct task_struct *task, u64 tsc);
void tprof_tally_bury(struct tprof_tally *tally, struct task_struct *task);

void tprof_tally_adjust(struct tprof_tally *tally, int cpu, u32 index, u64 count);
void tprof_tally_tell_all(struct tprof_tally *tally);
void tprof_tally_list(struct tprof_tally *tally, struct tprof_tally_list *list);
void tprof_tally_sum(struct tprof_tally *tally, struct tprof_lx_threads *sum);

/* Add the time from the last call to @tsc to that of the thread that runs, if it has a cell. */
static __always_inline void tprof_tally_add_time(struct tprof_tally_cpu *cpu,
						 struct tprof_cell *cell, u64 tsc)
{
	if (likely(cell))
		cell->ran += tprof_tsc_between(cpu->mark_tsc, tsc);
	cpu->mark_tsc = tsc;
}

static __always_inline void tprof_tally_settle_part(struct tprof_tally_cpu *cpu,
						    const struct tprof_pmu_gate *part,
						    u64 *counts)
{
	void (*settle)(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums) =
		READ_ONCE(part->settle);

	settle(part, cpu->marks, counts);
}

/**
 * tprof_tally_switch - settle this CPU, and let another thread count on it, if that is quick
 * @tally:	tally; no event has READ records of switches
 * @part:	all events behind the gate of this CPU
 * @next:	thread that opens the gate
 *
 * Most switches between threads need no more. If the caller returns after it, the back end is
 * called by a jump, and the compiler saves no registers.
 *
 * Context: on the CPU, interrupts off.
 * Return: true; or false, and nothing has changed, if the gate was closed or a cell is not at
 * hand.
 */
static __always_inline bool tprof_tally_switch(struct tprof_tally *tally,
					       const struct tprof_pmu_gate *part,
					       const struct task_struct *next)
{
	struct tprof_tally_cpu *cpu = this_cpu_ptr(tally->cpus);
	struct tprof_cell *from = cpu->cell, *to = tprof_cell_recall(&tally->table, next);

	if (unlikely(!from || !to))
		return false;
	cpu->cell = to;
	tprof_tally_add_time(cpu, from, rdtsc());
	tprof_tally_settle_part(cpu, part, from->counts);
	return true;
}

/**
 * tprof_tally_leave - same as tprof_tally_switch(), when the gate has been closed
 * @tally:	tally; no event has READ records of switches
 * @part:	all events behind the gate of this CPU
 * @tsc:	TSC when the gate was closed
 *
 * Context: on the CPU, interrupts off.
 * Return: true; or false, and nothing has changed, if the thread has no cell.
 */
static __always_inline bool tprof_tally_leave(struct tprof_tally *tally,
					      const struct tprof_pmu_gate *part, u64 tsc)
{
	struct tprof_tally_cpu *cpu = this_cpu_ptr(tally->cpus);
	struct tprof_cell *from = cpu->cell;

	if (unlikely(!from))
		return false;
	cpu->cell = NULL;
	tprof_tally_add_time(cpu, from, tsc);
	tprof_tally_settle_part(cpu, part, from->counts);
	return true;
}

#endif /* TPROF_TALLY_H */
