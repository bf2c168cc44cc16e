// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a session: one open file of the device
 *
 * Context: process. A session changes only under its lock.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/log2.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "base/gfp.h"
#include "base/params.h"
#include "sample/sample.h"
#include "session/access.h"
#include "session/attr.h"
#include "session/seats.h"
#include "session/session.h"
#include "stream/stream.h"
#include "track/track.h"

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

/*
 * Context: the worker, without the session lock. Between START and the end of the last event,
 * the events of the crew do not change.
 */
static void resume_stalled(struct tprof_stream *stream, struct tprof_lane *lane)
{
	tprof_cpu_resume(&session_of(stream)->crew, lane);
}

/* Accept or reject overflows of the events in @mask. */
static void accept_overflows(struct tprof_session *session, u32 mask, bool is_open)
{
	unsigned long bits = mask;
	u32 i;

	/* Races with tprof_sample_overflow(). */
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS)
		WRITE_ONCE(session->events[i]->sampler.is_open, is_open);
}

/*
 * Reject overflows of events that were stopped. Wait for those that were accepted, after
 * which none of the events can stall.
 */
static void end_overflows(struct tprof_session *session, u32 mask)
{
	accept_overflows(session, mask, false);
	synchronize_rcu();
	tprof_cpu_end_stalls(&session->crew, mask);
}

/* Return the tasks that open the gate of an event, or NULL. */
static const struct tprof_tasks *
gate_targets(struct tprof_session *session, const struct tprof_event *event)
{
	const struct tprof_target *target = session->target;

	if (!target || !event->sampler.pmu.is_gated)
		return NULL;
	return event->attr.enable_on_exec ? &target->execs : &target->all;
}

static const struct tprof_tasks *all_targets(struct tprof_session *session)
{
	return session->target ? &session->target->all : NULL;
}

/*
 * Return the tasks whose samples an event has, or NULL for all. Any task can wake a target, for
 * example.
 */
static const struct tprof_tasks *sampled_tasks(struct tprof_session *session,
					       const struct tprof_pmu_event *pmu)
{
	if (pmu->targets && pmu->samples_others)
		return NULL;
	return pmu->targets ?: all_targets(session);
}

/* Set the targets of every event, and the gates of those that have one. */
static void set_targets(struct tprof_session *session)
{
	struct tprof_gate __percpu *gates = session->crew.gates;
	struct tprof_event *event;
	struct tprof_pmu_event *pmu;
	u32 i;

	for (i = 0; i < session->nr_events; i++) {
		event = session->events[i];
		pmu = &event->sampler.pmu;
		pmu->targets = gate_targets(session, event);
		pmu->members = pmu->targets ? all_targets(session) : NULL;
		pmu->openings = pmu->targets ? &gates->opening : NULL;
		event->sampler.targets = sampled_tasks(session, pmu);
	}
}

/*
 * Attach the tracker if an event of the session requests side-band records. The tracker
 * writes each record once, even if several events request it. All these records have
 * the id and the trailer of a single event: the first event with deferred chains or, if
 * there is none, the first event that requests any record. All events of a session have
 * the same clock.
 */
static int attach_tracker(struct tprof_session *session)
{
	struct tprof_tracker *tracker = &session->tracker;
	struct tprof_sampler *sampler = NULL;
	struct tprof_event *event;
	const struct tprof_unwind_limits *chain;
	u32 i, wants;

	tracker->targets = all_targets(session);
	tracker->wants = 0;
	tracker->frames = 0;
	for (i = 0; i < session->nr_events; i++) {
		if (!tprof_session_has(session, i))
			continue;
		event = session->events[i];
		wants = tprof_attr_wants(&event->attr);
		/* Records of modules have kernel addresses. */
		if (session->watcher)
			wants &= ~TPROF_TRACK_MODULE;
		chain = &event->sampler.chain;
		if (chain->deferred) {
			wants |= TPROF_TRACK_CHAIN;
			tracker->frames = max(tracker->frames, chain->frames);
		}
		/*
		 * Prefer an event with deferred chains: its trailers have the thread
		 * and the time, by which readers match a chain with samples.
		 */
		if (wants && (!sampler || (chain->deferred && !sampler->chain.deferred)))
			sampler = &event->sampler;
		tracker->wants |= wants;
		if (!event->sampler.targets)
			tracker->targets = NULL;
	}
	tracker->sampler = sampler;
	if (!sampler)
		return 0;
	return tprof_track_attach(tracker);
}

static void detach_tracker(struct tprof_session *session)
{
	if (session->tracker.sampler)
		tprof_track_detach(&session->tracker);
	session->tracker.sampler = NULL;
}

/*
 * Return an event with a gate, or NULL. All such events have the same
 * enable_on_exec.
 */
static const struct tprof_event *gated_event(struct tprof_session *session)
{
	u32 i;

	for (i = 0; i < session->nr_events; i++) {
		if (tprof_session_has(session, i) &&
		    session->events[i]->sampler.pmu.is_gated)
			return session->events[i];
	}
	return NULL;
}

static int alloc_tally(struct tprof_session *session)
{
	if (!session->tally)
		session->tally = tprof_tally_alloc(session->crew.samplers, session->nr_events);
	return session->tally ? 0 : -ENOMEM;
}

/* Allocate the gates if the session has events for them, and targets to open them. */
static int alloc_gates(struct tprof_session *session)
{
	const struct tprof_event *event = gated_event(session);
	bool is_tallied = event && event->sampler.pmu.is_tallied;
	int err;

	if (!event || !session->target)
		return 0;
	err = is_tallied ? alloc_tally(session) : 0;
	if (err)
		return err;
	return tprof_gate_alloc(&session->crew.gates, gate_targets(session, event),
				is_tallied ? session->tally : NULL);
}

static void free_gates(struct tprof_session *session)
{
	tprof_gate_free(session->crew.gates);
	session->crew.gates = NULL;
}

static void end_running(struct tprof_session *session)
{
	if (session->tally)
		tprof_tally_tell_all(session->tally);
	detach_tracker(session);
	tprof_cpu_release(&session->crew);
	free_gates(session);
	tprof_stream_stop(&session->stream);
}

/**
 * tprof_session_stop_events - stop events
 * @session:	session
 * @mask:	events to stop; those that do not run are ignored
 *
 * When the last event has stopped, no CPU uses the session any more, for these reasons,
 * in the order of the calls:
 *
 * 1. tprof_cpu_stop(): no back end begins an overflow. A CPU that comes online
 *    does not get these events, as they are no longer in @running.
 * 2. accept_overflows(): a late NMI is rejected before it accesses the session.
 * 3. synchronize_rcu(): overflows that were accepted before have returned. NMIs
 *    and hard interrupts are RCU readers. So no event stalls any more, and
 *    tprof_cpu_end_stalls() ends the stalls for good.
 * 4. tprof_tally_tell_all(): the gates have no events any more, so they write no
 *    READ record. This writes the last ones.
 * 5. detach_tracker(): tracepoint probes, task work and module notifiers no longer
 *    use the tracker. Now no CPU writes to a lane (its ring and counts).
 * 6. tprof_cpu_release(): a CPU that comes online gets no lane.
 * 7. tprof_stream_stop(): the irq_works of the lanes have run, and none is
 *    queued, as only CPUs that write to a lane queue them. The worker moves the
 *    remaining records.
 *
 * Then only the worker still runs; tprof_stream_free() waits for it.
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_session_stop_events(struct tprof_session *session, u32 mask)
{
	lockdep_assert_held(&session->lock);
	mask &= session->crew.running;
	if (!mask)
		return;
	tprof_cpu_stop(&session->crew, mask);
	end_overflows(session, mask);
	tprof_debug(TPROF_TOPIC_SESSION, "session %llu stopped %#x\n",
		    session->number, mask);
	if (!session->crew.running)
		end_running(session);
}

/* Prepare the session before the first of its events starts. */
static int begin_running(struct tprof_session *session)
{
	int err;

	/* A task in read(2) checks under @read_lock whether the fifo exists. */
	mutex_lock(&session->stream.read_lock);
	err = tprof_stream_alloc(&session->stream);
	mutex_unlock(&session->stream.read_lock);
	if (err)
		return err;
	err = alloc_gates(session);
	if (err)
		return err;
	err = tprof_cpu_prepare(&session->crew);
	if (err) {
		free_gates(session);
		return err;
	}
	tprof_stream_start(&session->stream);
	if (session->tally)
		tprof_tally_begin(session->tally, session->speaker);
	set_targets(session);
	err = attach_tracker(session);
	if (err) {
		session->tracker.sampler = NULL;
		end_running(session);
	}
	return err;
}

static int start_events(struct tprof_session *session, u32 mask)
{
	bool is_first = !session->crew.running;
	int err;

	lockdep_assert_held(&session->lock);
	if (is_first) {
		err = begin_running(session);
		if (err)
			return err;
	}
	accept_overflows(session, mask, true);
	err = tprof_seats_start(&session->crew, mask);
	if (!err) {
		tprof_debug(TPROF_TOPIC_SESSION, "session %llu started %#x\n",
			    session->number, mask);
		return 0;
	}
	end_overflows(session, mask);
	if (is_first)
		end_running(session);
	return err;
}

static u32 degraded_events(struct tprof_session *session)
{
	unsigned long bits = session->crew.running;
	struct tprof_pmu_event *event;
	u32 i, mask = 0;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		event = &session->events[i]->sampler.pmu;
		if (event->ops->is_degraded && event->ops->is_degraded(event))
			mask |= BIT(i);
	}
	return mask;
}

/*
 * In a session with targets, an event that only counts must have a gate, or it would
 * count all processes. An event with a gate needs targets. If the last target exits after
 * this check, @empty_work stops the events.
 */
static int check_targets(struct tprof_session *session, u32 mask)
{
	unsigned long bits = mask;
	const struct tprof_event *event;
	u32 i;

	if (mask && session->target && tprof_target_is_empty(session->target))
		return -ESRCH;
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		event = session->events[i];
		if (event->sampler.pmu.is_gated) {
			if (!session->target)
				return -ESRCH;
		} else if (session->target && !tprof_attr_is_sampling(&event->attr)) {
			return -EINVAL;
		}
	}
	return 0;
}

/*
 * Return true if the longest samples fit. A ring must have space for a
 * LOST_SAMPLES record and the longest sample, else it would always refuse that
 * sample. The sample must also fit into half of the fifo, because a pass that
 * found the fifo full continues when half of it is free (tprof_pass_run()).
 */
static bool samples_fit(struct tprof_session *session, u32 mask)
{
	unsigned long ring = tprof_ring_sample_bytes(session->stream.ring_bytes);
	unsigned long fifo = session->stream.fifo_bytes / 2;
	const struct tprof_sampler *sampler;
	unsigned long bits = mask;
	u32 i, bytes;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		sampler = &session->events[i]->sampler;
		bytes = sampler->max_bytes;
		if (bytes > fifo ||
		    bytes + tprof_sample_lost_bytes(sampler) > ring)
			return false;
	}
	return true;
}

/**
 * tprof_session_start - start events
 * @session:	session
 * @arg:	argument of the ioctl; its results are filled in
 *
 * Return: 0, or the errors of TPROF_LX_IOC_START; on an error, no event was started.
 */
int tprof_session_start(struct tprof_session *session,
			struct tprof_lx_mask *arg)
{
	u32 mask;
	int err;

	guard(mutex)(&session->lock);
	mask = arg->mask & session->held;
	if (!mask)
		return -ENOENT;
	mask &= ~session->crew.running;
	err = check_targets(session, mask) ?: tprof_session_check_pages(session, mask);
	if (err)
		return err;
	if (!samples_fit(session, mask))
		return -EMSGSIZE;
	if (mask) {
		err = start_events(session, mask);
		if (err)
			return err;
	}
	arg->mask = session->crew.running;
	arg->degraded = degraded_events(session);
	return 0;
}

/**
 * tprof_session_stop - stop events
 * @session:	session
 * @arg:	argument of the ioctl; its results are filled in
 *
 * Return: 0.
 */
int tprof_session_stop(struct tprof_session *session,
		       struct tprof_lx_mask *arg)
{
	guard(mutex)(&session->lock);
	tprof_session_stop_events(session, arg->mask);
	arg->mask = session->crew.running;
	arg->degraded = degraded_events(session);
	return 0;
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
	if (!session->crew.running || !session->target ||
	    !tprof_target_is_empty(session->target))
		return;
	if (tprof_target_is_exiting(session->target))
		schedule_delayed_work(&session->empty_work, msecs_to_jiffies(EXIT_LOOK_MS));
	else
		tprof_session_stop_events(session, ~0U);
}

/**
 * tprof_session_set_watermark - use the lowest watermark of CONFIG and all events
 * @session:	session
 *
 * Context: process, under the session lock, while no event runs.
 */
void tprof_session_set_watermark(struct tprof_session *session)
{
	struct tprof_stream *stream = &session->stream;
	const struct perf_event_attr *attr;
	unsigned long watermark;
	u32 i;

	watermark = session->watermark ? session->watermark :
					 stream->ring_bytes / 2;
	for (i = 0; i < session->nr_events; i++) {
		if (!tprof_session_has(session, i))
			continue;
		attr = &session->events[i]->attr;
		if (attr->watermark && attr->wakeup_watermark < watermark)
			watermark = attr->wakeup_watermark;
	}
	stream->doorbell.watermark = watermark;
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
	if (!err && !zalloc_cpumask_var(&session->crew.cpus, TPROF_GFP)) {
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
	cpumask_copy(session->crew.cpus, cpu_possible_mask);
	tprof_stream_setup(&session->stream, write_lost, resume_stalled);
	session->stream.ring_bytes =
		roundup_pow_of_two(tprof_params_ring_bytes());
	session->stream.fifo_bytes =
		roundup_pow_of_two(tprof_params_fifo_bytes());
	session->stream.period_ms = tprof_params_flush_ms();
	tprof_session_set_watermark(session);
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
	mutex_unlock(&session->lock);

	tprof_stream_free(&session->stream);
	tprof_tally_free(session->tally);
	for (i = 0; i < session->nr_events; i++)
		tprof_event_free(session->events[i]);
	tprof_target_free(target);
	/* No target is left for which the work could be queued again. */
	cancel_delayed_work_sync(&session->empty_work);
	unset_watcher(session);
	free_cpumask_var(session->crew.cpus);
	kvfree(session);
}
