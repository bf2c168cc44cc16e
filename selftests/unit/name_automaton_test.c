// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - automatons of names decide as regexec(3) does
 */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "live/name_automaton.h"
#include "unit.h"

#define LONGEST		15
#define RANDOM_PATTERNS	5000

static struct name_automaton automaton;

/* Decide as the module does. */
static bool accepts(const char *name)
{
	u32 state = 0;

	while (*name)
		state = automaton.states[state][(u8)*name++];
	return automaton.states[state][0];
}

static bool is_valid(void)
{
	u32 state, byte;

	for (state = 0; state < automaton.nr; state++) {
		for (byte = 1; byte < 256; byte++) {
			if (automaton.states[state][byte] >= automaton.nr)
				return false;
		}
	}
	return automaton.nr && automaton.nr <= TPROF_LX_MAX_NAME_STATES;
}

/* Compare the answers for a name. Print the first names that differ. */
static bool agrees(const regex_t *regex, const char *pattern, const char *name)
{
	static int printed;
	bool wanted = !regexec(regex, name, 0, NULL, 0);

	if (accepts(name) == wanted)
		return true;
	if (printed++ < 10)
		printf("# '%s' and '%s': regexec(3) says %d\n", pattern, name, wanted);
	return false;
}

static bool agrees_on_words(const regex_t *regex, const char *pattern)
{
	static const char *const words[] = {
		"", "a", "nginx", "nginx: worker", "ngin", "postgres", "kworker/0:1", "sshd",
		"sshd-session", "(sd-pam)", "a.out", "aXout", "x]y", "a-b", "java", "Java",
		"abcabcabcabcabc", "aaaaaaaaaaaaaaa", "0123456789", "foo bar", "foo\tbar",
		"\xc3\xa4\xff", "a_b", "a{2}", "a+", "a|b", "^a", "a$", "[a]", "\\", "ab\n",
	};
	bool do_agree = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		do_agree &= agrees(regex, pattern, words[i]);
	return do_agree;
}

/* All names of up to @left more bytes of "ab1". */
static bool agrees_on_all(const regex_t *regex, const char *pattern, char *name, int len, int left)
{
	bool do_agree = agrees(regex, pattern, name);
	const char *byte;

	for (byte = "ab1"; *byte && left; byte++) {
		name[len] = *byte;
		name[len + 1] = '\0';
		do_agree &= agrees_on_all(regex, pattern, name, len + 1, left - 1);
	}
	name[len] = '\0';
	return do_agree;
}

static void test_patterns(void)
{
	static const char *const patterns[] = {
		"nginx", "^nginx$", "^(nginx|postgres)", "^ssh", "d$", "^$", "", "a.out",
		"a\\.out", "[0-9]+", "^[^a-z]", "[]x]", "[^]a]", "[a-]", "^.{5}$", "^.{14,}$",
		"^.{2,4}$", "^(ab?c){2,3}a", "(abc)*$", "^(a|b)+$", "[[:upper:]]", "[[:space:]]",
		"^[[:alpha:]_]+$", "\\w+\\W\\w+", "\\s", "^\\S+$", "a|", "(|a)b", "()", "x*",
		"a{0}$", "^a{2,}$", "ab|cd|^e", "a)", "\\(", "\\{2\\}", "\\|", "\\^a", "\\$",
		"[*+?.]", "^a\\+$", "\\\\", "j|J", "(^a|b$)", "^^n", "x$$", ".", "^.$", "a{1}{0}x",
		"[\\]", "((((a))))", "^.*:.*$", "kworker/[0-9]+:",
	};
	bool do_agree = true, are_valid = true;
	char name[LONGEST + 1] = "";
	regex_t regex;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		int err = name_automaton_make(&automaton, patterns[i]);

		if (regcomp(&regex, patterns[i], REG_EXTENDED | REG_NOSUB))
			continue;
		if (err && strcmp(patterns[i], "a{1}{0}x")) {
			printf("# '%s': %d\n", patterns[i], err);
			are_valid = false;
		} else if (!err) {
			are_valid &= is_valid();
			do_agree &= agrees_on_words(&regex, patterns[i]);
			do_agree &= agrees_on_all(&regex, patterns[i], name, 0, 6);
		}
		regfree(&regex);
	}
	unit_ok(are_valid, "patterns of users have automatons, which the module accepts");
	unit_ok(do_agree, "automatons decide as regexec(3) does");
}

static void make_pattern(char *pattern, size_t len)
{
	static const char *const parts[] = { "a", "b", "1", ".", "*", "+", "?", "(", ")", "|",
					     "[ab]", "[^a]", "^", "$", "{2}", "{1,2}", "{,1}",
					     "{1,}", "()", "(a|b)", "\\w", "\\." };
	int i, nr = 1 + random() % 8;

	*pattern = '\0';
	for (i = 0; i < nr; i++)
		strncat(pattern, parts[random() % ARRAY_SIZE(parts)], len - strlen(pattern) - 1);
}

static void test_random_patterns(void)
{
	bool do_agree = true, are_valid = true;
	char pattern[64], name[LONGEST + 1] = "";
	int i, nr_made = 0;
	regex_t regex;

	srandom(1);
	for (i = 0; i < RANDOM_PATTERNS; i++) {
		make_pattern(pattern, sizeof(pattern));
		if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
			continue;
		if (!name_automaton_make(&automaton, pattern)) {
			nr_made++;
			are_valid &= is_valid();
			do_agree &= agrees_on_all(&regex, pattern, name, 0, 3);
		}
		regfree(&regex);
	}
	unit_ok(nr_made > RANDOM_PATTERNS / 10 && are_valid, "random patterns have automatons");
	unit_ok(do_agree, "automatons of random patterns decide as regexec(3) does");
}

static void test_refusals(void)
{
	static const char *const patterns[] = { "(a)\\1", "\\bnginx", "nginx\\b", "\\<a", "a\\>",
						"a\\B", "[[.a.]]", "[[=a=]]", "a*{2}" };
	bool are_refused = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(patterns); i++)
		are_refused &= name_automaton_make(&automaton, patterns[i]) == -EINVAL;
	unit_ok(are_refused, "what no automaton can decide is refused");
	unit_ok(name_automaton_make(&automaton, "(a{200}){200}") == -E2BIG,
		"a pattern with too many nodes is refused");
	unit_ok(name_automaton_make(&automaton, "a.{12}b") == -E2BIG,
		"a pattern that needs too many states is refused");
}

int main(void)
{
	test_patterns();
	test_random_patterns();
	test_refusals();
	return unit_exit();
}
