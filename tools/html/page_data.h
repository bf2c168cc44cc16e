/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the data in a page
 *
 * The data are columns of 32-bit numbers, a document of JSON that lists the columns and has
 * all names, blanks up to a multiple of 4 bytes, and the length of JSON and blanks. All this
 * is compressed, and encoded as base64.
 */
#ifndef TPROF_HTML_PAGE_DATA_H
#define TPROF_HTML_PAGE_DATA_H

#include "base/bytes.h"
#include "html/first_view.h"
#include "html/marks.h"
#include "html/page_keys.h"
#include "html/page_run.h"
#include "html/points.h"
#include "html/threads.h"

/* Maximum number of losses of a recording. Further ones are added to the last one. */
#define LOSSES_MAX	(1U << 16)

#define PAGE_MAX_RUNS	2

/**
 * struct loss - samples that were lost
 * @time:	when this was recorded
 * @lost:	their number
 * @run:	number of the recording
 */
struct loss {
	u64	time;
	u64	lost;
	u32	run;
};

/**
 * struct page_data - the data; page_new() makes it empty
 * @runs:	the recordings: one, or the old and the new one
 * @nr_runs:	number of @runs
 * @functions:	functions of the page, by number
 * @nr_functions: number of @functions
 * @joined:	stacks of the page if there are several recordings
 * @tree:	stacks of the page
 * @threads:	threads
 * @points:	samples
 * @losses:	array of struct loss
 * @nr_losses:	number of @losses
 * @marks:	marks
 * @keys:	keys that --sort chooses, in the page of one recording
 * @first:	what the page shows first, or NULL
 * @normalize:	what the page of two recordings compares first, a word of diff
 * @has_code:	the page has instructions of functions
 * @names:	names of threads, events and the recording
 */
struct page_data {
	struct page_run runs[PAGE_MAX_RUNS];
	u32	nr_runs;
	const struct function **functions;
	size_t	nr_functions;
	struct tree joined;
	struct tree *tree;
	struct threads threads;
	struct points points;
	struct bytes losses;
	size_t	nr_losses;
	struct marks marks;
	struct page_keys keys;
	const struct first_view *first;
	const char *normalize;
	bool	has_code;
	struct interned names;
};

static inline struct loss *page_losses(const struct page_data *data)
{
	return (struct loss *)data->losses.data;
}

int page_data_write(struct page_data *data, FILE *out);

#endif /* TPROF_HTML_PAGE_DATA_H */
