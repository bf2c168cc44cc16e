// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - targets follow forks, execs and exits, names, and credentials
 *
 * Context: probes are preemptible on kernels newer than 6.18, except that of credentials. The
 * other functions are called in process context.
 */
#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "base/grace.h"
#include "base/tracepoints.h"
#include "gate/gate.h"
#include "rights/access.h"
#include "target/target_cred.h"
#include "target/target_follow.h"
#include "target/target_tree.h"

/* Protects the list of targets; taken inside the session lock. */
static DEFINE_MUTEX(targets_lock);
static LIST_HEAD(targets);

/**
 * tprof_target_remove_thread - remove a thread that is a target by itself
 * @tid:	id of the thread
 *
 * Context: any but NMI, under @target->lock.
 * Return: true if it was in @target.
 */
bool tprof_target_remove_thread(struct tprof_target *target, pid_t tid)
{
	lockdep_assert_held(&target->lock);
	if (!tprof_target_put_bit(tid, target->all.tids, false))
		return false;
	tprof_target_put_bit(tid, target->execs.tids, false);
	WRITE_ONCE(target->nr_present, target->nr_present - 1);
	return true;
}

/**
 * tprof_target_remove_process - remove a process
 * @tgid:	id of the process
 *
 * Context: any but NMI, under @target->lock.
 * Return: true if it was in @target and has not exited.
 */
bool tprof_target_remove_process(struct tprof_target *target, pid_t tgid)
{
	lockdep_assert_held(&target->lock);
	tprof_target_put_bit(tgid, target->all.pids, false);
	tprof_target_put_bit(tgid, target->execs.pids, false);
	tprof_target_put_bit(tgid, target->heirs, false);
	if (!tprof_target_put_bit(tgid, target->present, false))
		return false;
	WRITE_ONCE(target->nr_present, target->nr_present - 1);
	return true;
}

static void remove_threads(struct tprof_target *target, const struct task_struct *task)
{
	struct task_struct *thread;

	rcu_read_lock();
	for_each_thread(task, thread)
		tprof_target_remove_thread(target, thread->pid);
	rcu_read_unlock();
}

/**
 * tprof_target_expel - remove a process and all its threads
 * @task:	any thread of the process
 *
 * Context: any but NMI, under @target->lock.
 * Return: true if the caller must queue @target->empty_work.
 */
bool tprof_target_expel(struct tprof_target *target, const struct task_struct *task)
{
	u32 before = target->nr_present;
	bool was_host;

	lockdep_assert_held(&target->lock);
	tprof_target_remove_process(target, task->tgid);
	was_host = tprof_target_put_bit(task->tgid, target->all.hosts, false);
	if (was_host)
		remove_threads(target, task);
	return tprof_target_note_end(target, before) || (was_host && target->nr_present);
}

static bool may_observe(const struct tprof_target *target, const struct cred *cred)
{
	return !target->watcher || tprof_access_allows(target->watcher, cred);
}

/**
 * struct task_change - what happens to a task
 * @task:	the task
 * @old_pid:	its id before execve(2); valid for follow_exec()
 * @cred:	its credentials, NULL if no watcher may observe it; not for follow_exit()
 */
struct task_change {
	const struct task_struct	*task;
	pid_t				old_pid;
	const struct cred		*cred;
};

/*
 * Remove the task's process if the watcher may not observe the task's credentials. See
 * tprof_target_expel() for the return.
 */
static bool expel_stranger(struct tprof_target *target, const struct task_change *change)
{
	lockdep_assert_held(&target->lock);
	return !may_observe(target, change->cred) && tprof_target_expel(target, change->task);
}

/*
 * Count a child that becomes a target by its name alone. Its parent is a target, so that the
 * stream has the mappings that the child begins with.
 */
static bool is_named_child(struct tprof_target *target, const struct task_struct *parent,
			   const struct task_struct *child)
{
	lockdep_assert_held(&target->lock);
	if (!test_bit(parent->tgid, target->present) ||
	    !tprof_names_accept(target->names, child->comm))
		return false;
	target->names->nr_followed++;
	return true;
}

static void follow_fork(struct tprof_target *target, const struct task_struct *parent,
			const struct task_struct *child)
{
	bool is_heir, is_member, was_added;

	lockdep_assert_held(&target->lock);
	/* The bit may be left from a thread that was killed in execve(2): see follow_exec(). */
	tprof_target_remove_thread(target, child->pid);
	if (child->tgid == parent->tgid)
		return;
	/* clone(2) may have put the child into a user namespace of its own. */
	is_heir = test_bit(parent->tgid, target->heirs) &&
		  may_observe(target, __task_cred(child));
	/* The child is in the list of tasks already, so CONFIG or ATTACH may have added it. */
	was_added = test_bit(child->tgid, target->present);
	if (was_added && !is_heir) {
		tprof_target_put_bit(child->tgid, target->execs.pids, false);
		return;
	}
	is_member = is_heir || is_named_child(target, parent, child);
	tprof_target_put_bit(child->tgid, target->all.pids, is_member);
	tprof_target_put_bit(child->tgid, target->heirs, is_heir);
	tprof_target_put_bit(child->tgid, target->present, is_member);
	tprof_target_put_bit(child->tgid, target->execs.pids,
			     is_member && test_bit(parent->tgid, target->execs.pids));
	tprof_target_put_bit(child->tgid, target->all.hosts, false);
	if (target->added)
		__assign_bit(child->tgid, target->added,
			     is_heir && test_bit(parent->tgid, target->added));
	if (is_member && !was_added)
		tprof_target_add_present(target);
}

/*
 * If the task did not lead its process, execve(2) has given it the id of the leader. See
 * expel_stranger() for the return.
 */
static bool follow_exec(struct tprof_target *target, const struct task_change *change)
{
	const struct task_struct *task = change->task;
	pid_t old_pid = change->old_pid;

	lockdep_assert_held(&target->lock);
	if (old_pid != task->pid &&
	    tprof_target_put_bit(old_pid, target->all.tids, false)) {
		tprof_target_put_bit(old_pid, target->execs.tids, false);
		tprof_target_put_bit(task->pid, target->all.tids, true);
		/*
		 * execve(2) changes the id before it calls commit_creds(). So on_credentials()
		 * may have cleared this bit without finding the thread by its old id.
		 */
		tprof_target_put_bit(task->tgid, target->all.hosts, true);
	}
	if (test_bit(task->pid, target->all.tids))
		tprof_target_put_bit(task->pid, target->execs.tids, true);
	if (test_bit(task->tgid, target->all.pids))
		tprof_target_put_bit(task->tgid, target->execs.pids, true);
	return expel_stranger(target, change);
}

/*
 * The process stays in @all, so that the rest of its exit counts. If several threads find
 * that their process has exited, the first of them removes it from @present. Return true if
 * the task was the last of the present tasks, or if those that are left may be lost threads:
 * see tprof_target_remove_lost_threads().
 */
static bool follow_exit(struct tprof_target *target, const struct task_change *change)
{
	const struct task_struct *task = change->task;
	bool is_end = tprof_target_has_exited(task);
	u32 before = target->nr_present;

	lockdep_assert_held(&target->lock);
	tprof_target_remove_thread(target, task->pid);
	if (is_end && tprof_target_put_bit(task->tgid, target->present, false))
		WRITE_ONCE(target->nr_present, target->nr_present - 1);
	return tprof_target_note_end(target, before) ||
	       (target->nr_present && is_end && test_bit(task->tgid, target->all.hosts));
}

/*
 * Let each target follow @change by @follow, one of the functions above, and let the
 * session know if that may have been its last present task. Then open and close the gates of this
 * CPU.
 */
static void follow_all(bool (*follow)(struct tprof_target *target,
				      const struct task_change *change),
		       const struct task_change *change)
{
	struct tprof_target *target;
	unsigned long flags;
	bool may_be_over;

	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node) {
		raw_spin_lock_irqsave(&target->lock, flags);
		may_be_over = follow(target, change);
		raw_spin_unlock_irqrestore(&target->lock, flags);
		if (may_be_over)
			schedule_delayed_work(target->empty_work, 0);
	}
	rcu_read_unlock();
	tprof_gate_look();
}

/* Runs before the child can run. */
static void probe_fork(void *data, struct task_struct *parent,
		       struct task_struct *child)
{
	struct tprof_target *target;
	unsigned long flags;
	bool is_over;
	u32 before;

	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node) {
		raw_spin_lock_irqsave(&target->lock, flags);
		before = target->nr_present;
		follow_fork(target, parent, child);
		is_over = tprof_target_note_end(target, before);
		raw_spin_unlock_irqrestore(&target->lock, flags);
		if (is_over)
			schedule_delayed_work(target->empty_work, 0);
	}
	rcu_read_unlock();
}

/* Add a process that calls execve(2), unless it is a target already. */
static void follow_name(struct tprof_target *target, const struct task_struct *task)
{
	lockdep_assert_held(&target->lock);
	if (tprof_target_has_process(target, task) ||
	    tprof_target_insert_process(target, task, !target->names->is_alone))
		return;
	target->names->nr_followed++;
}

/*
 * Runs in @task before it has the name @comm. In execve(2), that is before it maps the program,
 * and after its other threads have ended. So the records of the mappings and of the name are
 * those of a target, as this probe runs before that of `track`. A session with names has no
 * watcher.
 */
static void probe_rename(void *data, struct task_struct *task, const char *comm)
{
	struct tprof_target *target;
	unsigned long flags;
	bool is_any = false;

	if (task != current || !task->in_execve)
		return;
	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node) {
		/* Barrier Y, pairs with tprof_target_set_names(). */
		if (!tprof_names_accept(smp_load_acquire(&target->names), comm))
			continue;
		raw_spin_lock_irqsave(&target->lock, flags);
		follow_name(target, task);
		raw_spin_unlock_irqrestore(&target->lock, flags);
		is_any = true;
	}
	rcu_read_unlock();
	if (is_any)
		tprof_gate_look();
}

/*
 * Runs in @task, before the first instruction of the program. Open the gates that @task
 * opens from now on, and close those of a watcher that may not observe the program. As in
 * perf, that is so if the program's memory may not be dumped.
 */
static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	struct task_change change = { .task = task, .old_pid = old_pid, .cred = current_cred() };

	if (!tprof_task_is_dumpable(task))
		change.cred = NULL;
	follow_all(follow_exec, &change);
}

/* Runs in @task. If @task was a target as a single thread, close its gates. */
TPROF_EXIT_PROBE(probe_exit)
{
	const struct task_change change = { .task = task };

	follow_all(follow_exit, &change);
}

/* The build fails if the prototype of a probe differs from its tracepoint's. */
static void __maybe_unused check_target_probes(void)
{
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exec(probe_exec);
	check_trace_callback_type_sched_process_exit(probe_exit);
	check_trace_callback_type_task_rename(probe_rename);
}

static const struct {
	const char	*tracepoint;
	void		*probe;
	int		(*attach)(const char *name, void *probe, void *data);
} probes[] = {
	{ "sched_process_fork", probe_fork, tprof_tracepoint_register },
	{ "sched_process_exec", probe_exec, tprof_tracepoint_register },
	{ "sched_process_exit", probe_exit, tprof_tracepoint_register },
	{ "task_rename", probe_rename, tprof_tracepoint_register_first },
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
		err = probes[i].attach(probes[i].tracepoint, probes[i].probe, NULL);
		if (err) {
			unregister_probes(i);
			return err;
		}
	}
	return 0;
}

/* This task gets or has the credentials @cred. Close the gates of watchers that may not see it. */
static void expel_current(const struct cred *cred)
{
	const struct task_change change = { .task = current, .cred = cred };

	follow_all(expel_stranger, &change);
}

static int use_probes(const struct tprof_target *target)
{
	int err = list_empty(&targets) ? register_probes() : 0;

	if (err || !target->watcher)
		return err;
	err = tprof_target_cred_use(expel_current);
	if (err && list_empty(&targets))
		unregister_probes(ARRAY_SIZE(probes));
	return err;
}

/**
 * tprof_target_follow - let a target follow its tasks
 *
 * Context: process, may sleep, without the CPU hotplug lock.
 * Return: 0, or -errno if this kernel lacks a probe.
 */
int tprof_target_follow(struct tprof_target *target)
{
	int err;

	mutex_lock(&targets_lock);
	err = use_probes(target);
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

/**
 * tprof_target_unfollow - undo tprof_target_follow()
 *
 * When it returns, no probe uses @target.
 *
 * Context: same as tprof_target_follow().
 */
void tprof_target_unfollow(struct tprof_target *target)
{
	mutex_lock(&targets_lock);
	list_del_rcu(&target->node);
	if (target->watcher)
		tprof_target_cred_unuse();
	if (list_empty(&targets))
		unregister_probes(ARRAY_SIZE(probes));
	mutex_unlock(&targets_lock);
	/* Wait until no probe uses the target any more. */
	tprof_grace_of_probes();
}
