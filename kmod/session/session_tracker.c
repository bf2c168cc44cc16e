// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the side-band records that the events of a session request
 *
 * Context: process, under the session lock.
 */
#include <linux/minmax.h>

#include "session/attr.h"
#include "session/session_tracker.h"

/*
 * Fill a tracker with what the events of the session request. The tracker
 * writes each record once, even if several events request it. All these records have
 * the id and the trailer of a single event: the first event with deferred chains or, if
 * there is none, the first event that requests any record. All events of a session have
 * the same clock.
 */
static void plan_tracker(struct tprof_session *session, struct tprof_tracker *tracker)
{
	struct tprof_sampler *sampler = NULL;
	struct tprof_event *event;
	const struct tprof_chain_plan *chain;
	u32 i, wants;

	tracker->targets = tprof_session_targets(session);
	tracker->wants = 0;
	tracker->frames = 0;
	tracker->stack_bytes = 0;
	tracker->tables = NULL;
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
			tracker->stack_bytes = max(tracker->stack_bytes, chain->stack_bytes);
		}
		if (tprof_chain_tables(chain)) {
			wants |= TPROF_TRACK_TABLES;
			tracker->tables = tprof_chain_tables(chain);
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
}

static bool is_same_tracker(const struct tprof_tracker *a, const struct tprof_tracker *b)
{
	return a->sampler == b->sampler && a->targets == b->targets && a->wants == b->wants &&
	       a->frames == b->frames && a->stack_bytes == b->stack_bytes &&
	       a->tables == b->tables;
}

/**
 * tprof_session_track - attach a tracker if an event of the session requests side-band records
 *
 * If one is attached, replace it if events that were added since request other records.
 *
 * Context: process, may sleep, under the session lock.
 * Return: 0, or the errors of tprof_track_attach().
 */
int tprof_session_track(struct tprof_session *session)
{
	struct tprof_tracker *old = session->tracker;
	struct tprof_tracker *new = &session->trackers[old == &session->trackers[0]];
	int err;

	plan_tracker(session, new);
	if (!new->sampler || (old && is_same_tracker(old, new)))
		return 0;
	err = old ? tprof_track_replace(old, new) : tprof_track_attach(new);
	if (!err)
		session->tracker = new;
	return err;
}

/**
 * tprof_session_untrack - detach the tracker, if one is attached
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_session_untrack(struct tprof_session *session)
{
	if (session->tracker)
		tprof_track_detach(session->tracker);
	session->tracker = NULL;
}
