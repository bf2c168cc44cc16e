// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx info - print labelled values as text or JSON
 */
#include <stdio.h>

#include "base/number_text.h"
#include "base/printable.h"
#include "cli/say.h"
#include "show/facts.h"

#define LABEL_WIDTH	20

static void label_text(const char *label, const char *value)
{
	printf("%-*s %s\n", LABEL_WIDTH, label, printable(value));
}

void facts_text(const struct facts *facts, const char *key, const char *label, const char *value)
{
	if (facts->json)
		json_string(facts->json, key, value);
	else
		label_text(label, value);
}

/* Print @value in JSON, otherwise the formatted @text. */
static void number(const struct facts *facts, const char *key, const char *label, u64 value,
		   const char *text)
{
	if (facts->json)
		json_u64(facts->json, key, value);
	else
		label_text(label, text);
}

void facts_count(const struct facts *facts, const char *key, const char *label, u64 value)
{
	char text[32];

	number(facts, key, label, value, count_text(value, text, sizeof(text)));
}

void facts_size(const struct facts *facts, const char *key, const char *label, u64 bytes)
{
	char text[16];

	number(facts, key, label, bytes, size_text(bytes, text, sizeof(text)));
}

/* Print a time, in ns for JSON, in seconds for text. */
void facts_seconds(const struct facts *facts, const char *key, const char *label, u64 ns)
{
	char text[48];

	snprintf(text, sizeof(text), "%llu.%09llu s", ns / NSEC_PER_SEC, ns % NSEC_PER_SEC);
	number(facts, key, label, ns, text);
}

/* Begin a group: print a heading, or in JSON the start of an array. */
void facts_begin(const struct facts *facts, const char *key, const char *label)
{
	if (facts->json)
		json_begin(facts->json, key, '[');
	else
		printf("\n%s\n", label);
}

void facts_end(const struct facts *facts)
{
	if (facts->json)
		json_end(facts->json, ']');
}
