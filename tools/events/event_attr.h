/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - convert events to the back ends and attrs that the module takes
 */
#ifndef TPROF_EVENT_ATTR_H
#define TPROF_EVENT_ATTR_H

#include "base/message.h"
#include "events/event_spec.h"

/* How the module finds the frames of user space. */
enum chain_way {
	CHAIN_BEST,	/* by unwind tables if it can, else by frame pointers */
	CHAIN_FP,
	CHAIN_TABLE,
};

/**
 * struct chain_spec - which call chains to record, and how
 * @wanted:	record call chains
 * @frames:	maximum number of frames of a chain, 0 for the module's maximum
 * @stack:	bytes of user stack to copy for unwinding by DWARF after the recording;
 *		0 if the module unwinds instead
 * @way:	how the module unwinds
 * @no_deferred:	do not complete truncated user chains on return to user mode
 */
struct chain_spec {
	bool	wanted;
	u64	frames;
	u64	stack;
	enum chain_way way;
	bool	no_deferred;
};

/**
 * struct event_defaults - settings for all events of a recording
 * @period:	period of events that set no rate themselves; 0 to use @freq
 * @freq:	frequency in Hz of events that set no rate themselves, or 0
 * @is_max:	@freq is the highest rate allowed; a clock whose maximum is lower uses
 *		its own maximum
 * @all_user:	no event samples the kernel
 * @all_kernel:	no event samples user space
 * @switches:	request SWITCH records
 * @thread_counts: request READ records, which have the counts of threads
 * @chains:	the call chains to record
 * @clockid:	clock of all timestamps
 * @is_sole:	the session has no other event
 * @sample_cpu:	request the CPU of each sample
 * @features:	features of the session, from INFO
 * @user_only:	event_user_only(): count and sample user mode only, unless the user requests
 *		the kernel
 * @on_exec:	events of processes begin when a process calls execve(2)
 * @parallelism: request the parallelism in samples of threads that run
 */
struct event_defaults {
	u64	period;
	u64	freq;
	bool	is_max;
	bool	all_user;
	bool	all_kernel;
	bool	switches;
	bool	thread_counts;
	struct chain_spec chains;
	s32	clockid;
	bool	is_sole;
	bool	sample_cpu;
	u64	features;
	bool	user_only;
	bool	on_exec;
	bool	parallelism;
};

const struct tprof_lx_backend *event_backend(const struct event_spec *spec,
					     const struct tprof_lx_backend *backends, u32 nr,
					     struct message *msg);
const struct tprof_lx_backend *event_counters(const struct tprof_lx_backend *backends, u32 nr);
const char *event_why_no_counters(void);
bool event_is_off_cpu(const struct event_spec *spec);
bool event_is_wakeups(const struct event_spec *spec);
int event_attr(const struct event_spec *spec, const struct event_defaults *defaults,
	       const struct tprof_lx_backend *backend, bool first, struct perf_event_attr *attr,
	       struct message *msg);
int event_count_attr(const struct event_spec *spec, const struct event_defaults *defaults,
		     const struct tprof_lx_backend *backend, struct perf_event_attr *attr,
		     struct message *msg);
u32 event_flags(const struct event_spec *spec, const struct perf_event_attr *attr, u64 features);

/* Return true if the session may only have events of user mode. */
static inline bool event_user_only(const struct tprof_lx_info *info)
{
	return info->features & TPROF_LX_FEATURE_UNPRIVILEGED &&
	       info->access < TPROF_LX_ACCESS_KERNEL;
}

#endif /* TPROF_EVENT_ATTR_H */
