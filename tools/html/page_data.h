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
#include "export/export.h"
#include "export/frames.h"
#include "html/points.h"
#include "html/threads.h"
#include "html/tree.h"

/* Maximum number of losses. Further ones are added to the last one. */
#define LOSSES_MAX	(1U << 16)

/**
 * struct loss - samples that were lost
 * @time:	when this was recorded
 * @lost:	their number
 */
struct loss {
	u64	time;
	u64	lost;
};

/**
 * struct page_data - the data; page_data_init() makes it empty
 * @export:	the recording
 * @frames:	functions, frames and stacks
 * @tree:	stacks by function and kind
 * @threads:	threads
 * @points:	samples
 * @losses:	array of struct loss
 * @nr_losses:	number of @losses
 * @nr_lost:	number of lost samples, as report has it
 * @names:	names of threads, events and the recording
 */
struct page_data {
	const struct export *export;
	struct frames frames;
	struct tree tree;
	struct threads threads;
	struct points points;
	struct bytes losses;
	size_t	nr_losses;
	u64	nr_lost;
	struct interned names;
};

static inline struct loss *page_losses(const struct page_data *data)
{
	return (struct loss *)data->losses.data;
}

int page_data_write(struct page_data *data, FILE *out);

#endif /* TPROF_HTML_PAGE_DATA_H */
