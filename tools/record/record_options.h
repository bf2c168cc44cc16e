/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx record - command line
 */
#ifndef TPROF_RECORD_OPTIONS_H
#define TPROF_RECORD_OPTIONS_H

#include "base/parse.h"
#include "cli/comm_option.h"
#include "cli/command.h"
#include "cli/event_list.h"
#include "cli/buffer_option.h"
#include "cli/rate_option.h"
#include "events/event_attr.h"

/**
 * struct record_options - the parsed command line
 * @events:	-e
 * @rate:	-F
 * @period:	-c, or 0
 * @counts:	--count
 * @interval:	-I, in ns, or 0
 * @per_thread:	--per-thread
 * @everything:	-a
 * @cpus:	-C
 * @pids:	-p
 * @tids:	-t
 * @comm:	--comm and --follow-new
 * @no_inherit:	-i
 * @output:	-o
 * @delay:	-D, in ns
 * @duration:	--duration, in ns
 * @sizes:	-m
 * @watermark:	--watermark
 * @flush_ms:	--flush-ms
 * @all_user:	--all-user
 * @all_kernel:	--all-kernel
 * @switches:	--switch-events
 * @off_cpu:	period of --off-cpu in ns, or 0
 * @wakers:	--wakers
 * @stat:	-s
 * @switch_counts: --switch-counts
 * @latency:	--latency
 * @stall:	--stall
 * @chains:	-g, --call-graph, --max-stack, --no-deferred
 * @clockid:	-k
 * @level:	-z, or 0
 * @self_contained: --self-contained
 * @as_root:	--as-root
 * @no_park:	--no-park
 * @sample_cpu:	--sample-cpu
 * @command:	the command and its arguments, terminated by NULL; empty without a command
 */
struct record_options {
	struct event_list events;
	struct rate rate;
	u64	period;
	struct event_list counts;
	u64	interval;
	bool	per_thread;
	bool	everything;
	struct cpu_list cpus;
	struct pid_list pids;
	struct pid_list tids;
	struct comm_option comm;
	bool	no_inherit;
	const char *output;
	u64	delay;
	u64	duration;
	struct buffer_sizes sizes;
	u64	watermark;
	u64	flush_ms;
	bool	all_user;
	bool	all_kernel;
	bool	switches;
	u64	off_cpu;
	bool	wakers;
	bool	stat;
	bool	switch_counts;
	bool	latency;
	bool	stall;
	struct chain_spec chains;
	s32	clockid;
	u64	level;
	bool	self_contained;
	bool	as_root;
	bool	no_park;
	bool	sample_cpu;
	char	**command;
};

extern const struct option_row record_option_rows[];

/* Return true if the processes or threads of -p, -t, --comm or --follow-new are recorded. */
static inline bool record_has_tasks(const struct record_options *opts)
{
	return opts->pids.nr || opts->tids.nr || opts->comm.follow;
}

int record_options_read(struct record_options *opts, const struct command *self, int argc,
			char **argv);

#endif /* TPROF_RECORD_OPTIONS_H */
