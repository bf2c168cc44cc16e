// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - reports of a session: STATS and MARK
 *
 * Context: process. tprof_session_note() is called under the session lock; the other
 * functions take it.
 */
#include <linux/iopoll.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "base/mono.h"
#include "base/totals.h"
#include "pmu/pmu.h"
#include "sample/sideband.h"
#include "session/session_report.h"
#include "stream/stream.h"
#include "tables/budget.h"
#include "tables/object.h"

static enum tprof_lx_state state_of(struct tprof_session *session)
{
	if (session->crew.running)
		return TPROF_LX_STATE_RUNNING;
	if (tprof_session_is_draining(session))
		return TPROF_LX_STATE_DRAINING;
	return session->held ? TPROF_LX_STATE_ARMED :
				    TPROF_LX_STATE_IDLE;
}

/**
 * tprof_session_note - write a record with a number and a text into the stream
 * @prefix:	prefix of the record's path
 * @text:	rest of its path, shorter than TPROF_LX_MARK_LEN
 * @value:	id in the record
 *
 * Context: process, under the session lock.
 * Return: 0; -ENOENT if the session is not running, or if none of its events samples;
 * -ENOBUFS if the ring is full.
 */
int tprof_session_note(struct tprof_session *session, const char *prefix,
		       const char *text, u64 value)
{
	char path[sizeof(TPROF_LX_ATTACH_PREFIX) + TPROF_LX_MARK_LEN];
	struct {
		struct perf_event_header	header;
		u64				id;
	} record = {
		.header.type = PERF_RECORD_CGROUP,
		.id = value,
	};
	const struct tprof_sideband sideband = {
		.header = &record.header,
		.bytes = sizeof(record),
		.text = path,
		.task = current,
	};

	lockdep_assert_held(&session->lock);
	snprintf(path, sizeof(path), "%s%s", prefix, text);
	if (!session->crew.running || !session->speaker)
		return -ENOENT;
	if (!tprof_sideband_write(session->speaker, &sideband))
		return -ENOBUFS;
	return 0;
}

/**
 * tprof_session_mark - write a mark of the user into the stream
 * @mark:	argument of the ioctl; its text has a terminating zero
 *
 * Return: 0, or the errors of TPROF_LX_IOC_MARK.
 */
int tprof_session_mark(struct tprof_session *session,
		       const struct tprof_lx_mark *mark)
{
	guard(mutex)(&session->lock);
	return tprof_session_note(session, TPROF_LX_MARK_PREFIX, mark->text, mark->value);
}

static void add_lane(struct tprof_lx_stats *stats, struct tprof_lane *lane)
{
	u64 now = tprof_mono_ns();
	u32 i;

	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		if (stats->event != TPROF_LX_SUM && stats->event != i)
			continue;
		tprof_stats_add(stats, &lane->counts[i]);
		tprof_stats_add_stall(stats, &lane->stalls[i], now);
	}
	tprof_stats_add_side(stats, &lane->side);
	stats->rings_bytes += lane->ring.bytes;
}

static void add_of_cpu(struct tprof_session *session,
		       struct tprof_lx_stats *stats, int cpu)
{
	struct tprof_lane **lanes = session->stream.lanes;
	struct tprof_pmu_stats nmis = {};

	/* Races with a CPU that comes online and gets its lane. */
	if (lanes && READ_ONCE(lanes[cpu]))
		add_lane(stats, READ_ONCE(lanes[cpu]));
	/* These are of all sessions. */
	if (!session->watcher)
		tprof_pmu_read_stats(cpu, &nmis);
	stats->nmi_sampled += nmis.sampled;
	stats->nmi_late += nmis.late;
	stats->nmi_foreign += nmis.foreign;
	stats->nmi_collapsed += nmis.collapsed;
}

static void add_of_events(struct tprof_session *session,
			  struct tprof_lx_stats *stats, int cpu)
{
	const struct tprof_sampler *sampler;
	const struct tprof_pmu_event *event;
	struct tprof_pmu_yields yields = {};
	u32 i;

	for (i = 0; i < session->nr_events; i++) {
		if (stats->event != TPROF_LX_SUM && stats->event != i)
			continue;
		sampler = &session->events[i]->sampler;
		tprof_chain_add_counts(&sampler->chain, cpu, stats);
		event = &sampler->pmu;
		if (!tprof_session_has(session, i))
			continue;
		if (event->ops->slowed)
			stats->samples_slowed += event->ops->slowed(event, cpu);
		if (event->ops->add_yields)
			event->ops->add_yields(event, cpu, &yields);
	}
	stats->yields += yields.nr;
	stats->doubtful_ns += yields.doubtful_ns;
	stats->yielded_ns = max(stats->yielded_ns, yields.last_ns);
}

static void add_of_session(struct tprof_session *session,
			   struct tprof_lx_stats *stats)
{
	const struct tprof_stream *stream = &session->stream;

	stats->rounds = READ_ONCE(stream->rounds);
	stats->empty_rounds = READ_ONCE(stream->empty_rounds);
	stats->wakeups = READ_ONCE(stream->wakeups);
	stats->kicks = READ_ONCE(stream->kicks);
	stats->bytes_read = READ_ONCE(stream->bytes_read);
	if (stats->cpu == TPROF_LX_SUM)
		stats->side_lost += atomic64_read(&stream->side_laneless);
	stats->ring_bytes = stream->ring_bytes;
	stats->fifo_bytes = stream->fifo_bytes;
	stats->state = state_of(session);
	stats->running = session->crew.running;
}

static int fill_stats(struct tprof_session *session, struct tprof_lx_stats *stats)
{
	int cpu;

	lockdep_assert_held(&session->lock);
	if (stats->event != TPROF_LX_SUM && stats->event >= session->nr_events)
		return -ENOENT;
	for_each_possible_cpu(cpu) {
		if (stats->cpu != TPROF_LX_SUM && stats->cpu != cpu)
			continue;
		add_of_cpu(session, stats, cpu);
		add_of_events(session, stats, cpu);
	}
	add_of_session(session, stats);
	return 0;
}

/* Costs are of all sessions, too. */
static void add_cost(struct tprof_lx_stats *stats, int cpu)
{
	struct tprof_cost_sum cost = {};

	tprof_cost_add_total(cpu, &cost);
	stats->total_interrupts += cost.interrupts;
	stats->total_handler_ns += cost.handler_ns;
	stats->total_around_ns += cost.around_ns;
}

static void add_totals(struct tprof_lx_stats *stats)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (stats->cpu == TPROF_LX_SUM || stats->cpu == cpu)
			add_cost(stats, cpu);
	}
	stats->calls = tprof_totals_read(TPROF_TOTAL_CALLS);
	stats->calls_failed = tprof_totals_read(TPROF_TOTAL_CALLS_FAILED);
	stats->buffers = tprof_totals_read(TPROF_TOTAL_BUFFERS);
	stats->buffers_failed = tprof_totals_read(TPROF_TOTAL_BUFFERS_FAILED);
	stats->ipi_calls = tprof_totals_read(TPROF_TOTAL_IPI_CALLS);
	stats->cpu_works = tprof_totals_read(TPROF_TOTAL_CPU_WORKS);
	stats->grace_periods = tprof_totals_read(TPROF_TOTAL_GRACE_PERIODS);
	stats->total_lost = tprof_totals_read(TPROF_TOTAL_LOST);
	stats->total_side_lost = tprof_totals_read(TPROF_TOTAL_SIDE_LOST);
	stats->total_rounds = tprof_totals_read(TPROF_TOTAL_ROUNDS);
	stats->total_empty_rounds = tprof_totals_read(TPROF_TOTAL_EMPTY_ROUNDS);
	stats->total_kicks = tprof_totals_read(TPROF_TOTAL_KICKS);
	stats->total_stalls = tprof_totals_read(TPROF_TOTAL_STALLS);
	stats->tables = tprof_objects_count();
	stats->table_bytes = tprof_budget_used();
}

/**
 * tprof_session_stats - fill in the ledger and the statistics
 * @stats:	result; the caller sets @cpu and @event as in the ioctl, and
 *		zeroes all other fields
 *
 * Return: 0, or the errors of TPROF_LX_IOC_STATS.
 */
int tprof_session_stats(struct tprof_session *session,
			struct tprof_lx_stats *stats)
{
	/* These are of all sessions. */
	if (!session->watcher)
		add_totals(stats);
	guard(mutex)(&session->lock);
	return fill_stats(session, stats);
}

/**
 * tprof_session_try_lock - take the lock of a session that another task may use
 * @may_wait:	wait for another call to the session, but not longer than 20 ms
 *
 * A task of low priority can keep the session lock for long, for example if it attaches a
 * process with many descendants.
 *
 * Return: true if the lock was taken.
 */
bool tprof_session_try_lock(struct tprof_session *session, bool may_wait)
{
	bool is_locked = mutex_trylock(&session->lock);

	if (!is_locked && may_wait)
		read_poll_timeout(mutex_trylock, is_locked, is_locked, USEC_PER_MSEC,
				  20 * USEC_PER_MSEC, false, &session->lock);
	return is_locked;
}

/**
 * tprof_session_sum - fill in the sums over all events and CPUs
 * @session:	session, which another task may use
 * @stats:	result, zeroed by the caller
 * @may_wait:	as in tprof_session_try_lock()
 *
 * Return: 0, or -EBUSY.
 */
int tprof_session_sum(struct tprof_session *session, struct tprof_lx_stats *stats,
		      bool may_wait)
{
	int err;

	if (!tprof_session_try_lock(session, may_wait))
		return -EBUSY;
	stats->cpu = TPROF_LX_SUM;
	stats->event = TPROF_LX_SUM;
	err = fill_stats(session, stats);
	mutex_unlock(&session->lock);
	return err;
}
