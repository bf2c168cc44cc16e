/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a cache of the functions at addresses
 *
 * A lookup in a symtab reads three tables, and probably none of them is in the CPU's cache.
 * Keys such as the name of the thread let the same address be looked up for each of their
 * values. The cache has one slot for each hash, so its memory is bounded.
 */
#ifndef TPROF_RECENT_PLACES_H
#define TPROF_RECENT_PLACES_H

#include "base/hash_table.h"
#include "base/prefetch.h"
#include "symbols/object.h"

/* Number of slots, a power of two. They take 4 MiB. */
#define RECENT_PLACES	(1U << 18)

/**
 * struct recent_place - the result of a lookup
 * @place:	the address and the binary, from recent_place()
 * @symbol:	the function, NULL for an empty slot
 */
struct recent_place {
	u64	place;
	struct symbol *symbol;
};

/**
 * struct recent_places - the cache; empty if all members are zero
 * @slots:	array of RECENT_PLACES slots, NULL before the first lookup
 */
struct recent_places {
	struct recent_place *slots;
};

int recent_places_make(struct recent_places *recent);
void recent_places_free(struct recent_places *recent);

/* Return the address and the number of the binary. object_can_pack() must be true. */
static inline u64 recent_place(const struct object *object, u64 addr)
{
	return (addr & ((1ULL << PACKED_ADDR_BITS) - 1)) |
	       (u64)object->number << PACKED_ADDR_BITS;
}

static inline struct recent_place *recent_slot(const struct recent_places *recent, u64 place)
{
	return &recent->slots[hash_number(place) % RECENT_PLACES];
}

/* Prefetch the memory that recent_places_find() will read. */
static inline void recent_places_expect(const struct recent_places *recent,
					const struct object *object, u64 addr)
{
	if (recent->slots && object_can_pack(object, addr))
		prefetch(recent_slot(recent, recent_place(object, addr)));
}

/* Return the function at an address, or NULL if it is not in the cache. */
static inline struct symbol *recent_places_find(const struct recent_places *recent,
						const struct object *object, u64 addr)
{
	const struct recent_place *slot;
	u64 place;

	if (!recent->slots || !object_can_pack(object, addr))
		return NULL;
	place = recent_place(object, addr);
	slot = recent_slot(recent, place);
	return slot->place == place ? slot->symbol : NULL;
}

/* Add the function at an address. Do nothing if object_can_pack() is false. */
static inline void recent_places_add(const struct recent_places *recent,
				     const struct object *object, u64 addr, struct symbol *symbol)
{
	u64 place;

	if (!object_can_pack(object, addr))
		return;
	place = recent_place(object, addr);
	*recent_slot(recent, place) = (struct recent_place){ place, symbol };
}

#endif /* TPROF_RECENT_PLACES_H */
