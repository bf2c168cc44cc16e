// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a writer of JSON
 */
#include <math.h>

#include "base/json.h"
#include "base/printable.h"

#define MAX_INDENT	32

/*
 * Write @text as a JSON string. Names of tasks and files may contain any bytes. To keep
 * the document valid UTF-8, write each byte of a control character or of invalid UTF-8
 * as \u00XX.
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

/* Start a line. Indent it by at most MAX_INDENT levels: call trees can be deep. */
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

void json_begin(struct json *json, const char *key, char bracket)
{
	next_member(json, key);
	putc(bracket, json->out);
	json->depth++;
	json->first = true;
}

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

void json_string(struct json *json, const char *key, const char *value)
{
	next_member(json, key);
	quote(json->out, value);
}

void json_u64(struct json *json, const char *key, u64 value)
{
	next_member(json, key);
	fprintf(json->out, "%llu", value);
}

void json_s64(struct json *json, const char *key, __s64 value)
{
	next_member(json, key);
	fprintf(json->out, "%lld", value);
}

/* Write @value with @digits decimals. Infinity and NaN, which JSON lacks, become null. */
void json_fixed(struct json *json, const char *key, double value, int digits)
{
	next_member(json, key);
	if (isfinite(value))
		fprintf(json->out, "%.*f", digits, value);
	else
		fputs("null", json->out);
}

/*
 * Write a number in hexadecimal, as a string: most JSON parsers store numbers as
 * doubles and would lose the low bits of a large one.
 */
void json_hex(struct json *json, const char *key, u64 value)
{
	next_member(json, key);
	fprintf(json->out, "\"0x%llx\"", value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	next_member(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
	next_member(json, key);
	fputs("null", json->out);
}
