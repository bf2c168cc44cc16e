// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the events of a session, for EVENTS
 *
 * Context: process, under the lock of the list of sessions. The session lock is taken inside it,
 * and the cpu lock inside the session lock.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uidgid.h>

#include "pmu/pmu.h"
#include "session/cpu_count.h"
#include "session/session_events.h"
#include "session/session_report.h"

static u32 excludes_of(const struct perf_event_attr *attr)
{
	return (attr->exclude_user ? TPROF_LX_EXCLUDE_USER : 0) |
	       (attr->exclude_kernel ? TPROF_LX_EXCLUDE_KERNEL : 0) |
	       (attr->exclude_hv ? TPROF_LX_EXCLUDE_HV : 0) |
	       (attr->exclude_idle ? TPROF_LX_EXCLUDE_IDLE : 0) |
	       (attr->exclude_host ? TPROF_LX_EXCLUDE_HOST : 0) |
	       (attr->exclude_guest ? TPROF_LX_EXCLUDE_GUEST : 0);
}

static void describe_scope(const struct tprof_session *session,
			   const struct tprof_sampler *sampler, struct tprof_lx_listed *entry)
{
	int cpu;

	if (session->target)
		entry->scope |= TPROF_LX_SCOPE_TARGETS;
	for_each_possible_cpu(cpu) {
		if (cpumask_test_cpu(cpu, session->crew.cpus) &&
		    tprof_sampler_has_cpu(sampler, cpu))
			entry->nr_cpus++;
		else
			entry->scope |= TPROF_LX_SCOPE_CPUS;
	}
}

/* The reader's user namespace may have no id for the user: then it is the overflow id. */
static u32 user_of(const struct tprof_session *session)
{
	return from_kuid_munged(current_user_ns(), session->uid);
}

/* Add what the event has done on a CPU. Context: under the cpu lock. */
static void add_numbers(struct tprof_session *session, u32 index, int cpu,
			struct tprof_lx_listed *entry)
{
	const struct tprof_pmu_event *pmu = &session->events[index]->sampler.pmu;
	struct tprof_lane **lanes = session->stream.lanes;
	const struct tprof_counts *counts;
	struct tprof_cost_sum cost = {};

	tprof_cost_add(&pmu->cost, cpu, &cost);
	entry->interrupts += cost.interrupts;
	entry->handler_ns += cost.handler_ns;
	entry->around_ns += cost.around_ns;
	entry->ran_ns += tprof_cpu_ran_ns(&session->crew, index, cpu);
	/* Lanes are added under the cpu lock. */
	if (!lanes || !lanes[cpu])
		return;
	counts = &lanes[cpu]->counts[index];
	entry->taken += local64_read(&counts->taken);
	entry->lost += local64_read(&counts->lost_ring);
}

static void describe_event(struct tprof_session *session, u32 index, u32 only,
			   struct tprof_lx_listed *entry)
{
	const struct tprof_event *event = session->events[index];
	const struct tprof_pmu_event *pmu = &event->sampler.pmu;
	const struct perf_event_attr *attr = &event->attr;
	int cpu;

	entry->session = session->number;
	entry->id = event->sampler.id;
	entry->pid = pmu->owner.pid;
	entry->uid = user_of(session);
	strscpy(entry->comm, pmu->owner.comm, sizeof(entry->comm));
	strscpy(entry->backend, pmu->ops->name, sizeof(entry->backend));
	entry->index = index;
	entry->state = session->crew.running & BIT(index) ? TPROF_LX_STATE_RUNNING :
							     TPROF_LX_STATE_ARMED;
	entry->flags = event->flags;
	describe_scope(session, &event->sampler, entry);
	entry->excludes = excludes_of(attr);
	entry->type = attr->type;
	entry->config = attr->config;
	entry->period = pmu->period;
	entry->freq = attr->freq ? attr->sample_freq : 0;
	for_each_possible_cpu(cpu) {
		if (only == TPROF_LX_SUM || only == cpu)
			add_numbers(session, index, cpu, entry);
	}
}

static void list_locked(struct tprof_session *session, struct tprof_event_list *list)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	tprof_cpu_lock();
	for (i = 0; i < session->nr_events; i++) {
		if (!tprof_session_has(session, i))
			continue;
		if (list->nr < list->room)
			describe_event(session, i, list->cpu, &list->entries[list->nr]);
		list->nr++;
	}
	tprof_cpu_unlock();
}

static void list_busy(const struct tprof_session *session, struct tprof_event_list *list)
{
	struct tprof_lx_listed *entry = &list->entries[list->nr];

	list->may_wait = false;
	if (list->nr++ >= list->room)
		return;
	entry->session = session->number;
	entry->pid = session->pid;
	entry->uid = user_of(session);
	strscpy(entry->comm, session->comm, sizeof(entry->comm));
	entry->state = TPROF_LX_STATE_BUSY;
}

/**
 * tprof_session_list_events - append the events of a session to a list
 * @session:	session, which another task may use
 *
 * If a call to the session goes on, wait for it as tprof_session_try_lock() does, or append an
 * entry that says so.
 */
void tprof_session_list_events(struct tprof_session *session, struct tprof_event_list *list)
{
	if (!tprof_session_try_lock(session, list->may_wait)) {
		list_busy(session, list);
		return;
	}
	list_locked(session, list);
	mutex_unlock(&session->lock);
}
