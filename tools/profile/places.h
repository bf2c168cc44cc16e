/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the table of sampled places and their entries
 *
 * A place is an address in a binary, together with the task and CPU if keys depend on them
 * (subjects.h). Mappings change over time, but the function of a place and its entry in
 * the profile do not: they are looked up only for the first two samples of a place. The
 * first one only sets a bit, because many places have no other sample, and these would fill
 * the table. If the table is full, it is cleared; then the places are looked up again.
 *
 * If most samples are in places of their own, a search only costs time: then the table rests for
 * some samples, and is judged again. Each rest in a row is twice as long as the last one.
 * Whether --comm, --dso and --sym hide a place is looked up with its function. A place takes
 * 16 bytes. The tables of all events are cleared when they reach 36 MiB.
 */
#ifndef TPROF_PLACES_H
#define TPROF_PLACES_H

#include "base/arena.h"
#include "base/prefetch.h"
#include "profile/entries.h"

/* Number of bits in places.sampled for each slot. */
#define BITS_PER_SLOT	16

/* The bits of place.found for the entry: see place_found(). */
#define PLACE_ENTRY	ENTRIES_MAX

/* Number of places that a full table still has room for, at least: those of waiting hits. */
#define PLACES_SPARE	1024

/* After this many searches, the table is judged. A rest is at least as long. Tests change it. */
extern u32 places_trial;

/* Maximum number of samples in a rest. */
#define PLACES_MAX_REST	(1U << 22)

/**
 * struct place - a place, in 16 bytes because a recording may have millions
 * @addr:	address and binary, from place_pack() or places_far()
 * @subject:	subject.number: the task and CPU, as far as keys depend on them
 * @found:	entry and status, from place_found(); 0 if they are not known, and in a free slot
 */
struct place {
	u64	addr;
	u32	subject;
	u32	found;
};

/**
 * struct places - a table of places of one profile
 * @slots:	the table
 * @room:	number of @slots, a power of two
 * @nr:		number of slots in use
 * @max:	number of places at which the table must be cleared
 * @sampled:	bits of the places that were sampled, BITS_PER_SLOT for each slot; several
 *		places may have the same bit
 * @sought:	number of searches since the table was judged
 * @known:	number of these that found their place
 * @rest:	number of samples and frames that are still to be looked up without the table
 * @last_rest:	length of the last rest, 0 if the table was used since
 * @far:	addresses that place_pack() cannot pack
 * @memory:	memory of @far
 */
struct places {
	struct place *slots;
	size_t	room;
	size_t	nr;
	size_t	max;
	u64	*sampled;
	u32	sought;
	u32	known;
	u32	rest;
	u32	last_rest;
	struct hash_table far;
	struct arena memory;
};

int places_init(struct places *places, u32 nr_tables);
bool places_note(struct places *places, u64 hash);
int places_add(struct places *places, const struct place *place, u64 hash);
int places_far(struct places *places, const struct object *object, bool is_kernel, u64 addr,
	       u64 *packed);
void places_judge(struct places *places);
void places_clear(struct places *places);
void places_free(struct places *places);

/*
 * Return the address, the number of the binary and the mode in one number. object_can_pack()
 * must be true.
 */
static inline u64 place_pack(const struct object *object, bool is_kernel, u64 addr)
{
	return addr + (((u64)object->number << 1 | is_kernel) << PACKED_ADDR_BITS);
}

/*
 * Return what the hashes of all places of @subject have in common. The factor is secret, so that a
 * crafted file cannot choose places with the same sum.
 */
static inline u64 place_salt(u32 subject)
{
	return subject * (hash_secret | 1);
}

/* Hash the place with address @addr. @salt is place_salt() of its subject. */
static inline u64 place_hash_salted(u64 addr, u64 salt)
{
	return hash_number(addr + salt);
}

/* Hash a place. Places with the same address and subject have the same hash. */
static inline u64 place_hash(const struct place *place)
{
	return place_hash_salted(place->addr, place_salt(place->subject));
}

/* Return the index of the bit of a place in places.sampled. */
static inline u64 places_bit(const struct places *places, u64 hash)
{
	return hash & (places->room * BITS_PER_SLOT - 1);
}

/* Return the slot where the search for a place begins. */
static inline struct place *places_slot(const struct places *places, u64 hash)
{
	return &places->slots[hash & (places->room - 1)];
}

/* Prefetch the memory that places_note() will read. */
static inline void places_expect_note(const struct places *places, u64 hash)
{
	prefetch(&places->sampled[places_bit(places, hash) / 64]);
}

/*
 * Return the slot of a place, or the free slot to add it in.
 *
 * @slot: its places_slot()
 * @wanted: the place; @found is not used
 */
static inline struct place *places_search(const struct places *places, struct place *slot,
					  const struct place *wanted)
{
	struct place *end = places->slots + places->room;

	while ((slot->addr != wanted->addr || slot->subject != wanted->subject) && slot->found) {
		if (++slot == end)
			slot = places->slots;
	}
	return slot;
}

/* Same as places_search(), for a place with hash @hash. */
static inline struct place *places_find(const struct places *places, const struct place *wanted,
					u64 hash)
{
	return places_search(places, places_slot(places, hash), wanted);
}

/* Return true if the table must be cleared before another sample is looked up. */
static inline bool places_are_full(const struct places *places)
{
	return places->nr >= places->max;
}

/* Return true if the next @nr places are to be looked up without the table. */
static inline bool places_rest(struct places *places, u32 nr)
{
	if (!places->rest)
		return false;
	places->rest -= nr < places->rest ? nr : places->rest;
	return true;
}

/* Note that @known of @nr searches found their place. */
static inline void places_count(struct places *places, u32 nr, u32 known)
{
	places->sought += nr;
	places->known += known;
	if (places->sought >= places_trial)
		places_judge(places);
}

/* Return place.found for entry number @entry - 1. @entry is 0 if the filter hides the place. */
static inline u32 place_found(u32 entry, enum symbol_status status)
{
	return (status + 1U) << ENTRY_BITS | entry;
}

/* Return the number of the entry + 1, or 0 if the filter hides the place. */
static inline u32 place_entry(u32 found)
{
	return found & PLACE_ENTRY;
}

/* Return the enum symbol_status of a place. */
static inline u32 place_status(u32 found)
{
	return (found >> ENTRY_BITS) - 1;
}

#endif /* TPROF_PLACES_H */
