// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a text or an extended regular expression to search for
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "view/pattern.h"

static bool has_upper_case(const char *text)
{
	return text[strcspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

/*
 * Compile an expression for texts as bytes: regexec(3) takes several times as long in a
 * locale with UTF-8.
 */
static bool compile(regex_t *regex, const char *text, int flags)
{
	locale_t plain = newlocale(LC_CTYPE_MASK, "C", NULL), old;
	bool is_compiled;

	if (!plain)
		return false;
	old = uselocale(plain);
	is_compiled = !regcomp(regex, text, flags);
	uselocale(old);
	freelocale(plain);
	return is_compiled;
}

/* Replace a pattern. A @text that is not a regular expression, such as "f(", is a text. */
void pattern_set(struct pattern *pattern, const char *text)
{
	struct pattern new = { .ignores_case = !has_upper_case(text) };
	int flags = REG_EXTENDED | REG_NOSUB | (new.ignores_case ? REG_ICASE : 0);

	new.is_regex = strpbrk(text, ".^$*+?()[]{}|\\") &&
		       compile(&new.regex, text, flags);
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
