// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - suggest known words for a mistyped one ("did you mean")
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

/* Maximum length of a word that is corrected or suggested. */
#define WORD_MAX	64

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int least = a < b ? a : b;

	return least < c ? least : c;
}

static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Return the number of edits that turn @a into @b, or UINT_MAX if one of them is longer
 * than WORD_MAX. An edit inserts, deletes or replaces a character, or swaps two adjacent
 * ones. Case is ignored.
 */
unsigned int suggest_distance(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);
	unsigned int cost[WORD_MAX + 1][WORD_MAX + 1];
	size_t i, j;

	if (a_len > WORD_MAX || b_len > WORD_MAX)
		return UINT_MAX;
	for (i = 0; i <= a_len; i++)
		cost[i][0] = i;
	for (j = 0; j <= b_len; j++)
		cost[0][j] = j;

	for (i = 1; i <= a_len; i++) {
		for (j = 1; j <= b_len; j++) {
			cost[i][j] = min3(cost[i - 1][j] + 1, cost[i][j - 1] + 1,
					  cost[i - 1][j - 1] + !is_same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) &&
			    is_same(a[i - 2], b[j - 1]) && cost[i - 2][j - 2] + 1 < cost[i][j])
				cost[i][j] = cost[i - 2][j - 2] + 1;
		}
	}
	return cost[a_len][b_len];
}

/* The longer the mistyped word, the more edits are allowed. */
static bool is_near(const struct suggestion *search, unsigned int distance)
{
	size_t len = strlen(search->word);

	return distance <= 1 + len / 4 && distance < len;
}

/*
 * Compare @known with the mistyped word. Keep @known in @search if it is close enough
 * and is one of the SUGGEST_MAX closest. Before the first call, set @search->word and
 * zero the other members. @known must outlive @search.
 */
void suggest_try(struct suggestion *search, const char *known)
{
	unsigned int distance = suggest_distance(search->word, known);
	u32 i, at;

	if (!is_near(search, distance))
		return;
	for (at = 0; at < search->nr && search->distance[at] <= distance; at++) {
		if (!strcasecmp(search->known[at], known))
			return;
	}
	if (at == SUGGEST_MAX)
		return;
	if (search->nr < SUGGEST_MAX)
		search->nr++;
	for (i = search->nr - 1; i > at; i--) {
		search->known[i] = search->known[i - 1];
		search->distance[i] = search->distance[i - 1];
	}
	search->known[at] = known;
	search->distance[at] = distance;
}

/* Return the closest known word, or NULL if none is close. */
const char *suggest_best(const struct suggestion *search)
{
	return search->nr ? search->known[0] : NULL;
}

/* Format the close words as "'a', 'b' or 'c'". Return @buf, or NULL if there are none. */
const char *suggest_text(const struct suggestion *search, char *buf, size_t len)
{
	size_t used = 0;
	u32 i;

	if (!search->nr)
		return NULL;
	for (i = 0; i < search->nr && used < len; i++)
		used += snprintf(buf + used, len - used, "%s'%s'",
				 i == 0 ? "" : i + 1 < search->nr ? ", " : " or ",
				 search->known[i]);
	return buf;
}
