/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an unwind table: which rule leads from an address to its caller
 *
 * Tables come from user space. tprof_table_check() must accept a table before
 * tprof_table_find() reads it.
 *
 * Context: any, NMI included. No locks; one loop, of at most 16 steps. The unit tests
 * walk_test and table_check_test compile this file in user space.
 */
#ifndef TPROF_TABLE_H
#define TPROF_TABLE_H

#ifdef __KERNEL__
#include <linux/nospec.h>
#include <linux/types.h>
#else
#include "kernel.h"
#endif

#include <linux/tprof_lx.h>

#define TPROF_TABLE_PAGE_SHIFT	16

/**
 * struct tprof_table - an unwind table, as struct tprof_lx_table describes it
 * @page0:	first page of file offsets
 * @nr_pages:	number of pages
 * @nr_rows:	number of @rows
 * @nr_rules:	number of @rules
 * @first:	index of the first row of each page, and @nr_rows
 * @rules:	the rules
 * @rows:	the rows
 */
struct tprof_table {
	u32				page0;
	u32				nr_pages;
	u32				nr_rows;
	u32				nr_rules;
	const u32			*first;
	const struct tprof_lx_unwind_rule *rules;
	const struct tprof_lx_unwind_row *rows;
};

int tprof_table_check(const struct tprof_table *table);

/**
 * tprof_table_find - find the rule for an address
 * @table:	table that was checked
 * @offset:	file offset of the code, any number
 *
 * Context: any, NMI included.
 * Return: the rule, or NULL if the table has none.
 */
static __always_inline const struct tprof_lx_unwind_rule *
tprof_table_find(const struct tprof_table *table, u64 offset)
{
	u64 page = (offset >> TPROF_TABLE_PAGE_SHIFT) - table->page0;
	const struct tprof_lx_unwind_row *row;
	u16 low = offset;
	u32 nr, half;

	if (unlikely(page >= table->nr_pages))
		return NULL;
	/* The user chooses the address: a mispredicted branch must not read beyond the table. */
	page = array_index_nospec(page, table->nr_pages);
	row = table->rows + table->first[page];
	nr = table->first[page + 1] - table->first[page];
	if (unlikely(!nr || row->low > low))
		return NULL;
	/* @row is not above @low, and is one of @nr rows in which the last such row is. */
	while (nr > 1) {
		half = nr / 2;
		row = row[half].low <= low ? row + half : row;
		nr -= half;
	}
	return table->rules + row->rule;
}

#endif /* TPROF_TABLE_H */
