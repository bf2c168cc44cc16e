// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a hash table of pointers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/hash_table.h"
#include "base/huge_pages.h"

#define FIRST_ROOM	16

u64 hash_secret;

static __attribute__((constructor)) void make_secret(void)
{
	/*
	 * If getrandom() fails, hash without a secret: a hostile file can then make
	 * lookups slow, but not wrong.
	 */
	if (getrandom(&hash_secret, sizeof(hash_secret), GRND_NONBLOCK) < 0)
		hash_secret = 0;
}

static struct hash_slot *free_slot(struct hash_slot *slots, size_t room, u64 hash)
{
	size_t at = hash & (room - 1);

	while (slots[at].entry)
		at = (at + 1) & (room - 1);
	return &slots[at];
}

/* Double the table. */
static int grow(struct hash_table *table)
{
	size_t room = table->room ? 2 * table->room : FIRST_ROOM, i;
	struct hash_slot *slots = huge_pages(calloc(room, sizeof(*slots)),
					     room * sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < table->room; i++) {
		if (table->slots[i].entry)
			*free_slot(slots, room, table->slots[i].hash) = table->slots[i];
	}
	free(table->slots);
	table->slots = slots;
	table->room = room;
	return 0;
}

/* Add @entry, which must not be in the table yet. */
int hash_table_add(struct hash_table *table, u64 hash, void *entry)
{
	if (table->nr >= table->room / 4 * 3 && grow(table))
		return -ENOMEM;
	*free_slot(table->slots, table->room, hash) = (struct hash_slot){ hash, entry };
	table->nr++;
	return 0;
}

/*
 * Find the entry with key @number. If there is none, allocate @bytes zero bytes as
 * its entry, and add it. The hash of each entry in @table must be hash_number() of
 * its key. Return the entry, or NULL if memory runs out.
 */
void *hash_table_get(struct hash_table *table, u64 number, size_t bytes)
{
	u64 hash = hash_number(number);
	void *entry = hash_table_find(table, hash, NULL, NULL);

	if (entry)
		return entry;
	entry = calloc(1, bytes);
	if (!entry || !hash_table_add(table, hash, entry))
		return entry;
	free(entry);
	return NULL;
}

/*
 * Remove @entry, which has hash @hash, if it is in the table. Entries behind it move up to where
 * hash_table_find() looks first, so that no search ends at the free slot.
 */
void hash_table_remove(struct hash_table *table, u64 hash, const void *entry)
{
	size_t mask = table->room - 1, hole = hash & mask, at;
	struct hash_slot *slots = table->slots;

	if (!table->nr)
		return;
	while (slots[hole].entry != entry) {
		if (!slots[hole].entry)
			return;
		hole = (hole + 1) & mask;
	}
	for (at = (hole + 1) & mask; slots[at].entry; at = (at + 1) & mask) {
		/* The slot may move if its first place is not between the hole and itself. */
		if (((at - slots[at].hash) & mask) < ((at - hole) & mask))
			continue;
		slots[hole] = slots[at];
		hole = at;
	}
	slots[hole] = (struct hash_slot){ 0 };
	table->nr--;
}

/*
 * Return the next entry, in no particular order, or NULL after the last. @at is the
 * position, which the caller sets to 0 before the first call.
 */
void *hash_table_next(const struct hash_table *table, size_t *at)
{
	while (*at < table->room) {
		if (table->slots[(*at)++].entry)
			return table->slots[*at - 1].entry;
	}
	return NULL;
}

/*
 * Remove all entries. Keep the memory of the slots for as many others, unless most slots are
 * free: the time must not depend on how many entries were there before.
 */
void hash_table_clear(struct hash_table *table)
{
	if (table->nr <= table->room / 8) {
		hash_table_free(table, NULL);
		return;
	}
	memset(table->slots, 0, table->room * sizeof(*table->slots));
	table->nr = 0;
}

/* Free the table. @release, if not NULL, is called for each entry. */
void hash_table_free(struct hash_table *table, void (*release)(void *entry))
{
	size_t at = 0;
	void *entry;

	while (release && (entry = hash_table_next(table, &at)))
		release(entry);
	free(table->slots);
	*table = (struct hash_table){ 0 };
}

/* Hash a text. Different texts may have the same hash. */
u64 hash_text(const char *text)
{
	return hash_bytes(0, text, strlen(text));
}

/*
 * Hash bytes. To hash several pieces together, pass 0 as @hash for the first piece. For
 * each further piece, pass the hash of the pieces before it. Different bytes may have
 * the same hash.
 */
u64 hash_bytes(u64 hash, const void *bytes, size_t len)
{
	const u8 *at = bytes;

	hash ^= 0xcbf29ce484222325ULL ^ hash_secret;
	while (len--)
		hash = (hash ^ *at++) * 0x100000001b3ULL;
	return hash_number(hash);
}
