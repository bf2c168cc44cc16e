// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - memory of large tables
 */
#include "base/huge_pages.h"
#include "unit.h"

#define CACHE_LINE	64

/* Allocate, fill and free @bytes. Return true if they are aligned and were zero. */
static bool is_ok(size_t bytes)
{
	u8 *at = huge_alloc(bytes);
	u8 any = 0;
	size_t i;

	if (!at || (uintptr_t)at % (bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE))
		return false;
	for (i = 0; i < bytes; i++) {
		any |= at[i];
		at[i] = 0xff;
	}
	huge_free(at, bytes);
	return !any;
}

int main(void)
{
	bool small = is_ok(1) && is_ok(1) && is_ok(100) && is_ok(HUGE_PAGE - 1);
	bool large = is_ok(HUGE_PAGE) && is_ok(HUGE_PAGE + 1) && is_ok(5 * HUGE_PAGE / 2);

	unit_ok(small, "a small table is zeroed and begins with a line of the cache");
	unit_ok(large, "a large table is zeroed and begins with a huge page");
	unit_ok(!huge_alloc(1UL << 60), "a table that is too large is refused");
	huge_free(NULL, 1);
	huge_free(NULL, HUGE_PAGE);
	return unit_exit();
}
