// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - ordered sets of structs, by tsearch(3)
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/ordered_set.h"

void *ordered_find(void *const *root, const void *key, ordered_compare compare)
{
	void **place = tfind(key, root, compare);

	return place ? *place : NULL;
}

/*
 * Find the entry equal to @key, or add a copy of @key. Set @is_new to whether a copy
 * was added. Return the entry, or NULL if memory runs out.
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

void ordered_free(void **root)
{
	tdestroy(*root, free);
	*root = NULL;
}
