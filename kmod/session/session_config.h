/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - settings of a session before START: CPUs, processes, sizes, events
 */
#ifndef TPROF_SESSION_CONFIG_H
#define TPROF_SESSION_CONFIG_H

#include "session/session_types.h"

int tprof_session_configure(struct tprof_session *session,
			    struct tprof_lx_config *config,
			    const struct cpumask *cpus, const s32 *targets);
int tprof_session_adjust(struct tprof_session *session, struct tprof_lx_config *config);
int tprof_session_add(struct tprof_session *session,
		      const struct perf_event_attr *attr,
		      struct tprof_lx_event *arg, struct cpumask *cpus);
int tprof_session_release(struct tprof_session *session, u32 index);

#endif /* TPROF_SESSION_CONFIG_H */
