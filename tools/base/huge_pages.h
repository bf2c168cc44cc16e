/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - huge pages for large tables
 *
 * Nearly every access to a large table is to a different page, and the CPU must
 * translate the address of the page. In a virtual machine, the translation takes longer
 * than the access itself. With huge pages, translations take less time, and the kernel
 * has fewer pages to clear.
 */
#ifndef TPROF_HUGE_PAGES_H
#define TPROF_HUGE_PAGES_H

#include <sys/mman.h>

#include "base/types.h"

#define HUGE_PAGE	(2UL << 20)

/*
 * Ask for huge pages for the @bytes of memory at @at. Call this before the memory is
 * written. Return @at, which may be NULL.
 */
static inline void *huge_pages(void *at, size_t bytes)
{
	uintptr_t from = ALIGN_UP((uintptr_t)at, HUGE_PAGE);
	uintptr_t to = ((uintptr_t)at + bytes) & ~(HUGE_PAGE - 1);

	if (at && from < to)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
	return at;
}

void *huge_alloc(size_t bytes);
void huge_free(void *at, size_t bytes);

#endif /* TPROF_HUGE_PAGES_H */
