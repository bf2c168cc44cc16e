// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the counts of a session: READ and WRITE
 *
 * Context: process. Reading works while events run.
 */
#include <linux/bits.h>

#include "session/attr.h"
#include "session/cpu_count.h"
#include "session/session_count.h"
#include "session/session_page.h"

/**
 * tprof_session_read - read a count
 * @count:	argument of the ioctl; its results are filled in
 *
 * Return: 0, or the errors of TPROF_LX_IOC_READ.
 */
int tprof_session_read(struct tprof_session *session,
		       struct tprof_lx_count *count)
{
	guard(mutex)(&session->lock);
	if (!tprof_session_has(session, count->event))
		return -ENOENT;
	if (!session->crew.samplers[count->event]->pmu.ops->read)
		return -EOPNOTSUPP;
	tprof_cpu_read(&session->crew, count->event, count);
	return 0;
}

/**
 * tprof_session_threads - list the counts of an event by thread
 * @arg:	argument of the ioctl; its results are filled in
 * @threads:	result: threads
 * @room:	capacity of @threads
 *
 * Return: 0, or the errors of TPROF_LX_IOC_THREADS.
 */
int tprof_session_threads(struct tprof_session *session, struct tprof_lx_threads *arg,
			  struct tprof_lx_thread *threads, u32 room)
{
	struct tprof_tally_list list = { .event = arg->event, .threads = threads, .room = room };

	guard(mutex)(&session->lock);
	if (!tprof_session_has(session, arg->event))
		return -ENOENT;
	if (!session->crew.samplers[arg->event]->pmu.is_tallied)
		return -EOPNOTSUPP;
	if (session->tally) {
		tprof_cpu_settle(&session->crew, session->tally, arg->event);
		tprof_tally_sum(session->tally, arg);
		tprof_tally_list(session->tally, &list);
	} else {
		struct tprof_lx_count count = { .cpu = TPROF_LX_SUM };

		tprof_cpu_read(&session->crew, arg->event, &count);
		arg->unattributed = count.value;
	}
	arg->nr_threads = list.nr;
	return 0;
}

static int write_period(struct tprof_event *event, u64 period)
{
	/*
	 * @period is 0 if the event only counts, or if the back end adapts the
	 * period to a frequency.
	 */
	if (!event->sampler.pmu.period)
		return -EOPNOTSUPP;
	return tprof_event_set_period(event, period);
}

/**
 * tprof_session_write - set a count or a period
 * @count:	argument of the ioctl
 *
 * Return: 0, or the errors of TPROF_LX_IOC_WRITE; on an error, nothing changes.
 */
int tprof_session_write(struct tprof_session *session,
			const struct tprof_lx_count *count)
{
	struct tprof_pmu_event *event;
	bool is_sum = count->cpu == TPROF_LX_SUM;

	guard(mutex)(&session->lock);
	if (!tprof_session_has(session, count->event))
		return -ENOENT;
	if (session->crew.running & BIT(count->event))
		return -EBUSY;
	event = &session->crew.samplers[count->event]->pmu;
	if (count->flags & TPROF_LX_WRITE_PERIOD)
		return is_sum ? write_period(session->events[count->event], count->value) :
				-EINVAL;
	if (!event->ops->write)
		return -EOPNOTSUPP;
	if (!is_sum && !cpumask_test_cpu(count->cpu, session->crew.cpus))
		return -EINVAL;
	tprof_cpu_write(&session->crew, count->event, count);
	tprof_session_settle_page(session, count->event);
	return 0;
}
