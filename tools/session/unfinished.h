/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - finish records whose chain has met a file without a table yet
 *
 * Such a record has a copy of the stack (TPROF_LX_MISC_STACK). It waits here until the tables of
 * its process are there, and all records after it wait behind it, so that their order stays. Then
 * the chain is walked again, and the copy is removed: neither files nor pipes get it.
 *
 * Records do not wait for a binary that the threads of the recording have given up, nor longer
 * than MAX_WAIT, and only if they need at most MAX_HELD bytes together. Where a table does not
 * come, frame pointers lead on, as in the module.
 */
#ifndef TPROF_UNFINISHED_H
#define TPROF_UNFINISHED_H

#include "base/bytes.h"
#include "perfdata/feature_set.h"
#include "session/map_log.h"
#include "session/opener.h"

/**
 * struct unfinished_sums - what became of the records with copies
 * @whole:	their chains reach an outermost frame
 * @beyond:	their chains end where the copy ends
 * @cut:	their chains end elsewhere
 * @hurried:	those of them that have waited in vain for a table
 * @kept:	their chains are those of the module, as their copies or mappings are not known
 * @dropped:	they are malformed, so they are not written
 * @bytes:	length of all copies
 */
struct unfinished_sums {
	u64	whole;
	u64	beyond;
	u64	cut;
	u64	hurried;
	u64	kept;
	u64	dropped;
	u64	bytes;
};

/**
 * struct unfinished - records that wait
 * @write:	takes the records that are finished, in their order
 * @see:	is shown each MMAP2 record that waits, so that its binary is opened at once
 * @arg:	passed to both
 * @events:	events of the session; all have the same trailer
 * @nr_events:	number of @events
 * @layout:	of the trailer of records that are no samples
 * @opener:	opens binaries
 * @maker:	makes their tables
 * @store:	the tables
 * @log:	mappings of the processes
 * @held:	records; the first @done bytes are written already
 * @done:	see @held
 * @finished:	memory for a record that is being finished
 * @since:	when the first of the records that wait came, in ns of CLOCK_MONOTONIC
 * @rounds:	number of FINISHED_ROUND records among those that wait
 * @sums:	what became of the records
 */
struct unfinished {
	void	(*write)(void *arg, const void *records, size_t len);
	void	(*see)(void *arg, const void *record);
	void	*arg;
	const struct perfdata_event *events;
	u32	nr_events;
	struct layout layout;
	struct opener *const *opener;
	struct table_maker *maker;
	struct table_store store;
	struct map_log log;
	struct bytes held;
	size_t	done;
	struct bytes finished;
	u64	since;
	u32	rounds;
	struct unfinished_sums sums;
};

int unfinished_begin(struct unfinished *unfinished);
void unfinished_know(struct unfinished *unfinished, const void *records, size_t len);
void unfinished_take(struct unfinished *unfinished, const void *records, size_t len);
void unfinished_retry(struct unfinished *unfinished);
void unfinished_wait(struct unfinished *unfinished, int stop);
void unfinished_end(struct unfinished *unfinished);
void unfinished_free(struct unfinished *unfinished);

#endif /* TPROF_UNFINISHED_H */
