// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - start and stop the events of a session
 *
 * Context: process, under the session lock.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mutex.h>

#include "base/grace.h"
#include "sample/sample.h"
#include "sample/sample_layout.h"
#include "session/attachment.h"
#include "session/attr.h"
#include "session/cpu_rings.h"
#include "session/seats.h"
#include "session/session_page.h"
#include "session/session_run.h"
#include "session/session_tracker.h"
#include "stream/stream.h"
#include "target/target.h"

/* Accept or reject overflows of the events in @mask. */
static void accept_overflows(struct tprof_session *session, u32 mask, bool is_open)
{
	unsigned long bits = mask;
	u32 i;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS)
		tprof_sample_accept(&session->events[i]->sampler, is_open);
}

/*
 * Reject overflows of events that were stopped. Wait for those that were accepted, after
 * which none of the events can stall. While an event stalls, the worker repeats its passes,
 * so the stalls do not last for the grace period.
 */
static void end_overflows(struct tprof_session *session, u32 mask)
{
	accept_overflows(session, mask, false);
	tprof_cpu_end_stalls(&session->crew, mask);
	tprof_grace_of_readers();
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

/*
 * Return the tasks whose samples an event has, or NULL for all. Any task can wake a target, for
 * example.
 */
static const struct tprof_tasks *sampled_tasks(struct tprof_session *session,
					       const struct tprof_pmu_event *pmu)
{
	if (pmu->targets && pmu->samples_others)
		return NULL;
	return pmu->targets ?: tprof_session_targets(session);
}

/* Return the tasks of the session, or NULL if others may come that are targets of another one. */
static struct tprof_tasks *constant_members(struct tprof_session *session)
{
	return session->target->names ? NULL : tprof_session_targets(session);
}

/* Set the targets of each event that does not run, and the gates of those that have one. */
static void set_targets(struct tprof_session *session)
{
	struct tprof_gate __percpu *gates = session->crew.gates;
	struct tprof_event *event;
	struct tprof_pmu_event *pmu;
	u32 i;

	for (i = 0; i < session->nr_events; i++) {
		if (session->crew.running & BIT(i) || !tprof_session_has(session, i))
			continue;
		event = session->events[i];
		pmu = &event->sampler.pmu;
		pmu->targets = gate_targets(session, event);
		pmu->members = pmu->targets ? constant_members(session) : NULL;
		pmu->openings = pmu->targets ? &gates->opening : NULL;
		event->sampler.parallelism = pmu->targets ? tprof_gate_parallelism(gates) : NULL;
		event->sampler.targets = sampled_tasks(session, pmu);
	}
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

static bool has_tallied_event(struct tprof_session *session)
{
	u32 i;

	for (i = 0; i < session->nr_events; i++) {
		if (tprof_session_has(session, i) &&
		    session->events[i]->sampler.pmu.is_tallied)
			return true;
	}
	return false;
}

/**
 * tprof_session_forget_threads - free the counts by thread
 *
 * Context: process, under the session lock, while no event runs.
 */
void tprof_session_forget_threads(struct tprof_session *session)
{
	tprof_tally_free(session->tally);
	session->tally = NULL;
}

static int alloc_tally(struct tprof_session *session)
{
	struct tprof_tally *tally = session->tally;

	if (!tally)
		tally = tprof_tally_alloc(session->crew.samplers, session->nr_events,
					  session->watcher, &session->stream.locked);
	if (IS_ERR(tally))
		return PTR_ERR(tally);
	session->tally = tally;
	return 0;
}

/*
 * Allocate the gates if the session has events for them, and targets to open them. An event may
 * be the first one that needs them, while others run. CPUs do not use gates before that event
 * runs.
 */
static int alloc_gates(struct tprof_session *session)
{
	const struct tprof_event *event = gated_event(session);
	bool is_tallied = has_tallied_event(session);
	int err;

	if (!event || !session->target || session->crew.gates)
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
	tprof_session_untrack(session);
	tprof_cpu_release(&session->crew);
	free_gates(session);
	tprof_stream_stop(&session->stream);
}

/**
 * tprof_session_stop_events - stop events
 * @mask:	events to stop; those that do not run are ignored
 *
 * When the last event has stopped, no CPU uses the session any more, for these reasons,
 * in the order of the calls:
 *
 * 1. tprof_cpu_stop(): no back end begins an overflow. A CPU that comes online
 *    does not get these events, as they are no longer in @running.
 * 2. accept_overflows(): a late NMI is rejected before it accesses the session.
 * 3. tprof_grace_of_readers(): overflows that were accepted before have returned. NMIs
 *    and hard interrupts are RCU readers. So no event stalls any more, and
 *    tprof_cpu_end_stalls() ends the stalls for good.
 * 4. tprof_tally_tell_all(): the gates have no events any more, so they write no
 *    READ record. This writes the last ones.
 * 5. tprof_session_untrack(): tracepoint probes, task work and module notifiers no longer
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

/**
 * tprof_session_set_watermark - use the lowest watermark of CONFIG and all events
 *
 * If events run, their CPUs use the old or the new value for a moment, which is as good.
 *
 * Context: process, under the session lock.
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
	/* A CPU that comes online gets its lane under this lock. */
	tprof_cpu_lock();
	tprof_stream_set_watermark(stream, watermark);
	tprof_cpu_unlock();
}

/*
 * Return true if all samples of the session are of targets, and so on CPUs of targets. Processes
 * that come may run on any CPU.
 */
static bool samples_targets_only(struct tprof_session *session)
{
	u32 i;

	if (session->target && session->target->names)
		return false;
	for (i = 0; i < session->nr_events; i++) {
		if (tprof_session_has(session, i) && session->events[i]->sampler.pmu.samples_others)
			return false;
	}
	return session->target;
}

static int choose_rings(struct tprof_session *session)
{
	struct tprof_crew *crew = &session->crew;

	if (samples_targets_only(session))
		tprof_target_find_cpus(session->target, crew->hosts);
	else
		cpumask_copy(crew->hosts, cpu_possible_mask);
	return tprof_cpu_choose_rings(crew, session->target && session->has_default_rings);
}

/* Prepare the session before the first of its events starts. */
static int begin_running(struct tprof_session *session)
{
	int err;

	tprof_locked_renew(&session->stream.locked);
	if (!tprof_session_is_draining(session))
		session->bygone = ~session->held;
	/* The tally of released events would keep out other events that count behind a gate. */
	if (!has_tallied_event(session))
		tprof_session_forget_threads(session);
	/* A task in read(2) checks under @read_lock whether the fifo exists. */
	mutex_lock(&session->stream.read_lock);
	err = tprof_stream_alloc(&session->stream);
	mutex_unlock(&session->stream.read_lock);
	if (err)
		return err;
	err = choose_rings(session);
	if (err)
		return err;
	/* All lanes that there are get the watermark, and those that are added. */
	tprof_session_set_watermark(session);
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
	err = tprof_session_track(session);
	if (err)
		end_running(session);
	return err;
}

/*
 * Prepare the session for further events, while others run. If one of the steps fails, the
 * earlier ones do no harm.
 */
static int extend_running(struct tprof_session *session)
{
	int err = alloc_gates(session);

	if (err)
		return err;
	set_targets(session);
	tprof_session_set_watermark(session);
	return tprof_session_track(session);
}

static int start_events(struct tprof_session *session, u32 mask)
{
	bool is_first = !session->crew.running;
	int err;

	lockdep_assert_held(&session->lock);
	err = is_first ? begin_running(session) : extend_running(session);
	if (err)
		return err;
	tprof_attachments_begin(session);
	accept_overflows(session, mask, true);
	err = tprof_seats_start(&session->crew, mask);
	if (!err) {
		tprof_attachments_end(session);
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

	if (mask && session->target && tprof_target_is_futile(session->target))
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
