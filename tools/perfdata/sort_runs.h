/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sort records that consist of a few sorted runs
 */
#ifndef TPROF_SORT_RUNS_H
#define TPROF_SORT_RUNS_H

#include <stddef.h>

#include "base/types.h"

/**
 * struct waiting - a record in the queue, in 16 bytes because millions may be queued
 * @time:	its time
 * @chunk:	number of its chunk
 * @place:	its offset in the chunk | index in reader.events << CHUNK_BITS
 */
struct waiting {
	u64	time;
	u32	chunk;
	u32	place;
};

bool sort_runs(struct waiting *records, struct waiting *scratch, size_t nr);

#endif /* TPROF_SORT_RUNS_H */
