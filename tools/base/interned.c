// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a set of texts, where equal texts have the same pointer
 */
#include <stdlib.h>
#include <string.h>

#include "base/interned.h"

static bool is_same(const void *entry, const void *key)
{
	return !strcmp(entry, key);
}

/*
 * Find the copy of @text in the set, or add a copy. Return the copy, which is valid until
 * interned_free(). Return NULL if memory runs out, or if interned_is_full().
 */
const char *interned_get(struct interned *names, const char *text)
{
	u64 hash = hash_text(text);
	char *name = hash_table_find(&names->table, hash, is_same, text);

	if (name || interned_is_full(names))
		return name;
	name = strdup(text);
	if (name && hash_table_add(&names->table, hash, name)) {
		free(name);
		return NULL;
	}
	return name;
}

void interned_free(struct interned *names)
{
	hash_table_free(&names->table, free);
}
