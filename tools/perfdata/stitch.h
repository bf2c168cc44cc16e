/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - complete samples from their deferred call chains
 *
 * If user memory is not present when a thread is sampled, the module defers the call
 * chain: it writes the chain as a record with struct tprof_lx_chain before the
 * thread returns to user mode. stitch_next() holds the sample back until it reads
 * that record. Then it returns the sample with the complete chain.
 */
#ifndef TPROF_STITCH_H
#define TPROF_STITCH_H

#include "perfdata/reader.h"

/**
 * struct held - a copy of a sample that is held back
 * @next:	next sample in the list
 * @record:	the sample; its @event is unused, its @data points to @data below
 * @event:	index in reader.events, not a pointer: the reader may reallocate the
 *		array
 * @pid:	process
 * @tid:	thread
 * @data:	bytes of the record
 */
struct held {
	struct held *next;
	struct record record;
	u32	event;
	u32	pid;
	u32	tid;
	u8	data[];
};

/**
 * struct held_list - a list of samples, oldest first
 * @first:	first sample, or NULL
 * @last:	address of the pointer that list_add() sets: @next of the last sample, or
 *		@first
 * @nr:		number of samples
 */
struct held_list {
	struct held *first;
	struct held **last;
	u32	nr;
};

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
 * Return true if no record is held back. Only then may the caller use
 * reader_samples().
 */
static inline bool stitch_is_idle(const struct stitch *stitch)
{
	return !stitch->waiting.nr && !stitch->ready.nr && !stitch->has_behind;
}

#endif /* TPROF_STITCH_H */
