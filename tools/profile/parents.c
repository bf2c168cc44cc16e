// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the function of each call chain that a regular expression matches
 */
#include <stdlib.h>

#include "profile/parents.h"

/**
 * struct parent - a function that the expression was tried on
 * @was_tried:	the expression was tried
 * @name:	name of the function if the expression matches it, else NULL
 */
struct parent {
	bool	was_tried;
	const char *name;
};

/* Try the expression on a name, once. Return NULL if out of memory. */
static const struct parent *try_name(struct parents *parents, const regex_t *pattern,
				     struct interned *names, const char *name)
{
	struct parent *parent = hash_table_get(&parents->table, (uintptr_t)name,
					       sizeof(*parent));

	if (!parent || parent->was_tried)
		return parent;
	if (!regexec(pattern, name, 0, NULL, 0)) {
		parent->name = interned_get(names, name);
		if (!parent->name)
			return NULL;
	}
	parent->was_tried = true;
	return parent;
}

/*
 * Return the name of the innermost function of @chain that @pattern matches, or "[other]" if
 * there is none. For equal names, the pointer is the same. Return NULL if out of memory.
 *
 * @names: has the names that are returned
 * @chain: its functions have been looked up
 */
const char *parents_find(struct parents *parents, const regex_t *pattern,
			 struct interned *names, const struct chain *chain)
{
	const struct parent *parent;
	const char *name;
	int i;

	for (i = 0; i < chain->nr; i++) {
		name = chain->frames[i].symbol->name;
		if (!name)
			continue;
		parent = try_name(parents, pattern, names, name);
		if (!parent)
			return NULL;
		if (parent->name)
			return parent->name;
	}
	return "[other]";
}

void parents_free(struct parents *parents)
{
	hash_table_free(&parents->table, free);
}
