/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - options shared by the commands that filter samples
 */
#ifndef TPROF_FILTER_ROWS_H
#define TPROF_FILTER_ROWS_H

#include "cli/command.h"
#include "profile/gather_filter.h"

/*
 * Rows of the options that filter samples. They set the members of @filter, which must be
 * a struct gather_filter in @type, and the text @type.time for filter_read().
 */
#define FILTER_ROWS(type, filter)                                                       \
	OPTION_ROW(type, 0, "event", "LIST", option_text, filter.events,               \
		   "take samples of these events only"),                               \
	OPTION_ROW(type, 0, "comm", "LIST", option_text, filter.comms,                 \
		   "show threads with these names only"),                              \
	OPTION_ROW(type, 0, "dso", "LIST", option_text, filter.dsos,                   \
		   "show these binaries only"),                                        \
	OPTION_ROW(type, 'S', "sym", "LIST", option_text, filter.syms,                 \
		   "show these functions only"),                                       \
	OPTION_ROW(type, 'p', "pid", "LIST", option_pids, filter.pids,                 \
		   "take samples of these processes"),                                 \
	OPTION_ROW(type, 't', "tid", "LIST", option_pids, filter.tids,                 \
		   "take samples of these threads"),                                   \
	OPTION_ROW(type, 'C', "cpu", "LIST", option_cpus, filter.cpus,                 \
		   "take samples of these CPUs"),                                      \
	OPTION_ROW(type, 0, "user-only", NULL, option_flag, filter.user_only,          \
		   "take samples of user mode only"),                                  \
	OPTION_ROW(type, 0, "kernel-only", NULL, option_flag, filter.kernel_only,      \
		   "take samples of kernel mode only"),                                \
	OPTION_ROW(type, 0, "time", "FROM,TO", option_text, time,                      \
		   "take samples from FROM to TO, in seconds as script prints them")

int span_read(const char *command, const char *option, const char *time, u64 *from, u64 *to);
int filter_read(const char *command, const char *time, struct gather_filter *filter);

#endif /* TPROF_FILTER_ROWS_H */
