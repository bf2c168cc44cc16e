// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a profile, which groups the samples of one event by keys
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/huge_pages.h"
#include "profile/order.h"
#include "profile/profile.h"

static bool is_entry(const void *entry, const void *key)
{
	const struct profile_entry *seen = entry;
	const struct entry_key *wanted = key;
	size_t i;

	for (i = 0; i < wanted->nr; i++) {
		if (seen->keys[i] != wanted->keys[i])
			return false;
	}
	return true;
}

static struct profile_entry *add_entry(struct profile *profile, const struct entry_key *key)
{
	size_t nr = profile->table.nr, bytes = key->nr * sizeof(*key->keys);
	struct profile_entry **entries, *entry;

	if (nr >= PLACE_MAX_ENTRY)
		return NULL;
	entries = array_grow(profile->entries, nr, &profile->entry_room, sizeof(*entries));
	if (!entries)
		return NULL;
	profile->entries = entries;
	entry = arena_get(&profile->memory, sizeof(*entry) + bytes);
	if (!entry)
		return NULL;
	entry->number = nr;
	memcpy(entry->keys, key->keys, bytes);
	if (hash_table_add(&profile->table, key->hash, entry))
		return NULL;
	entries[nr] = entry;
	return entry;
}

/* Return the key of the entry with @keys, one for each column. */
struct entry_key profile_key(const struct profile *profile, const u64 *keys)
{
	struct entry_key key = { .nr = profile->keys->nr };
	size_t i;

	for (i = 0; i < key.nr; i++) {
		key.keys[i] = keys[i];
		key.hash = hash_number(key.hash + keys[i]);
	}
	return key;
}

/* Return the key of the entry for a sample or frame. */
struct entry_key entry_key(const struct profile *profile, const struct hit *hit)
{
	u64 keys[PROFILE_MAX_KEYS];
	size_t i;

	for (i = 0; i < profile->keys->nr; i++)
		keys[i] = profile->keys->columns[i]->key(hit);
	return profile_key(profile, keys);
}

/*
 * Prefetch the entry that profile_get() will probably return. Call hash_table_expect()
 * for profile.table first.
 */
void profile_expect(const struct profile *profile, const struct entry_key *key)
{
	const struct profile_entry *entry = hash_table_find(&profile->table, key->hash, NULL, NULL);

	if (!entry)
		return;
	__builtin_prefetch(&entry->number);
	__builtin_prefetch(&entry->keys[key->nr - 1]);
}

/*
 * Find or create an entry. Return it, or NULL if out of memory or if PLACE_MAX_ENTRY
 * entries exist already.
 */
struct profile_entry *profile_get(struct profile *profile, const struct entry_key *key)
{
	struct profile_entry *entry = hash_table_find(&profile->table, key->hash, is_entry, key);

	return entry ? entry : add_entry(profile, key);
}

/* Enlarge profile.callees, so that each entry has a callee_tally. */
int profile_grow_callees(struct profile *profile)
{
	size_t nr = 2 * profile->table.nr;
	struct callee_tally *callees = reallocarray(profile->callees, nr, sizeof(*callees));

	if (!huge_pages(callees, nr * sizeof(*callees)))
		return -ENOMEM;
	memset(callees + profile->nr_callees, 0, (nr - profile->nr_callees) * sizeof(*callees));
	profile->callees = callees;
	profile->nr_callees = nr;
	return 0;
}

static void add_up_callees(struct profile *profile)
{
	size_t i, nr = profile->nr_callees;
	const struct callee_tally *callees;
	struct tally *tally;

	nr = nr < profile->table.nr ? nr : profile->table.nr;
	for (i = 0; i < nr; i++) {
		callees = &profile->callees[i];
		tally = &profile->entries[i]->tally;
		tally->children_period += callees->period;
		tally->children_samples += callees->samples;
	}
	if (profile->callees)
		memset(profile->callees, 0, profile->nr_callees * sizeof(*profile->callees));
}

static void add_up_place(struct profile *profile, const struct place *place)
{
	struct tally *tally;

	profile->samples += place->samples;
	profile->period += place->period;
	if (!place_entry(place))
		return;
	tally = &profile->entries[place_entry(place) - 1]->tally;
	tally->samples += place->samples;
	tally->period += place->period;
	tally->children_samples += place->samples;
	tally->children_period += place->period;
}

/*
 * Add the samples of all places and of all callees to the entries. Remove the places.
 *
 * @statuses: counts by enum symbol_status; the samples of the places are added to them
 */
void profile_add_up(struct profile *profile, u64 *statuses)
{
	const struct place *place;
	size_t i;

	if (!profile->places.nr)
		return;
	for (i = 0; i < profile->places.room; i++) {
		place = &profile->places.slots[i];
		if (!place->found)
			continue;
		statuses[(place->found >> PLACE_ENTRY_BITS) - 1] += place->samples;
		add_up_place(profile, place);
	}
	add_up_callees(profile);
	places_clear(&profile->places);
}

/* Add a call path to the call tree of an entry. */
int profile_add_path(struct profile *profile, struct profile_entry *entry, const u64 *keys,
		     size_t nr, const struct call_weight *weight)
{
	if (!entry->tree)
		entry->tree = calloc(1, sizeof(*entry->tree));
	if (!entry->tree)
		return -ENOMEM;
	return call_tree_add(&profile->trees, entry->tree, keys, nr, weight);
}

/* Sort the entries in @order by @value, highest first. The sort is stable. */
static void sort_by_value(const struct profile *profile, struct order *order,
			  u64 (*value)(const struct tally *tally))
{
	u32 i;

	for (i = 0; i < order->nr; i++)
		order->keys[i] = ~value(&profile->entries[i]->tally);
	order_by_number(order);
}

/*
 * Sort the entries in @order by key number @key. First sort the keys by text. This is
 * slow, so let one text stand for all keys that have a number. Then sort by number.
 * Keys without a number have ~0, so they keep their order and come last.
 */
static int sort_by_numbered(const struct profile *profile, struct order *order, size_t key)
{
	const struct column *column = profile->keys->columns[key];
	u64 text = 0;
	u32 i;
	int err;

	for (i = 0; i < order->nr; i++) {
		if (column->number(order->keys[i]) == ~0ULL)
			continue;
		text = text ? text : order->keys[i];
		order->keys[i] = text;
	}
	err = order_by_text(order, column->compare);
	if (err || !text)
		return err;
	for (i = 0; i < order->nr; i++)
		order->keys[i] = column->number(profile->entries[i]->keys[key]);
	order_by_number(order);
	return 0;
}

static int sort_by_key(const struct profile *profile, struct order *order, size_t key)
{
	const struct column *column = profile->keys->columns[key];
	u32 i;

	for (i = 0; i < order->nr; i++)
		order->keys[i] = profile->entries[i]->keys[key];
	if (column->number)
		return sort_by_numbered(profile, order, key);
	if (column->compare)
		return order_by_text(order, column->compare);
	order_by_number(order);
	return 0;
}

static u64 period_of(const struct tally *tally)
{
	return tally->period;
}

/*
 * Sort entries by value, then by period, then by keys, then by first sample. The entries
 * are already in the order of first samples. Each sort is stable, so the sort by value
 * comes last.
 */
static int sort_all(const struct profile *profile, struct order *order,
		    u64 (*value)(const struct tally *tally))
{
	size_t i;
	int err = 0;

	for (i = profile->keys->nr; i-- && !err;)
		err = sort_by_key(profile, order, i);
	if (err)
		return err;
	sort_by_value(profile, order, period_of);
	sort_by_value(profile, order, value);
	return 0;
}

/*
 * Sort all entries into @profile->sorted.
 *
 * @value: returns the value to sort by, highest first
 */
int profile_sort(struct profile *profile, u64 (*value)(const struct tally *tally))
{
	u32 i, nr = profile->table.nr;
	struct order order;
	int err = order_init(&order, nr);

	if (!err)
		err = sort_all(profile, &order, value);
	profile->sorted = err ? NULL : calloc(nr + 1UL, sizeof(struct profile_entry *));
	for (i = 0; profile->sorted && i < nr; i++)
		profile->sorted[i] = profile->entries[order.numbers[i]];
	order_free(&order);
	return profile->sorted ? 0 : -ENOMEM;
}

/* Free the contents of a profile. The caller owns @profile itself. */
void profile_free(struct profile *profile)
{
	size_t i;

	for (i = 0; i < profile->table.nr; i++)
		free(profile->entries[i]->tree);
	hash_table_free(&profile->table, NULL);
	arena_free(&profile->memory);
	free(profile->sorted);
	free(profile->entries);
	free(profile->callees);
	places_free(&profile->places);
	call_trees_free(&profile->trees);
}
