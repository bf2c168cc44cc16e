/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - filter samples
 */
#ifndef TPROF_GATHER_FILTER_H
#define TPROF_GATHER_FILTER_H

#include "base/parse.h"
#include "profile/columns.h"

/**
 * struct gather_filter - which samples to take; if all members are zero, take all
 * @pids:	process ids; empty for all
 * @tids:	thread ids; empty for all
 * @cpus:	CPUs; empty for all
 * @from:	earliest time of a sample
 * @to:		latest time of a sample; 0 for no limit
 * @user_only:	only samples of user mode
 * @kernel_only: only samples of kernel mode
 * @events:	comma-separated names of events, or NULL for all
 * @comms:	comma-separated names of threads to show, or NULL for all
 * @dsos:	comma-separated names of binaries to show, or NULL for all
 * @syms:	comma-separated names of functions to show, or NULL for all
 */
struct gather_filter {
	struct pid_list pids;
	struct pid_list tids;
	struct cpu_list cpus;
	u64	from;
	u64	to;
	bool	user_only;
	bool	kernel_only;
	const char *events;
	const char *comms;
	const char *dsos;
	const char *syms;
};

u64 filter_fields(const struct gather_filter *filter);
bool filter_takes_event(const struct gather_filter *filter, const char *event);
bool filter_takes_thread(const struct gather_filter *filter, u32 pid, u32 tid);
bool filter_takes_name(const struct gather_filter *filter, const char *comm);
bool filter_takes(const struct gather_filter *filter, const struct sample *sample, u16 misc);
bool filter_shows(const struct gather_filter *filter, const struct hit *hit);

#endif /* TPROF_GATHER_FILTER_H */
