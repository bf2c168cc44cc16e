/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - a running session
 */
#ifndef TPROF_SAMPLING_H
#define TPROF_SAMPLING_H

#include "counts/counting.h"
#include "live/device_queue.h"
#include "live/synth.h"
#include "session/opener.h"
#include "session/session_events.h"
#include "top/top_options.h"

/**
 * struct sampling - a running session
 * @info:	back ends and limits of the module
 * @claim:	the session's counters, and the parking of the watchdog for them
 * @events:	events of the session
 * @nr_sampled:	number of @events that sample, the first ones
 * @counting:	counts of --count; without events if there are none
 * @targets:	processes to sample; empty for all processes
 * @follows:	processes may become targets by their names
 * @ring_bytes:	size of each CPU's ring; 0 for the module's default
 * @config:	argument of the last CONFIG, with the sizes that the module chose
 * @queue:	the session's queue of records
 * @synth:	records about the state before the session
 * @dsos:	binaries in @synth
 * @tables:	gives unwind tables to the module, if an event has TPROF_LX_EVENT_TABLES
 * @opener:	opens binaries for @tables, or NULL
 */
struct sampling {
	struct device_info info;
	struct claim claim;
	struct session_events events;
	u32	nr_sampled;
	struct counting counting;
	struct pid_list targets;
	bool	follows;
	u64	ring_bytes;
	struct tprof_lx_config config;
	struct device_queue queue;
	struct synth synth;
	struct dso_set dsos;
	struct table_maker tables;
	struct opener *opener;
};

int sampling_begin(struct sampling *sampling, const struct top_options *opts);
void sampling_end(struct sampling *sampling);

#endif /* TPROF_SAMPLING_H */
