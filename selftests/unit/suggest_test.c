// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - "did you mean"
 */
#include <string.h>

#include "base/suggest.h"
#include "base/types.h"
#include "unit.h"

static const char *best_of(const char *word)
{
	static const char *const known[] = { "record", "report", "script",
					     "list", "info" };
	struct suggestion search = { .word = word };
	const char *best;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		suggest_try(&search, known[i]);
	best = suggest_best(&search);
	return best ? best : "";
}

static void test_several(void)
{
	struct suggestion search = { .word = "branch" };
	char text[64], narrow[8];

	unit_ok(!suggest_text(&search, text, sizeof(text)),
		"no word, no text");
	suggest_try(&search, "brunches");
	unit_ok(!search.nr, "three edits of six letters are too many");
	suggest_try(&search, "branchx");
	unit_ok(!strcmp(suggest_text(&search, text, sizeof(text)), "'branchx'"),
		"one word");
	suggest_try(&search, "brunchx");
	suggest_try(&search, "BRANCH");
	suggest_try(&search, "branchx");
	unit_ok(!strcmp(suggest_text(&search, text, sizeof(text)),
			"'BRANCH', 'branchx' or 'brunchx'"),
		"the nearest first, none twice");
	suggest_try(&search, "broanchx");
	unit_ok(search.nr == SUGGEST_MAX && strcmp(search.known[2], "broanchx"),
		"of equals the first stays");
	suggest_try(&search, "brnch");
	unit_ok(!strcmp(search.known[1], "branchx") &&
		!strcmp(search.known[2], "brnch"), "a nearer one replaces");
	unit_ok(strlen(suggest_text(&search, narrow, sizeof(narrow))) == 7,
		"a text that does not fit is cut");
}

int main(void)
{
	char long_word[256];

	unit_ok(suggest_distance("record", "record") == 0, "same word");
	unit_ok(suggest_distance("rceord", "record") == 1, "swapped letters");
	unit_ok(suggest_distance("recrd", "record") == 1, "missing letter");
	unit_ok(suggest_distance("rrecord", "record") == 1, "extra letter");
	unit_ok(suggest_distance("", "abc") == 3, "empty word");
	unit_ok(suggest_distance("kitten", "sitting") == 3, "several edits");

	unit_ok(suggest_distance("INST_retired", "inst_RETIRED") == 0,
		"upper and lower case");

	unit_ok(!strcmp(best_of("rceord"), "record"), "rceord is record");
	unit_ok(!strcmp(best_of("lst"), "list"), "lst is list");
	unit_ok(!strcmp(best_of("rpeort"), "report"), "rpeort is report");
	unit_ok(!*best_of("xyzzy"), "xyzzy is nothing");
	unit_ok(!*best_of("x"), "one letter is nothing");
	unit_ok(!*best_of(""), "nothing is nothing");

	memset(long_word, 'a', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	unit_ok(!*best_of(long_word), "a very long word is nothing");
	test_several();
	return unit_exit();
}
