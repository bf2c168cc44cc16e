// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the unwind tables of sessions, and the address spaces that use them
 *
 * Sessions with privileges share one set of tables. A table that a user without privileges
 * gives could lead the chains of other sessions astray, so each session without privileges
 * has a set of its own.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "base/gfp.h"
#include "base/user.h"
#include "tables/tables.h"

/* Protects @shared, and the first and last reference to it. Taken inside the session lock. */
static DEFINE_MUTEX(shared_lock);
static struct tprof_tables *shared;

/* Context: the worker. */
static void learn_wanted(struct work_struct *work)
{
	struct tprof_tables *tables = container_of(work, struct tprof_tables, learn);
	struct mm_struct *mm = READ_ONCE(tables->wanted);

	if (!mm)
		return;
	if (mmget_not_zero(mm)) {
		tprof_spaces_learn(&tables->spaces, mm, tables->wanted_by, false);
		mmput(mm);
	}
	/* Races with tprof_tables_want(), which then finds @wanted free. */
	WRITE_ONCE(tables->wanted, NULL);
	mmdrop(mm);
}

/* Context: hard interrupt, on PREEMPT_RT too. */
static void kick_learn(struct irq_work *irq_work)
{
	struct tprof_tables *tables = container_of(irq_work, struct tprof_tables, kick);

	queue_work(system_dfl_wq, &tables->learn);
}

static struct tprof_tables *tables_alloc(bool is_private)
{
	struct tprof_tables *tables = kvzalloc(sizeof(*tables), TPROF_GFP);

	if (!tables)
		return ERR_PTR(-ENOMEM);
	refcount_set(&tables->users, 1);
	tprof_objects_init(&tables->objects, is_private);
	tprof_spaces_init(&tables->spaces, &tables->objects);
	tables->kick = IRQ_WORK_INIT_HARD(kick_learn);
	INIT_WORK(&tables->learn, learn_wanted);
	return tables;
}

/**
 * tprof_tables_get - get the tables for a session
 * @is_private:	the session has no privileges
 *
 * Context: process, may sleep.
 * Return: the tables, or ERR_PTR(-ENOMEM).
 */
struct tprof_tables *tprof_tables_get(bool is_private)
{
	struct tprof_tables *tables;

	if (is_private)
		return tables_alloc(true);
	guard(mutex)(&shared_lock);
	if (shared) {
		refcount_inc(&shared->users);
		return shared;
	}
	tables = tables_alloc(false);
	if (!IS_ERR(tables))
		shared = tables;
	return tables;
}

/**
 * tprof_tables_hold - take another reference
 * @tables:	tables to which the caller, or a session that cannot end meanwhile, has one
 *
 * Context: any.
 */
void tprof_tables_hold(struct tprof_tables *tables)
{
	refcount_inc(&tables->users);
}

static void tables_free(struct tprof_tables *tables)
{
	tprof_tables_settle(tables);
	tprof_spaces_free(&tables->spaces);
	tprof_objects_free(&tables->objects);
	kvfree(tables);
}

/**
 * tprof_tables_put - drop a reference
 *
 * Context: process, may sleep; or any, if it is not the last reference.
 */
void tprof_tables_put(struct tprof_tables *tables)
{
	if (!refcount_dec_and_mutex_lock(&tables->users, &shared_lock))
		return;
	if (shared == tables)
		shared = NULL;
	mutex_unlock(&shared_lock);
	tables_free(tables);
}

/**
 * tprof_tables_settle - wait until the mappings that were wanted are learned
 *
 * Context: process, may sleep.
 */
void tprof_tables_settle(struct tprof_tables *tables)
{
	irq_work_sync(&tables->kick);
	flush_work(&tables->learn);
}

/**
 * tprof_tables_want - ask a worker to learn the mappings of the current task
 * @tables:	tables of a running session
 *
 * One request is served at a time; others are dropped, as the next sample asks again. If the
 * mappings are known, only a deferred chain reads them anew: tprof_by_tables_complete().
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_tables_want(struct tprof_tables *tables)
{
	/* Racy read: a task that exits gives up its mm. */
	struct mm_struct *mm = READ_ONCE(current->mm);

	if (!mm || READ_ONCE(tables->wanted) || tprof_spaces_find(&tables->spaces, mm))
		return;
	mmgrab(mm);
	if (cmpxchg(&tables->wanted, NULL, mm)) {
		/* Not the last reference: this task has one. */
		mmdrop(mm);
		return;
	}
	/* The worker does not run before @kick is queued. */
	tables->wanted_by = tprof_user_of_current();
	irq_work_queue(&tables->kick);
}
