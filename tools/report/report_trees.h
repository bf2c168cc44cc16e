/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - the call trees of a recording, which is read again for them
 *
 * To keep call trees takes several times as long as to add up samples. So the screen shows
 * the sums first, and reads the recording again when the first tree is opened.
 *
 * The two profiles have the same entries in the same order, but other pointers as keys. In the
 * same way, the recording is read for a flame graph, and when the instructions of the first
 * function are wanted (annotate/annotated_recording.h).
 */
#ifndef TPROF_REPORT_TREES_H
#define TPROF_REPORT_TREES_H

#include "cli/gather_input.h"
#include "report/report_options.h"

/* What report_trees_read() makes. */
enum report_trees_kind {
	REPORT_TREES,	/* a call tree for each entry */
	REPORT_PATHS,	/* a tree of whole call paths, as for --folded, instead of entries */
};

/**
 * struct report_trees - a recording
 * @options:	the command line's, with call trees
 * @gathered:	its profiles, sorted
 */
struct report_trees {
	struct gather_options options;
	struct gathered gathered;
};

int report_trees_read(struct report_trees *trees, const struct report_options *opts,
		      enum report_trees_kind kind);
void report_trees_free(struct report_trees *trees);

#endif /* TPROF_REPORT_TREES_H */
