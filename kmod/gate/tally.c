// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a tally: the counts of a session's events, by thread
 *
 * Context: tprof_tally_settle(), tprof_tally_pass() and tprof_tally_bury() run on the CPU
 * whose counts they change, with interrupts off and perhaps the lock of a run queue held.
 * Everything else runs in process context.
 */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/gfp.h"
#include "base/tsc.h"
#include "gate/tally.h"
#include "sample/sideband.h"
#include "stream/stream.h"

/* A gate has at least one part. */
static void settle_cpu(struct tprof_tally_cpu *cpu, const struct tprof_pmu_gate *parts,
		       u32 nr_parts, u64 tsc)
{
	const struct tprof_pmu_gate *end = parts + nr_parts;
	struct tprof_cell *cell = cpu->cell;

	tprof_tally_add_time(cpu, cell, tsc);
	do {
		tprof_tally_settle_part(cpu, parts, cell ? cell->counts : cpu->unattributed);
	} while (++parts < end);
}

/**
 * tprof_tally_settle - add what this CPU has counted to the thread that runs
 * @parts:	events behind the gate of this CPU
 * @nr_parts:	number of @parts, at least 1
 *
 * Context: on the CPU, interrupts off.
 */
void tprof_tally_settle(struct tprof_tally *tally, const struct tprof_pmu_gate *parts,
			u32 nr_parts)
{
	settle_cpu(this_cpu_ptr(tally->cpus), parts, nr_parts, rdtsc());
}

/* Return the event whose trailer a READ record of @sampler has, or NULL. */
static const struct tprof_sampler *speaker_of(const struct tprof_tally *tally,
					      const struct tprof_sampler *sampler)
{
	return sampler->sample_type ? sampler : tally->speaker;
}

/*
 * Write a READ record of what a thread has counted since the last one. perf adds up the
 * records of a thread. If there is no space for the record, the next one includes its count:
 * return false then.
 */
static bool tell_count(const struct tprof_tally *tally, const struct tprof_sampler *sampler,
		       struct tprof_cell *cell)
{
	u64 *count = &cell->counts[sampler->pmu.index], *reported = count + tally->nr_events;
	u64 *ran_reported = reported + tally->nr_events;
	u64 ran_ns = tprof_tsc_to_ns(cell->ran - *ran_reported);
	const struct task_struct *task = cell->task;
	struct {
		struct perf_event_header header;
		u32 pid, tid;
		u64 value, enabled, running, id;
	} record = {
		.header.type = PERF_RECORD_READ,
		.pid = task ? task->tgid : cell->name.pid,
		/* Racy read: a thread in execve(2) may be taking its leader's pid. */
		.tid = task ? READ_ONCE(task->pid) : cell->name.tid,
		.value = *count - *reported,
		.enabled = ran_ns,
		.running = ran_ns,
		.id = sampler->id,
	};
	const struct tprof_sideband sideband = {
		.header = &record.header,
		.bytes = sizeof(record),
		.task = task,
		.id = sampler->id,
		.is_retried = true,
	};
	const struct tprof_sampler *speaker = speaker_of(tally, sampler);

	if (!record.value || !speaker)
		return true;
	if (!tprof_sideband_write(speaker, &sideband))
		return false;
	*reported = *count;
	*ran_reported = cell->ran;
	return true;
}

/*
 * Write READ records of a thread: all of them, or only those of a switch. Return the number of
 * records for which there was no space.
 */
static noinline u32 tell_cell(const struct tprof_tally *tally, struct tprof_cell *cell,
			      bool is_switch)
{
	const struct tprof_sampler *sampler;
	u32 i, missing = 0;

	for (i = 0; i < tally->nr_events; i++) {
		sampler = tally->samplers[i];
		if (is_switch ? sampler->tells_switches : sampler->tells_exits)
			missing += !tell_count(tally, sampler, cell);
	}
	return missing;
}

/* Count READ records as lost that were not written. */
static void lose_records(const struct tprof_tally *tally, u32 missing)
{
	while (missing--)
		tprof_sideband_lose(tally->samplers[0]);
}

/**
 * tprof_tally_pass - settle this CPU, and let another thread count on it
 * @parts:	events behind the gate of this CPU
 * @nr_parts:	number of @parts, at least 1
 * @next:	thread that opens the gate, or NULL
 * @tsc:	TSC now, or when the gate was closed
 *
 * Context: on the CPU, interrupts off.
 */
void tprof_tally_pass(struct tprof_tally *tally, const struct tprof_pmu_gate *parts,
		      u32 nr_parts, struct task_struct *next, u64 tsc)
{
	struct tprof_tally_cpu *cpu = this_cpu_ptr(tally->cpus);
	struct tprof_cell *cell = cpu->cell;

	settle_cpu(cpu, parts, nr_parts, tsc);
	if (unlikely(tally->tells_switches) && cell && cell->task != next)
		tell_cell(tally, cell, true);
	cpu->cell = next ? tprof_cell_find(&tally->table, next) : NULL;
}

/**
 * tprof_tally_enter - let a thread count on this CPU, before its gate opens
 * @tally:	tally that was settled when the gate was closed
 * @task:	thread that opens the gate
 * @tsc:	TSC now
 *
 * Context: on the CPU, interrupts off.
 */
void tprof_tally_enter(struct tprof_tally *tally, struct task_struct *task, u64 tsc)
{
	struct tprof_tally_cpu *cpu = this_cpu_ptr(tally->cpus);

	cpu->mark_tsc = tsc;
	cpu->cell = tprof_cell_find(&tally->table, task);
}

/*
 * Keep the counts of a thread that has exited. If many have exited, add its counts to @gone
 * of this CPU instead. tprof_tally_tell_all() writes the missing records of a thread that was
 * kept.
 */
static void bury_cell(struct tprof_tally *tally, struct tprof_cell *cell)
{
	struct tprof_tally_cpu *cpu = this_cpu_ptr(tally->cpus);
	u32 i, missing = tally->is_telling ? tell_cell(tally, cell, false) : 0;

	if (tprof_cell_keep(&tally->table, cell))
		return;
	lose_records(tally, missing);
	for (i = 0; i < tally->nr_events; i++)
		cpu->gone[i] += cell->counts[i];
	cpu->gone_tsc += cell->ran;
	cpu->nr_gone++;
	tprof_cell_put(&tally->table, cell);
}

/**
 * tprof_tally_bury - remove the cell of a thread that is switched out for the last time
 * @tally:	tally, settled since the thread ran
 * @task:	thread
 *
 * Context: on the CPU, interrupts off.
 */
void tprof_tally_bury(struct tprof_tally *tally, struct task_struct *task)
{
	struct tprof_cell *cell = tprof_cell_remove(&tally->table, task);

	if (cell)
		bury_cell(tally, cell);
}

/* Bury the cells of threads that no probe has seen exit. */
static void sweep_cells(struct tprof_cell_table *table)
{
	struct tprof_tally *tally = container_of(table, struct tprof_tally, table);
	struct tprof_cell *cell;
	unsigned long flags;
	u32 i;

	for (i = 0; i < TPROF_CELL_BUCKETS; i++) {
		do {
			local_irq_save(flags);
			cell = tprof_cell_remove_dead(&table->buckets[i]);
			if (cell)
				bury_cell(tally, cell);
			local_irq_restore(flags);
		} while (cell);
	}
}

/**
 * tprof_tally_adjust - bring a tally up to date with the count of an event
 * @cpu:	CPU
 * @index:	index of the event, not behind the gate of @cpu
 * @count:	count of the event on @cpu
 *
 * An event of the back end `soft` may count between START and the opening of the gate. WRITE
 * may change the count of an event that does not run.
 *
 * Context: process, under the cpu lock.
 */
void tprof_tally_adjust(struct tprof_tally *tally, int cpu, u32 index, u64 count)
{
	struct tprof_tally_cpu *this = per_cpu_ptr(tally->cpus, cpu);

	this->unattributed[index] += count - this->marks[index];
	this->marks[index] = count;
}

/* Write READ records of all cells. Return for how many there was no space. */
static u32 tell_cells(struct tprof_tally *tally)
{
	struct tprof_cell_bucket *bucket;
	struct tprof_cell *cell;
	unsigned long flags;
	u32 i, missing = 0;

	llist_for_each_entry(cell, READ_ONCE(tally->table.exited.first), free)
		missing += tell_cell(tally, cell, false);
	for (i = 0; i < TPROF_CELL_BUCKETS; i++) {
		bucket = &tally->table.buckets[i];
		raw_spin_lock_irqsave(&bucket->lock, flags);
		hlist_for_each_entry(cell, &bucket->cells, node)
			missing += tell_cell(tally, cell, false);
		raw_spin_unlock_irqrestore(&bucket->lock, flags);
	}
	return missing;
}

/**
 * tprof_tally_tell_all - write READ records of what all threads have counted
 * @tally:	tally whose gates have no events any more
 *
 * If the ring of this CPU is full, let the worker empty it, as often as that helps.
 *
 * Context: process, under the session lock, before the stream is stopped.
 */
void tprof_tally_tell_all(struct tprof_tally *tally)
{
	u32 before = U32_MAX, missing;

	tprof_cell_table_quiesce(&tally->table);
	sweep_cells(&tally->table);
	for (;;) {
		missing = tell_cells(tally);
		if (!missing || missing >= before ||
		    tprof_stream_flush(tally->samplers[0]->stream, true))
			break;
		before = missing;
	}
	lose_records(tally, missing);
	tally->is_telling = false;
}

static void list_cell(const struct tprof_tally *tally, struct tprof_tally_list *list,
		      const struct tprof_cell *cell)
{
	struct tprof_lx_thread *thread;
	struct tprof_cell_name name;

	if (list->nr++ >= list->room)
		return;
	tprof_cell_read_name(&tally->table, cell, &name);
	thread = &list->threads[list->nr - 1];
	thread->pid = name.pid;
	thread->tid = name.tid;
	thread->flags = cell->task ? 0 : TPROF_LX_THREAD_EXITED;
	thread->started = name.started;
	/* Racy reads: the thread may be running. */
	thread->value = READ_ONCE(cell->counts[list->event]);
	thread->ran_ns = tprof_tsc_to_ns(READ_ONCE(cell->ran));
	memcpy(thread->comm, name.comm, sizeof(thread->comm));
}

/**
 * tprof_tally_list - list the threads
 * @tally:	tally, settled on all CPUs
 * @list:	list to fill in
 *
 * Context: process, under the session lock.
 */
void tprof_tally_list(struct tprof_tally *tally, struct tprof_tally_list *list)
{
	struct tprof_cell_bucket *bucket;
	struct tprof_cell *cell;
	unsigned long flags;
	u32 i;

	llist_for_each_entry(cell, READ_ONCE(tally->table.exited.first), free)
		list_cell(tally, list, cell);
	for (i = 0; i < TPROF_CELL_BUCKETS; i++) {
		bucket = &tally->table.buckets[i];
		raw_spin_lock_irqsave(&bucket->lock, flags);
		hlist_for_each_entry(cell, &bucket->cells, node)
			list_cell(tally, list, cell);
		raw_spin_unlock_irqrestore(&bucket->lock, flags);
	}
}

/**
 * tprof_tally_sum - add up what belongs to no thread that can be listed
 * @tally:	tally, settled on all CPUs
 * @sum:	argument of the ioctl; its results are added
 *
 * Context: process, under the session lock.
 */
void tprof_tally_sum(struct tprof_tally *tally, struct tprof_lx_threads *sum)
{
	const struct tprof_tally_cpu *this;
	u64 gone_tsc = 0;
	int cpu;

	sweep_cells(&tally->table);
	for_each_possible_cpu(cpu) {
		this = per_cpu_ptr(tally->cpus, cpu);
		/* Racy reads: threads may be exiting. */
		sum->unattributed += READ_ONCE(this->unattributed[sum->event]);
		sum->gone += READ_ONCE(this->gone[sum->event]);
		sum->nr_gone += READ_ONCE(this->nr_gone);
		gone_tsc += READ_ONCE(this->gone_tsc);
	}
	sum->gone_ns = tprof_tsc_to_ns(gone_tsc);
}

/**
 * tprof_tally_begin - prepare a tally for events that start
 * @tally:	tally that no CPU uses
 * @speaker:	first event that has records, or NULL
 *
 * Context: process, under the session lock.
 */
void tprof_tally_begin(struct tprof_tally *tally, const struct tprof_sampler *speaker)
{
	u32 i;

	sweep_cells(&tally->table);
	tally->speaker = speaker;
	tally->tells_switches = false;
	for (i = 0; i < tally->nr_events; i++)
		tally->tells_switches |= tally->samplers[i]->tells_switches;
	tally->is_telling = true;
}

/**
 * tprof_tally_alloc - allocate a tally without threads
 * @samplers:	events of the session, by index
 * @nr_events:	number of @samplers
 * @watcher:	watcher of the session, or NULL; it must live as long as the tally
 * @locked:	what the memory of the cells counts to; it must live as long as the tally
 *
 * Context: process, may sleep.
 * Return: tally, or ERR_PTR() of -ENOMEM or -ENOBUFS.
 */
struct tprof_tally *tprof_tally_alloc(struct tprof_sampler *const *samplers, u32 nr_events,
				      const struct cred *watcher, struct tprof_locked *locked)
{
	struct tprof_tally *tally = kvzalloc(sizeof(*tally), TPROF_GFP);
	int err;

	if (!tally)
		return ERR_PTR(-ENOMEM);
	tally->samplers = samplers;
	tally->nr_events = nr_events;
	tally->table.sweep = sweep_cells;
	tally->table.watcher = watcher;
	tally->table.locked = locked;
	tally->cpus = alloc_percpu_gfp(struct tprof_tally_cpu, TPROF_GFP);
	err = tally->cpus ? tprof_cell_table_init(&tally->table, nr_events) : -ENOMEM;
	if (err) {
		free_percpu(tally->cpus);
		kvfree(tally);
		return ERR_PTR(err);
	}
	return tally;
}

/**
 * tprof_tally_free - free a tally
 * @tally:	tally that no CPU uses, or NULL
 *
 * Context: process, may sleep.
 */
void tprof_tally_free(struct tprof_tally *tally)
{
	if (!tally)
		return;
	tprof_cell_table_uninit(&tally->table);
	free_percpu(tally->cpus);
	kvfree(tally);
}
