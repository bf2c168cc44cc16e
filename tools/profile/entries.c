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

/* Return how many entries there is memory for if the hash table has @room slots. */
static size_t capacity(size_t room)
{
	return room / 4 * 3;
}

static size_t tally_bytes(const struct entries *entries)
{
	return capacity(entries->room) * sizeof(struct tally);
}

static size_t key_bytes(const struct entries *entries)
{
	return capacity(entries->room) * entries->nr_keys * sizeof(u64);
}

static struct tally *make_tallies(const struct entries *entries)
{
	return huge_alloc(tally_bytes(entries));
}

/* Allocate the memory of entries.room slots. free_memory() frees it, even if this fails. */
static int allocate(struct entries *entries)
{
	entries->slots = huge_alloc(entries->room * sizeof(*entries->slots));
	entries->self = make_tallies(entries);
	entries->children = entries->is_flat ? entries->self : make_tallies(entries);
	entries->keys = huge_alloc(key_bytes(entries));
	return entries->slots && entries->self && entries->children && entries->keys ? 0 : -ENOMEM;
}

static void free_memory(struct entries *entries)
{
	if (entries->children != entries->self)
		huge_free(entries->children, tally_bytes(entries));
	huge_free(entries->self, tally_bytes(entries));
	huge_free(entries->keys, key_bytes(entries));
	entries_end(entries);
}

/* Move an array of @bytes to @to. Each array is freed before the next one is copied. */
static void move(void *to, void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	huge_free(from, bytes);
}

/* Move all entries of @old to @entries, which has room for more. */
static void move_all(struct entries *entries, struct entries *old)
{
	u64 hash;
	u32 i;

	move(entries->self, old->self, tally_bytes(old));
	if (!entries->is_flat)
		move(entries->children, old->children, tally_bytes(old));
	move(entries->keys, old->keys, key_bytes(old));
	entries_end(old);
	for (i = 0; i < entries->nr; i++) {
		hash = entries_hash(entries_keys(entries, i), entries->nr_keys);
		*free_slot(entries->slots, entries->room, hash) = make_slot(hash, i + 1);
	}
}

/* Double the capacity. */
static int grow(struct entries *entries)
{
	struct entries old = *entries;

	entries->room = old.room ? 2 * old.room : FIRST_ROOM;
	if (allocate(entries)) {
		free_memory(entries);
		*entries = old;
		return -ENOMEM;
	}
	if (old.room)
		move_all(entries, &old);
	return 0;
}

static u32 add(struct entries *entries, const struct entry_key *key)
{
	u32 number = entries->nr;

	if (number == ENTRIES_MAX)
		return 0;
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

	entries->nr_keys = key->nr;
	if (entries->nr == capacity(entries->room) && grow(entries))
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

/* Let @nr entries have latencies. */
int entries_add_spent(struct entries *entries, u32 nr)
{
	entries->spent = calloc(nr + 1UL, sizeof(*entries->spent));
	return entries->spent ? 0 : -ENOMEM;
}

/* Remove entries.is_flat, because samples with callers will be counted. */
int entries_own_children(struct entries *entries)
{
	struct tally *children;

	if (!entries->is_flat)
		return 0;
	if (entries->room) {
		children = make_tallies(entries);
		if (!children)
			return -ENOMEM;
		memcpy(children, entries->self, entries->nr * sizeof(*children));
		entries->children = children;
	}
	entries->is_flat = false;
	return 0;
}

void entries_free(struct entries *entries)
{
	free_memory(entries);
	free(entries->off);
	free(entries->spent);
	*entries = (struct entries){ 0 };
}
