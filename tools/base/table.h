/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a hash table of pointers
 *
 * Entries are found by 64 bits of hash first. Where these are made of a number
 * by table_hash(), which maps no two numbers to one, they are the number and
 * nothing else has to be compared.
 */
#ifndef TPROF_TABLE_H
#define TPROF_TABLE_H

#include "base/types.h"

/**
 * struct table_slot - room for an entry
 * @hash:	of the entry
 * @entry:	the entry, NULL for an empty slot
 */
struct table_slot {
	u64	hash;
	void	*entry;
};

/**
 * struct table - entries, found by hash; all zero is an empty table
 * @slots:	room for @room entries, a power of two
 * @room:	see @slots
 * @nr:		how many entries there are
 */
struct table {
	struct table_slot *slots;
	size_t	room;
	size_t	nr;
};

typedef bool (*table_same)(const void *entry, const void *key);

int table_add(struct table *table, u64 hash, void *entry);
void *table_get(struct table *table, u64 number, size_t bytes);
void *table_next(const struct table *table, size_t *at);
void table_free(struct table *table, void (*release)(void *entry));
u64 hash_text(const char *text);
u64 hash_bytes(u64 hash, const void *bytes, size_t len);

/* Another one each time: nobody can choose what has the same hash. */
extern u64 table_secret;

/**
 * table_hash - the hash of a number, another for each
 * @number:	the number
 */
static inline u64 table_hash(u64 number)
{
	number ^= table_secret;
	number ^= number >> 33;
	number *= 0xff51afd7ed558ccdULL;
	number ^= number >> 33;
	number *= 0xc4ceb9fe1a85ec53ULL;
	return number ^ number >> 33;
}

/**
 * table_find - find an entry
 * @table:	the table
 * @hash:	its hash
 * @same:	is an entry of that hash the one? NULL: it always is
 * @key:	what @same compares with
 *
 * Here, for it is called with every sample: @same becomes part of its loop.
 *
 * Return: the entry, or NULL.
 */
static inline void *table_find(const struct table *table, u64 hash, table_same same,
			       const void *key)
{
	const struct table_slot *slot;
	size_t at;

	if (!table->nr)
		return NULL;
	for (at = hash & (table->room - 1);; at = (at + 1) & (table->room - 1)) {
		slot = &table->slots[at];
		if (!slot->entry)
			return NULL;
		if (slot->hash == hash && (!same || same(slot->entry, key)))
			return slot->entry;
	}
}

#endif /* TPROF_TABLE_H */
