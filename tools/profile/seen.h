/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the entries that a sample was counted in already
 *
 * A function may be several times in a call chain, but its entry counts the sample once.
 * The slots are in the CPU's cache. A mark in each entry would be in memory that is not.
 */
#ifndef TPROF_SEEN_H
#define TPROF_SEEN_H

#include <string.h>

#include "world/chain.h"

/* Number of slots, a power of two. */
#define SEEN_SLOTS	256

/* A slot has the number of an entry, plus this multiple of the number of its sample. */
#define SEEN_SAMPLE	(1ULL << 32)

/**
 * struct seen - entries of one sample; set up with seen_clear()
 * @sample:	SEEN_SAMPLE * number of the sample
 * @slots:	@sample + the first entry of the sample with this slot. A value below @sample
 *		is of an earlier sample, and the slot is free.
 * @nr:		number of @others
 * @others:	entries of the sample that have the same slot as an earlier one
 */
struct seen {
	u64	sample;
	u64	slots[SEEN_SLOTS];
	u32	nr;
	u32	others[FRAMES_MAX + 1];
};

/* Remove all entries. */
static inline void seen_clear(struct seen *seen)
{
	seen->nr = 0;
	seen->sample += SEEN_SAMPLE;
	if (seen->sample)
		return;
	memset(seen->slots, 0, sizeof(seen->slots));
	seen->sample = SEEN_SAMPLE;
}

/* Add an entry to @seen->others. Return false if it was there already. */
static inline bool seen_add_other(struct seen *seen, u32 entry)
{
	u32 i;

	for (i = 0; i < seen->nr; i++) {
		if (seen->others[i] == entry)
			return false;
	}
	seen->others[seen->nr++] = entry;
	return true;
}

/* Add an entry. Return false if it was there already. */
static inline bool seen_add(struct seen *seen, u32 entry)
{
	u64 *slot = &seen->slots[entry % SEEN_SLOTS], value = seen->sample + entry;

	if (*slot == value)
		return false;
	if (*slot >= seen->sample)
		return seen_add_other(seen, entry);
	*slot = value;
	return true;
}

#endif /* TPROF_SEEN_H */
