// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the contents of features, read with care
 */
#include <string.h>

#include "base/load.h"
#include "perfdata/feature_cursor.h"

/*
 * Look at a feature from its start. Return a cursor; with nothing left when the
 * feature is not there.
 */
struct feature_cursor feature_begin(const struct feature_set *set, u32 bit)
{
	struct feature_cursor cursor = { set->section[bit].data, set->section[bit].len };

	return cursor;
}

/* The next bytes. Return where they are, or NULL when there are not so many. */
const u8 *feature_take(struct feature_cursor *cursor, size_t len)
{
	const u8 *at = cursor->at;

	if (len > cursor->left || !at)
		return NULL;
	cursor->at += len;
	cursor->left -= len;
	return at;
}

/* The next number of four bytes. */
bool feature_u32(struct feature_cursor *cursor, u32 *value)
{
	const u8 *at = feature_take(cursor, sizeof(*value));

	if (at)
		*value = load_u32(at);
	return at;
}

/* The next number of eight bytes. */
bool feature_u64(struct feature_cursor *cursor, u64 *value)
{
	const u8 *at = feature_take(cursor, sizeof(*value));

	if (at)
		*value = load_u64(at);
	return at;
}

/* The next text. Return the text, or NULL when there is none or it does not end. */
const char *feature_string(struct feature_cursor *cursor)
{
	const u8 *text;
	u32 len;

	if (!feature_u32(cursor, &len))
		return NULL;
	text = feature_take(cursor, len);
	return text && memchr(text, '\0', len) ? (const char *)text : NULL;
}
