// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a session: one open file of the device
 *
 * Context: process. A session changes only under its lock.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "base/gfp.h"
#include "base/params.h"
#include "rights/access.h"
#include "sample/sample_layout.h"
#include "session/attachment.h"
#include "session/event_end.h"
#include "session/session.h"
#include "session/session_run.h"
#include "session/session_table.h"
#include "stream/stream.h"
#include "target/target.h"

/* How often a session without targets looks for the end of their exits. */
#define EXIT_LOOK_MS	10

static atomic64_t last_number = ATOMIC64_INIT(0);

/** tprof_session_new_number - return a number that no session has had yet */
u64 tprof_session_new_number(void)
{
	return atomic64_inc_return(&last_number);
}

static struct tprof_session *session_of(struct tprof_stream *stream)
{
	return container_of(stream, struct tprof_session, stream);
}

/*
 * Context: the worker, without the session lock. That is safe, because this reads
 * only fields that never change after the event is added.
 */
static u32 write_lost(struct tprof_stream *stream, u32 index, int cpu, u64 lost,
		      void *buf)
{
	const struct tprof_sampler *sampler =
		&session_of(stream)->events[index]->sampler;

	BUILD_BUG_ON(TPROF_STREAM_LOST_BYTES <
		     sizeof(struct perf_event_header) + 5 * sizeof(u64));
	tprof_sample_write_lost(sampler, buf, cpu, lost);
	return tprof_sample_lost_bytes(sampler);
}

/* Context: the worker, without the session lock. Events of the crew do not change as they run. */
static void resume_stalled(struct tprof_stream *stream, struct tprof_lane *lane)
{
	tprof_cpu_resume(&session_of(stream)->crew, lane);
}

/*
 * Stop a session whose targets have all exited. Check that again, because ATTACH or
 * CONFIG may have added targets since the work was queued. Nothing reports the end of an
 * exit, so look again later if a target is still exiting: the rest of its exit counts.
 */
static void stop_without_targets(struct work_struct *work)
{
	struct tprof_session *session =
		container_of(to_delayed_work(work), struct tprof_session, empty_work);

	guard(mutex)(&session->lock);
	if (!session->target)
		return;
	tprof_target_remove_lost_threads(session->target);
	if (!session->crew.running || !tprof_target_is_over(session->target))
		return;
	if (tprof_target_is_exiting(session->target))
		schedule_delayed_work(&session->empty_work, msecs_to_jiffies(EXIT_LOOK_MS));
	else
		tprof_session_stop_events(session, ~0U);
}

/* Make the current task the watcher of a session. */
static int set_watcher(struct tprof_session *session)
{
	const struct cred *watcher;
	struct tprof_quota *quota;

	quota = tprof_quota_get(current_uid());
	if (IS_ERR(quota))
		return PTR_ERR(quota);
	watcher = tprof_access_watcher();
	if (IS_ERR(watcher)) {
		tprof_quota_put(quota);
		return PTR_ERR(watcher);
	}
	session->quota = quota;
	session->watcher = watcher;
	return 0;
}

static void unset_watcher(struct tprof_session *session)
{
	if (!session->watcher)
		return;
	put_cred(session->watcher);
	tprof_quota_put(session->quota);
}

static bool alloc_masks(struct tprof_crew *crew)
{
	if (!zalloc_cpumask_var(&crew->cpus, TPROF_GFP))
		return false;
	if (zalloc_cpumask_var(&crew->hosts, TPROF_GFP))
		return true;
	free_cpumask_var(crew->cpus);
	return false;
}

static void free_masks(struct tprof_crew *crew)
{
	free_cpumask_var(crew->cpus);
	free_cpumask_var(crew->hosts);
}

/* The administrator can change these. */
static unsigned long ring_bytes_of_root(void)
{
	return roundup_pow_of_two(tprof_params_ring_bytes());
}

static unsigned long fifo_bytes_of_root(void)
{
	return roundup_pow_of_two(tprof_params_fifo_bytes());
}

/* Without privileges, halve sizes until two such sessions fit into the user's locked memory. */
static unsigned long fit_size(const struct tprof_session *session, unsigned long bytes,
			      unsigned long min)
{
	size_t all = ring_bytes_of_root() / 4 * num_online_cpus() + fifo_bytes_of_root() / 8;

	return max(bytes >> tprof_locked_halvings(&session->stream.locked, all), min);
}

/**
 * tprof_session_ring_max - return the largest size of a ring in CONFIG
 *
 * Return: size in bytes, a power of two.
 */
unsigned long tprof_session_ring_max(const struct tprof_session *session)
{
	if (!session->watcher)
		return TPROF_RING_BYTES_MAX;
	return fit_size(session, ring_bytes_of_root() / 4, TPROF_RING_BYTES_MIN);
}

/** tprof_session_fifo_max - return the largest size of the queue in CONFIG */
unsigned long tprof_session_fifo_max(const struct tprof_session *session)
{
	if (!session->watcher)
		return TPROF_FIFO_BYTES_MAX;
	return fit_size(session, fifo_bytes_of_root() / 8, TPROF_FIFO_BYTES_MIN);
}

/** tprof_session_ring_default - return the size of a ring that CONFIG does not set */
unsigned long tprof_session_ring_default(const struct tprof_session *session)
{
	return session->watcher ? tprof_session_ring_max(session) : ring_bytes_of_root();
}

/** tprof_session_fifo_default - return the size of a queue that CONFIG does not set */
unsigned long tprof_session_fifo_default(const struct tprof_session *session)
{
	return session->watcher ? tprof_session_fifo_max(session) : fifo_bytes_of_root();
}

/**
 * tprof_session_alloc - allocate a session with the defaults
 * @has_privileges: the session may observe all tasks and the kernel, not only what the
 *		current task may observe
 *
 * Return: session, or ERR_PTR() of -ENOMEM or -EUSERS.
 */
struct tprof_session *tprof_session_alloc(bool has_privileges)
{
	struct tprof_session *session;
	int err = 0;

	session = kvzalloc(sizeof(*session), TPROF_GFP);
	if (!session)
		return ERR_PTR(-ENOMEM);
	if (!has_privileges)
		err = set_watcher(session);
	if (!err && !alloc_masks(&session->crew)) {
		unset_watcher(session);
		err = -ENOMEM;
	}
	if (err) {
		kvfree(session);
		return ERR_PTR(err);
	}
	mutex_init(&session->lock);
	mutex_init(&session->page_lock);
	INIT_DELAYED_WORK(&session->empty_work, stop_without_targets);
	session->is_trusted = ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
	session->number = tprof_session_new_number();
	session->crew.stream = &session->stream;
	INIT_LIST_HEAD(&session->crew.node);
	INIT_LIST_HEAD(&session->table_holds);
	INIT_LIST_HEAD(&session->attachments);
	cpumask_copy(session->crew.cpus, cpu_possible_mask);
	tprof_stream_setup(&session->stream, write_lost, resume_stalled);
	/* Root and the like have no limit of memory, as they have none of sessions. */
	if (session->watcher)
		tprof_locked_init(&session->stream.locked);
	session->has_default_rings = true;
	session->stream.ring_bytes = tprof_session_ring_default(session);
	session->stream.fifo_bytes = tprof_session_fifo_default(session);
	session->stream.period_ms = tprof_params_flush_ms();
	return session;
}

/**
 * tprof_session_free - stop and free a session
 * @session:	session with no open file, in no list
 *
 * device_release() calls this when the file is closed and no longer mapped, even if its
 * owner was killed.
 * tprof_session_stop_events() explains why nothing uses the session afterwards.
 * Unread records are discarded.
 */
void tprof_session_free(struct tprof_session *session)
{
	struct tprof_target *target;
	u32 i;

	mutex_lock(&session->lock);
	tprof_session_stop_events(session, ~0U);
	/* @empty_work may be waiting for the lock: it must find no target then. */
	target = session->target;
	session->target = NULL;
	tprof_attachments_free(session);
	mutex_unlock(&session->lock);

	tprof_stream_free(&session->stream);
	tprof_tally_free(session->tally);
	tprof_event_end_all(session->events, session->nr_events);
	for (i = 0; i < session->nr_events; i++)
		tprof_event_free(session->events[i]);
	tprof_session_put_tables(session);
	tprof_target_free(target);
	/* No target is left for which the work could be queued again. */
	cancel_delayed_work_sync(&session->empty_work);
	unset_watcher(session);
	free_masks(&session->crew);
	tprof_locked_uninit(&session->stream.locked);
	kvfree(session);
}
