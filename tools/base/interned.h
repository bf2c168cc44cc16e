/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a set of texts, where equal texts have the same pointer
 */
#ifndef TPROF_INTERNED_H
#define TPROF_INTERNED_H

#include <string.h>

#include "base/hash_table.h"

/**
 * struct interned - a set of texts; empty if all members are zero
 * @table:	the texts
 * @max:	maximum number of texts, 0 for no limit
 */
struct interned {
	struct hash_table table;
	size_t	max;
};

/* Return true if interned_get() returns NULL for each text that is not in the set. */
static inline bool interned_is_full(const struct interned *names)
{
	return names->max && names->table.nr >= names->max;
}

static inline bool begins_with(const char *text, const char *what)
{
	return !strncmp(text, what, strlen(what));
}

const char *interned_get(struct interned *names, const char *text);
void interned_free(struct interned *names);

#endif /* TPROF_INTERNED_H */
