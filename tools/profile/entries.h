/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the entries of a profile, by number and by key
 *
 * A profile may have millions of entries, so an entry has no pointer to it: it has a
 * number, which is its index in several arrays. The tallies are apart from the keys and
 * from each other, because each frame of each sample adds to one of them: those that are
 * written most often fit in the CPU's cache.
 */
#ifndef TPROF_ENTRIES_H
#define TPROF_ENTRIES_H

#include "base/prefetch.h"
#include "profile/columns.h"

#define PROFILE_MAX_KEYS	8

/* The number of an entry, plus 1, has this many bits (places.h). */
#define ENTRY_BITS	28
#define ENTRIES_MAX	((1U << ENTRY_BITS) - 1)

/**
 * struct entry_key - identity of an entry
 * @keys:	its keys
 * @nr:		number of @keys
 * @hash:	entries_hash() of @keys
 */
struct entry_key {
	u64	keys[PROFILE_MAX_KEYS];
	size_t	nr;
	u64	hash;
};

/**
 * struct entries - all entries of a profile; empty if all members are zero
 * @nr:		number of entries
 * @nr_keys:	number of keys of an entry
 * @is_flat:	no sample has callers, so @children is @self. Set it before the first entry
 *		is added.
 * @self:	profile_entry.self of all entries
 * @children:	profile_entry.children of all entries
 * @keys:	@nr_keys keys of each entry
 * @off:	profile_entry.off of all entries; NULL before wall_merge()
 * @spent:	profile_entry.spent of all entries; NULL before latency_merge()
 * @slots:	hash table of the entries. A slot has the number of an entry + 1, and above
 *		ENTRY_BITS the highest bits of its hash. A free slot is 0.
 * @room:	number of @slots, a power of two. There is memory for 3/4 as many entries.
 */
struct entries {
	u32	nr;
	u32	nr_keys;
	bool	is_flat;
	struct tally *self;
	struct tally *children;
	u64	*keys;
	struct side_tally *off;
	struct side_tally *spent;
	u32	*slots;
	size_t	room;
};

u64 entries_hash(const u64 *keys, size_t nr);
u32 entries_get(struct entries *entries, const struct entry_key *key);
void entries_expect(const struct entries *entries, const struct entry_key *key);
void entries_end(struct entries *entries);
int entries_add_off(struct entries *entries, u32 nr);
int entries_add_spent(struct entries *entries, u32 nr);
int entries_own_children(struct entries *entries);
void entries_free(struct entries *entries);

/*
 * Return the samples of entry number @number, which must exist. The pointer is valid until the
 * next entries_get().
 */
static inline struct tally *entries_self(const struct entries *entries, u32 number)
{
	return &entries->self[number];
}

/*
 * Same as entries_self(), but including the samples of callees. With entries.is_flat, this
 * is the same tally as entries_self(), so do not count a sample in both.
 */
static inline struct tally *entries_children(const struct entries *entries, u32 number)
{
	return &entries->children[number];
}

/* Return the keys of entry number @number. The pointer is valid until the next entries_get(). */
static inline u64 *entries_keys(const struct entries *entries, u32 number)
{
	return &entries->keys[(size_t)number * entries->nr_keys];
}

/* Return the entry with number @number, which must exist. */
static inline struct profile_entry entries_at(const struct entries *entries, u32 number)
{
	static const struct side_tally none;

	return (struct profile_entry){ entries_self(entries, number),
				       entries_children(entries, number),
				       entries->off ? &entries->off[number] : &none,
				       entries->spent ? &entries->spent[number] : NULL,
				       entries_keys(entries, number) };
}

/* Prefetch the memory that entries_expect() will read. */
static inline void entries_expect_slot(const struct entries *entries, u64 hash)
{
	if (entries->nr)
		prefetch(&entries->slots[hash & (entries->room - 1)]);
}

#endif /* TPROF_ENTRIES_H */
