/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - command line
 */
#ifndef TPROF_DIFF_OPTIONS_H
#define TPROF_DIFF_OPTIONS_H

#include "cli/sort_keys.h"

/* Maximum number of recordings to compare. */
#define DIFF_MAX_FILES	16

/* What makes two recordings comparable. */
enum normalize {
	NORMALIZE_WEIGHT,	/* shares of all events of each recording */
	NORMALIZE_TIME,		/* events per second of each recording */
	NORMALIZE_NONE,		/* events: the recordings did the same work */
};

/**
 * struct diff_options - the parsed command line
 * @files:	the recordings; the first one is the old one
 * @nr_files:	number of @files
 * @sort:	-s, or NULL
 * @time:	--time, or NULL
 * @by:		--normalize, or NULL
 * @normalize:	the meaning of @by
 * @limit:	--percent-limit, or a negative number
 * @fail_above:	--fail-above, or a negative number
 * @json:	--json
 * @html:	--html
 * @output:	-o
 * @symbols:	sources of symbols
 * @key_options: --parent
 * @gather:	samples to take and how to group them
 */
struct diff_options {
	const char *files[DIFF_MAX_FILES];
	u32	nr_files;
	const char *sort;
	const char *time;
	const char *by;
	enum normalize normalize;
	double	limit;
	double	fail_above;
	bool	json;
	bool	html;
	const char *output;
	struct symbol_options symbols;
	struct key_options key_options;
	struct gather_options gather;
};

extern const struct option_row diff_rows[];

int diff_options_read(struct diff_options *opts, const struct command *self, int argc,
		      char **argv);
const char *normalize_word(enum normalize normalize);

#endif /* TPROF_DIFF_OPTIONS_H */
