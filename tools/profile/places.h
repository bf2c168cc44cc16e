/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the table of sampled places, with the number of samples in each
 *
 * A place is an address in a binary, together with the task and CPU if keys depend on them
 * (subjects.h). Mappings change over time, but the function of a place and its entry in
 * the profile do not: both are looked up once. Samples are counted here. Their counts are
 * added to the entries at the end, or earlier if the table is full.
 */
#ifndef TPROF_PLACES_H
#define TPROF_PLACES_H

#include "base/hash_table.h"

/* place.found = (symbol_status + 1) << PLACE_ENTRY_BITS | (profile_entry.number + 1) */
#define PLACE_ENTRY_BITS	28
#define PLACE_MAX_ENTRY		((1U << PLACE_ENTRY_BITS) - 1)

/**
 * struct place_key - a place
 * @addr:	address in the binary
 * @object:	object.number * 2 + (kernel address ? 1 : 0)
 * @subject:	subject.number: the task and CPU, as far as keys depend on them
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
 * @found:	entry and status, see PLACE_ENTRY_BITS; 0 for a free slot. The bits of the
 *		entry are 0 if the filter hides the place.
 */
struct place {
	struct place_key key;
	u64	period;
	u32	samples;
	u32	found;
};

/**
 * struct places - a table of places of one profile
 * @slots:	the table
 * @room:	number of @slots, a power of two
 * @nr:		number of slots in use
 * @left:	number of samples that may still be taken before a 32-bit count overflows
 * @max:	number of places at which the table must be cleared
 */
struct places {
	struct place *slots;
	size_t	room;
	size_t	nr;
	u32	left;
	size_t	max;
};

int places_init(struct places *places, u32 nr_tables);
int places_grow(struct places *places);
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

/* Return the slot of a place, or the free slot to add it in. */
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

/*
 * Enlarge the table if there is too little room for @nr more places. After that, @nr
 * calls of places_add() leave pointers to places valid. @nr is at most a quarter of
 * places.room.
 */
static inline int places_reserve(struct places *places, size_t nr)
{
	return places->nr + nr > places->room / 4 * 3 ? places_grow(places) : 0;
}

/* Return true if the table must be cleared before another sample is taken. */
static inline bool places_are_full(const struct places *places)
{
	return !places->left || places->nr >= places->max;
}

/*
 * Reserve a number for a sample, which is counted later. places_are_full() must be false.
 * Return the number: 1 for the first sample after the table was cleared.
 */
static inline u32 places_take(struct places *places)
{
	return ~0U - --places->left;
}

/* Return profile_entry.number + 1, or 0 if the filter hides the place. */
static inline u32 place_entry(const struct place *place)
{
	return place->found & PLACE_MAX_ENTRY;
}

#endif /* TPROF_PLACES_H */
