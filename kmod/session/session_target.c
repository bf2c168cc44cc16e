// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the targets of a session: ATTACH and DETACH
 *
 * Context: process. The functions take the session lock.
 */
#include <linux/err.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "gate/gate.h"
#include "session/attachment.h"
#include "session/seats.h"
#include "session/session_page.h"
#include "session/session_target.h"
#include "target/target.h"
#include "target/target_attach.h"

/* Return a task with a reference, or NULL. @pid 0 is the caller. */
static struct task_struct *get_task(s32 pid)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid ? pid_task(find_vpid(pid), PIDTYPE_PID) : current;
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

/*
 * Return true if the stream lacks records of what @task has done before it becomes a target. A
 * session without privileges does not get them: the task may execute another program meanwhile,
 * which the session may not observe.
 */
static bool lacks_past(const struct tprof_session *session, const struct task_struct *task)
{
	return session->tracker && !session->watcher &&
	       !tprof_track_covers(session->tracker, task);
}

/* Gates are only on the CPUs of the session, and only while its events run. */
static void look_at_gates(const struct tprof_session *session)
{
	if (session->crew.running)
		tprof_gate_look_on(session->crew.cpus);
}

/* Attach the first target. On an error, the session still covers all processes. */
static int attach_first(struct tprof_session *session, struct task_struct *task, u32 flags)
{
	struct tprof_target *target;
	int err;

	target = tprof_target_alloc(&session->empty_work, session->watcher);
	if (IS_ERR(target))
		return PTR_ERR(target);
	err = tprof_target_attach(target, task, flags);
	if (err)
		tprof_target_free(target);
	else
		session->target = target;
	return err;
}

/* Attach a target while no event runs. START will report it. */
static int attach_early(struct tprof_session *session, struct task_struct *task, u32 flags)
{
	int err = tprof_attachment_add(session, task, flags);

	if (err)
		return err;
	if (session->target)
		err = tprof_seats_attach(&session->crew, session->target, task, flags);
	else
		err = attach_first(session, task, flags);
	if (err)
		tprof_attachment_drop(session, task, flags);
	return err;
}

static int attach_task(struct tprof_session *session, struct task_struct *task, u32 flags)
{
	bool is_stranger;
	int err;

	guard(mutex)(&session->lock);
	if (!tprof_session_may_attach(session, task, flags))
		return -EBUSY;
	if (!session->crew.running)
		return attach_early(session, task, flags);
	/* It covers all processes. */
	if (!session->target)
		return -EBUSY;
	is_stranger = lacks_past(session, task);
	/*
	 * These records are older than the first sample. What the task maps before it is a target
	 * is in the second ones.
	 */
	if (is_stranger)
		tprof_attachment_write_past(session, task, flags);
	err = tprof_seats_attach(&session->crew, session->target, task, flags);
	if (err)
		return err;
	if (is_stranger)
		tprof_attachment_write_past(session, task, flags);
	look_at_gates(session);
	tprof_attachment_note(session, TPROF_LX_ATTACH_PREFIX, task, flags);
	return 0;
}

static struct tprof_target *get_target(struct tprof_session *session)
{
	return session->target ?: tprof_target_alloc(&session->empty_work, NULL);
}

static int follow_names(struct tprof_session *session, struct tprof_names *names)
{
	struct tprof_target *target;

	guard(mutex)(&session->lock);
	if (session->crew.running || tprof_session_has_pages(session))
		return -EBUSY;
	if (session->target && session->target->names)
		return -EEXIST;
	target = get_target(session);
	if (IS_ERR(target))
		return PTR_ERR(target);
	tprof_target_set_names(target, names);
	session->target = target;
	return 0;
}

/**
 * tprof_session_follow - let processes become targets by their names
 * @arg:	argument of the ioctl, with at least one state
 * @states:	the states
 *
 * Return: 0, or the errors of TPROF_LX_IOC_FOLLOW; on an error, nothing changes.
 */
int tprof_session_follow(struct tprof_session *session, const struct tprof_lx_follow *arg,
			 const u8 *states)
{
	struct tprof_names *names;
	int err;

	/* A probe cannot ask the security modules of the kernel about a task. */
	if (session->watcher)
		return -EPERM;
	names = tprof_names_make(states, arg->nr_states, arg->flags & TPROF_LX_TARGET_ALONE);
	if (IS_ERR(names))
		return PTR_ERR(names);
	err = follow_names(session, names);
	if (err)
		kvfree(names);
	return err;
}

/**
 * tprof_session_nr_followed - count the processes that became targets by their names
 * @nr:		result
 *
 * Return: 0, or -ENOENT if none can.
 */
int tprof_session_nr_followed(struct tprof_session *session, u64 *nr)
{
	guard(mutex)(&session->lock);
	if (!session->target || !session->target->names)
		return -ENOENT;
	*nr = tprof_target_nr_followed(session->target);
	return 0;
}

static int detach_task(struct tprof_session *session, struct task_struct *task, u32 flags)
{
	int err;

	guard(mutex)(&session->lock);
	if (!session->target)
		return -EINVAL;
	err = tprof_target_detach(session->target, task, flags);
	if (err)
		return err;
	tprof_attachment_drop(session, task, flags);
	look_at_gates(session);
	tprof_attachment_note(session, TPROF_LX_DETACH_PREFIX, task, flags);
	return 0;
}

/* Call @change, which takes the session lock, with the task that @arg names. */
static int change_target(struct tprof_session *session, const struct tprof_lx_target *arg,
			 int (*change)(struct tprof_session *session,
				       struct task_struct *task, u32 flags))
{
	struct task_struct *task = get_task(arg->pid);
	int err;

	if (!task)
		return -ESRCH;
	err = change(session, task, arg->flags);
	put_task_struct(task);
	return err;
}

/**
 * tprof_session_attach - add a target
 * @arg:	argument of the ioctl
 *
 * Return: 0, or the errors of TPROF_LX_IOC_ATTACH; on an error, nothing changes.
 */
int tprof_session_attach(struct tprof_session *session,
			 const struct tprof_lx_target *arg)
{
	return change_target(session, arg, attach_task);
}

/**
 * tprof_session_detach - remove a target
 * @arg:	argument of the ioctl
 *
 * Return: 0, or the errors of TPROF_LX_IOC_DETACH; on an error, nothing changes.
 */
int tprof_session_detach(struct tprof_session *session,
			 const struct tprof_lx_target *arg)
{
	return change_target(session, arg, detach_task);
}
