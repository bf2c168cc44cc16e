// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - deferred call chains: completed on the return to user mode
 *
 *   tprof_deferred_ask(): NMI or interrupt      take an entry of this CPU
 *   deferred_kick(): hard interrupt, at once    task_work_add()
 *   deferred_work(): the task, may sleep        walk its stack, report, free the entry
 *
 * Not all kernels allow task_work_add() in an NMI, so an irq_work calls it. Only
 * samples of user mode request a chain: interrupts are on in user mode, so the irq_work
 * runs at once. A task that was sampled in kernel mode could sleep in the kernel for
 * days, and would hold an entry and the module for that time.
 *
 * In code without frame pointers, the frame pointer register can hold any
 * address, and each sample would request a chain. So for up to UNREADABLE_SECS,
 * no chain is requested again for a page that the task itself could not read.
 * MAX_ASKED limits all requests of a CPU, and ENTRIES_PER_USER the tasks of a user that wait
 * there for their memory.
 *
 * Lifetime: the session may end before the chain is complete. The module must stay
 * loaded until the task work has run, so each queued entry holds a reference to the
 * module, as in track_mmap.c.
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
#include <linux/uidgid.h>

#include "base/user.h"
#include "chain/chain.h"
#include "chain/deferred.h"
#include "chain/stack_copy.h"

enum {
	/* Maximum number of incomplete chains per CPU, and how many of them a user may have. */
	ENTRIES_PER_CPU	= 16,
	ENTRIES_PER_USER = 4,
	/* Maximum number of requests per CPU in 0.1 s. */
	MAX_ASKED	= 128,
	UNREADABLE_BITS	= 8,
	/* After this time at the latest, an unreadable page is tried again. */
	UNREADABLE_SECS	= 8,
};

/*
 * @id of the CGROUP record that carries a chain. It must differ from real cgroup ids
 * (inode numbers) and from the ids of ledger records (CPU numbers).
 */
#define RECORD_ID	(~0ULL - 1)

enum state {
	STATE_FREE,
	STATE_TAKEN,	/* being filled in, or queued */
	STATE_ASKED,
};

/**
 * struct deferred_entry - a chain to be completed
 * @work:	runs in the task
 * @state:	enum state; taken by cmpxchg, in any context
 * @task:	task of the chain; only compared, never dereferenced
 * @user:	user of the task: tprof_user_of_current()
 * @ip:		interrupted instruction
 * @sp:		stack pointer at @ip
 * @absent_at:	address of the memory that was not present
 * @tables:	tables to walk by, or NULL for frame pointers. A queued entry has a reference
 * @asked_at:	ktime_get_mono_fast_ns() of the first sample that requested it
 * @frames:	maximum number of frames; if two samples join the entry at once, the
 *		smaller of their maximums may stay
 * @stack_bytes: as in struct tprof_chain_plan; the same holds for it
 */
struct deferred_entry {
	struct callback_head	work;
	atomic_t		state;
	const struct task_struct *task;
	kuid_t			user;
	unsigned long		ip;
	unsigned long		sp;
	unsigned long		absent_at;
	struct tprof_tables	*tables;
	u64			asked_at;
	u32			frames;
	u32			stack_bytes;
};

/**
 * struct asked - deferred chains of a CPU
 * @entries:	the chains
 * @kick:	irq_work that adds the task work of new @entries
 * @since:	jiffies when @left was set to MAX_ASKED; races are harmless
 * @left:	number of requests still allowed before @since + HZ / 10; races are
 *		harmless
 */
struct asked {
	struct deferred_entry		entries[ENTRIES_PER_CPU];
	struct irq_work		kick;
	unsigned long		since;
	int			left;
};

static DEFINE_PER_CPU(struct asked, asked);

/* address_key() of pages that a task could not read; races are harmless. */
static u64 unreadable[1 << UNREADABLE_BITS];

static tprof_deferred_report_t report_chain;

static u64 address_key(unsigned long at)
{
	unsigned long epoch = jiffies / (UNREADABLE_SECS * HZ);

	return hash_64((at >> PAGE_SHIFT) ^
			       (unsigned long)READ_ONCE(current->mm), 64) ^
	       epoch;
}

static u64 *unreadable_slot(u64 key)
{
	return &unreadable[key >> (64 - UNREADABLE_BITS)];
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

/*
 * If another event or session has just requested this chain, join its request and
 * return true.
 */
static bool join_entry(struct asked *mine, const struct tprof_chain_plan *plan)
{
	const struct tprof_tables *tables = tprof_chain_tables(plan);
	struct deferred_entry *entry;

	for (entry = mine->entries; entry < mine->entries + ENTRIES_PER_CPU; entry++) {
		if (atomic_read(&entry->state) == STATE_ASKED &&
		    entry->task == current && entry->tables == tables) {
			WRITE_ONCE(entry->frames, max(READ_ONCE(entry->frames), plan->frames));
			WRITE_ONCE(entry->stack_bytes, max(READ_ONCE(entry->stack_bytes),
							   plan->stack_bytes));
			return true;
		}
	}
	return false;
}

/*
 * Return true if a user has as many entries as each may have. A task can wait for its memory as
 * long as its user likes, and must not keep the entries from others for so long. Root's are left
 * to root, however many users there are.
 */
static bool has_enough(struct asked *mine, kuid_t user)
{
	struct deferred_entry *entry;
	u32 own = 0, others = 0;

	for (entry = mine->entries; entry < mine->entries + ENTRIES_PER_CPU; entry++) {
		if (atomic_read(&entry->state) == STATE_FREE)
			continue;
		own += uid_eq(entry->user, user);
		others += !uid_eq(entry->user, GLOBAL_ROOT_UID);
	}
	return own >= ENTRIES_PER_USER ||
	       (!uid_eq(user, GLOBAL_ROOT_UID) && others >= ENTRIES_PER_CPU - ENTRIES_PER_USER);
}

static struct deferred_entry *take_entry(struct asked *mine)
{
	kuid_t user = tprof_user_of_current();
	struct deferred_entry *entry;

	if (has_enough(mine, user))
		return NULL;
	for (entry = mine->entries; entry < mine->entries + ENTRIES_PER_CPU; entry++) {
		if (atomic_read(&entry->state) == STATE_FREE &&
		    atomic_cmpxchg(&entry->state, STATE_FREE,
				   STATE_TAKEN) == STATE_FREE) {
			entry->user = user;
			return entry;
		}
	}
	return NULL;
}

static void free_entry(struct deferred_entry *entry)
{
	atomic_set_release(&entry->state, STATE_FREE);
}

/**
 * tprof_deferred_ask - request that the current task completes its chain before it
 * returns to user mode
 * @user:	interrupted user registers
 * @plan:	of the event
 * @at:		address that is not present
 *
 * Context: NMI or hard interrupt that interrupted user mode.
 * Return: true if the task was asked to complete the chain.
 */
bool tprof_deferred_ask(const struct pt_regs *user, const struct tprof_chain_plan *plan,
			unsigned long at)
{
	struct asked *mine = this_cpu_ptr(&asked);
	u64 key = address_key(at);
	struct deferred_entry *entry;

	if (READ_ONCE(*unreadable_slot(key)) == key)
		return false;
	if (join_entry(mine, plan))
		return true;
	entry = may_ask(mine) ? take_entry(mine) : NULL;
	if (!entry)
		return false;
	WRITE_ONCE(mine->left, READ_ONCE(mine->left) - 1);
	entry->asked_at = ktime_get_mono_fast_ns();
	entry->absent_at = at;
	entry->frames = plan->frames;
	entry->stack_bytes = plan->stack_bytes;
	entry->tables = tprof_chain_tables(plan);
	entry->task = current;
	entry->ip = user->ip;
	entry->sp = user->sp;
	/*
	 * Barrier L, pairs with deferred_kick(): fill in the entry before setting
	 * @state.
	 */
	atomic_set_release(&entry->state, STATE_ASKED);
	irq_work_queue(&mine->kick);
	return true;
}

/*
 * Copy the stack of the task, if its chain met a file that may still get a table. Without memory,
 * the record has no copy.
 */
static void copy_stack(struct tprof_deferred_record *record, const struct deferred_entry *entry,
		       u32 cuts)
{
	const struct pt_regs *user = task_pt_regs(current);
	u32 bytes = 0;

	if (entry->stack_bytes && cuts & BIT(TPROF_CHAIN_TABLELESS))
		bytes = tprof_stack_copy_bytes(entry->stack_bytes, user);
	record->stack = bytes ? kvmalloc(bytes, GFP_KERNEL | __GFP_NOWARN) : NULL;
	record->stack_bytes = record->stack ? bytes : 0;
	if (record->stack)
		tprof_stack_copy_write(record->stack, bytes, entry->frames, user);
}

static void walk_and_report(const struct deferred_entry *entry)
{
	struct tprof_deferred_record *record = kvmalloc(sizeof(*record), GFP_KERNEL | __GFP_NOWARN);
	struct tprof_chain_end end;
	u64 key;

	/*
	 * Without memory, the chain stays incomplete; its sample counted it in
	 * @cut_absent.
	 */
	if (!record)
		return;
	record->header = (struct perf_event_header){
		.type = PERF_RECORD_CGROUP,
	};
	record->id = RECORD_ID;
	strscpy_pad(record->path, TPROF_LX_CHAIN_PATH, sizeof(record->path));
	end = tprof_chain_complete(&record->chain, entry->frames, task_pt_regs(current),
				   entry->tables);
	if (end.absent_at) {
		key = address_key(end.absent_at);
		WRITE_ONCE(*unreadable_slot(key), key);
	}
	copy_stack(record, entry, end.cuts);
	if (end.absent_at != entry->absent_at || record->stack_bytes)
		report_chain(record, entry->asked_at, entry->tables);
	kvfree(record->stack);
	kvfree(record);
}

static void deferred_work(struct callback_head *head)
{
	struct deferred_entry *entry = container_of(head, struct deferred_entry, work);

	/* A task that was killed may have no mm any more. */
	if (current->mm && !(current->flags & PF_EXITING))
		walk_and_report(entry);
	if (entry->tables)
		tprof_tables_put(entry->tables);
	free_entry(entry);
	/* Only the return may follow module_put(): see tprof_deferred_uninit(). */
	module_put(THIS_MODULE);
}

/*
 * Return true if the sampled task is still where it was sampled. If a
 * hypervisor or an emulator delayed the irq_work, another task may run now. Or
 * the sampled task may be in a system call, where it can sleep.
 */
static bool is_there_still(const struct deferred_entry *entry)
{
	const struct pt_regs *user = task_pt_regs(current);

	if (entry->task != current)
		return false;
	/* Racy read: see tprof_user_regs(). */
	return data_race(entry->ip == user->ip && entry->sp == user->sp);
}

static void queue_entry(struct deferred_entry *entry)
{
	if (!is_there_still(entry)) {
		free_entry(entry);
		return;
	}
	atomic_set(&entry->state, STATE_TAKEN);
	__module_get(THIS_MODULE);
	/* Safe: the session cannot put the tables before tprof_deferred_stop() has returned. */
	if (entry->tables)
		tprof_tables_hold(entry->tables);
	init_task_work(&entry->work, deferred_work);
	if (!task_work_add(current, &entry->work, TWA_RESUME))
		return;
	/* The task is exiting. The session still has its reference to the tables. */
	if (entry->tables)
		tprof_tables_put(entry->tables);
	free_entry(entry);
	module_put(THIS_MODULE);
}

/* Context: hard interrupt on the CPU of @irq_work, on PREEMPT_RT too. */
static void deferred_kick(struct irq_work *irq_work)
{
	struct asked *mine = container_of(irq_work, struct asked, kick);
	int i;

	for (i = 0; i < ENTRIES_PER_CPU; i++) {
		/* Barrier L, pairs with tprof_deferred_ask(): read @state first. */
		if (atomic_read_acquire(&mine->entries[i].state) == STATE_ASKED)
			queue_entry(&mine->entries[i]);
	}
}

/**
 * tprof_deferred_start - allow samples to request deferred chains
 * @report:	called with each complete chain; always the same function
 *
 * Context: process, before the first sample that may request a chain.
 * Return: 0.
 */
int tprof_deferred_start(tprof_deferred_report_t report)
{
	int cpu;

	memset(unreadable, 0, sizeof(unreadable));
	if (report_chain)
		return 0;
	report_chain = report;
	for_each_possible_cpu(cpu)
		per_cpu(asked, cpu).kick = IRQ_WORK_INIT_HARD(deferred_kick);
	return 0;
}

/**
 * tprof_deferred_stop - wait until the task work of each requested chain is queued
 *
 * The caller makes sure that no sample can request a chain any more.
 *
 * Context: process, may sleep, while a session is open. The open session holds a
 * reference to the module until each queued entry has its own.
 */
void tprof_deferred_stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(asked, cpu).kick);
}

/**
 * tprof_deferred_uninit - wait for the last task work at module exit
 *
 * Pending task work holds a reference to the module, so none is pending at module exit.
 * But task work that has called module_put() may not have returned yet: see
 * tprof_track_mmap_uninit().
 *
 * Context: process, may sleep.
 */
void tprof_deferred_uninit(void)
{
	if (report_chain)
		synchronize_rcu_tasks();
}
