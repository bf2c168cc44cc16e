// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - ordered sets of structs, as tsearch(3) keeps them
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/ordered_set.h"

/* Find an entry. */
void *ordered_find(void *const *root, const void *key, ordered_compare compare)
{
	void **place = tfind(key, root, compare);

	return place ? *place : NULL;
}

/*
 * Find an entry, or add it.
 *
 * @root: the tree, NULL for an empty one
 * @key: the entry, of which a copy is added
 * @is_new: set to whether it was added
 *
 * Return the entry in the tree, or NULL when memory is out.
 */
void *ordered_get(void **root, const void *key, size_t size, ordered_compare compare, bool *is_new)
{
	void *entry = ordered_find(root, key, compare);

	*is_new = false;
	if (entry)
		return entry;
	entry = malloc(size);
	if (!entry)
		return NULL;
	memcpy(entry, key, size);
	if (!tsearch(entry, root, compare)) {
		free(entry);
		return NULL;
	}
	*is_new = true;
	return entry;
}

/* Free all entries. */
void ordered_free(void **root)
{
	tdestroy(*root, free);
	*root = NULL;
}
