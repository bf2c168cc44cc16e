/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event: an attr, its back end and its sampler
 */
#ifndef TPROF_EVENT_H
#define TPROF_EVENT_H

#include "rights/quota.h"
#include "sample/sampler.h"

struct cred;
struct tprof_tables;

/**
 * struct tprof_event_owner - what an event takes from its session
 * @is_trusted:	the session was opened with CAP_SYS_ADMIN
 * @watcher:	credentials of the opener; NULL if the session has privileges
 * @quota:	quota of the session; NULL if it has privileges
 * @tables:	unwind tables of the session; not NULL if the flags have TPROF_LX_EVENT_TABLES
 */
struct tprof_event_owner {
	bool			is_trusted;
	const struct cred	*watcher;
	struct tprof_quota	*quota;
	struct tprof_tables	*tables;
};

/**
 * struct tprof_event - an event: its attr and its sampler
 * @sampler:	the event as the sampling path sees it; @sampler.pmu is for the
 *		back end
 * @attr:	attr of the event; constant
 * @flags:	enum tprof_lx_event_flag; constant
 * @quota:	quota of the session, or NULL if it has privileges; constant
 *
 * After tprof_event_release(), the event has no back end, and only describes its records.
 */
struct tprof_event {
	struct tprof_sampler	sampler;
	struct perf_event_attr	attr;
	u32			flags;
	struct tprof_quota	*quota;
};

struct tprof_event *tprof_event_alloc(const struct tprof_event_owner *owner,
				      const struct perf_event_attr *attr,
				      const struct tprof_lx_event *arg);
void tprof_event_release(struct tprof_event *event);
void tprof_event_free(struct tprof_event *event);
int tprof_event_set_period(struct tprof_event *event, u64 period);
int tprof_event_check_pair(const struct tprof_event *first,
			   const struct tprof_event *second);

#endif /* TPROF_EVENT_H */
