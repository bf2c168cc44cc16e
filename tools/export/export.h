/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - what the command gives to a format
 *
 * Each format has a file, which defines its struct export_format. The table in
 * export_options.c lists the formats.
 *
 * samples.h reads the samples and their call chains, frames.h numbers functions, frames and
 * call stacks, so that a format keeps 4 bytes for the stack of a sample, and keys.h numbers
 * the values of --sort. names.h escapes and cuts all names before a format sees them. The
 * output is a temporary file beside the final one until it is complete (cli/output.h).
 *
 * Memory is bounded: except in pprof, if there are more than 8 million frames or stacks, or 16
 * million samples in a timeline, `export` fails and names --time. Formats that add samples up
 * forget them after writing: pprof, if the table or the stacks have a million entries, and a
 * million frames, too; otlp, a million samples. So in a profile, equal samples and functions
 * may occur several times.
 */
#ifndef TPROF_EXPORT_H
#define TPROF_EXPORT_H

#include <stdio.h>

#include "cli/sort_keys.h"
#include "perfdata/reader.h"
#include "symbols/symbol_file.h"

struct export;

/* The names of all formats, as the operand in the usage line. */
#define EXPORT_FORMATS	"{folded|speedscope|pprof|callgrind|rows|firefox|autofdo|otlp}"

/**
 * struct export_format - an output format
 * @name:	its name on the command line
 * @has_intervals: --interval applies
 * @has_keys:	--sort applies
 * @is_binary:	do not print it on a terminal
 * @write:	reads all samples and writes the output; prints errors, except those of
 *		export.out; returns an exit status
 */
struct export_format {
	const char *name;
	bool	has_intervals;
	bool	has_keys;
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
 * @sort:	-s, or NULL
 * @key_options: options of keys
 * @gather:	which samples to take, and further keys to group them by
 * @symbols:	sources of symbols
 */
struct export_options {
	const struct export_format *format;
	const char *input;
	const char *output;
	const char *time;
	u64	interval;
	const char *sort;
	struct key_options key_options;
	struct gather_options gather;
	struct symbol_options symbols;
};

/* The name of the profiled service, unless the user gives one. */
#define EXPORT_SERVICE	"tprof-lx"

/* Maximum lengths in bytes. */
#define LABEL_NAME_LEN	64
#define LABEL_VALUE_LEN	256

/**
 * struct export_label - what is true of all samples of a recording, such as its host
 * @name:	letters, digits and '_'
 * @value:	printable UTF-8
 */
struct export_label {
	char	name[LABEL_NAME_LEN + 1];
	char	value[LABEL_VALUE_LEN + 1];
};

/**
 * struct export_span - the samples that were exported
 * @nr:		number of samples
 * @first:	time of the first sample
 * @last:	time of the last sample
 */
struct export_span {
	u64	nr;
	u64	first;
	u64	last;
};

/**
 * struct export - a recording that is being exported
 * @options:	the command line
 * @reader:	the recording
 * @out:	the output
 * @service:	name of the profiled service in otlp; NULL for EXPORT_SERVICE
 * @labels:	labels to add to each row of rows, and to the resource of otlp; NULL for rows
 *		without labels
 * @nr_labels:	number of @labels
 * @span:	set when all samples are read, unless NULL
 */
struct export {
	const struct export_options *options;
	struct reader *reader;
	FILE	*out;
	const char *service;
	const struct export_label *labels;
	size_t	nr_labels;
	struct export_span *span;
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
extern const struct export_format export_otlp;
extern size_t pprof_kept_max;
extern size_t otlp_kept_max;

#endif /* TPROF_EXPORT_H */
