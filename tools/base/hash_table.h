/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a hash table of pointers
 *
 * Entries are found by 64 bits of hash first. Where these are made of a number
 * by hash_number(), which maps no two numbers to one, they are the number and
 * nothing else has to be compared.
 */
#ifndef TPROF_HASH_TABLE_H
#define TPROF_HASH_TABLE_H

#include "base/types.h"

/**
 * struct hash_slot - room for an entry
 * @hash:	of the entry
 * @entry:	the entry, NULL for an empty slot
 */
struct hash_slot {
	u64	hash;
	void	*entry;
};

/**
 * struct hash_table - entries, found by hash; all zero is an empty table
 * @slots:	room for @room entries, a power of two
 * @room:	see @slots
 * @nr:		how many entries there are
 */
struct hash_table {
	struct hash_slot *slots;
	size_t	room;
	size_t	nr;
};

typedef bool (*hash_same)(const void *entry, const void *key);

int hash_table_add(struct hash_table *table, u64 hash, void *entry);
void *hash_table_get(struct hash_table *table, u64 number, size_t bytes);
void *hash_table_next(const struct hash_table *table, size_t *at);
void hash_table_free(struct hash_table *table, void (*release)(void *entry));
u64 hash_text(const char *text);
u64 hash_bytes(u64 hash, const void *bytes, size_t len);

/* Another one each time: nobody can choose what has the same hash. */
extern u64 hash_secret;

/* The hash of a number, another for each. */
static inline u64 hash_number(u64 number)
{
	number ^= hash_secret;
	number ^= number >> 33;
	number *= 0xff51afd7ed558ccdULL;
	number ^= number >> 33;
	number *= 0xc4ceb9fe1a85ec53ULL;
	return number ^ number >> 33;
}

/*
 * Find an entry. Here, for it is called with every sample: @same becomes part of
 * its loop.
 *
 * @same: is an entry of that hash the one? NULL: it always is
 */
static inline void *hash_table_find(const struct hash_table *table, u64 hash, hash_same same,
				    const void *key)
{
	const struct hash_slot *slot;
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

#endif /* TPROF_HASH_TABLE_H */
