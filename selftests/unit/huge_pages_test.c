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

/* Move a table of @from bytes to one of @to bytes. Return true if it is kept and the rest is 0. */
static bool is_moved(size_t from, size_t to)
{
	u8 *old = huge_alloc(from), *new = huge_alloc(to);
	bool is_same = old && new;
	size_t i;

	if (!is_same)
		return false;
	for (i = 0; i < from; i++)
		old[i] = i % 251 + 1;
	huge_move(new, old, from);
	for (i = 0; i < to; i++)
		is_same &= new[i] == (i < from ? i % 251 + 1 : 0);
	huge_free(new, to);
	return is_same;
}

int main(void)
{
	bool small = is_ok(1) && is_ok(1) && is_ok(100) && is_ok(HUGE_PAGE - 1);
	bool large = is_ok(HUGE_PAGE) && is_ok(HUGE_PAGE + 1) && is_ok(5 * HUGE_PAGE / 2);

	unit_ok(small, "a small table is zeroed and begins with a line of the cache");
	unit_ok(large, "a large table is zeroed and begins with a huge page");
	unit_ok(is_moved(100, 200) && is_moved(HUGE_PAGE / 2, 5 * HUGE_PAGE) &&
		is_moved(HUGE_PAGE, 2 * HUGE_PAGE) && is_moved(3 * HUGE_PAGE / 2, 3 * HUGE_PAGE),
		"a table moves to a larger one");
	unit_ok(!huge_alloc(1UL << 60), "a table that is too large is refused");
	huge_free(NULL, 1);
	huge_free(NULL, HUGE_PAGE);
	return unit_exit();
}
