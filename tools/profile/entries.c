// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the entries of a profile, by number and by key
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/huge_pages.h"
#include "base/prefetch.h"
#include "profile/entries.h"

#define FIRST_ROOM	64

u64 entries_hash(const u64 *keys, size_t nr)
{
	u64 hash = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		hash = hash_number(hash + keys[i]);
	return hash;
}

static u32 make_slot(u64 hash, u32 entry)
{
	return (u32)(hash >> (32 + ENTRY_BITS)) << ENTRY_BITS | entry;
}

/* Return the number of the entry in a slot that is not free. */
static u32 entry_in(u32 slot)
{
	return (slot & ENTRIES_MAX) - 1;
}

static u32 *free_slot(u32 *slots, size_t room, u64 hash)
{
	size_t at = hash & (room - 1);

	while (slots[at])
		at = (at + 1) & (room - 1);
	return &slots[at];
}

/* Double the hash table. */
static int grow(struct entries *entries)
{
	size_t room = entries->room ? 2 * entries->room : FIRST_ROOM;
	u32 *slots = huge_alloc(room * sizeof(*slots)), i;
	u64 hash;

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < entries->nr; i++) {
		hash = entries_hash(entries_keys(entries, i), entries->nr_keys);
		*free_slot(slots, room, hash) = make_slot(hash, i + 1);
	}
	entries_end(entries);
	entries->slots = slots;
	entries->room = room;
	return 0;
}

/* Return the size in bytes of block @i of tallies. */
static size_t tally_bytes(size_t i)
{
	return sizeof(struct tally) << (i + FIRST_BLOCK_BITS);
}

/* Return the size in bytes of block @i of keys. */
static size_t key_bytes(const struct entries *entries, size_t i)
{
	return entries->nr_keys * sizeof(u64) << (i + FIRST_BLOCK_BITS);
}

/* Allocate the blocks of the next entry, if that entry is the first one of its block. */
static int add_block(struct entries *entries)
{
	struct entry_place place = entry_place(entries->nr);
	struct tally **self = &entries->self[place.block];
	struct tally **children = &entries->children[place.block];
	u64 **keys = &entries->keys[place.block];

	if (place.at)
		return 0;
	if (!*self)
		*self = huge_alloc(tally_bytes(place.block));
	if (!*children)
		*children = entries->is_flat ? *self : huge_alloc(tally_bytes(place.block));
	if (!*keys)
		*keys = huge_alloc(key_bytes(entries, place.block));
	return *self && *children && *keys ? 0 : -ENOMEM;
}

static u32 add(struct entries *entries, const struct entry_key *key)
{
	u32 number = entries->nr;

	entries->nr_keys = key->nr;
	if (number == ENTRIES_MAX || add_block(entries))
		return 0;
	*entries_self(entries, number) = (struct tally){ 0 };
	*entries_children(entries, number) = (struct tally){ 0 };
	memcpy(entries_keys(entries, number), key->keys, key->nr * sizeof(*key->keys));
	*free_slot(entries->slots, entries->room, key->hash) = make_slot(key->hash, ++entries->nr);
	return entries->nr;
}

static bool is_entry(const u64 *keys, const struct entry_key *key)
{
	size_t i;

	for (i = 0; i < key->nr; i++) {
		if (keys[i] != key->keys[i])
			return false;
	}
	return true;
}

/*
 * Find or create an entry. All keys must have the same length.
 *
 * Return its number + 1, or 0 if out of memory or if ENTRIES_MAX entries exist already.
 */
u32 entries_get(struct entries *entries, const struct entry_key *key)
{
	u32 wanted = make_slot(key->hash, 0), slot;
	size_t at;

	if (entries->nr >= entries->room / 4 * 3 && grow(entries))
		return 0;
	for (at = key->hash & (entries->room - 1);; at = (at + 1) & (entries->room - 1)) {
		slot = entries->slots[at];
		if (!slot)
			return add(entries, key);
		if ((slot & ~ENTRIES_MAX) == wanted &&
		    is_entry(entries_keys(entries, entry_in(slot)), key))
			return entry_in(slot) + 1;
	}
}

/*
 * Prefetch the entry that entries_get() will probably return. Call entries_expect_slot()
 * first.
 */
void entries_expect(const struct entries *entries, const struct entry_key *key)
{
	u32 wanted = make_slot(key->hash, 0), slot;
	size_t at;

	if (!entries->nr)
		return;
	for (at = key->hash & (entries->room - 1);; at = (at + 1) & (entries->room - 1)) {
		slot = entries->slots[at];
		if (slot && (slot & ~ENTRIES_MAX) != wanted)
			continue;
		if (slot)
			prefetch(entries_keys(entries, entry_in(slot)));
		return;
	}
}

/* Free the hash table, to save memory: after this call, no entry is found or added by key. */
void entries_end(struct entries *entries)
{
	huge_free(entries->slots, entries->room * sizeof(*entries->slots));
	entries->slots = NULL;
}

/* Let @nr entries have times off CPU. */
int entries_add_off(struct entries *entries, u32 nr)
{
	entries->off = calloc(nr, sizeof(*entries->off));
	return entries->off ? 0 : -ENOMEM;
}

/* Remove entries.is_flat, because samples with callers will be counted. */
int entries_own_children(struct entries *entries)
{
	struct tally **children = entries->children;
	size_t i;

	if (!entries->is_flat)
		return 0;
	entries->is_flat = false;
	memset(entries->children, 0, sizeof(entries->children));
	for (i = 0; i < ENTRIES_MAX_BLOCKS && entries->self[i]; i++) {
		children[i] = huge_alloc(tally_bytes(i));
		if (!children[i])
			return -ENOMEM;
		memcpy(children[i], entries->self[i], tally_bytes(i));
	}
	return 0;
}

void entries_free(struct entries *entries)
{
	size_t i;

	for (i = 0; i < ENTRIES_MAX_BLOCKS; i++) {
		if (entries->children[i] != entries->self[i])
			huge_free(entries->children[i], tally_bytes(i));
		huge_free(entries->self[i], tally_bytes(i));
		huge_free(entries->keys[i], key_bytes(entries, i));
	}
	free(entries->off);
	entries_end(entries);
	*entries = (struct entries){ 0 };
}
