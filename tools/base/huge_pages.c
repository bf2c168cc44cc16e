// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - huge pages for large tables
 */
#include <stdlib.h>
#include <string.h>

#include "base/huge_pages.h"

#define CACHE_LINE	64

/* Map @bytes of memory that begin with a huge page. */
static void *map_aligned(size_t bytes)
{
	u8 *from = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at;

	if (from == MAP_FAILED)
		return NULL;
	at = (u8 *)ALIGN_UP((uintptr_t)from, HUGE_PAGE);
	if (at > from)
		munmap(from, at - from);
	munmap(at + bytes, from + HUGE_PAGE - at);
	return at;
}

/*
 * Allocate zeroed memory for a table of @bytes, which huge_free() frees. It begins with a line
 * of the cache and, if it is large, with a huge page: malloc(3) would begin it in the middle of
 * one, and both ends would be in small pages. Return NULL if out of memory.
 */
void *huge_alloc(size_t bytes)
{
	size_t len = ALIGN_UP(bytes, bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE);
	void *at;

	if (bytes >= HUGE_PAGE)
		return huge_pages(map_aligned(len), len);
	at = aligned_alloc(CACHE_LINE, len);
	return at ? memset(at, 0, len) : NULL;
}

/* Free the memory that huge_alloc(@bytes) returned. @at may be NULL. */
void huge_free(void *at, size_t bytes)
{
	if (bytes < HUGE_PAGE)
		free(at);
	else if (at)
		munmap(at, ALIGN_UP(bytes, HUGE_PAGE));
}
