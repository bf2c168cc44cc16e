/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - print counts as a table, CSV or JSON lines
 *
 * stat_print.c iterates over the counts, stat_table.c prints the table and CSV,
 * stat_json.c prints JSON.
 */
#ifndef TPROF_STAT_OUTPUT_H
#define TPROF_STAT_OUTPUT_H

#include <stdio.h>

#include "counts/counting.h"
#include "counts/metrics.h"

struct stat_format;

/**
 * struct stat_output - the output of counts
 * @out:	file to print to
 * @format:	output format
 * @separator:	separator of CSV fields
 * @counting:	the counts
 * @command:	the command and its arguments; empty if there is none
 * @recording:	name of the file that has the counts, or NULL
 * @cpus:	CPUs to count on; empty for all
 * @pids:	the processes of -p
 * @tids:	the threads of -t
 * @names:	pattern of the names of processes that were counted when they came, or NULL
 * @is_process_scope: the counts are those of @command, @pids or @tids, not of all processes
 * @is_alone:	their descendants are left out
 * @per_cpu:	print a line for each CPU
 * @per_thread:	print a line for each row of @counting->threads
 * @intervals:	print the time in each line
 * @repeated:	there is more than one run
 * @has_begun:	format->begin was called
 * @name_width:	length of the longest event name
 */
struct stat_output {
	FILE	*out;
	const struct stat_format *format;
	const char *separator;
	const struct counting *counting;
	char	**command;
	const char *recording;
	const struct cpu_list *cpus;
	const struct pid_list *pids;
	const struct pid_list *tids;
	const char *names;
	bool	is_process_scope;
	bool	is_alone;
	bool	per_cpu;
	bool	per_thread;
	bool	intervals;
	bool	repeated;
	bool	has_begun;
	int	name_width;
};

/**
 * struct stat_line - one count
 * @time:	time in ns since the start, printed if stat_output.intervals
 * @cpu:	CPU, printed if stat_output.per_cpu
 * @thread:	thread, printed if stat_output.per_thread
 * @event:	the event
 * @count:	the count, or its mean over the runs
 * @ran_ns:	time in ns that the event ran, or its mean over the runs
 * @missed_ns:	the same on CPUs that the event is not for
 * @yields:	how often it stopped because another program uses its counter
 * @deviation:	deviation in percent, printed if stat_output.repeated
 * @metric:	metric to print next to the count
 */
struct stat_line {
	u64	time;
	u32	cpu;
	const struct thread_row *thread;
	const struct counted_event *event;
	double	count;
	double	ran_ns;
	double	missed_ns;
	u64	yields;
	double	deviation;
	struct metric metric;
};

/**
 * struct stat_times - times of the runs, in seconds
 * @elapsed:	elapsed time
 * @user:	user time of the command and of the children that it waited for; empty
 *		if there is no command or it is still running
 * @sys:	same as @user, for system time
 */
struct stat_times {
	struct statistics elapsed;
	struct statistics user;
	struct statistics sys;
};

/**
 * struct stat_format - an output format
 * @begin:	called before the first line; may be NULL
 * @line:	prints a count
 * @end:	called after the last line; may be NULL
 */
struct stat_format {
	void	(*begin)(const struct stat_output *output);
	void	(*line)(const struct stat_output *output, const struct stat_line *line);
	void	(*end)(const struct stat_output *output, const struct stat_times *times);
};

extern const struct stat_format stat_text;
extern const struct stat_format stat_csv;
extern const struct stat_format stat_json;

void stat_lines(struct stat_output *output, u64 time);
void stat_end(const struct stat_output *output, const struct stat_times *times);

#endif /* TPROF_STAT_OUTPUT_H */
