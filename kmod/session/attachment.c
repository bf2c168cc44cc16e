// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - targets that were attached while no event ran
 *
 * Context: process, under the session lock.
 */
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "base/gfp.h"
#include "session/attachment.h"
#include "session/session_report.h"
#include "track/track_present.h"

/**
 * struct tprof_attachment - a target that START will report
 * @node:	entry in the list of the session
 * @pid:	id of the process, or with TPROF_LX_TARGET_THREAD of the thread
 * @flags:	enum tprof_lx_target_flag
 */
struct tprof_attachment {
	struct list_head	node;
	pid_t			pid;
	u32			flags;
};

static pid_t id_of(const struct task_struct *task, u32 flags)
{
	return flags & TPROF_LX_TARGET_THREAD ? task->pid : task->tgid;
}

/**
 * tprof_attachment_add - let the next START report a target
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 *
 * Return: 0 or -ENOMEM.
 */
int tprof_attachment_add(struct tprof_session *session, const struct task_struct *task, u32 flags)
{
	struct tprof_attachment *attachment = kmalloc(sizeof(*attachment), TPROF_GFP);

	if (!attachment)
		return -ENOMEM;
	attachment->pid = id_of(task, flags);
	attachment->flags = flags;
	list_add_tail(&attachment->node, &session->attachments);
	return 0;
}

static void free_attachment(struct tprof_attachment *attachment)
{
	list_del(&attachment->node);
	kfree(attachment);
}

/**
 * tprof_attachment_drop - undo the last tprof_attachment_add() of a target, if there is one
 * @task:	same as in tprof_attachment_add()
 * @flags:	same as in tprof_attachment_add()
 */
void tprof_attachment_drop(struct tprof_session *session, const struct task_struct *task,
			   u32 flags)
{
	struct tprof_attachment *attachment;

	list_for_each_entry_reverse(attachment, &session->attachments, node) {
		if (attachment->pid != id_of(task, flags) ||
		    (attachment->flags ^ flags) & TPROF_LX_TARGET_THREAD)
			continue;
		free_attachment(attachment);
		return;
	}
}

/** tprof_attachments_free - forget what the next START would report */
void tprof_attachments_free(struct tprof_session *session)
{
	struct tprof_attachment *attachment, *next;

	list_for_each_entry_safe(attachment, next, &session->attachments, node)
		free_attachment(attachment);
}

/* Return the task if it is still a target, with a reference, or NULL. */
static struct task_struct *get_attached(const struct tprof_session *session,
					const struct tprof_attachment *attachment)
{
	const struct tprof_target *target = session->target;
	bool is_thread = attachment->flags & TPROF_LX_TARGET_THREAD;
	struct task_struct *task = NULL;

	rcu_read_lock();
	if (test_bit(attachment->pid, is_thread ? target->all.tids : target->present))
		task = pid_task(find_pid_ns(attachment->pid, &init_pid_ns), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

/**
 * tprof_attachment_write_past - write records of what a target has done before
 * @session:	session with a tracker, and without a watcher
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 */
void tprof_attachment_write_past(const struct tprof_session *session, struct task_struct *task,
				 u32 flags)
{
	tprof_track_present(session->tracker, task,
			    !(flags & (TPROF_LX_TARGET_ALONE | TPROF_LX_TARGET_THREAD)));
}

/**
 * tprof_attachment_note - write a record of ATTACH or DETACH, if an event runs
 * @prefix:	TPROF_LX_ATTACH_PREFIX or TPROF_LX_DETACH_PREFIX
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 */
void tprof_attachment_note(struct tprof_session *session, const char *prefix,
			   struct task_struct *task, u32 flags)
{
	char comm[TASK_COMM_LEN];

	get_task_comm(comm, task);
	tprof_session_note(session, prefix, comm, id_of(task, flags));
}

static void visit_attached(struct tprof_session *session,
			   void (*visit)(struct tprof_session *session,
					 struct task_struct *task, u32 flags))
{
	struct tprof_attachment *attachment;
	struct task_struct *task;

	list_for_each_entry(attachment, &session->attachments, node) {
		task = get_attached(session, attachment);
		if (!task)
			continue;
		visit(session, task, attachment->flags);
		put_task_struct(task);
	}
}

static void write_past(struct tprof_session *session, struct task_struct *task, u32 flags)
{
	tprof_attachment_write_past(session, task, flags);
}

static void write_note(struct tprof_session *session, struct task_struct *task, u32 flags)
{
	tprof_attachment_note(session, TPROF_LX_ATTACH_PREFIX, task, flags);
}

/**
 * tprof_attachments_begin - report the names and mappings of attached targets
 *
 * Call this when the tracker is attached, and before the first event starts. As for ATTACH, a
 * session without privileges does not get these records.
 */
void tprof_attachments_begin(struct tprof_session *session)
{
	if (session->tracker && !session->watcher)
		visit_attached(session, write_past);
}

/** tprof_attachments_end - report each ATTACH when events have started, and forget it */
void tprof_attachments_end(struct tprof_session *session)
{
	visit_attached(session, write_note);
	tprof_attachments_free(session);
}
