// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - facts with names, for people or as JSON, by the same calls
 */
#include <stdio.h>

#include "facts.h"
#include "report.h"

#define LABEL_WIDTH	20

static void label_text(const char *label, const char *value)
{
	printf("%-*s %s\n", LABEL_WIDTH, label, value);
}

/**
 * facts_text - a fact that is text
 * @facts:	where to
 * @key:	its name in JSON
 * @label:	its name for people
 * @value:	the fact
 */
void facts_text(const struct facts *facts, const char *key, const char *label, const char *value)
{
	if (facts->json)
		json_string(facts->json, key, value);
	else
		label_text(label, value);
}

/**
 * facts_count - a fact that is a number
 * @facts:	where to
 * @key:	its name in JSON
 * @label:	its name for people
 * @value:	the fact
 */
void facts_count(const struct facts *facts, const char *key, const char *label, u64 value)
{
	char text[32];

	if (facts->json)
		json_u64(facts->json, key, value);
	else
		label_text(label, count_text(value, text, sizeof(text)));
}

/**
 * facts_size - a fact that is a number of bytes
 * @facts:	where to
 * @key:	its name in JSON
 * @label:	its name for people
 * @bytes:	the fact
 */
void facts_size(const struct facts *facts, const char *key, const char *label, u64 bytes)
{
	char text[16];

	if (facts->json)
		json_u64(facts->json, key, bytes);
	else
		label_text(label, size_text(bytes, text, sizeof(text)));
}

/**
 * facts_seconds - a fact that is a time
 * @facts:	where to
 * @key:	its name in JSON, where it stays in ns
 * @label:	its name for people
 * @ns:		the fact
 */
void facts_seconds(const struct facts *facts, const char *key, const char *label, u64 ns)
{
	char text[48];

	if (facts->json) {
		json_u64(facts->json, key, ns);
		return;
	}
	snprintf(text, sizeof(text), "%llu.%09llu s", ns / NSEC_PER_SEC, ns % NSEC_PER_SEC);
	label_text(label, text);
}

/**
 * facts_begin - facts that belong together
 * @facts:	where to
 * @key:	name of the JSON array
 * @label:	heading for people
 */
void facts_begin(const struct facts *facts, const char *key, const char *label)
{
	if (facts->json)
		json_begin(facts->json, key, '[');
	else
		printf("\n%s\n", label);
}

/**
 * facts_end - the end of what facts_begin() began
 * @facts:	where to
 */
void facts_end(const struct facts *facts)
{
	if (facts->json)
		json_end(facts->json, ']');
}
