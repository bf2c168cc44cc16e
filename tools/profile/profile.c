// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a profile, which groups the samples of one event by keys
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/order.h"
#include "profile/profile.h"

/* Return the index of a column among @keys, or their number. */
size_t profile_find_key(const struct profile_keys *keys, const struct column *column)
{
	size_t at = 0;

	while (at < keys->nr && keys->columns[at] != column)
		at++;
	return at;
}

/* Return the key of the entry with @keys, one for each column. */
struct entry_key profile_key(const struct profile *profile, const u64 *keys)
{
	struct entry_key key = { .nr = profile->keys->nr };

	memcpy(key.keys, keys, key.nr * sizeof(*keys));
	key.hash = entries_hash(keys, key.nr);
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

static int grow_roots(struct profile *profile, size_t nr)
{
	struct call_node **roots = reallocarray(profile->roots, nr, sizeof(*roots));

	if (!roots)
		return -ENOMEM;
	memset(roots + profile->nr_roots, 0, (nr - profile->nr_roots) * sizeof(*roots));
	profile->roots = roots;
	profile->nr_roots = nr;
	return 0;
}

/*
 * Find or create the root of the call tree of entry number @entry. Return NULL if memory
 * runs out.
 */
struct call_node *profile_root(struct profile *profile, u32 entry)
{
	struct call_node **root;

	if (entry >= profile->nr_roots && grow_roots(profile, 2 * (entry + 1UL)))
		return NULL;
	root = &profile->roots[entry];
	if (!*root)
		*root = calloc(1, sizeof(**root));
	return *root;
}

/* Add a call path to the call tree of entry number @entry. */
int profile_add_path(struct profile *profile, u32 entry, const u64 *keys, size_t nr,
		     const struct call_weight *weight)
{
	struct call_node *root = profile_root(profile, entry);

	return root ? call_tree_add(&profile->trees, root, keys, nr, weight) : -ENOMEM;
}

/* Sort the entries in @order by @value, highest first. The sort is stable. */
static void sort_by_value(const struct profile *profile, struct order *order,
			  u64 (*value)(const struct profile_entry *entry))
{
	struct profile_entry entry;
	u32 i;

	for (i = 0; i < order->nr; i++) {
		entry = entries_at(&profile->entries, i);
		order->keys[i] = ~value(&entry);
	}
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
		order->keys[i] = column->number(entries_keys(&profile->entries, i)[key]);
	order_by_number(order);
	return 0;
}

/*
 * Sort the entries in @order by key number @key, lowest first. The sort is stable. Return
 * -ENOMEM or 0.
 */
int profile_sort_by_key(const struct profile *profile, struct order *order, size_t key)
{
	const struct column *column = profile->keys->columns[key];
	u32 i;

	for (i = 0; i < order->nr; i++)
		order->keys[i] = entries_keys(&profile->entries, i)[key];
	if (column->number)
		return sort_by_numbered(profile, order, key);
	if (column->compare)
		return order_by_text(order, column->compare);
	order_by_number(order);
	return 0;
}

static u64 period_of(const struct profile_entry *entry)
{
	return entry->self->period;
}

/*
 * Sort entries by value, then by period, then by keys, then by first sample. The entries
 * are already in the order of first samples. Each sort is stable, so the sort by value
 * comes last.
 */
static int sort_all(const struct profile *profile, struct order *order,
		    u64 (*value)(const struct profile_entry *entry))
{
	size_t i;
	int err = 0;

	for (i = profile->keys->nr; i-- && !err;)
		err = profile_sort_by_key(profile, order, i);
	if (err)
		return err;
	sort_by_value(profile, order, period_of);
	sort_by_value(profile, order, value);
	return 0;
}

/*
 * Sort all entries into @profile->sorted. No entry may be added afterwards.
 *
 * @value: returns the value to sort by, highest first
 */
int profile_sort(struct profile *profile, u64 (*value)(const struct profile_entry *entry))
{
	struct order order;
	int err = order_init(&order, profile->entries.nr);

	entries_end(&profile->entries);
	if (!err)
		err = sort_all(profile, &order, value);
	if (!err) {
		profile->sorted = order.numbers;
		order.numbers = NULL;
	}
	order_free(&order);
	return err;
}

/* Free the contents of a profile. The caller owns @profile itself. */
void profile_free(struct profile *profile)
{
	size_t i;

	for (i = 0; i < profile->nr_roots; i++)
		free(profile->roots[i]);
	free(profile->roots);
	entries_free(&profile->entries);
	free(profile->sorted);
	places_free(&profile->places);
	call_trees_free(&profile->trees);
}
