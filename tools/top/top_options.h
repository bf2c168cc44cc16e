/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - command line
 */
#ifndef TPROF_TOP_OPTIONS_H
#define TPROF_TOP_OPTIONS_H

#include "base/parse.h"
#include "cli/buffer_option.h"
#include "cli/comm_option.h"
#include "cli/event_list.h"
#include "cli/rate_option.h"
#include "profile/fading.h"
#include "profile/profile.h"
#include "symbols/symbol_file.h"

#define TOP_MAX_COLUMNS	(PROFILE_MAX_KEYS + 5)

/**
 * struct top_columns - columns of a table
 * @list:	the columns
 * @nr:		their number
 */
struct top_columns {
	const struct column *list[TOP_MAX_COLUMNS];
	size_t	nr;
};

/**
 * struct top_options - the parsed command line
 * @events:	-e
 * @rate:	-F
 * @counts:	--count
 * @everything:	-a, or no -p
 * @cpus:	-C
 * @pids:	-p
 * @tids:	-t
 * @comm:	--comm and --follow-new
 * @no_inherit:	-i
 * @chains:	-g
 * @sort:	-s, or NULL
 * @keys:	keys of -s
 * @confidence:	--confidence
 * @show_samples: --show-nr-samples
 * @whole_names: --whole-names
 * @columns:	columns of the table: without confidence intervals, and with them
 * @delay:	-d, in ns
 * @sizes:	-m
 * @number:	-n, or 0
 * @rows:	-E
 * @zero:	-z
 * @no_fade:	--no-fade
 * @older:	what -z or --no-fade choose
 * @stdio:	--stdio, or there is no terminal
 * @no_park:	--no-park
 * @symbols:	options of symbols
 */
struct top_options {
	struct event_list events;
	struct rate rate;
	struct event_list counts;
	bool	everything;
	struct cpu_list cpus;
	struct pid_list pids;
	struct pid_list tids;
	struct comm_option comm;
	bool	no_inherit;
	bool	chains;
	const char *sort;
	struct profile_keys keys;
	bool	confidence;
	bool	show_samples;
	bool	whole_names;
	struct top_columns columns[2];
	u64	delay;
	struct buffer_sizes sizes;
	u64	number;
	u64	rows;
	bool	zero;
	bool	no_fade;
	enum fading_older older;
	bool	stdio;
	bool	no_park;
	struct symbol_options symbols;
};

extern const struct option_row top_option_rows[];

int top_options_read(struct top_options *opts, const struct command *self, int argc, char **argv);

#endif /* TPROF_TOP_OPTIONS_H */
