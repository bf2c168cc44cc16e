/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - memory that holds what is meant to be there, and none that is old
 */
#ifndef TPROF_SELFTESTS_CLEAN_H
#define TPROF_SELFTESTS_CLEAN_H

#include <stdbool.h>
#include <string.h>

/* Debug kernels fill with it what nobody has set. */
#define DIRT	0xaa
#define DIRT_8	0xaaaaaaaaaaaaaaaaULL

static inline bool is_zero(const void *bytes, size_t len)
{
	const char *byte = bytes;

	while (len--)
		if (*byte++)
			return false;
	return true;
}

static inline bool is_dirt(const char *bytes, size_t len)
{
	while (len--)
		if (*bytes++ != (char)DIRT)
			return false;
	return true;
}

/* A text in so much room has zeroes behind it. */
static inline bool is_clean(const char *text, size_t room)
{
	size_t len = strnlen(text, room);

	return len < room && is_zero(text + len, room - len);
}

#endif /* TPROF_SELFTESTS_CLEAN_H */
