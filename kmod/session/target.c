// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the processes and threads that a session samples and counts
 *
 * Context: process. Probes of forks, execs and exits are not preemptible. The session
 * lock serialises all other changes of a target.
 */
#include <linux/bitops.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "base/gfp.h"
#include "base/tracepoints.h"
#include "session/gate.h"
#include "session/target.h"

#define NR_BITMAPS	7
#define BITMAP_LONGS	BITS_TO_LONGS(PID_MAX_LIMIT)

/* Protects the list of targets; taken inside the session lock. */
static DEFINE_MUTEX(targets_lock);
static LIST_HEAD(targets);

/**
 * tprof_target_remove_thread - remove a thread that is a target by itself
 * @target:	target
 * @tid:	id of the thread
 *
 * Context: any but NMI, under @target->lock.
 * Return: true if it was in @target.
 */
bool tprof_target_remove_thread(struct tprof_target *target, pid_t tid)
{
	lockdep_assert_held(&target->lock);
	if (!__test_and_clear_bit(tid, target->all.tids))
		return false;
	__clear_bit(tid, target->execs.tids);
	target->nr_present--;
	return true;
}

static void follow_fork(struct tprof_target *target, const struct task_struct *parent,
			const struct task_struct *child)
{
	bool is_heir, was_added;

	lockdep_assert_held(&target->lock);
	/* The bit may be left from a thread that was killed in execve(2): see follow_exec(). */
	tprof_target_remove_thread(target, child->pid);
	if (child->tgid == parent->tgid)
		return;
	is_heir = test_bit(parent->tgid, target->heirs);
	/* The child is in the list of tasks already, so CONFIG or ATTACH may have added it. */
	was_added = test_bit(child->tgid, target->present);
	if (was_added && !is_heir) {
		__clear_bit(child->tgid, target->execs.pids);
		return;
	}
	__assign_bit(child->tgid, target->all.pids, is_heir);
	__assign_bit(child->tgid, target->heirs, is_heir);
	__assign_bit(child->tgid, target->present, is_heir);
	__assign_bit(child->tgid, target->execs.pids,
		     is_heir && test_bit(parent->tgid, target->execs.pids));
	__clear_bit(child->tgid, target->all.hosts);
	target->nr_present += is_heir && !was_added;
}

/* If @task did not lead its process, execve(2) has given it the id of the leader. */
static void follow_exec(struct tprof_target *target, const struct task_struct *task,
			pid_t old_pid)
{
	lockdep_assert_held(&target->lock);
	if (old_pid != task->pid && __test_and_clear_bit(old_pid, target->all.tids)) {
		__clear_bit(old_pid, target->execs.tids);
		__set_bit(task->pid, target->all.tids);
	}
	if (test_bit(task->pid, target->all.tids))
		__set_bit(task->pid, target->execs.tids);
	if (test_bit(task->tgid, target->all.pids))
		__set_bit(task->tgid, target->execs.pids);
}

/*
 * The process stays in @all, so that the rest of its exit counts. If several threads find
 * that their process has exited, the first of them removes it from @present. Return true if
 * @task was the last of the present tasks.
 */
static bool follow_exit(struct tprof_target *target, const struct task_struct *task)
{
	u32 before = target->nr_present;

	lockdep_assert_held(&target->lock);
	tprof_target_remove_thread(target, task->pid);
	if (tprof_target_has_exited(task) && __test_and_clear_bit(task->tgid, target->present))
		target->nr_present--;
	return before && !target->nr_present;
}

/* A process that was reaped is not in the list of processes. */
static bool is_process_exiting(struct task_struct *process)
{
	struct task_struct *thread;

	for_each_thread(process, thread) {
		if (!READ_ONCE(thread->exit_state))
			return true;
	}
	return false;
}

/**
 * tprof_target_is_exiting - report whether a process of an empty target still exits
 * @target:	target for which tprof_target_is_empty() is true
 *
 * The exit probe runs before the kernel closes the files of a task and runs its task work.
 *
 * Context: process.
 * Return: true if a thread of one of the processes has not become a zombie yet.
 */
bool tprof_target_is_exiting(const struct tprof_target *target)
{
	struct task_struct *process;
	bool is_exiting = false;

	rcu_read_lock();
	for_each_process(process) {
		if (!test_bit(process->tgid, target->all.pids))
			continue;
		is_exiting = is_process_exiting(process);
		if (is_exiting)
			break;
	}
	rcu_read_unlock();
	return is_exiting;
}

/* Runs before the child can run. */
static void probe_fork(void *data, struct task_struct *parent,
		       struct task_struct *child)
{
	struct tprof_target *target;
	unsigned long flags;

	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node) {
		raw_spin_lock_irqsave(&target->lock, flags);
		follow_fork(target, parent, child);
		raw_spin_unlock_irqrestore(&target->lock, flags);
	}
	rcu_read_unlock();
}

/* Runs in @task. Open the gates that @task opens from now on. */
static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	struct tprof_target *target;
	unsigned long flags;

	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node) {
		raw_spin_lock_irqsave(&target->lock, flags);
		follow_exec(target, task, old_pid);
		raw_spin_unlock_irqrestore(&target->lock, flags);
	}
	rcu_read_unlock();
	tprof_gate_look();
}

/* Runs in @task. If @task was a target as a single thread, close its gates. */
TPROF_EXIT_PROBE(probe_exit)
{
	struct tprof_target *target;
	unsigned long flags;
	bool is_last;

	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node) {
		raw_spin_lock_irqsave(&target->lock, flags);
		is_last = follow_exit(target, task);
		raw_spin_unlock_irqrestore(&target->lock, flags);
		if (is_last)
			schedule_delayed_work(target->empty_work, 0);
	}
	rcu_read_unlock();
	tprof_gate_look();
}

/* The build fails if the prototype of a probe differs from its tracepoint's. */
static void __maybe_unused check_target_probes(void)
{
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exec(probe_exec);
	check_trace_callback_type_sched_process_exit(probe_exit);
}

static const struct {
	const char	*tracepoint;
	void		*probe;
} probes[] = {
	{ "sched_process_fork", probe_fork },
	{ "sched_process_exec", probe_exec },
	{ "sched_process_exit", probe_exit },
};

static void unregister_probes(u32 nr)
{
	while (nr--)
		tprof_tracepoint_unregister(probes[nr].tracepoint, probes[nr].probe, NULL);
}

static int register_probes(void)
{
	int err;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = tprof_tracepoint_register(probes[i].tracepoint, probes[i].probe, NULL);
		if (err) {
			unregister_probes(i);
			return err;
		}
	}
	return 0;
}

static int follow_tasks(struct tprof_target *target)
{
	int err = 0;

	mutex_lock(&targets_lock);
	if (list_empty(&targets))
		err = register_probes();
	if (!err)
		list_add_tail_rcu(&target->node, &targets);
	mutex_unlock(&targets_lock);
	/*
	 * Barrier P, pairs with do_exit(): make @target visible to probe_exit() before
	 * tprof_target_has_exited() reads whether a process has exited.
	 */
	smp_mb();
	return err;
}

static void unfollow_tasks(struct tprof_target *target)
{
	mutex_lock(&targets_lock);
	list_del_rcu(&target->node);
	if (list_empty(&targets))
		unregister_probes(ARRAY_SIZE(probes));
	mutex_unlock(&targets_lock);
	/* Wait until no probe uses the target any more. */
	tracepoint_synchronize_unregister();
}

static void destroy_target(struct tprof_target *target)
{
	kvfree(target->bits);
	kfree(target);
}

static struct tprof_target *create_target(struct delayed_work *empty_work)
{
	struct tprof_target *target;
	unsigned long *bits;

	target = kzalloc(sizeof(*target), TPROF_GFP);
	if (!target)
		return NULL;
	bits = kvcalloc(NR_BITMAPS * BITMAP_LONGS, sizeof(*bits), TPROF_GFP);
	if (!bits) {
		kfree(target);
		return NULL;
	}
	raw_spin_lock_init(&target->lock);
	target->bits = bits;
	target->empty_work = empty_work;
	target->all.pids = bits;
	target->all.tids = bits + BITMAP_LONGS;
	target->all.hosts = bits + 2 * BITMAP_LONGS;
	target->execs.pids = bits + 3 * BITMAP_LONGS;
	target->execs.tids = bits + 4 * BITMAP_LONGS;
	target->execs.hosts = target->all.hosts;
	target->heirs = bits + 5 * BITMAP_LONGS;
	target->present = bits + 6 * BITMAP_LONGS;
	return target;
}

/**
 * tprof_target_alloc - allocate a target without tasks
 * @empty_work:	work to queue when the last of its tasks exits. It may be queued, or run,
 *		until tprof_target_free() returns
 *
 * Context: process, may sleep.
 * Return: a target that follows tasks, or ERR_PTR() of -ENOMEM.
 */
struct tprof_target *tprof_target_alloc(struct delayed_work *empty_work)
{
	struct tprof_target *target = create_target(empty_work);
	int err;

	if (!target)
		return ERR_PTR(-ENOMEM);
	err = follow_tasks(target);
	if (err) {
		destroy_target(target);
		return ERR_PTR(err);
	}
	return target;
}

/**
 * tprof_target_free - free a target
 * @target:	target that no sampler uses, or NULL
 *
 * Context: process, may sleep.
 */
void tprof_target_free(struct tprof_target *target)
{
	if (!target)
		return;
	unfollow_tasks(target);
	destroy_target(target);
}
