/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - complete samples from their deferred call chains
 *
 * If user memory is not present when a thread is sampled, the module defers the call
 * chain: it writes the chain as a record with struct tprof_lx_chain before the
 * thread returns to user mode. stitch_next() holds the sample back until it reads
 * that record. Then it returns the sample with the complete chain.
 *
 * perf may defer the user part of all chains. Then the chain of a sample ends with
 * PERF_CONTEXT_USER_DEFERRED and a cookie, and a later record CALLCHAIN_DEFERRED of the
 * thread has the same cookie and the user part. A sample without such a record has the
 * kernel part, or the interrupted function if that was in user mode.
 *
 * While a sample is held back, records are returned one by one. All records of a file in which
 * perf has deferred chains are.
 */
#ifndef TPROF_STITCH_H
#define TPROF_STITCH_H

#include "perfdata/held.h"
#include "perfdata/reader.h"

/**
 * struct stitch - a reader and the samples that are held back
 * @reader:	reads the file
 * @waiting:	samples whose deferred chain has not been read
 * @ready:	samples to return next
 * @behind:	record that was read last, to be returned after @ready
 * @has_behind:	@behind is valid
 * @given:	the sample of @ready that was returned last, or NULL
 * @nr_continued: number of samples that were completed
 */
struct stitch {
	struct reader *reader;
	struct held_list waiting;
	struct held_list ready;
	struct record behind;
	bool	has_behind;
	struct held *given;
	u64	nr_continued;
};

void stitch_init(struct stitch *stitch, struct reader *reader);
int stitch_next(struct stitch *stitch, struct record *record);
void stitch_free(struct stitch *stitch);

/*
 * Return true if no record is held back, and no event defers all chains. Only then may
 * the caller use reader_samples().
 */
static inline bool stitch_is_idle(const struct stitch *stitch)
{
	return !stitch->waiting.nr && !stitch->ready.nr && !stitch->has_behind &&
	       !stitch->reader->defers;
}

#endif /* TPROF_STITCH_H */
