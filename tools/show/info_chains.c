// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx info - how the call chains of a recording were found, and how they end
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_text.h"
#include "show/info_chains.h"

#define LABEL_WIDTH	42

/* Words of the ledger, each with a label. */
static const struct {
	const char *word;
	const char *label;
} rows[] = {
	{ "tables", "binaries with unwind tables" },
	{ "frames_table", "callers found by tables" },
	{ "frames_fp", "callers found by frame pointers" },
	{ "chains_whole", "user chains to the outermost frame" },
	{ "chains_cut", "cut where a table has no rule" },
	{ "chains_astray", "cut where the stack led nowhere" },
	{ "chains_unmapped", "taken while the mappings were not known" },
	{ "chains_absent", "cut at memory that was not present" },
	{ "chains_deep", "cut at the limit of frames" },
	{ "chains_lost", "cut where the kernel's unwinder gave up" },
};

/* Return the sum of the values of @word in @line. */
static u64 sum_in(const char *line, const char *word)
{
	size_t len = strlen(word);
	const char *at;
	u64 sum = 0;

	for (at = strchr(line, ' '); at; at = strchr(at, ' ')) {
		if (!strncmp(++at, word, len) && at[len] == '=')
			sum += strtoull(at + len + 1, NULL, 10);
	}
	return sum;
}

/* Return the sum of the values of @word in the lines of the ledger. */
static u64 sum_of(const struct bytes *ledger, const char *word)
{
	const char *line;
	u64 sum = 0;
	size_t at;

	for (at = 0; at < ledger->len; at += strlen(line) + 1) {
		line = (const char *)ledger->data + at;
		sum += sum_in(line, word);
	}
	return sum;
}

static void print_row(const struct facts *facts, size_t i, u64 count)
{
	char text[32];

	if (facts->json)
		json_u64(facts->json, rows[i].word, count);
	else
		printf("  %-*s %s\n", LABEL_WIDTH, rows[i].label,
		       count_text(count, text, sizeof(text)));
}

/*
 * Print the counts of call chains in @ledger. Its lines end with a zero byte. Print nothing
 * if the recording counts none.
 */
void info_chains(const struct facts *facts, const struct bytes *ledger)
{
	u64 counts[ARRAY_SIZE(rows)], all = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		counts[i] = sum_of(ledger, rows[i].word);
		all += counts[i];
	}
	if (!all)
		return;
	if (facts->json)
		json_begin(facts->json, "chains", '{');
	else
		printf("\ncall chains\n");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (facts->json || counts[i])
			print_row(facts, i, counts[i]);
	}
	if (facts->json)
		json_end(facts->json, '}');
}
