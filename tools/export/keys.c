// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - numbers of the keys that --sort chooses
 */
#include <errno.h>
#include <stdio.h>

#include "export/keys.h"

/*
 * Set up @keys.
 *
 * @options: must stay valid until keys_free()
 */
void keys_init(struct keys *keys, const struct gather_options *options)
{
	*keys = (struct keys){ .options = options,
			       .tuples = { .keys = &options->keys, .entries.is_flat = true } };
}

/* Set @hit->parent. It needs the names of all functions of @chain. */
static int find_parent(struct keys *keys, struct world *world, struct hit *hit,
		       struct chain *chain)
{
	int i, err = 0;

	for (i = 0; i < chain->nr && !err; i++) {
		if (!chain->frames[i].symbol)
			err = world_find_function(world, &chain->frames[i]);
	}
	if (!err)
		hit->parent = parents_find(&keys->parents, keys->options->parent,
					   &world->objects.sources.names, chain);
	return hit->parent ? 0 : -ENOMEM;
}

/*
 * Find or add the tuple of a sample, and set @tuple to its number, which is not 0. Return 0,
 * -ENOMEM, or -E2BIG if there are too many tuples.
 *
 * @hit: the sample; its parent is set here
 * @chain: its call chain
 */
int keys_find(struct keys *keys, struct world *world, struct hit *hit, struct chain *chain,
	      u32 *tuple)
{
	struct entry_key key;

	if (keys->options->parent && find_parent(keys, world, hit, chain))
		return -ENOMEM;
	if (keys->tuples.entries.nr >= TUPLES_LIMIT)
		return -E2BIG;
	key = entry_key(&keys->tuples, hit);
	*tuple = entries_get(&keys->tuples.entries, &key);
	return *tuple ? 0 : -ENOMEM;
}

/* Return the value of key number @key in a tuple, a number or a pointer. */
u64 keys_value(const struct keys *keys, u32 tuple, size_t key)
{
	return entries_keys(&keys->tuples.entries, tuple - 1)[key];
}

/*
 * Return the text of key number @key in a tuple.
 *
 * @buf: at least COLUMN_TEXT_LEN bytes, used if the text must be formatted
 */
const char *keys_text(const struct keys *keys, u32 tuple, size_t key, char *buf, size_t len)
{
	const struct column *column = keys->options->keys.columns[key];
	u64 value = keys_value(keys, tuple, key);

	if (column->text)
		return column->text(value, buf, len);
	snprintf(buf, len, "%llu", value);
	return buf;
}

/* Remove all tuples. */
void keys_clear(struct keys *keys)
{
	entries_free(&keys->tuples.entries);
	keys->tuples.entries.is_flat = true;
}

void keys_free(struct keys *keys)
{
	keys_clear(keys);
	parents_free(&keys->parents);
}
