// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - configuring a session: CONFIG, EVENT and RELEASE
 *
 * Context: process. The functions take the session lock. EVENT and RELEASE work at any time.
 * While an event runs, or the stopped session has unread records, CONFIG changes only what
 * needs no other buffers, CPUs and targets: tprof_session_adjust().
 */
#include <linux/log2.h>

#include "base/params.h"
#include "rights/rdpmc.h"
#include "session/attachment.h"
#include "session/attr.h"
#include "session/event_end.h"
#include "session/session.h"
#include "session/session_config.h"
#include "session/session_page.h"
#include "session/session_run.h"
#include "session/session_table.h"
#include "stream/reader.h"
#include "stream/stream.h"
#include "target/target.h"
#include "target/target_attach.h"

static bool is_busy(struct tprof_session *session)
{
	lockdep_assert_held(&session->lock);
	return session->crew.running || tprof_session_is_draining(session);
}

static int round_size(u64 *bytes, u64 fallback, u64 min, u64 max)
{
	if (!*bytes)
		*bytes = fallback;
	if (*bytes < min || *bytes > max)
		return -EINVAL;
	*bytes = roundup_pow_of_two(*bytes);
	return 0;
}

static int check_sizes(const struct tprof_session *session,
		       struct tprof_lx_config *config)
{
	if (round_size(&config->ring_bytes, tprof_session_ring_default(session),
		       TPROF_RING_BYTES_MIN, tprof_session_ring_max(session)) ||
	    round_size(&config->fifo_bytes, tprof_session_fifo_default(session),
		       TPROF_FIFO_BYTES_MIN, tprof_session_fifo_max(session)))
		return -EINVAL;
	return 0;
}

static int check_times(struct tprof_lx_config *config)
{
	if (!config->flush_ms)
		config->flush_ms = tprof_params_flush_ms();
	if (config->flush_ms < TPROF_FLUSH_MS_MIN ||
	    config->flush_ms > TPROF_FLUSH_MS_MAX)
		return -EINVAL;
	if (config->watermark > config->ring_bytes)
		return -EINVAL;
	return 0;
}

static void apply_config(struct tprof_session *session,
			 struct tprof_lx_config *config)
{
	/* A task in read(2) holds @read_lock, so it finds the old fifo or none. */
	mutex_lock(&session->stream.read_lock);
	tprof_stream_free(&session->stream);
	session->stream.ring_bytes = config->ring_bytes;
	session->stream.fifo_bytes = config->fifo_bytes;
	session->stream.period_ms = config->flush_ms;
	mutex_unlock(&session->stream.read_lock);
	session->watermark = config->watermark;
	tprof_session_set_watermark(session);
	config->watermark = session->stream.watermark;
}

/*
 * Pages of a queue that are mapped live on when CONFIG frees it. Without privileges, they would
 * then be locked memory that no user has.
 */
static int end_queue(struct tprof_session *session)
{
	return session->watcher ? tprof_reader_end_mmap(&session->stream) : 0;
}

static struct tprof_target *make_target(struct tprof_session *session, const s32 *pids,
					u32 nr)
{
	struct tprof_target *target;
	int err;

	if (!nr)
		return NULL;
	target = tprof_target_alloc(&session->empty_work, session->watcher);
	if (IS_ERR(target))
		return target;
	err = tprof_target_add(target, pids, nr);
	if (!err)
		return target;
	tprof_target_free(target);
	return ERR_PTR(err);
}

/**
 * tprof_session_configure - set the sizes, CPUs and processes of a session
 * @config:	argument of the ioctl; sizes are rounded in place
 * @cpus:	CPUs to run on
 * @targets:	@config->nr_targets process ids
 *
 * Return: 0, or the errors of TPROF_LX_IOC_CONFIG; on an error, nothing changes.
 */
int tprof_session_configure(struct tprof_session *session,
			    struct tprof_lx_config *config,
			    const struct cpumask *cpus, const s32 *targets)
{
	bool has_default_rings = !config->ring_bytes;
	struct tprof_target *target;
	int err;

	err = check_sizes(session, config) ?: check_times(config);
	if (err)
		return err;

	guard(mutex)(&session->lock);
	if (is_busy(session))
		return -EBUSY;
	target = make_target(session, targets, config->nr_targets);
	if (IS_ERR(target))
		return PTR_ERR(target);
	err = end_queue(session);
	if (err) {
		tprof_target_free(target);
		return err;
	}

	tprof_target_free(session->target);
	tprof_attachments_free(session);
	session->target = target;
	cpumask_copy(session->crew.cpus, cpus);
	session->has_default_rings = has_default_rings;
	apply_config(session, config);
	return 0;
}

/**
 * tprof_session_adjust - change what can change while events run
 * @config:	argument of the ioctl, with TPROF_LX_CONFIG_KEEP
 *
 * Return: 0, or -EINVAL; on an error, nothing changes.
 */
int tprof_session_adjust(struct tprof_session *session, struct tprof_lx_config *config)
{
	int err;

	if (config->ring_bytes || config->fifo_bytes || config->cpus || config->cpus_bytes ||
	    config->nr_targets || config->targets)
		return -EINVAL;
	guard(mutex)(&session->lock);
	config->ring_bytes = session->stream.ring_bytes;
	config->fifo_bytes = session->stream.fifo_bytes;
	err = check_times(config);
	if (err)
		return err;
	tprof_stream_set_period(&session->stream, config->flush_ms);
	session->watermark = config->watermark;
	tprof_session_set_watermark(session);
	config->watermark = session->stream.watermark;
	return 0;
}

static int check_pairs(struct tprof_session *session,
		       const struct tprof_event *event)
{
	int err = 0;
	u32 i;

	for (i = 0; i < session->nr_events && !err; i++) {
		if (tprof_session_has(session, i))
			err = tprof_event_check_pair(session->events[i], event);
	}
	return err;
}

/* Return the first event that has records, or NULL. */
static struct tprof_sampler *choose_speaker(struct tprof_session *session)
{
	u32 i;

	for (i = 0; i < session->nr_events; i++) {
		if (tprof_session_has(session, i) && session->events[i]->attr.sample_type)
			return &session->events[i]->sampler;
	}
	return NULL;
}

/*
 * The counts of threads have no room for another event that counts behind a gate. A clock does
 * not count.
 */
static bool fits_tally(const struct tprof_session *session, const struct tprof_pmu_event *pmu)
{
	if (!session->crew.running)
		return true;
	return !pmu->is_tallied && !(pmu->is_gated && pmu->ops->settle && session->tally);
}

/*
 * While the session is busy, records of released events may be unread, and the gates may have
 * been made for such an event. A reader must be able to distinguish these records from those of
 * a new event, and the gates must suit both events.
 */
static int check_released(struct tprof_session *session, const struct tprof_event *event)
{
	u32 i;

	if (!is_busy(session))
		return 0;
	if (!fits_tally(session, &event->sampler.pmu))
		return -EBUSY;
	for (i = 0; i < session->nr_events; i++) {
		if (!tprof_session_has(session, i) && !(session->bygone & BIT(i)) &&
		    tprof_event_check_pair(session->events[i], event))
			return -EBUSY;
	}
	return 0;
}

/*
 * Return true if nothing uses a released event any more: no worker, no side-band record and no
 * count of a thread. Unread records that are no samples may still have its id.
 */
static bool is_forgettable(const struct tprof_session *session, u32 index)
{
	if ((session->crew.running && session->tally) ||
	    (session->tracker && session->tracker->sampler == &session->events[index]->sampler))
		return false;
	return tprof_stream_is_settled(&session->stream, index);
}

/* Choose the index of a new event. Return -EBUSY if all were used, and none can be used again. */
static int choose_index(struct tprof_session *session)
{
	u32 i;

	if (session->nr_events < TPROF_LX_MAX_EVENTS)
		return session->nr_events;
	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		if (!tprof_session_has(session, i) &&
		    (!is_busy(session) || is_forgettable(session, i)))
			return i;
	}
	return -EBUSY;
}

/* Prepare an index for a new event. If it was used, free the released event. */
static void take_index(struct tprof_session *session, u32 index)
{
	if (index == session->nr_events) {
		session->nr_events++;
		return;
	}
	tprof_event_free(session->events[index]);
	tprof_stream_forget(&session->stream, index);
}

/*
 * The low bits of an id are the index, by which reader.c finds the event. The other
 * bits are the number of the session or, if the index was used before, a new number. So
 * no two events have the same id.
 */
static u64 new_id(struct tprof_session *session, u32 index)
{
	u64 number = index < session->nr_events ? tprof_session_new_number() : session->number;

	return number * TPROF_LX_MAX_EVENTS + index;
}

/* The reader may be looking for the events of records that do not need these values. */
static void set_sampling(struct tprof_stream *stream, const struct tprof_sampler *sampler)
{
	mutex_lock(&stream->read_lock);
	stream->has_ids = sampler->sample_type & PERF_SAMPLE_IDENTIFIER;
	stream->sole_event = sampler->pmu.index;
	mutex_unlock(&stream->read_lock);
}

static void install_event(struct tprof_session *session, struct tprof_event *event, u32 index)
{
	struct tprof_sampler *sampler = &event->sampler;
	u64 id = new_id(session, index);

	take_index(session, index);
	sampler->id = id;
	sampler->pmu.index = index;
	sampler->stream = &session->stream;
	sampler->pmu.owner.id = sampler->id;
	sampler->pmu.owner.event = index;
	session->crew.samplers[index] = sampler;
	session->events[index] = event;
	tprof_session_set_page(session, index, sampler->pmu.page ? &sampler->pmu : NULL);
	session->held |= BIT(index);
	session->bygone &= ~BIT(index);
	session->speaker = choose_speaker(session);
	if (tprof_attr_is_sampling(&event->attr))
		set_sampling(&session->stream, sampler);
}

/**
 * tprof_session_add - add an event
 * @attr:	attr of the event
 * @arg:	argument of the ioctl; its results are filled in
 * @cpus:	CPUs that it runs on, NULL for all of the session; on success, the event frees it
 *
 * Return: 0, or the errors of TPROF_LX_IOC_EVENT; on an error, nothing changes.
 */
int tprof_session_add(struct tprof_session *session,
		      const struct perf_event_attr *attr,
		      struct tprof_lx_event *arg, struct cpumask *cpus)
{
	struct tprof_event_owner owner;
	struct tprof_event *event;
	int err, index;

	/* A thread that reads its count page may be on any CPU, and so may targets that run. */
	if (cpus && arg->flags & (TPROF_LX_EVENT_PAGE | TPROF_LX_EVENT_PARALLELISM))
		return -EINVAL;
	guard(mutex)(&session->lock);
	if (session->held == GENMASK(TPROF_LX_MAX_EVENTS - 1, 0))
		return -ENOSPC;
	index = choose_index(session);
	if (index < 0)
		return index;
	err = arg->flags & TPROF_LX_EVENT_TABLES ? tprof_session_get_tables(session) : 0;
	if (err)
		return err;
	owner = (struct tprof_event_owner){
		.is_trusted = session->is_trusted,
		.watcher = session->watcher,
		.quota = session->quota,
		.tables = session->tables,
	};
	event = tprof_event_alloc(&owner, attr, arg);
	if (IS_ERR(event))
		return PTR_ERR(event);
	err = check_pairs(session, event) ?: check_released(session, event);
	if (!err && event->sampler.pmu.page)
		err = tprof_rdpmc_forbid_children();
	if (err) {
		tprof_event_end_all(&event, 1);
		tprof_event_free(event);
		return err;
	}
	event->sampler.cpus = cpus;
	if (!session->crew.running)
		tprof_session_forget_threads(session);
	install_event(session, event, index);
	arg->id = event->sampler.id;
	arg->index = event->sampler.pmu.index;
	arg->period = event->sampler.pmu.period;
	return 0;
}

/**
 * tprof_session_release - remove an event
 * @index:	index of the event, any number
 *
 * The description of the event's records stays until take_index(), because the tracker
 * and the worker may still use it.
 *
 * Return: 0, or -ENOENT if there is no such event.
 */
int tprof_session_release(struct tprof_session *session, u32 index)
{
	guard(mutex)(&session->lock);
	if (!tprof_session_has(session, index))
		return -ENOENT;
	tprof_session_stop_events(session, BIT(index));
	tprof_session_set_page(session, index, NULL);
	tprof_event_end_all(&session->events[index], 1);
	tprof_event_release(session->events[index]);
	session->held &= ~BIT(index);
	session->speaker = choose_speaker(session);
	return 0;
}
