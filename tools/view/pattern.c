// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a text or an extended regular expression to search for
 */
#include <stdio.h>
#include <string.h>

#include "view/pattern.h"

static bool has_upper_case(const char *text)
{
	return text[strcspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

/* Replace a pattern. A @text that is not a regular expression, such as "f(", is a text. */
void pattern_set(struct pattern *pattern, const char *text)
{
	struct pattern new = { .ignores_case = !has_upper_case(text) };
	int flags = REG_EXTENDED | REG_NOSUB | (new.ignores_case ? REG_ICASE : 0);

	new.is_regex = strpbrk(text, ".^$*+?()[]{}|\\") && !regcomp(&new.regex, text, flags);
	snprintf(new.text, sizeof(new.text), "%s", text);
	pattern_free(pattern);
	*pattern = new;
}

bool pattern_matches(const struct pattern *pattern, const char *text)
{
	if (pattern->is_regex)
		return !regexec(&pattern->regex, text, 0, NULL, 0);
	return pattern->ignores_case ? strcasestr(text, pattern->text) :
				       strstr(text, pattern->text);
}

void pattern_free(struct pattern *pattern)
{
	if (pattern->is_regex)
		regfree(&pattern->regex);
	*pattern = (struct pattern){ 0 };
}
