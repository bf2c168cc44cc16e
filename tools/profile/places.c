// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the table of sampled places, with the number of samples in each
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/huge_pages.h"
#include "profile/places.h"

#define FIRST_ROOM	256

/*
 * Maximum number of places in all tables together. A single table with MAX_PLACES
 * places takes 128 MiB, and still has room for the places of all waiting hits. If there
 * are many tables, each may have MIN_PLACES places (1 MiB).
 */
#define MAX_PLACES	(11UL << 18)
#define MIN_PLACES	(24UL << 10)

static struct place *make_slots(size_t room)
{
	return huge_pages(calloc(room, sizeof(struct place)), room * sizeof(struct place));
}

/*
 * Set up an empty table.
 *
 * @nr_tables: number of tables that share MAX_PLACES
 */
int places_init(struct places *places, u32 nr_tables)
{
	size_t max = MAX_PLACES / nr_tables;

	*places = (struct places){ .slots = make_slots(FIRST_ROOM), .room = FIRST_ROOM,
				   .left = ~0U, .max = max > MIN_PLACES ? max : MIN_PLACES };
	return places->slots ? 0 : -ENOMEM;
}

/* Double the capacity. All pointers to places become invalid. */
int places_grow(struct places *places)
{
	struct places larger = *places;
	const struct place *place;
	size_t i;

	larger.room = 2 * places->room;
	larger.slots = make_slots(larger.room);
	if (!larger.slots)
		return -ENOMEM;
	for (i = 0; i < places->room; i++) {
		place = &places->slots[i];
		if (place->found)
			*places_find(&larger, &place->key, place_hash(&place->key)) = *place;
	}
	free(places->slots);
	*places = larger;
	return 0;
}

/*
 * Add a place that is not in the table.
 *
 * @hash: place_hash() of @key
 * @found: value for place.found, not 0
 *
 * Return the place, or NULL if out of memory.
 */
struct place *places_add(struct places *places, const struct place_key *key, u64 hash, u32 found)
{
	struct place *place;

	if (places_reserve(places, 1))
		return NULL;
	places->nr++;
	place = places_find(places, key, hash);
	*place = (struct place){ .key = *key, .found = found };
	return place;
}

/* Remove all places. The caller has added their samples to the entries. */
void places_clear(struct places *places)
{
	memset(places->slots, 0, places->room * sizeof(*places->slots));
	places->nr = 0;
	places->left = ~0U;
}

void places_free(struct places *places)
{
	free(places->slots);
	*places = (struct places){ 0 };
}
