/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - find functions without a symbol in the old recording
 */
#ifndef TPROF_DIFF_NAMELESS_H
#define TPROF_DIFF_NAMELESS_H

#include "symbols/objects.h"

/**
 * struct nameless - the names that functions have in the old recording; empty if all members are
 *	zero
 * @names:	struct renamed, by the name in this recording
 * @made:	names that are in neither recording
 */
struct nameless {
	struct hash_table names;
	struct interned made;
};

int nameless_match(struct nameless *nameless, const struct objects *old,
		   const struct objects *now);
const char *nameless_old_name(const struct nameless *nameless, const char *name);
void nameless_free(struct nameless *nameless);

#endif /* TPROF_DIFF_NAMELESS_H */
