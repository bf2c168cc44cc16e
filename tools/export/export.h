/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - what the command gives to a format
 *
 * Each format has a file, which defines its struct export_format. The table in
 * export_options.c lists the formats.
 */
#ifndef TPROF_EXPORT_H
#define TPROF_EXPORT_H

#include <stdio.h>

#include "cli/command.h"
#include "perfdata/reader.h"
#include "profile/gather_filter.h"
#include "symbols/symbol_file.h"

struct export;

/* The names of all formats, as the operand in the usage line. */
#define EXPORT_FORMATS	"{folded|speedscope|pprof|callgrind|rows|firefox|autofdo}"

/**
 * struct export_format - an output format
 * @name:	its name on the command line
 * @has_intervals: --interval applies
 * @is_binary:	do not print it on a terminal
 * @write:	reads all samples and writes the output; prints errors, except those of
 *		export.out; returns an exit status
 */
struct export_format {
	const char *name;
	bool	has_intervals;
	bool	is_binary;
	int	(*write)(const struct export *export);
};

/**
 * struct export_options - the parsed command line
 * @format:	the operand
 * @input:	-i
 * @output:	-o, or NULL
 * @time:	--time, or NULL
 * @interval:	-I in ns, or NOT_GIVEN; the default for formats that have intervals
 * @filter:	which samples to take
 * @symbols:	sources of symbols
 */
struct export_options {
	const struct export_format *format;
	const char *input;
	const char *output;
	const char *time;
	u64	interval;
	struct gather_filter filter;
	struct symbol_options symbols;
};

/**
 * struct export - a recording that is being exported
 * @options:	the command line
 * @reader:	the recording
 * @out:	the output
 */
struct export {
	const struct export_options *options;
	struct reader *reader;
	FILE	*out;
};

extern const struct option_row export_rows[];

int export_options_read(struct export_options *opts, const struct command *self, int argc,
			char **argv);

int export_file(const struct export_options *opts, int (*write)(const struct export *export));

extern const struct export_format export_folded;
extern const struct export_format export_speedscope;
extern const struct export_format export_pprof;
extern const struct export_format export_callgrind;
extern const struct export_format export_rows_format;
extern const struct export_format export_firefox;
extern const struct export_format export_autofdo;
extern size_t pprof_kept_max;

#endif /* TPROF_EXPORT_H */
