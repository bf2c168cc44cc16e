/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a session: one open file of the device
 *
 *          EVENT          START             STOP of the last
 *   idle --------> armed --------> running ------------------> draining
 *                    ^                ^          START            |
 *                    |                +---------------------------+
 *                    +------------ all was read ------------------+
 *
 * The state is not stored. It follows from the number of events, the mask of running
 * events, and the unread records.
 *
 * "W: x" in the description of a member means: written by x only, or under lock x.
 */
#ifndef TPROF_SESSION_TYPES_H
#define TPROF_SESSION_TYPES_H

#include <linux/bits.h>
#include <linux/mutex.h>
#include <linux/uidgid.h>

#include "rights/quota.h"
#include "session/cpu.h"
#include "session/event.h"
#include "tables/object.h"
#include "target/target_types.h"
#include "track/track.h"

/**
 * struct tprof_session - an open file of the device: see above
 * @lock:	serialises changes of the session; outermost, taken before the CPU
 *		hotplug lock
 * @node:	entry in the list of all sessions; under the lock of the list
 * @pid:	process that opened it
 * @comm:	name of @pid
 * @uid:	user that opened it
 * @is_trusted:	opened with CAP_SYS_ADMIN
 * @watcher:	credentials of the opener, if it had no privileges: the session may observe
 *		only what they allow; NULL for a session with privileges
 * @quota:	quota of the opener, if the session has a @watcher
 * @number:	unique number of the session, from which event ids are derived
 * @events:	the events; W: @lock
 * @nr_events:	number of @events; W: @lock
 * @held:	mask of those @events that were not released. A released event stays in
 *		@events until its index is used again, because its records may be unread;
 *		W: @lock
 * @bygone:	mask of those released events of which no record was unread when the first of the
 *		running events started; bits without an event may be set. W: @lock
 * @page_lock:	protects @pages for mmap(2); taken inside @lock, and inside the lock of an
 *		address space
 * @pages:	for each index, the event if it has a count page, or NULL; W: @lock and
 *		@page_lock
 * @speaker:	first event that takes samples; marks carry its id; W: @lock
 * @crew:	the events and the CPUs that they run on; its @running changes only
 *		under both @lock and the cpu lock
 * @stream:	path of the records to the reader; has its own locks
 * @target:	tasks to sample and to count, NULL for all; W: @lock while no event runs
 * @attachments: targets that the next START reports; W: @lock
 * @tally:	counts by thread, kept until the next EVENT while no event runs; NULL if there
 *		are none. W: @lock while no event runs
 * @tables:	unwind tables, or NULL before the first TABLE, and before the first event with
 *		TPROF_LX_EVENT_TABLES; W: @lock
 * @table_holds: the tables that the session has given; W: @lock
 * @empty_work:	stops the session when all targets have exited
 * @tracker:	side-band records of the running events, one of @trackers; NULL if there are
 *		none. W: @lock
 * @trackers:	START replaces one by the other if the events want other records than before
 * @has_default_rings: CONFIG gave no size of rings; W: @lock
 * @watermark:	from CONFIG, 0 for the default; W: @lock
 */
struct tprof_session {
	struct mutex		lock; /* serialises changes; outermost */
	struct list_head	node;
	s32			pid;
	char			comm[TASK_COMM_LEN];
	kuid_t			uid;
	bool			is_trusted;
	const struct cred	*watcher;
	struct tprof_quota	*quota;
	u64			number;
	struct tprof_event	*events[TPROF_LX_MAX_EVENTS];
	u32			nr_events;
	u32			held;
	u32			bygone;
	struct mutex		page_lock; /* protects @pages for mmap(2) */
	struct tprof_pmu_event	*pages[TPROF_LX_MAX_EVENTS];
	struct tprof_sampler	*speaker;
	struct tprof_crew	crew;
	struct tprof_stream	stream;
	struct tprof_target	*target;
	struct list_head	attachments;
	struct tprof_tally	*tally;
	struct tprof_tables	*tables;
	struct list_head	table_holds;
	struct delayed_work	empty_work;
	struct tprof_tracker	*tracker;
	struct tprof_tracker	trackers[2];
	bool			has_default_rings;
	u32			watermark;
};

/* Return true if the session has an event of this index, which may be any number. */
static inline bool tprof_session_has(const struct tprof_session *session, u32 index)
{
	return index < TPROF_LX_MAX_EVENTS && session->held & BIT(index);
}

/**
 * tprof_session_is_draining - report whether a stopped session has unread records
 *
 * Context: process, under the session lock.
 * Return: true if records are left to read.
 */
static inline bool
tprof_session_is_draining(struct tprof_session *session)
{
	return !session->crew.running && session->stream.lanes &&
	       (!tprof_stream_is_drained(&session->stream) ||
		!tprof_fifo_is_empty(&session->stream.fifo));
}

/* Return all targets of the session, or NULL if it observes all tasks. */
static inline struct tprof_tasks *tprof_session_targets(struct tprof_session *session)
{
	return session->target ? &session->target->all : NULL;
}

#endif /* TPROF_SESSION_TYPES_H */
