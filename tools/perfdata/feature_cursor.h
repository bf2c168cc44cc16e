/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read a feature section of a perf.data file with bounds checks
 */
#ifndef TPROF_FEATURE_CURSOR_H
#define TPROF_FEATURE_CURSOR_H

#include "perfdata/feature_set.h"

/**
 * struct feature_cursor - a position in a feature section
 * @at:		first byte not taken yet
 * @left:	number of bytes not taken yet
 */
struct feature_cursor {
	const u8 *at;
	size_t	left;
};

struct feature_cursor feature_begin(const struct feature_set *set, u32 bit);
const u8 *feature_take(struct feature_cursor *cursor, size_t len);
bool feature_u32(struct feature_cursor *cursor, u32 *value);
bool feature_u64(struct feature_cursor *cursor, u64 *value);
const char *feature_string(struct feature_cursor *cursor);

#endif /* TPROF_FEATURE_CURSOR_H */
