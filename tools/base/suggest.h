/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - suggest known words for a mistyped one ("did you mean")
 *
 * Pass every known word to suggest_try(), which keeps the closest ones. Case is ignored.
 */
#ifndef TPROF_SUGGEST_H
#define TPROF_SUGGEST_H

#include "base/types.h"

#define SUGGEST_MAX	3

/**
 * struct suggestion - the search for words close to a mistyped one
 * @word:	the mistyped word
 * @nr:		number of entries in @known
 * @known:	the closest known words so far, closest first
 * @distance:	number of edits between @word and each entry of @known
 */
struct suggestion {
	const char	*word;
	u32		nr;
	const char	*known[SUGGEST_MAX];
	unsigned int	distance[SUGGEST_MAX];
};

unsigned int suggest_distance(const char *a, const char *b);
void suggest_try(struct suggestion *search, const char *known);
const char *suggest_best(const struct suggestion *search);
const char *suggest_text(const struct suggestion *search, char *buf, size_t len);

#endif /* TPROF_SUGGEST_H */
