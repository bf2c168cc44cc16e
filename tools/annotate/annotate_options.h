/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - command line
 */
#ifndef TPROF_ANNOTATE_OPTIONS_H
#define TPROF_ANNOTATE_OPTIONS_H

#include "annotate/annotate_format.h"
#include "cli/command.h"
#include "profile/gather.h"

/**
 * struct annotate_options - the parsed command line
 * @input:	-i
 * @symbol:	the operand, or NULL
 * @time:	--time, or NULL
 * @limit:	--percent-limit, or a negative number
 * @objdump:	--objdump, or NULL
 * @no_source:	--no-source
 * @format:	--stdio, --json, or the default
 * @symbols:	sources of symbols
 * @gather:	samples to take and how to group them
 */
struct annotate_options {
	const char *input;
	const char *symbol;
	const char *time;
	double	limit;
	const char *objdump;
	bool	no_source;
	const struct annotate_format *format;
	struct symbol_options symbols;
	struct gather_options gather;
};

extern const struct option_row annotate_rows[];

int annotate_options_read(struct annotate_options *opts, const struct command *self, int argc,
			  char **argv);

#endif /* TPROF_ANNOTATE_OPTIONS_H */
