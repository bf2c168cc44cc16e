/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - texts that are kept once: equal ones are the same pointer
 */
#ifndef TPROF_NAMES_H
#define TPROF_NAMES_H

#include <string.h>

#include "base/hash_table.h"

/**
 * struct names - texts, each once; all zero is an empty set
 * @table:	the texts
 */
struct names {
	struct hash_table table;
};

static inline bool begins_with(const char *text, const char *what)
{
	return !strncmp(text, what, strlen(what));
}

const char *names_get(struct names *names, const char *text);
void names_free(struct names *names);

#endif /* TPROF_NAMES_H */
