/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a text or an extended regular expression to search for
 *
 * A pattern without an upper-case letter ignores case. A pattern without a special
 * character is a text, which is found faster. Call pattern_set() with a copy of a text that
 * is in the pattern itself.
 */
#ifndef TPROF_PATTERN_H
#define TPROF_PATTERN_H

#include <regex.h>

#include "base/types.h"

#define PATTERN_LEN	128

/**
 * struct pattern - a pattern; all members are zero if there is none
 * @text:	the pattern as it was typed
 * @ignores_case: it matches letters of either case
 * @is_regex:	@regex is used
 * @regex:	the compiled expression
 */
struct pattern {
	char	text[PATTERN_LEN];
	bool	ignores_case;
	bool	is_regex;
	regex_t	regex;
};

void pattern_set(struct pattern *pattern, const char *text);
bool pattern_matches(const struct pattern *pattern, const char *text);
void pattern_free(struct pattern *pattern);

#endif /* TPROF_PATTERN_H */
