/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - command line
 */
#ifndef TPROF_REPORT_OPTIONS_H
#define TPROF_REPORT_OPTIONS_H

#include "cli/sort_keys.h"
#include "report/report_format.h"

#define REPORT_MAX_FIELDS	16

/**
 * struct report_options - the parsed command line
 * @input:	-i
 * @sort:	-s, or NULL
 * @fields:	-F, or NULL
 * @order:	--order, or NULL
 * @time:	--time, or NULL
 * @limit:	--percent-limit, or a negative number
 * @call_graph:	-g
 * @wall:	--wall
 * @show_samples: -n
 * @whole_names: --whole-names
 * @confidence:	--confidence
 * @yes_children: --children
 * @no_children: --no-children
 * @format:	--folded, --stdio, --json, --csv, or the default
 * @symbols:	sources of symbols
 * @key_options: --parent and --time-quantum
 * @gather:	samples to take and how to group them
 * @columns:	columns to print; before report_finish_columns(), only those of -F
 * @nr_columns:	number of @columns
 */
struct report_options {
	const char *input;
	const char *sort;
	const char *fields;
	const char *order;
	const char *time;
	double	limit;
	bool	call_graph;
	bool	wall;
	bool	show_samples;
	bool	whole_names;
	bool	confidence;
	bool	yes_children;
	bool	no_children;
	const struct report_format *format;
	struct symbol_options symbols;
	struct key_options key_options;
	struct gather_options gather;
	const struct column *columns[REPORT_MAX_FIELDS];
	size_t	nr_columns;
};

extern const struct option_row report_rows[];

int report_options_read(struct report_options *opts, const struct command *self, int argc,
			char **argv);
int report_finish_columns(struct report_options *opts, bool children);
void report_print_words(void);

#endif /* TPROF_REPORT_OPTIONS_H */
