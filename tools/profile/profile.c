// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a profile: samples of one event, grouped by keys
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/**
 * struct wanted - keys of the entry to look up
 * @keys:	the keys
 * @nr:		number of @keys
 */
struct wanted {
	u64	keys[PROFILE_MAX_KEYS];
	size_t	nr;
};

static bool is_entry(const void *entry, const void *key)
{
	const struct profile_entry *seen = entry;
	const struct wanted *wanted = key;
	size_t i;

	for (i = 0; i < wanted->nr; i++) {
		if (seen->keys[i] != wanted->keys[i])
			return false;
	}
	return true;
}

/*
 * Find or create the entry of a sample or frame.
 *
 * Return the entry, or NULL without memory.
 */
struct profile_entry *profile_get(struct profile *profile, const struct hit *hit)
{
	const struct profile_keys *keys = profile->keys;
	struct wanted wanted = { .nr = keys->nr };
	struct profile_entry *entry;
	u64 hash = 0;
	size_t i;

	for (i = 0; i < keys->nr; i++) {
		wanted.keys[i] = keys->columns[i]->key(hit);
		hash = hash_number(hash + wanted.keys[i]);
	}
	entry = hash_table_find(&profile->table, hash, is_entry, &wanted);
	if (entry)
		return entry;
	entry = calloc(1, sizeof(*entry) + keys->nr * sizeof(*entry->keys));
	if (!entry)
		return NULL;
	memcpy(entry->keys, wanted.keys, keys->nr * sizeof(*entry->keys));
	if (!hash_table_add(&profile->table, hash, entry))
		return entry;
	free(entry);
	return NULL;
}

/* Add a call chain to an entry. */
int profile_add_path(struct profile *profile, struct profile_entry *entry, const u64 *keys,
		     size_t nr, u64 period)
{
	if (!entry->tree)
		entry->tree = calloc(1, sizeof(*entry->tree));
	if (!entry->tree)
		return -ENOMEM;
	return call_tree_add(&profile->trees, entry->tree, keys, nr, period);
}

/**
 * struct order - how to sort entries
 * @keys:	keys of the profile
 * @value:	returns the value to sort by first
 */
struct order {
	const struct profile_keys *keys;
	u64	(*value)(const struct tally *tally);
};

static int compare_numbers(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct column *column, u64 a, u64 b)
{
	return column->compare ? column->compare(a, b) : compare_numbers(a, b);
}

/* Sort by value, highest first, then by period, then by keys. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct profile_entry *x = *(const struct profile_entry *const *)a;
	const struct profile_entry *y = *(const struct profile_entry *const *)b;
	const struct order *order = arg;
	int result = compare_numbers(order->value(&y->tally), order->value(&x->tally));
	size_t i;

	if (!result)
		result = compare_numbers(y->tally.period, x->tally.period);
	for (i = 0; !result && i < order->keys->nr; i++)
		result = compare_keys(order->keys->columns[i], x->keys[i], y->keys[i]);
	return result;
}

/*
 * Sort all entries into @profile->sorted.
 *
 * @value: returns the value to sort by, highest first
 */
int profile_sort(struct profile *profile, u64 (*value)(const struct tally *tally))
{
	struct order order = { profile->keys, value };
	struct profile_entry *entry;
	size_t at = 0, nr = 0;

	profile->sorted = calloc(profile->table.nr + 1, sizeof(struct profile_entry *));
	if (!profile->sorted)
		return -ENOMEM;
	while ((entry = hash_table_next(&profile->table, &at)))
		profile->sorted[nr++] = entry;
	qsort_r(profile->sorted, nr, sizeof(struct profile_entry *), compare, &order);
	return 0;
}

static void free_entry(void *arg)
{
	struct profile_entry *entry = arg;

	free(entry->tree);
	free(entry);
}

/* Free the contents of a profile. The caller owns @profile itself. */
void profile_free(struct profile *profile)
{
	free(profile->sorted);
	hash_table_free(&profile->table, free_entry);
	call_trees_free(&profile->trees);
}
