/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - output formats
 *
 * Each format has a file, which defines its struct annotate_format. A row of annotate_rows
 * (annotate_options.c) selects the format.
 */
#ifndef TPROF_ANNOTATE_FORMAT_H
#define TPROF_ANNOTATE_FORMAT_H

#include <stdio.h>

#include "annotate/listing.h"
#include "annotate/skid.h"
#include "annotate/source_files.h"
#include "base/bytes.h"

/* What a page of instructions can show, as bits of text_mark.folds. */
#define ANNOTATE_ALL		1U
#define ANNOTATE_INSTRUCTIONS	2U
#define ANNOTATE_SOURCE		4U

/**
 * struct annotation - what the formats print
 * @functions:	all functions with samples
 * @reader:	the recording
 * @objects:	all binaries
 * @sources:	source files
 * @denied:	what to print for CODE_DENIED, or NULL
 * @out:	where text is printed
 * @marks:	a struct text_mark for each line below the head of a function, or NULL. With it,
 *		the text has lines for all of ANNOTATE_*; without it, for ANNOTATE_ALL
 */
struct annotation {
	const struct hot_functions *functions;
	const struct reader *reader;
	struct objects *objects;
	struct source_files sources;
	const char *denied;
	FILE	*out;
	struct bytes *marks;
};

/**
 * struct annotate_format - an output format
 * @no_pager:	do not use a pager, not even on a terminal
 * @begin:	prints what comes before all functions
 * @print:	prints a function
 * @end:	prints what comes after all functions; may be NULL
 */
struct annotate_format {
	bool	no_pager;
	void	(*begin)(struct annotation *annotation);
	void	(*print)(struct annotation *annotation, const struct listing *listing);
	void	(*end)(struct annotation *annotation);
};

extern const struct annotate_format annotate_text_format;
extern const struct annotate_format annotate_stdio_format;
extern const struct annotate_format annotate_json_format;

const char *code_status_text(enum code_status status);
const char *code_status_word(enum code_status status);

#endif /* TPROF_ANNOTATE_FORMAT_H */
