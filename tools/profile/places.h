/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the sampled places, and how many samples each has
 *
 * A place is an address in a binary, sampled in one task if keys depend on the task.
 * Mappings change over time, but a place does not: its function and its entry in the
 * profile stay the same. So they are looked up once for each place. Samples are counted
 * here and added to the entries at the end, or when a limit is reached.
 */
#ifndef TPROF_PLACES_H
#define TPROF_PLACES_H

#include "base/hash_table.h"

/* Room for the number of an entry, and above it for an enum symbol_status + 1. */
#define PLACE_ENTRY_BITS	28
#define PLACE_MAX_ENTRY		((1U << PLACE_ENTRY_BITS) - 1)

/**
 * struct place_key - a place
 * @addr:	address in the binary
 * @object:	number of the binary, times 2, plus 1 for a kernel address
 * @subject:	number of the task's keys (subjects.h), 0 for none
 */
struct place_key {
	u64	addr;
	u32	object;
	u32	subject;
};

/**
 * struct place - a place and its samples
 * @key:	the place
 * @period:	sum of the periods of the samples
 * @samples:	number of samples
 * @found:	number of the entry + 1, or 0 if it is filtered out; and the status;
 *		0 for a free slot
 */
struct place {
	struct place_key key;
	u64	period;
	u32	samples;
	u32	found;
};

/**
 * struct places - a table of places; zero-initialised is empty
 * @slots:	the table
 * @room:	number of @slots, a power of two
 * @nr:		number of slots in use
 * @left:	samples that may still be taken: their sums have 32 bits
 * @max:	number of places at which to clear the table
 */
struct places {
	struct place *slots;
	size_t	room;
	size_t	nr;
	u32	left;
	size_t	max;
};

int places_init(struct places *places, u32 nr_tables);
struct place *places_add(struct places *places, const struct place_key *key, u64 hash, u32 found);
void places_clear(struct places *places);
void places_free(struct places *places);

static inline u64 place_hash(const struct place_key *key)
{
	u64 hash = (key->addr ^ hash_secret) * 0x9e3779b97f4a7c15ULL;

	hash ^= hash >> 32;
	hash = (hash ^ ((u64)key->subject << 32 | key->object)) * 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 32;
}

static inline void places_prefetch(const struct places *places, u64 hash)
{
	__builtin_prefetch(&places->slots[hash & (places->room - 1)], 1);
}

/* Find a place, or the free slot where it would be. */
static inline struct place *places_find(const struct places *places, const struct place_key *key,
					u64 hash)
{
	struct place *place;
	size_t at;

	for (at = hash & (places->room - 1);; at = (at + 1) & (places->room - 1)) {
		place = &places->slots[at];
		if (!place->found || (place->key.addr == key->addr &&
				      place->key.object == key->object &&
				      place->key.subject == key->subject))
			return place;
	}
}

/* Are there too many places or samples to take another sample? */
static inline bool places_are_full(const struct places *places)
{
	return !places->left || places->nr >= places->max;
}

/*
 * Take a sample, which is counted later. places_are_full() has returned false. Return the
 * number of the sample since the table was empty, at least 1.
 */
static inline u32 places_take(struct places *places)
{
	return ~0U - --places->left;
}

/* Return the number of the entry + 1, or 0. */
static inline u32 place_entry(const struct place *place)
{
	return place->found & PLACE_MAX_ENTRY;
}

#endif /* TPROF_PLACES_H */
