// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the cells of a tally: the counts of each thread
 *
 * The probe of sched_switch must not allocate, so it takes cells from a pool of its CPU.
 * A worker refills the pool. A CPU with the lock of a run queue held must not wake a worker,
 * so it starts the worker by irq_work.
 *
 * Context: any but NMI, interrupts off; tprof_cell_table_init() and
 * tprof_cell_table_uninit() in process context.
 */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/gfp.h"
#include "gate/tally_cell.h"
#include "rights/access.h"

/* Number of cells that a pool gets at once. */
#define BLOCK_CELLS	128
/* Refill a pool that has fewer cells. */
#define LOW_CELLS	64
/* A pool with as many cells gets no more: they are for all CPUs. */
#define HIGH_CELLS	(2 * BLOCK_CELLS)
/* How long to wait after there was no memory, in ms. */
#define RETRY_MS	100

/**
 * struct block - memory of some cells
 * @node:	entry in @blocks of the table
 * @is_counted:	it is part of the user's locked memory
 * @cells:	the cells
 */
struct block {
	struct list_head	node;
	bool			is_counted;
	char			cells[] __aligned(__alignof__(struct tprof_cell));
};

/* Never has a task, so no task finds it. */
static struct tprof_cell no_cell;

static struct tprof_cell_bucket *bucket_of(struct tprof_cell_table *table,
					   const struct task_struct *task)
{
	return &table->buckets[hash_ptr(task, TPROF_CELL_BUCKET_BITS)];
}

static void add_to_pool(struct tprof_cell_pool *pool, struct tprof_cell *cell)
{
	llist_add(&cell->free, &pool->free);
	atomic_inc(&pool->nr_free);
}

static void return_cell(struct tprof_cell_table *table, struct tprof_cell *cell)
{
	struct tprof_cell_pool *pool = per_cpu_ptr(table->pools, cell->cpu);

	if (atomic_read(&pool->nr_free) < HIGH_CELLS)
		add_to_pool(pool, cell);
	else
		llist_add(&cell->free, &table->spare);
}

static size_t block_bytes(const struct tprof_cell_table *table)
{
	return size_add(sizeof(struct block), array_size(BLOCK_CELLS, table->cell_bytes));
}

/* A user may have more with each CPU that is online, so cells of other CPUs do not count. */
static struct block *alloc_block(struct tprof_cell_table *table, int cpu, gfp_t gfp)
{
	size_t bytes = block_bytes(table);
	bool is_counted = cpu_online(cpu);
	struct block *block;
	int err = is_counted ? tprof_locked_take(table->locked, bytes) : 0;

	if (err)
		return ERR_PTR(err);
	block = kvzalloc_node(bytes, gfp, cpu_to_node(cpu));
	if (block)
		block->is_counted = is_counted;
	else if (is_counted)
		tprof_locked_give(table->locked, bytes);
	return block ?: ERR_PTR(-ENOMEM);
}

static void free_block(struct tprof_cell_table *table, struct block *block)
{
	if (block->is_counted)
		tprof_locked_give(table->locked, block_bytes(table));
	kvfree(block);
}

static int add_block(struct tprof_cell_table *table, int cpu, gfp_t gfp)
{
	struct block *block = alloc_block(table, cpu, gfp);
	struct tprof_cell *cell;
	size_t i;

	if (IS_ERR(block))
		return PTR_ERR(block);
	list_add(&block->node, &table->blocks);
	for (i = 0; i < BLOCK_CELLS; i++) {
		cell = (void *)(block->cells + i * table->cell_bytes);
		cell->cpu = cpu;
		add_to_pool(per_cpu_ptr(table->pools, cpu), cell);
	}
	return 0;
}

/* Give up to BLOCK_CELLS spare cells to the pool of @cpu. Only the worker removes spare cells. */
static void add_spare(struct tprof_cell_table *table, int cpu)
{
	struct llist_node *node;
	struct tprof_cell *cell;
	u32 i;

	for (i = 0; i < BLOCK_CELLS; i++) {
		node = llist_del_first(&table->spare);
		if (!node)
			return;
		cell = llist_entry(node, struct tprof_cell, free);
		cell->cpu = cpu;
		add_to_pool(per_cpu_ptr(table->pools, cpu), cell);
	}
}

static bool is_low(const struct tprof_cell_table *table, int cpu)
{
	return atomic_read(&per_cpu_ptr(table->pools, cpu)->nr_free) < LOW_CELLS;
}

/*
 * If a task runs for the last time on a CPU outside the session's set, no probe frees its
 * cell. So free such cells first. If there is no memory, or the user has locked too much, the next
 * thread that takes a cell after RETRY_MS tries again, so that switches of threads without cells
 * do not keep the worker busy.
 *
 * The memory belongs to no memory cgroup, so there must not be more cells than threads have needed
 * at once, except for a few in each pool. It counts to the user of the session.
 */
static void refill_pools(struct work_struct *work)
{
	struct tprof_cell_table *table = container_of(work, struct tprof_cell_table, refill);
	int cpu, err = 0;

	table->sweep(table);
	for_each_possible_cpu(cpu) {
		if (is_low(table, cpu))
			add_spare(table, cpu);
		if (is_low(table, cpu))
			err = add_block(table, cpu, GFP_KERNEL | __GFP_NOWARN) ?: err;
	}
	/* Racy write: a late reader starts the worker once more. */
	if (err)
		WRITE_ONCE(table->retry_at, jiffies + msecs_to_jiffies(RETRY_MS));
}

static bool may_refill(const struct tprof_cell_table *table)
{
	return time_after_eq(jiffies, READ_ONCE(table->retry_at));
}

static void kick_refill(struct irq_work *kick)
{
	struct tprof_cell_pool *pool = container_of(kick, struct tprof_cell_pool, kick);

	queue_work(system_dfl_wq, &pool->table->refill);
}

static struct tprof_cell *take_cell(struct tprof_cell_table *table)
{
	struct tprof_cell_pool *pool = this_cpu_ptr(table->pools);
	struct llist_node *node = llist_del_first(&pool->free);

	if (node)
		atomic_dec(&pool->nr_free);
	if (atomic_read(&pool->nr_free) < LOW_CELLS && may_refill(table))
		irq_work_queue(&pool->kick);
	return node ? llist_entry(node, struct tprof_cell, free) : NULL;
}

static struct tprof_cell *find_in(struct tprof_cell_bucket *bucket,
				  const struct task_struct *task)
{
	struct tprof_cell *cell;

	lockdep_assert_held(&bucket->lock);
	hlist_for_each_entry(cell, &bucket->cells, node) {
		if (cell->task == task)
			return cell;
	}
	return NULL;
}

/**
 * tprof_cell_find_slowly - same as tprof_cell_find(), if the cell was not used recently
 * @task:	task that this CPU runs, or switches to
 *
 * Context: any but NMI, interrupts off.
 * Return: cell, or NULL if the pool is empty.
 */
struct tprof_cell *tprof_cell_find_slowly(struct tprof_cell_table *table,
					  struct task_struct *task)
{
	struct tprof_cell_bucket *bucket = bucket_of(table, task);
	struct tprof_cell *cell;

	raw_spin_lock(&bucket->lock);
	cell = find_in(bucket, task);
	if (!cell) {
		cell = take_cell(table);
		if (cell) {
			/* Racy write: another CPU may look at a cell that it used recently. */
			WRITE_ONCE(cell->task, get_task_struct(task));
			hlist_add_head(&cell->node, &bucket->cells);
		}
	}
	raw_spin_unlock(&bucket->lock);
	return cell;
}

/**
 * tprof_cell_remove - remove the cell of a task that runs for the last time
 *
 * Context: any but NMI, interrupts off.
 * Return: cell, to be returned by tprof_cell_put(), or NULL if the task has none.
 */
struct tprof_cell *tprof_cell_remove(struct tprof_cell_table *table,
				     const struct task_struct *task)
{
	struct tprof_cell_bucket *bucket = bucket_of(table, task);
	struct tprof_cell *cell;

	raw_spin_lock(&bucket->lock);
	cell = find_in(bucket, task);
	if (cell)
		hlist_del(&cell->node);
	raw_spin_unlock(&bucket->lock);
	return cell;
}

/* Return true if @task will not run any more. */
static bool is_dead(const struct task_struct *task)
{
	/* Pairs with finish_task(): the CPU that ran the task has written its last counts. */
	return READ_ONCE(task->__state) == TASK_DEAD && !smp_load_acquire(&task->on_cpu);
}

/**
 * tprof_cell_remove_dead - remove the cell of a task that has exited unobserved
 * @bucket:	bucket of the cell
 *
 * Context: any but NMI, interrupts off.
 * Return: same as tprof_cell_remove().
 */
struct tprof_cell *tprof_cell_remove_dead(struct tprof_cell_bucket *bucket)
{
	struct tprof_cell *cell;

	raw_spin_lock(&bucket->lock);
	hlist_for_each_entry(cell, &bucket->cells, node) {
		if (is_dead(cell->task)) {
			hlist_del(&cell->node);
			break;
		}
	}
	raw_spin_unlock(&bucket->lock);
	return cell;
}

/* Return true if the session may have the name of @task, which may have got other credentials. */
static bool may_tell_name(const struct tprof_cell_table *table, struct task_struct *task)
{
	bool allows;

	if (!table->watcher)
		return true;
	rcu_read_lock();
	allows = tprof_access_allows(table->watcher, __task_cred(task));
	rcu_read_unlock();
	return allows;
}

/**
 * tprof_cell_read_name - find out how the thread of a cell is listed
 * @name:	result
 *
 * Context: any but NMI. A cell that has a task must stay in its bucket, or have been removed
 * by the caller.
 */
void tprof_cell_read_name(const struct tprof_cell_table *table, const struct tprof_cell *cell,
			  struct tprof_cell_name *name)
{
	struct task_struct *task = cell->task;

	if (!task) {
		*name = cell->name;
		return;
	}
	name->pid = task->tgid;
	/* Racy reads: the thread may be running, or changing its id or name. */
	name->tid = READ_ONCE(task->pid);
	name->started = READ_ONCE(task->start_boottime);
	strscpy_pad(name->comm, task->comm, sizeof(name->comm));
	/*
	 * A program with other credentials gives itself a name after it has got them. x86 keeps
	 * the order of these stores; the loads are in the opposite one.
	 */
	smp_rmb();
	if (!may_tell_name(table, task))
		memset(name->comm, 0, sizeof(name->comm));
}

/**
 * tprof_cell_keep - keep a cell that was removed, for the list of threads
 * @cell:	cell of a thread that has exited
 *
 * Context: same as tprof_cell_put().
 * Return: true; false, and the cell is not changed, if enough cells are kept already.
 */
bool tprof_cell_keep(struct tprof_cell_table *table, struct tprof_cell *cell)
{
	struct task_struct *task = cell->task;

	if (!atomic_add_unless(&table->nr_exited, 1, TPROF_LX_MAX_EXITED))
		return false;
	tprof_cell_read_name(table, cell, &cell->name);
	/* Racy write: see tprof_cell_find(). */
	WRITE_ONCE(cell->task, NULL);
	llist_add(&cell->free, &table->exited);
	put_task_struct(task);
	return true;
}

/**
 * tprof_cell_put - free a cell that was removed
 *
 * Context: any but NMI. In the probe of sched_switch, the scheduler still has a reference to
 * the task.
 */
void tprof_cell_put(struct tprof_cell_table *table, struct tprof_cell *cell)
{
	struct task_struct *task = cell->task;

	WRITE_ONCE(cell->task, NULL);
	memset(&cell->ran, 0, table->cell_bytes - offsetof(struct tprof_cell, ran));
	return_cell(table, cell);
	put_task_struct(task);
}

static int fill_pools(struct tprof_cell_table *table)
{
	struct tprof_cell_pool *pool;
	int cpu, i, err = 0;

	for_each_possible_cpu(cpu) {
		pool = per_cpu_ptr(table->pools, cpu);
		pool->table = table;
		pool->kick = IRQ_WORK_INIT_HARD(kick_refill);
		for (i = 0; i < TPROF_CELL_RECENT; i++)
			pool->recent[i] = (struct tprof_cell_recent){ &no_cell, &no_cell };
	}
	for_each_possible_cpu(cpu)
		err = err ?: add_block(table, cpu, TPROF_GFP);
	return err;
}

/**
 * tprof_cell_table_init - initialise a table
 * @nr_events:	number of counts of each cell
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM or -ENOBUFS.
 */
int tprof_cell_table_init(struct tprof_cell_table *table, u32 nr_events)
{
	int err;
	u32 i;

	table->retry_at = jiffies;
	table->cell_bytes = struct_size_t(struct tprof_cell, counts, 3 * nr_events);
	INIT_LIST_HEAD(&table->blocks);
	INIT_WORK(&table->refill, refill_pools);
	for (i = 0; i < TPROF_CELL_BUCKETS; i++)
		raw_spin_lock_init(&table->buckets[i].lock);
	table->pools = alloc_percpu_gfp(struct tprof_cell_pool, TPROF_GFP);
	if (!table->pools)
		return -ENOMEM;
	err = fill_pools(table);
	if (err)
		tprof_cell_table_uninit(table);
	return err;
}

/**
 * tprof_cell_table_quiesce - wait until no worker uses the table
 * @table:	table from which no CPU takes cells
 *
 * Context: process, may sleep.
 */
void tprof_cell_table_quiesce(struct tprof_cell_table *table)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(table->pools, cpu)->kick);
	cancel_work_sync(&table->refill);
}

static void put_tasks(struct tprof_cell_table *table)
{
	struct tprof_cell *cell;
	u32 i;

	for (i = 0; i < TPROF_CELL_BUCKETS; i++) {
		hlist_for_each_entry(cell, &table->buckets[i].cells, node)
			put_task_struct(cell->task);
	}
}

/**
 * tprof_cell_table_uninit - free what a table has allocated
 * @table:	table that no CPU uses
 *
 * Context: process, may sleep.
 */
void tprof_cell_table_uninit(struct tprof_cell_table *table)
{
	struct block *block, *next;

	tprof_cell_table_quiesce(table);
	put_tasks(table);
	list_for_each_entry_safe(block, next, &table->blocks, node)
		free_block(table, block);
	free_percpu(table->pools);
}
