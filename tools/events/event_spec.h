/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event as the user requested it
 */
#ifndef TPROF_EVENT_SPEC_H
#define TPROF_EVENT_SPEC_H

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>

#include "base/parse.h"
#include "base/types.h"

/* Size of a buffer for the text of an event, or for its name. */
#define EVENT_NAME_LEN	256

/**
 * struct event_spec - one event of -e
 * @name:	name in the recording, from the term name=; without that term, the event
 *		as typed
 * @backend:	name of its back end; empty for the back end of the hardware counters
 * @type:	value of attr.type; unused if the event is a clock
 * @config:	value of attr.config; unused if the event is a clock
 * @cores:	TPROF_LX_EVENT_CPU_CORE or _CPU_ATOM if the event is for one kind of cores; else 0
 * @cpus:	term cpu=; empty for all CPUs
 * @period:	term period=, or 0
 * @freq:	term freq=, or 0
 * @has_config:	one of its terms selects what to count
 * @user:	modifier u
 * @kernel:	modifier k
 * @guest:	modifier G
 * @host:	modifier H
 * @not_idle:	modifier I
 * @random:	term random
 */
struct event_spec {
	char	name[EVENT_NAME_LEN];
	char	backend[TPROF_LX_NAME_LEN];
	u32	type;
	u64	config;
	u32	cores;
	struct cpu_list cpus;
	u64	period;
	u64	freq;
	bool	has_config;
	bool	user;
	bool	kernel;
	bool	guest;
	bool	host;
	bool	not_idle;
	bool	random;
};

#endif /* TPROF_EVENT_SPEC_H */
