/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - check that exported JSON is valid, and add up its numbers
 */
#ifndef TPROF_EXPORT_JSON_H
#define TPROF_EXPORT_JSON_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

static inline const char *json_skip(const char *at);

static inline const char *json_skip_string(const char *at)
{
	size_t len;

	for (at++; *at && *at != '"'; at += len) {
		len = utf8_length((const unsigned char *)at);
		if (*at == '\\')
			len = at[1] == 'u' ? 6 : 2;
		else if (!len && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x7f)
			len = 1;
		if (!len)
			return NULL;
	}
	return *at ? at + 1 : NULL;
}

/* Skip an object or array. Return NULL if it is not valid. */
static inline const char *json_skip_list(const char *at)
{
	char end = *at == '{' ? '}' : ']';

	for (at++; *at != end; at++) {
		if (end == '}') {
			at = *at == '"' ? json_skip_string(at) : NULL;
			if (!at || *at++ != ':')
				return NULL;
		}
		at = json_skip(at);
		if (!at || (*at != ',' && *at != end))
			return NULL;
		if (*at == end)
			break;
	}
	return at + 1;
}

/* Return the end of the value at @at, which has no blanks, or NULL if it is not valid. */
static inline const char *json_skip(const char *at)
{
	static const char *const words[] = { "true", "false", "null" };
	char *end;

	if (*at == '"')
		return json_skip_string(at);
	if (*at == '{' || *at == '[')
		return json_skip_list(at);
	for (size_t i = 0; i < 3; i++) {
		if (!strncmp(at, words[i], strlen(words[i])))
			return at + strlen(words[i]);
	}
	if (*at != '-' && !isdigit((unsigned char)*at))
		return NULL;
	strtod(at, &end);
	return end;
}

/* Return true if @text is lines with a valid value each. */
static inline bool json_is_valid(const char *text)
{
	while (text && *text) {
		text = json_skip(text);
		if (text && *text++ != '\n')
			return false;
	}
	return text;
}

/* Return the sum of the numbers in all arrays, or of all numbers, with the key @key. */
static inline u64 json_sum(const char *text, const char *key)
{
	char wanted[64];
	u64 sum = 0;
	char *end;

	snprintf(wanted, sizeof(wanted), "\"%s\":", key);
	while ((text = strstr(text, wanted))) {
		text += strlen(wanted);
		text += *text == '[';
		for (; isdigit((unsigned char)*text); text = end + (*end == ','))
			sum += strtoull(text, &end, 10);
	}
	return sum;
}

/* Return how often @what is in @text. */
static inline size_t count_of(const char *text, const char *what)
{
	size_t nr = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		nr++;
	return nr;
}

#endif /* TPROF_EXPORT_JSON_H */
