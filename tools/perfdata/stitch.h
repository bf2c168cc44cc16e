/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - samples and the rest of their call chains, which is told later
 *
 * What was not in memory when a sample was taken is told before its thread runs
 * on (struct tprof_lx_chain). Until then the sample is held back; whoever reads
 * through here gets it whole.
 */
#ifndef TPROF_STITCH_H
#define TPROF_STITCH_H

#include "perfdata/reader.h"

/**
 * struct held - a sample, copied
 * @next:	the one behind it
 * @record:	of it; its data are @data
 * @event:	number of its event, as the reader may move its events
 * @pid:	process
 * @tid:	thread
 * @data:	the record
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
 * struct held_list - samples in order
 * @first:	the first
 * @last:	where the next one is put
 * @nr:		how many
 */
struct held_list {
	struct held *first;
	struct held **last;
	u32	nr;
};

/**
 * struct stitch - a reader, and what is held back
 * @reader:	the file
 * @waiting:	samples whose rest has not come
 * @ready:	samples to be handed out before all else
 * @behind:	the record that comes behind them
 * @has_behind:	there is one
 * @given:	what was handed out last, if it is one of them
 * @nr_continued: chains that got longer
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

#endif /* TPROF_STITCH_H */
