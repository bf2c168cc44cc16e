/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the rules that the walks on a CPU have found, by address
 *
 * A rule follows from its address, from the map of the address space, and from the tables of
 * the files that are mapped. A map and a table never change once an NMI can find them, but
 * are replaced. So a cached rule holds for three numbers:
 *
 *   address
 *   map		its number, which no other map has, in the same memory or of the same mm
 *			neither. Each mm has a map of its own, and execve(2) makes a new mm.
 *			Where mappings have changed, no map is found until a new one is read.
 *   changes		number of tables that were added and removed. A walk reads it before any
 *			table (barrier V). A rule that the walk caches is thus as new as that
 *			number, or newer; walks that read another number do not find it.
 *
 * The last two make a view. On each CPU, a view has a salt, which is added to its addresses:
 * the sum is the key of a rule. Salts are multiples of a power of two above all addresses, and
 * none is used again before all rules were dropped. So keys are equal only if all three
 * numbers are. Rules are copies: the cache refers to no memory that may be freed.
 *
 * Context: NMI, on the CPU of the cache, so that no walk interrupts another. The unit tests
 * rule_cache_test and walk_test compile this file in user space.
 */
#ifndef TPROF_RULE_CACHE_H
#define TPROF_RULE_CACHE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include "kernel.h"
#endif

#include <linux/tprof_lx.h>

#define TPROF_RULE_CACHE_RULES	1024
#define TPROF_RULE_CACHE_VIEWS	16

/**
 * struct tprof_cached_rule - a rule
 * @key:	address and salt of the view; 0 if there is no rule
 * @rule:	the rule
 */
struct tprof_cached_rule {
	u64				key;
	struct tprof_lx_unwind_rule	rule;
};

/* For tprof_rule_cache_at(). */
static_assert(sizeof(struct tprof_cached_rule) == 2 * sizeof(u64));

/**
 * struct tprof_rule_view - what the rules of some addresses follow from
 * @map:	number of the map; 0 if there is no view
 * @changes:	number of changes of the tables
 * @salt:	added to an address, makes a key
 */
struct tprof_rule_view {
	u64	map;
	u64	changes;
	u64	salt;
};

/**
 * struct tprof_rule_cache - rules that the walks on a CPU have found
 * @rules:	rules; index: low bits of the key, except the lowest
 * @views:	views; index: low bits of the number of the map
 * @salt:	last salt that a view has got
 */
struct tprof_rule_cache {
	struct tprof_cached_rule	rules[TPROF_RULE_CACHE_RULES];
	struct tprof_rule_view		views[TPROF_RULE_CACHE_VIEWS];
	u64				salt;
};

u64 tprof_rule_cache_add_view(struct tprof_rule_cache *cache, u64 map, u64 changes);

/**
 * tprof_rule_cache_salt - return the salt of a view
 * @cache:	cache of this CPU, zero at first
 * @map:	number of the map
 * @changes:	number of changes of the tables
 *
 * Context: NMI.
 * Return: salt, valid until the next call.
 */
static __always_inline u64 tprof_rule_cache_salt(struct tprof_rule_cache *cache, u64 map,
						 u64 changes)
{
	const struct tprof_rule_view *view = &cache->views[map % TPROF_RULE_CACHE_VIEWS];

	if (likely(view->map == map && view->changes == changes))
		return view->salt;
	return tprof_rule_cache_add_view(cache, map, changes);
}

/**
 * tprof_rule_cache_at - return where the rule of an address is cached
 * @cache:	cache of this CPU
 * @key:	address and salt
 *
 * Context: NMI.
 * Return: place of a rule; the rule is the wanted one if its key is @key.
 */
static __always_inline struct tprof_cached_rule *
tprof_rule_cache_at(struct tprof_rule_cache *cache, u64 key)
{
	/* A rule is two words. So clearing bit 0 makes an index that x86 can scale. */
	size_t word = key % (2 * TPROF_RULE_CACHE_RULES) & ~1UL;

	return (struct tprof_cached_rule *)((u64 *)cache->rules + word);
}

#endif /* TPROF_RULE_CACHE_H */
