// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the entries of a profile, by number and by key
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/huge_pages.h"
#include "profile/entries.h"

#define FIRST_ROOM	64
#define CACHE_LINE	64

static struct entry_slot *free_slot(struct entry_slot *slots, size_t room, u32 hash)
{
	size_t at = hash & (room - 1);

	while (slots[at].entry)
		at = (at + 1) & (room - 1);
	return &slots[at];
}

/* Double the hash table. It has at most 1 << 29 slots, so struct entry_slot has all bits. */
static int grow(struct entries *entries)
{
	size_t room = entries->room ? 2 * entries->room : FIRST_ROOM, i;
	struct entry_slot *slots = huge_pages(calloc(room, sizeof(*slots)),
					      room * sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < entries->room; i++) {
		if (entries->slots[i].entry)
			*free_slot(slots, room, entries->slots[i].hash) = entries->slots[i];
	}
	free(entries->slots);
	entries->slots = slots;
	entries->room = room;
	return 0;
}

/* Allocate memory that begins with a line of the cache, so that no tally is in two lines. */
static void *make_block(size_t bytes)
{
	return huge_pages(aligned_alloc(CACHE_LINE, ALIGN_UP(bytes, CACHE_LINE)), bytes);
}

/* Allocate the blocks of the next entry, if that entry is the first one of its block. */
static int add_block(struct entries *entries)
{
	struct entry_place place = entry_place(entries->nr);
	size_t nr = 1UL << (place.block + FIRST_BLOCK_BITS);
	struct tally **tallies = &entries->tallies[place.block];
	u64 **keys = &entries->keys[place.block];

	if (place.at)
		return 0;
	if (!*tallies)
		*tallies = make_block(nr * sizeof(**tallies));
	if (!*keys)
		*keys = make_block(nr * entries->nr_keys * sizeof(**keys));
	return *tallies && *keys ? 0 : -ENOMEM;
}

static u32 add(struct entries *entries, const struct entry_key *key)
{
	u32 number = entries->nr;

	entries->nr_keys = key->nr;
	if (number == ENTRIES_MAX || add_block(entries))
		return 0;
	*entries_tally(entries, number) = (struct tally){ 0 };
	memcpy(entries_keys(entries, number), key->keys, key->nr * sizeof(*key->keys));
	*free_slot(entries->slots, entries->room, key->hash) =
		(struct entry_slot){ key->hash, ++entries->nr };
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
	const struct entry_slot *slot;
	size_t at;

	if (entries->nr >= entries->room / 4 * 3 && grow(entries))
		return 0;
	for (at = key->hash & (entries->room - 1);; at = (at + 1) & (entries->room - 1)) {
		slot = &entries->slots[at];
		if (!slot->entry)
			return add(entries, key);
		if (slot->hash == (u32)key->hash &&
		    is_entry(entries_keys(entries, slot->entry - 1), key))
			return slot->entry;
	}
}

/*
 * Prefetch the entry that entries_get() will probably return. Call entries_expect_slot()
 * first.
 */
void entries_expect(const struct entries *entries, const struct entry_key *key)
{
	const struct entry_slot *slot;
	size_t at;

	if (!entries->nr)
		return;
	for (at = key->hash & (entries->room - 1);; at = (at + 1) & (entries->room - 1)) {
		slot = &entries->slots[at];
		if (slot->entry && slot->hash != (u32)key->hash)
			continue;
		if (slot->entry)
			__builtin_prefetch(entries_keys(entries, slot->entry - 1));
		return;
	}
}

/* Free the hash table, to save memory: after this call, no entry is found or added by key. */
void entries_end(struct entries *entries)
{
	free(entries->slots);
	entries->slots = NULL;
}

void entries_free(struct entries *entries)
{
	size_t i;

	for (i = 0; i < ENTRIES_MAX_BLOCKS; i++) {
		free(entries->tallies[i]);
		free(entries->keys[i]);
	}
	free(entries->off);
	free(entries->slots);
	*entries = (struct entries){ 0 };
}
