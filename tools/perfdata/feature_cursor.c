// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read a feature section of a perf.data file with bounds checks
 */
#include <string.h>

#include "base/load.h"
#include "perfdata/feature_cursor.h"

/* Return a cursor at the start of a feature, empty if the file lacks the feature. */
struct feature_cursor feature_begin(const struct feature_set *set, u32 bit)
{
	struct feature_cursor cursor = { set->section[bit].data, set->section[bit].len };

	return cursor;
}

/* Take @len bytes. Return their address, or NULL if fewer are left. */
const u8 *feature_take(struct feature_cursor *cursor, size_t len)
{
	const u8 *at = cursor->at;

	if (len > cursor->left || !at)
		return NULL;
	cursor->at += len;
	cursor->left -= len;
	return at;
}

bool feature_u32(struct feature_cursor *cursor, u32 *value)
{
	const u8 *at = feature_take(cursor, sizeof(*value));

	if (at)
		*value = load_u32(at);
	return at;
}

bool feature_u64(struct feature_cursor *cursor, u64 *value)
{
	const u8 *at = feature_take(cursor, sizeof(*value));

	if (at)
		*value = load_u64(at);
	return at;
}

/* Take a string. Return it, or NULL if none is left or it is not terminated. */
const char *feature_string(struct feature_cursor *cursor)
{
	const u8 *text;
	u32 len;

	if (!feature_u32(cursor, &len))
		return NULL;
	text = feature_take(cursor, len);
	return text && memchr(text, '\0', len) ? (const char *)text : NULL;
}
