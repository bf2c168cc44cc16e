/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx stat - command line
 */
#ifndef TPROF_STAT_OPTIONS_H
#define TPROF_STAT_OPTIONS_H

#include "base/parse.h"
#include "cli/comm_option.h"
#include "cli/command.h"
#include "cli/event_list.h"

/**
 * struct stat_options - the parsed command line
 * @events:	-e
 * @is_default:	@events is empty: count the default events
 * @everything:	-a
 * @cpus:	-C
 * @pids:	-p
 * @tids:	-t
 * @comm:	--comm and --follow-new
 * @no_inherit:	-i
 * @is_process_scope: count the command or the processes of -p, and their descendants,
 *		not all processes
 * @per_cpu:	--per-cpu
 * @per_thread:	--per-thread, or implied by --per-process
 * @per_process: --per-process
 * @repeat:	-r
 * @interval:	-I, in ns, or 0
 * @cumulative:	--cumulative
 * @duration:	--duration, in ns, or 0
 * @separator:	-x, or NULL
 * @json:	--json
 * @output:	-o, or NULL
 * @append:	--append
 * @record:	--record: the file to write, or NULL
 * @report:	--report: the file to read, or NULL
 * @all_user:	--all-user
 * @all_kernel:	--all-kernel
 * @no_park:	--no-park
 * @as_root:	--as-root
 * @nr_words:	number of words of the command line
 * @words:	the command line
 * @command:	the command and its arguments, terminated by NULL; empty without a command
 */
struct stat_options {
	struct event_list events;
	bool	is_default;
	bool	everything;
	struct cpu_list cpus;
	struct pid_list pids;
	struct pid_list tids;
	struct comm_option comm;
	bool	no_inherit;
	bool	is_process_scope;
	bool	per_cpu;
	bool	per_thread;
	bool	per_process;
	u64	repeat;
	u64	interval;
	bool	cumulative;
	u64	duration;
	const char *separator;
	bool	json;
	const char *output;
	bool	append;
	const char *record;
	const char *report;
	bool	all_user;
	bool	all_kernel;
	bool	no_park;
	bool	as_root;
	int	nr_words;
	char	**words;
	char	**command;
};

extern const struct option_row stat_option_rows[];

int stat_options_read(struct stat_options *opts, const struct command *self, int argc,
		      char **argv);

#endif /* TPROF_STAT_OPTIONS_H */
