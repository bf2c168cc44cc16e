/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which samples of a file are wanted
 */
#ifndef TPROF_GATHER_FILTER_H
#define TPROF_GATHER_FILTER_H

#include "base/parse.h"
#include "profile/columns.h"

/**
 * struct gather_filter - which samples are wanted; all zero is all of them
 * @pids:	of these processes
 * @tids:	of these threads
 * @cpus:	of these CPUs
 * @from:	not before this time
 * @to:		not after this time, 0 for any
 * @events:	of these events, with commas between them, or NULL
 * @comms:	threads of these names, with commas between them, or NULL
 * @dsos:	in these binaries, likewise
 * @syms:	in these functions, likewise
 */
struct gather_filter {
	struct pid_list pids;
	struct pid_list tids;
	struct cpu_list cpus;
	u64	from;
	u64	to;
	const char *events;
	const char *comms;
	const char *dsos;
	const char *syms;
};

u64 filter_fields(const struct gather_filter *filter);
bool filter_takes_event(const struct gather_filter *filter, const char *event);
bool filter_takes(const struct gather_filter *filter, const struct sample *sample);
bool filter_shows(const struct gather_filter *filter, const struct hit *hit);

#endif /* TPROF_GATHER_FILTER_H */
