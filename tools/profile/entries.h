/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the entries of a profile, by number and by key
 *
 * A profile may have millions of entries, so an entry has no pointer to it: it has a
 * number, which follows from its place in memory.
 */
#ifndef TPROF_ENTRIES_H
#define TPROF_ENTRIES_H

#include "profile/columns.h"

#define PROFILE_MAX_KEYS	8

/* The number of an entry, plus 1, has this many bits (places.h). */
#define ENTRY_BITS	28
#define ENTRIES_MAX	((1U << ENTRY_BITS) - 1)

/* Number of entries in the first block, as a power of two. */
#define FIRST_BLOCK_BITS	6
#define ENTRIES_MAX_BLOCKS	(ENTRY_BITS - FIRST_BLOCK_BITS + 1)

/**
 * struct profile_entry - a group of samples with equal keys
 * @tally:	values of the group
 * @keys:	the keys
 */
struct profile_entry {
	struct tally tally;
	u64	keys[];
};

/**
 * struct entry_key - identity of an entry
 * @keys:	its keys
 * @nr:		number of @keys
 * @hash:	hash of @keys
 */
struct entry_key {
	u64	keys[PROFILE_MAX_KEYS];
	size_t	nr;
	u64	hash;
};

/**
 * struct entry_slot - a slot of the hash table
 * @hash:	low bits of the hash of an entry
 * @entry:	number of the entry + 1, or 0 for an empty slot
 */
struct entry_slot {
	u32	hash;
	u32	entry;
};

/**
 * struct entries - all entries of a profile; empty if all members are zero
 * @nr:		number of entries
 * @bytes:	size of an entry
 * @blocks:	the entries; each block has twice as many as the one before
 * @slots:	hash table of the entries
 * @room:	number of @slots, a power of two
 */
struct entries {
	u32	nr;
	u32	bytes;
	u8	*blocks[ENTRIES_MAX_BLOCKS];
	struct entry_slot *slots;
	size_t	room;
};

u32 entries_get(struct entries *entries, const struct entry_key *key);
void entries_expect(const struct entries *entries, const struct entry_key *key);
void entries_end(struct entries *entries);
void entries_free(struct entries *entries);

/* Return the entry with number @number, which must exist. It never moves. */
static inline struct profile_entry *entries_at(const struct entries *entries, u32 number)
{
	u32 place = number + (1U << FIRST_BLOCK_BITS);
	u32 bits = 31 - __builtin_clz(place);

	place -= 1U << bits;
	return (struct profile_entry *)(entries->blocks[bits - FIRST_BLOCK_BITS] +
					(size_t)place * entries->bytes);
}

/* Prefetch the memory that entries_expect() will read. */
static inline void entries_expect_slot(const struct entries *entries, u64 hash)
{
	if (entries->nr)
		__builtin_prefetch(&entries->slots[hash & (entries->room - 1)]);
}

#endif /* TPROF_ENTRIES_H */
