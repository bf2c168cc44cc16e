/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - a recording of a page
 */
#ifndef TPROF_HTML_PAGE_RUN_H
#define TPROF_HTML_PAGE_RUN_H

#include "export/frames.h"
#include "export/samples.h"
#include "html/tree.h"

/**
 * struct page_run - a recording of a page; empty if all members are zero
 * @export:	the recording
 * @samples:	its samples; has the names of threads and binaries
 * @frames:	functions, and the frames of recent samples
 * @tree:	stacks by function and kind
 * @start:	time of the first sample
 * @nr_samples:	number of samples
 * @nr_lost:	number of lost samples, as report has it
 * @nr_marks:	number of marks, with those that the page leaves out
 * @events:	for each event the number of its name in the page, or NO_EVENT
 * @nr_events:	number of @events
 * @nr_of_event: number of samples, by number of the event's name
 * @nr_at_prune: @nr_of_event when small stacks were folded for the last time
 */
struct page_run {
	const struct export *export;
	struct samples samples;
	struct frames frames;
	struct tree tree;
	u64	start;
	u64	nr_samples;
	u64	nr_lost;
	u64	nr_marks;
	u32	events[READER_MAX_EVENTS];
	u32	nr_events;
	u64	nr_of_event[READER_MAX_EVENTS];
	u64	nr_at_prune[READER_MAX_EVENTS];
};

#define NO_EVENT	(~0U)

#endif /* TPROF_HTML_PAGE_RUN_H */
