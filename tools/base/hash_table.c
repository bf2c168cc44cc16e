// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a hash table of pointers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/hash_table.h"

#define FIRST_ROOM	16

u64 hash_secret;

static __attribute__((constructor)) void make_secret(void)
{
	/* Without one, all that is lost is time, and only to a hostile file. */
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

static int grow(struct hash_table *table)
{
	size_t room = table->room ? 2 * table->room : FIRST_ROOM, i;
	struct hash_slot *slots = calloc(room, sizeof(*slots));

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

/* Add an entry that is not there. */
int hash_table_add(struct hash_table *table, u64 hash, void *entry)
{
	if (table->nr >= table->room / 4 * 3 && grow(table))
		return -ENOMEM;
	*free_slot(table->slots, table->room, hash) = (struct hash_slot){ hash, entry };
	table->nr++;
	return 0;
}

/*
 * The entry of a number, made if there is none.
 *
 * @table: the table, whose entries are all of numbers
 * @bytes: of an entry, which are zero when it is new
 *
 * Return the entry, or NULL without memory.
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
 * Walk over all entries, in no order.
 *
 * @at: 0 at first; where the walk is
 *
 * Return an entry, or NULL behind the last.
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
 * Forget all.
 *
 * @release: called for each entry, may be NULL
 */
void hash_table_free(struct hash_table *table, void (*release)(void *entry))
{
	size_t at = 0;
	void *entry;

	while (release && (entry = hash_table_next(table, &at)))
		release(entry);
	free(table->slots);
	*table = (struct hash_table){ 0 };
}

/* The hash of a text. Return the hash, which other texts may have too. */
u64 hash_text(const char *text)
{
	return hash_bytes(0, text, strlen(text));
}

/*
 * The hash of bytes.
 *
 * @hash: of what precedes them, or 0
 *
 * Return the hash, which others may have too.
 */
u64 hash_bytes(u64 hash, const void *bytes, size_t len)
{
	const u8 *at = bytes;

	hash ^= 0xcbf29ce484222325ULL ^ hash_secret;
	while (len--)
		hash = (hash ^ *at++) * 0x100000001b3ULL;
	return hash_number(hash);
}
