// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a writer of JSON
 */
#include <math.h>

#include "base/json.h"
#include "base/printable.h"

#define MAX_INDENT	32

/*
 * Names of tasks and files are any bytes; what is not ASCII is passed on as it
 * is when it is UTF-8, and as the Latin-1 character of that number when not,
 * so that the document stays valid.
 */
static void quote(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len;

	putc('"', out);
	while (*s) {
		len = utf8_length(s);
		if (len) {
			fwrite(s, 1, len, out);
			s += len;
			continue;
		}
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s >= 0x7f)
			fprintf(out, "\\u%04x", *s);
		else
			putc(*s, out);
		s++;
	}
	putc('"', out);
}

/* Call trees are deep; there, more blanks help nobody. */
static void new_line(struct json *json)
{
	size_t depth = json->depth < MAX_INDENT ? json->depth : MAX_INDENT;

	fprintf(json->out, "\n%*s", (int)depth * 2, "");
}

static void next_member(struct json *json, const char *key)
{
	if (!json->first && json->depth)
		putc(',', json->out);
	if (json->indent && json->depth)
		new_line(json);
	json->first = false;
	if (!key)
		return;
	quote(json->out, key);
	fputs(json->indent ? ": " : ":", json->out);
}

/* Open an object or an array. */
void json_begin(struct json *json, const char *key, char bracket)
{
	next_member(json, key);
	putc(bracket, json->out);
	json->depth++;
	json->first = true;
}

/* Close the innermost object or array. */
void json_end(struct json *json, char bracket)
{
	json->depth--;
	if (json->indent && !json->first)
		new_line(json);
	putc(bracket, json->out);
	json->first = false;
	if (!json->depth) {
		putc('\n', json->out);
		json->first = true;
	}
}

/* A member that is text. */
void json_string(struct json *json, const char *key, const char *value)
{
	next_member(json, key);
	quote(json->out, value);
}

/* A member that is a number. */
void json_u64(struct json *json, const char *key, u64 value)
{
	next_member(json, key);
	fprintf(json->out, "%llu", value);
}

/* A member that is a number and may be negative. */
void json_s64(struct json *json, const char *key, __s64 value)
{
	next_member(json, key);
	fprintf(json->out, "%lld", value);
}

/*
 * A member that is a number with a fraction.
 *
 * @value: the number; what JSON has no word for is written as null
 */
void json_fixed(struct json *json, const char *key, double value, int digits)
{
	next_member(json, key);
	if (isfinite(value))
		fprintf(json->out, "%.*f", digits, value);
	else
		fputs("null", json->out);
}

/*
 * A member that is an address.
 *
 * @value: the address; written as text, for most readers of JSON keep numbers as
 *   doubles and would lose its low bits
 */
void json_hex(struct json *json, const char *key, u64 value)
{
	next_member(json, key);
	fprintf(json->out, "\"0x%llx\"", value);
}

/* A member that is true or false. */
void json_bool(struct json *json, const char *key, bool value)
{
	next_member(json, key);
	fputs(value ? "true" : "false", json->out);
}
