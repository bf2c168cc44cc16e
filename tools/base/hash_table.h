/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a hash table of pointers
 *
 * Lookups are by 64-bit hash. hash_number() never gives two numbers the same hash, so
 * entries keyed by a number need no further comparison. Entries with other keys may
 * share a hash; hash_table_find() calls a hash_same function to distinguish them.
 */
#ifndef TPROF_HASH_TABLE_H
#define TPROF_HASH_TABLE_H

#include "base/prefetch.h"
#include "base/types.h"

/**
 * struct hash_slot - a slot of the table, which may hold an entry
 * @hash:	hash of the entry
 * @entry:	the entry, NULL for an empty slot
 */
struct hash_slot {
	u64	hash;
	void	*entry;
};

/**
 * struct hash_table - entries, found by hash; empty if all members are zero
 * @slots:	array of @room slots
 * @room:	number of slots, a power of two
 * @nr:		number of entries
 */
struct hash_table {
	struct hash_slot *slots;
	size_t	room;
	size_t	nr;
};

typedef bool (*hash_same)(const void *entry, const void *key);

int hash_table_add(struct hash_table *table, u64 hash, void *entry);
void *hash_table_get(struct hash_table *table, u64 number, size_t bytes);
void hash_table_remove(struct hash_table *table, u64 hash, const void *entry);
void *hash_table_next(const struct hash_table *table, size_t *at);
void hash_table_clear(struct hash_table *table);
void hash_table_free(struct hash_table *table, void (*release)(void *entry));
u64 hash_text(const char *text);
u64 hash_bytes(u64 hash, const void *bytes, size_t len);

/*
 * The number that is mixed into every hash. It is random in each run, so that a crafted
 * file cannot cause collisions.
 */
extern u64 hash_secret;

/* Hash a number. Different numbers have different hashes. */
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
 * Find the entry with hash @hash for which @same(entry, @key) is true. If @same is
 * NULL, the hash alone decides. This is a fast path, called for every sample: it is
 * inline so that the compiler also inlines @same.
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

/* Prefetch the memory that hash_table_find() will read first. */
static inline void hash_table_expect(const struct hash_table *table, u64 hash)
{
	if (table->nr)
		prefetch(&table->slots[hash & (table->room - 1)]);
}

/*
 * Prefetch the entry that hash_table_find() will probably find. hash_table_expect() should
 * have prefetched the slot.
 */
static inline void hash_table_expect_entry(const struct hash_table *table, u64 hash)
{
	if (table->nr)
		prefetch(table->slots[hash & (table->room - 1)].entry);
}

#endif /* TPROF_HASH_TABLE_H */
