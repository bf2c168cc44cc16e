/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the function of each call chain that a regular expression matches
 */
#ifndef TPROF_PARENTS_H
#define TPROF_PARENTS_H

#include <regex.h>

#include "world/chain.h"

/**
 * struct parents - functions that the expression was tried on; empty if all members are zero
 * @table:	the functions, by the address of their name
 */
struct parents {
	struct hash_table table;
};

const char *parents_find(struct parents *parents, const regex_t *pattern,
			 struct interned *names, const struct chain *chain);
void parents_free(struct parents *parents);

#endif /* TPROF_PARENTS_H */
