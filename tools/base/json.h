/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a writer of JSON
 *
 * The writer adds commas, indentation and escapes. A member of an array has no key:
 * pass NULL.
 */
#ifndef TPROF_JSON_H
#define TPROF_JSON_H

#include <stdio.h>

#include "base/types.h"

/**
 * struct json - a document being written
 * @out:	output stream
 * @depth:	number of open objects and arrays
 * @indent:	write each member on its own line, instead of all on one line
 * @first:	the innermost open object or array is still empty
 */
struct json {
	FILE		*out;
	unsigned int	depth;
	bool		indent;
	bool		first;
};

void json_begin(struct json *json, const char *key, char bracket);
void json_end(struct json *json, char bracket);
void json_string(struct json *json, const char *key, const char *value);
void json_u64(struct json *json, const char *key, u64 value);
void json_s64(struct json *json, const char *key, __s64 value);
void json_fixed(struct json *json, const char *key, double value, int digits);
void json_hex(struct json *json, const char *key, u64 value);
void json_null(struct json *json, const char *key);
void json_bool(struct json *json, const char *key, bool value);

#endif /* TPROF_JSON_H */
