/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the entries that a sample was counted in already
 *
 * A function may be several times in a call chain, but its entry counts the sample once.
 * Most chains are short, so a list of their entries is in the CPU's cache, where a mark in
 * each entry would not be. A set of bits avoids most searches of the list.
 */
#ifndef TPROF_SEEN_H
#define TPROF_SEEN_H

#include <string.h>

#include "world/chain.h"

#define SEEN_BITS	512

/**
 * struct seen - entries of one sample; set up with seen_clear()
 * @bits:	has the bit of each entry; other entries may have the same bit
 * @nr:		number of @entries
 * @entries:	numbers of the entries: of the sample itself and of its frames
 */
struct seen {
	u64	bits[SEEN_BITS / 64];
	u32	nr;
	u32	entries[FRAMES_MAX + 1];
};

/* Remove all entries. */
static inline void seen_clear(struct seen *seen)
{
	memset(seen->bits, 0, sizeof(seen->bits));
	seen->nr = 0;
}

/* Add an entry. Return false if it was there already. */
static inline bool seen_add(struct seen *seen, u32 entry)
{
	u64 bit = 1ULL << entry % 64, *bits = &seen->bits[entry / 64 % (SEEN_BITS / 64)];
	u32 i;

	if (*bits & bit) {
		for (i = 0; i < seen->nr; i++) {
			if (seen->entries[i] == entry)
				return false;
		}
	}
	*bits |= bit;
	seen->entries[seen->nr++] = entry;
	return true;
}

#endif /* TPROF_SEEN_H */
