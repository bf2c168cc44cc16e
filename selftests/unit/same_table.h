/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - compare unwind tables
 */
#ifndef TPROF_SAME_TABLE_H
#define TPROF_SAME_TABLE_H

#include <string.h>

#include "unwind/table.h"

/* Return true if two tables are the same, byte by byte. */
static inline bool same_table(const struct unwind_table *a, const struct unwind_table *b)
{
	return a->nr_rows == b->nr_rows && a->nr_pages == b->nr_pages &&
	       a->nr_rules == b->nr_rules && a->page0 == b->page0 &&
	       a->text_bytes == b->text_bytes &&
	       !memcmp(a->losses, b->losses, sizeof(a->losses)) &&
	       !memcmp(a->sources, b->sources, sizeof(a->sources)) &&
	       !memcmp(a->pages, b->pages, (a->nr_pages + 1) * sizeof(*a->pages)) &&
	       !memcmp(a->rows, b->rows, a->nr_rows * sizeof(*a->rows)) &&
	       !memcmp(a->rules, b->rules, a->nr_rules * sizeof(*a->rules));
}

/* Return true if two tables have the same rule at @offset, or both have none. */
static inline bool same_rule(const struct unwind_table *a, const struct unwind_table *b, u64 offset)
{
	const struct tprof_lx_unwind_rule *one = unwind_table_find(a, offset);
	const struct tprof_lx_unwind_rule *other = unwind_table_find(b, offset);

	return one && other ? !memcmp(one, other, sizeof(*one)) : one == other;
}

#endif /* TPROF_SAME_TABLE_H */
