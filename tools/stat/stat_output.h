/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counts on paper: a table for people, CSV, or JSON lines
 *
 * stat_print.c walks over the counts, stat_table.c writes text and CSV by
 * their columns, stat_json.c objects. All write into the file they are given.
 */
#ifndef TPROF_STAT_OUTPUT_H
#define TPROF_STAT_OUTPUT_H

#include <stdio.h>

#include "stat/counting.h"
#include "stat/metrics.h"

struct stat_format;

/**
 * struct stat_output - where counts are printed, and how
 * @out:	the file
 * @format:	how
 * @separator:	between two fields of CSV
 * @counting:	the counts
 * @command:	the command that ran meanwhile, or an empty list
 * @cpus:	the CPUs that are counted on; empty for all
 * @per_cpu:	each CPU has lines of its own
 * @intervals:	each line tells the time
 * @repeated:	there is more than one run
 * @has_begun:	something was printed
 * @name_width:	of the longest name
 */
struct stat_output {
	FILE	*out;
	const struct stat_format *format;
	const char *separator;
	const struct counting *counting;
	char	**command;
	const struct cpu_list *cpus;
	bool	per_cpu;
	bool	intervals;
	bool	repeated;
	bool	has_begun;
	int	name_width;
};

/**
 * struct stat_line - one count
 * @time:	when, in ns since the start; told with @intervals
 * @cpu:	where; told with @per_cpu
 * @event:	of what
 * @count:	the count, or the mean over the runs
 * @ran_ns:	how long it was counted, likewise
 * @deviation:	in percent; told when @repeated
 * @metric:	what it means
 */
struct stat_line {
	u64	time;
	u32	cpu;
	const struct counted_event *event;
	double	count;
	double	ran_ns;
	double	deviation;
	struct metric metric;
};

/**
 * struct stat_times - how long it all took, in seconds
 * @elapsed:	by the clock on the wall
 * @user:	of the command and what it waited for, in user space; empty when
 *		there is none, or it runs on
 * @sys:	the same in the kernel
 */
struct stat_times {
	struct statistics elapsed;
	struct statistics user;
	struct statistics sys;
};

/**
 * struct stat_format - a way to print counts
 * @begin:	before the first line, or NULL
 * @line:	a count
 * @end:	behind the last line, or NULL
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
