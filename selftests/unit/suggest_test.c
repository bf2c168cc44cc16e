// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - similar words, for "did you mean"
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
		"without suggestions there is no text");
	suggest_try(&search, "brunches");
	unit_ok(!search.nr, "three edits of six letters are too many");
	suggest_try(&search, "branchx");
	unit_ok(!strcmp(suggest_text(&search, text, sizeof(text)), "'branchx'"),
		"one suggestion is quoted");
	suggest_try(&search, "brunchx");
	suggest_try(&search, "BRANCH");
	suggest_try(&search, "branchx");
	unit_ok(!strcmp(suggest_text(&search, text, sizeof(text)),
			"'BRANCH', 'branchx' or 'brunchx'"),
		"suggestions are sorted by distance, none twice");
	suggest_try(&search, "broanchx");
	unit_ok(search.nr == SUGGEST_MAX && strcmp(search.known[2], "broanchx"),
		"an equally near word does not replace the first");
	suggest_try(&search, "brnch");
	unit_ok(!strcmp(search.known[1], "branchx") &&
		!strcmp(search.known[2], "brnch"),
		"a nearer word replaces another");
	unit_ok(strlen(suggest_text(&search, narrow, sizeof(narrow))) == 7,
		"a text that does not fit is cut");
}

int main(void)
{
	char long_word[256];

	unit_ok(suggest_distance("record", "record") == 0,
		"the same word is at distance 0");
	unit_ok(suggest_distance("rceord", "record") == 1,
		"swapped letters are one edit");
	unit_ok(suggest_distance("recrd", "record") == 1,
		"a missing letter is one edit");
	unit_ok(suggest_distance("rrecord", "record") == 1,
		"an extra letter is one edit");
	unit_ok(suggest_distance("", "abc") == 3,
		"an empty word is as many edits as there are letters");
	unit_ok(suggest_distance("kitten", "sitting") == 3,
		"several edits are added up");

	unit_ok(suggest_distance("INST_retired", "inst_RETIRED") == 0,
		"upper and lower case are the same");

	unit_ok(!strcmp(best_of("rceord"), "record"),
		"record is suggested for rceord");
	unit_ok(!strcmp(best_of("lst"), "list"), "list is suggested for lst");
	unit_ok(!strcmp(best_of("rpeort"), "report"),
		"report is suggested for rpeort");
	unit_ok(!*best_of("xyzzy"), "nothing is suggested for xyzzy");
	unit_ok(!*best_of("x"), "nothing is suggested for one letter");
	unit_ok(!*best_of(""), "nothing is suggested for an empty word");

	memset(long_word, 'a', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	unit_ok(!*best_of(long_word),
		"nothing is suggested for a very long word");
	test_several();
	return unit_exit();
}
