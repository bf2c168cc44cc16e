/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - what was asked for
 */
#ifndef TPROF_REPORT_OPTIONS_H
#define TPROF_REPORT_OPTIONS_H

#include "cli/command.h"
#include "profile/gather.h"
#include "report/report_format.h"

#define REPORT_MAX_FIELDS	16

/**
 * struct report_options - the command line, and what follows from it
 * @input:	-i
 * @sort:	-s, or NULL
 * @fields:	-F, or NULL
 * @order:	--order, or NULL
 * @time:	--time, or NULL
 * @limit:	--percent-limit, negative when it was not given
 * @call_graph:	-g
 * @show_samples: -n
 * @confidence:	--confidence
 * @yes_children: --children
 * @no_children: --no-children
 * @format:	--folded, --stdio, --json, --csv, or the default
 * @symbols:	where symbols may be taken from
 * @gather:	what is to be gathered
 * @columns:	what is to be printed; of -F before the file is read
 * @nr_columns:	how many
 */
struct report_options {
	const char *input;
	const char *sort;
	const char *fields;
	const char *order;
	const char *time;
	double	limit;
	bool	call_graph;
	bool	show_samples;
	bool	confidence;
	bool	yes_children;
	bool	no_children;
	const struct report_format *format;
	struct symbol_options symbols;
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
