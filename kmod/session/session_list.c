// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the list of all sessions
 *
 * Context: process. The lock of a session is taken inside list_lock, but not
 * waited for longer than 20 ms. EVENTS takes the locks of CPU hotplug and cpu.c inside it, too.
 */
#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/uidgid.h>

#include "session/session_list.h"
#include "session/session_report.h"

static DEFINE_MUTEX(list_lock);
static LIST_HEAD(sessions);

/**
 * tprof_session_enlist - add a session to the list
 * @session:	session of the current process
 */
void tprof_session_enlist(struct tprof_session *session)
{
	session->pid = task_tgid_nr(current);
	get_task_comm(session->comm, current->group_leader);
	session->uid = current_uid();
	mutex_lock(&list_lock);
	list_add_tail(&session->node, &sessions);
	mutex_unlock(&list_lock);
}

/**
 * tprof_session_delist - remove a session from the list
 * @session:	session in the list
 */
void tprof_session_delist(struct tprof_session *session)
{
	mutex_lock(&list_lock);
	list_del(&session->node);
	mutex_unlock(&list_lock);
}

/* A session without privileges may see those of the same user. */
static bool may_see(const struct tprof_session *viewer, const struct tprof_session *session)
{
	return !viewer->watcher ||
	       (session->watcher && uid_eq(viewer->watcher->uid, session->watcher->uid));
}

/* After the first session that stays busy, do not wait for others, either. */
static void describe_session(struct tprof_session *session,
			     struct tprof_lx_session *entry, bool *may_wait)
{
	struct tprof_lx_stats stats = {};

	entry->pid = session->pid;
	strscpy_pad(entry->comm, session->comm, sizeof(entry->comm));
	entry->nr_events = hweight32(READ_ONCE(session->held));
	if (tprof_session_sum(session, &stats, *may_wait)) {
		entry->state = TPROF_LX_STATE_BUSY;
		*may_wait = false;
		return;
	}
	entry->running = stats.running;
	entry->state = stats.state;
	entry->bytes_read = stats.bytes_read;
	entry->side_lost = stats.side_lost;
	entry->ledger = stats.ledger;
	entry->stalls = stats.stalls;
	entry->stalled_ns = stats.stalled_ns;
}

/**
 * tprof_session_list - describe the sessions that a session may see, the oldest first
 * @viewer:	session
 * @list:	result, zeroed by the caller
 * @room:	number of entries in @list
 *
 * Return: number of sessions, which may exceed @room.
 */
u32 tprof_session_list(const struct tprof_session *viewer, struct tprof_lx_session *list,
		       u32 room)
{
	struct tprof_session *session;
	bool may_wait = true;
	u32 nr = 0;

	mutex_lock(&list_lock);
	list_for_each_entry(session, &sessions, node) {
		if (!may_see(viewer, session))
			continue;
		if (nr < room)
			describe_session(session, &list[nr], &may_wait);
		nr++;
	}
	mutex_unlock(&list_lock);
	return nr;
}

/**
 * tprof_session_list_all_events - list the events of the sessions that a session may see, those of
 * the oldest one first
 * @viewer:	session
 * @list:	result; the caller sets @entries, @room and @cpu
 */
void tprof_session_list_all_events(const struct tprof_session *viewer,
				   struct tprof_event_list *list)
{
	struct tprof_session *session;

	list->nr = 0;
	list->may_wait = true;
	mutex_lock(&list_lock);
	list_for_each_entry(session, &sessions, node) {
		if (may_see(viewer, session))
			tprof_session_list_events(session, list);
	}
	mutex_unlock(&list_lock);
}
