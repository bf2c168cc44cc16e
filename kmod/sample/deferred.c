// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call chains that are continued on the way back to user mode
 *
 *   tprof_deferred_ask(): NMI or interrupt      take an entry of this CPU
 *   deferred_kick(): hard interrupt, at once    task_work_add()
 *   deferred_work(): the task, may sleep        walk its stack, report, free the entry
 *
 * An NMI may not add task work itself on all kernels, so an irq_work does. Only
 * what has interrupted user mode asks: there interrupts are on, so that follows
 * before anything else, and the task cannot sleep in a system call for days with
 * an entry and the module in its hands.
 *
 * What looks like a frame pointer in code that has none can point anywhere, and
 * would be asked about with every sample. So an address that cannot be read by
 * the task itself is not asked about again for some seconds, and there is a limit
 * to the rest.
 *
 * Lifetime: whoever wanted the chain may be gone when it is there; the module may
 * not, so each entry that is waited for holds it, as in track_mmap.c.
 */
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/timekeeping.h>

#include "sample/deferred.h"

enum {
	/* As many tasks may wait for their memory at a time. */
	ENTRIES_PER_CPU	= 16,
	/* Chains of a CPU that are asked for in each tenth of a second. */
	MAX_ASKED	= 128,
	HOPELESS_BITS	= 8,
	/* Memory may come where there was none. */
	HOPELESS_SECS	= 8,
};

/* A CGROUP record has one; theirs are the kernel's inodes and the ledger's CPUs. */
#define RECORD_ID	(~0ULL - 1)

enum state {
	STATE_FREE,
	STATE_TAKEN,	/* being filled in, or queued */
	STATE_ASKED,
};

/**
 * struct entry - a chain that is to be continued
 * @work:	runs in the task
 * @state:	enum state; who takes it does so by cmpxchg, in any context
 * @task:	whose chain; to be compared only
 * @ip:		where it was
 * @sp:		likewise
 * @absent_at:	memory that is not present
 * @asked_at:	ktime_get_mono_fast_ns() of the first sample
 * @frames:	how many the chain may have; of two that join at once one may have fewer
 */
struct entry {
	struct callback_head	work;
	atomic_t		state;
	const struct task_struct *task;
	unsigned long		ip;
	unsigned long		sp;
	unsigned long		absent_at;
	u64			asked_at;
	u32			frames;
};

/**
 * struct asked - what a CPU asks for
 * @entries:	the chains
 * @kick:	adds the works of those that are new
 * @since:	jiffies when @left was MAX_ASKED; races are harmless
 * @left:	how many more may be asked for; likewise
 */
struct asked {
	struct entry		entries[ENTRIES_PER_CPU];
	struct irq_work		kick;
	unsigned long		since;
	int			left;
};

static DEFINE_PER_CPU(struct asked, asked);

/* Addresses that could not be read, by who had them; races are harmless. */
static u64 hopeless[1 << HOPELESS_BITS];

static tprof_deferred_report_t report_chain;

static u64 address_key(unsigned long at)
{
	unsigned long epoch = jiffies / (HOPELESS_SECS * HZ);

	return hash_64((at >> PAGE_SHIFT) ^
			       (unsigned long)READ_ONCE(current->mm), 64) ^
	       epoch;
}

static u64 *hopeless_slot(u64 key)
{
	return &hopeless[key >> (64 - HOPELESS_BITS)];
}

static bool may_ask(struct asked *mine)
{
	unsigned long now = jiffies;

	if (time_after(now, READ_ONCE(mine->since) + HZ / 10)) {
		WRITE_ONCE(mine->since, now);
		WRITE_ONCE(mine->left, MAX_ASKED);
	}
	return READ_ONCE(mine->left) > 0;
}

/* Another event's overflow, or another session's, may just have asked. */
static bool join_entry(struct asked *mine, u32 frames)
{
	struct entry *entry;

	for (entry = mine->entries; entry < mine->entries + ENTRIES_PER_CPU; entry++) {
		if (atomic_read(&entry->state) == STATE_ASKED &&
		    entry->task == current) {
			WRITE_ONCE(entry->frames, max(READ_ONCE(entry->frames), frames));
			return true;
		}
	}
	return false;
}

static struct entry *take_entry(struct asked *mine)
{
	struct entry *entry;

	for (entry = mine->entries; entry < mine->entries + ENTRIES_PER_CPU; entry++) {
		if (atomic_read(&entry->state) == STATE_FREE &&
		    atomic_cmpxchg(&entry->state, STATE_FREE,
				   STATE_TAKEN) == STATE_FREE)
			return entry;
	}
	return NULL;
}

static void free_entry(struct entry *entry)
{
	atomic_set_release(&entry->state, STATE_FREE);
}

/**
 * tprof_deferred_ask - have this task's chain told before it runs on
 * @user:	what was interrupted
 * @frames:	how many the chain may have
 * @at:		where its memory is not present
 *
 * Context: NMI or hard interrupt that has interrupted user mode.
 * Return: true if it will be tried.
 */
bool tprof_deferred_ask(const struct pt_regs *user, u32 frames, unsigned long at)
{
	struct asked *mine = this_cpu_ptr(&asked);
	u64 key = address_key(at);
	struct entry *entry;

	if (READ_ONCE(*hopeless_slot(key)) == key)
		return false;
	if (join_entry(mine, frames))
		return true;
	entry = may_ask(mine) ? take_entry(mine) : NULL;
	if (!entry)
		return false;
	WRITE_ONCE(mine->left, READ_ONCE(mine->left) - 1);
	entry->asked_at = ktime_get_mono_fast_ns();
	entry->absent_at = at;
	entry->frames = frames;
	entry->task = current;
	entry->ip = user->ip;
	entry->sp = user->sp;
	/* L, matches deferred_kick(): an entry is whole before it is asked for. */
	atomic_set_release(&entry->state, STATE_ASKED);
	irq_work_queue(&mine->kick);
	return true;
}

static void walk_and_report(const struct entry *entry)
{
	struct tprof_deferred_record *record = kvmalloc(sizeof(*record), GFP_KERNEL | __GFP_NOWARN);
	unsigned long absent_at;
	u64 key;

	/* The chain stays as it is, which was counted. */
	if (!record)
		return;
	record->header = (struct perf_event_header){
		.type = PERF_RECORD_CGROUP,
	};
	record->id = RECORD_ID;
	strscpy_pad(record->path, TPROF_LX_CHAIN_PATH, sizeof(record->path));
	absent_at = tprof_unwind_user(&record->chain, entry->frames,
				      task_pt_regs(current));
	if (absent_at) {
		key = address_key(absent_at);
		WRITE_ONCE(*hopeless_slot(key), key);
	}
	if (absent_at != entry->absent_at)
		report_chain(record, entry->asked_at);
	kvfree(record);
}

static void deferred_work(struct callback_head *head)
{
	struct entry *entry = container_of(head, struct entry, work);

	/* One that was killed may have no memory any more. */
	if (current->mm && !(current->flags & PF_EXITING))
		walk_and_report(entry);
	free_entry(entry);
	/* Nothing after this but the return: see tprof_deferred_uninit(). */
	module_put(THIS_MODULE);
}

/*
 * Interrupts may be late where a hypervisor or an emulator has others to run. By
 * then it may be another task, or this one in a system call, where it can sleep.
 */
static bool is_there_still(const struct entry *entry)
{
	const struct pt_regs *user = task_pt_regs(current);

	if (entry->task != current)
		return false;
	/* It may be writing them: see tprof_unwind_user_regs(). */
	return data_race(entry->ip == user->ip && entry->sp == user->sp);
}

static void queue_entry(struct entry *entry)
{
	if (!is_there_still(entry)) {
		free_entry(entry);
		return;
	}
	atomic_set(&entry->state, STATE_TAKEN);
	__module_get(THIS_MODULE);
	init_task_work(&entry->work, deferred_work);
	if (!task_work_add(current, &entry->work, TWA_RESUME))
		return;
	/* It is exiting. */
	free_entry(entry);
	module_put(THIS_MODULE);
}

/* Hard interrupts of its CPU, on PREEMPT_RT as well. */
static void deferred_kick(struct irq_work *irq_work)
{
	struct asked *mine = container_of(irq_work, struct asked, kick);
	int i;

	for (i = 0; i < ENTRIES_PER_CPU; i++) {
		/* L, matches tprof_deferred_ask(). */
		if (atomic_read_acquire(&mine->entries[i].state) == STATE_ASKED)
			queue_entry(&mine->entries[i]);
	}
}

/**
 * tprof_deferred_start - continue chains from now on
 * @report:	called with each chain; always the same function
 *
 * Context: process, before samples are taken that ask.
 * Return: 0.
 */
int tprof_deferred_start(tprof_deferred_report_t report)
{
	int cpu;

	memset(hopeless, 0, sizeof(hopeless));
	if (report_chain)
		return 0;
	report_chain = report;
	for_each_possible_cpu(cpu)
		per_cpu(asked, cpu).kick = IRQ_WORK_INIT_HARD(deferred_kick);
	return 0;
}

/**
 * tprof_deferred_stop - nobody asks any more
 *
 * When it returns, no entry is asked for without being queued.
 *
 * Context: process, may sleep, in an open session: it holds the module until all
 * that is queued does.
 */
void tprof_deferred_stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(asked, cpu).kick);
}

/**
 * tprof_deferred_uninit - module exit
 *
 * Each work that is pending holds the module, so none is left, but one may have
 * done its module_put() and not have returned: see tprof_track_mmap_uninit().
 *
 * Context: process, may sleep.
 */
void tprof_deferred_uninit(void)
{
	if (report_chain)
		synchronize_rcu_tasks();
}
