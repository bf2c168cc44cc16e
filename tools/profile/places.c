// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the table of sampled places and their entries
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/huge_pages.h"
#include "profile/places.h"

#define FIRST_ROOM	256

/*
 * Maximum number of places in all tables together. A single table with MAX_PLACES
 * places takes 36 MiB. If there are many tables, each may have MIN_PLACES places (576 KiB).
 */
#define MAX_PLACES	(12UL << 17)
#define MIN_PLACES	(24UL << 10)

u32 places_trial = 1U << 16;

static size_t slots_bytes(const struct places *places)
{
	return places->room * sizeof(*places->slots);
}

static size_t sampled_bytes(const struct places *places)
{
	return places->room / 8 * BITS_PER_SLOT;
}

/* Allocate the memory of an empty table with @room slots. places_free() frees it. */
static int make_slots(struct places *places, size_t room)
{
	places->room = room;
	places->slots = huge_alloc(slots_bytes(places));
	places->sampled = huge_alloc(sampled_bytes(places));
	return places->slots && places->sampled ? 0 : -ENOMEM;
}

static void free_slots(struct places *places)
{
	huge_free(places->slots, slots_bytes(places));
	huge_free(places->sampled, sampled_bytes(places));
}

/* Return how many places fit in a table with @room slots. */
static size_t capacity(size_t room)
{
	return room / 4 * 3;
}

/* Return places.max for each of @nr_tables tables. */
static size_t choose_max(u32 nr_tables)
{
	size_t max = MAX_PLACES / nr_tables, room = FIRST_ROOM, most;

	if (max < MIN_PLACES)
		max = MIN_PLACES;
	while (capacity(room) < max)
		room *= 2;
	most = capacity(room) - PLACES_SPARE;
	return max < most ? max : most;
}

/*
 * Set up an empty table.
 *
 * @nr_tables: number of tables that share MAX_PLACES
 */
int places_init(struct places *places, u32 nr_tables)
{
	*places = (struct places){ .max = choose_max(nr_tables) };
	return make_slots(places, FIRST_ROOM);
}

/* Copy each place of @from to its slot in @places, which is larger. */
static void copy_places(struct places *places, const struct places *from)
{
	const struct place *place, *end = from->slots + from->room;

	for (place = from->slots; place < end; place++) {
		if (place->found)
			*places_find(places, place, place_hash(place)) = *place;
	}
}

/* Double the capacity, and forget which places were sampled once. */
static int grow(struct places *places)
{
	struct places old = *places;

	if (make_slots(places, 2 * old.room)) {
		free_slots(places);
		*places = old;
		return -ENOMEM;
	}
	copy_places(places, &old);
	free_slots(&old);
	return 0;
}

/*
 * Return true if a place was sampled before, and note that it was sampled. The result may
 * be wrong: it only decides whether to add the place.
 *
 * @hash: place_hash() of the place
 */
bool places_note(struct places *places, u64 hash)
{
	u64 bit = places_bit(places, hash), mask = 1ULL << bit % 64;
	u64 *bits = &places->sampled[bit / 64];
	bool was_sampled = *bits & mask;

	*bits |= mask;
	return was_sampled;
}

/*
 * Add a place that is not in the table.
 *
 * @hash: place_hash() of @place
 */
int places_add(struct places *places, const struct place *place, u64 hash)
{
	if (places->nr >= capacity(places->room) && grow(places))
		return -ENOMEM;
	places->nr++;
	*places_find(places, place, hash) = *place;
	return 0;
}

/**
 * struct far_addr - an address that place_pack() cannot pack
 * @object:	its binary
 * @addr:	the address
 * @packed:	the number that stands for it
 * @is_kernel:	its mode
 */
struct far_addr {
	const struct object *object;
	u64	addr;
	u64	packed;
	bool	is_kernel;
};

static bool is_far(const void *entry, const void *wanted)
{
	const struct far_addr *far = entry, *key = wanted;

	return far->object == key->object && far->addr == key->addr &&
	       far->is_kernel == key->is_kernel;
}

/*
 * Find or choose a number for an address that place_pack() cannot pack. It differs from all
 * numbers of place_pack(): if their highest bit is set, all bits from PACKED_ADDR_BITS on are.
 */
int places_far(struct places *places, const struct object *object, bool is_kernel, u64 addr,
	       u64 *packed)
{
	struct far_addr key = { object, addr, 1ULL << 63 | places->far.nr, is_kernel };
	u64 hash = hash_number(hash_number(addr) + ((u64)object->number << 1 | is_kernel));
	struct far_addr *far = hash_table_find(&places->far, hash, is_far, &key);

	if (!far) {
		far = arena_get(&places->memory, sizeof(*far));
		if (!far || hash_table_add(&places->far, hash, far))
			return -ENOMEM;
		*far = key;
	}
	*packed = far->packed;
	return 0;
}

/* Let the table rest if less than a third of the searches found their place. */
void places_judge(struct places *places)
{
	u32 last = places->last_rest;

	if (places->known >= places->sought / 3)
		places->rest = 0;
	else if (!last)
		places->rest = places_trial;
	else
		places->rest = last < PLACES_MAX_REST / 2 ? 2 * last : PLACES_MAX_REST;
	places->last_rest = places->rest;
	places->sought = 0;
	places->known = 0;
}

static void clear_far(struct places *places)
{
	hash_table_free(&places->far, NULL);
	arena_free(&places->memory);
}

/* Remove all places. */
void places_clear(struct places *places)
{
	memset(places->slots, 0, slots_bytes(places));
	memset(places->sampled, 0, sampled_bytes(places));
	places->nr = 0;
	clear_far(places);
}

void places_free(struct places *places)
{
	clear_far(places);
	free_slots(places);
	*places = (struct places){ 0 };
}
