/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - find stale bytes in memory
 */
#ifndef TPROF_SELFTESTS_CLEAN_H
#define TPROF_SELFTESTS_CLEAN_H

#include <stdbool.h>
#include <string.h>

/*
 * To recognize stale bytes, tests fill buffers with this byte. Debug kernels fill free
 * pages with the same byte.
 */
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

/* Return true if @text ends within @room bytes and only zeroes follow it. */
static inline bool is_clean(const char *text, size_t room)
{
	size_t len = strnlen(text, room);

	return len < room && is_zero(text + len, room - len);
}

#endif /* TPROF_SELFTESTS_CLEAN_H */
