// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - an unwind table: which rule leads from an address to its caller
 *
 * Context: process, may sleep. The unit tests walk_test and table_check_test compile this file
 * in user space.
 */
#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/sched.h>
#else
#include <errno.h>
#endif

#include "tables/table.h"

enum limits {
	ROWS_PER_PAGE	= 1 << TPROF_TABLE_PAGE_SHIFT,
	MAX_OFFSET	= 1 << 24,
	MAX_PLT_OFFSET	= 16,
	MAX_CONTEXT_OFFSET = 4096,
};

static bool is_rbp_valid(s16 rbp)
{
	return rbp < 0 || rbp == TPROF_LX_UNWIND_RBP_SAME ||
	       rbp == TPROF_LX_UNWIND_RBP_UNDEFINED;
}

static bool is_rule_valid(const struct tprof_lx_unwind_rule *rule)
{
	switch (rule->how) {
	case TPROF_LX_UNWIND_CUT:
	case TPROF_LX_UNWIND_END:
	case TPROF_LX_UNWIND_FP:
		return true;
	case TPROF_LX_UNWIND_CFA:
	case TPROF_LX_UNWIND_DEREF:
		return is_rbp_valid(rule->rbp) &&
		       rule->offset >= -MAX_OFFSET && rule->offset <= MAX_OFFSET;
	case TPROF_LX_UNWIND_PLT:
		return is_rbp_valid(rule->rbp) && rule->offset >= 0 &&
		       rule->offset <= MAX_PLT_OFFSET;
	case TPROF_LX_UNWIND_SIGNAL:
		return rule->offset >= 0 && rule->offset <= MAX_CONTEXT_OFFSET;
	default:
		return false;
	}
}

static bool are_rules_valid(const struct tprof_table *table)
{
	u32 i;

	for (i = 0; i < table->nr_rules; i++) {
		if (!is_rule_valid(&table->rules[i]))
			return false;
	}
	return true;
}

static bool is_page_valid(const struct tprof_table *table, u32 page)
{
	u32 begin = table->first[page], end = table->first[page + 1], i;

	if (begin > end || end > table->nr_rows || end - begin > ROWS_PER_PAGE)
		return false;
	for (i = begin; i < end; i++) {
		if (table->rows[i].rule >= table->nr_rules ||
		    (i > begin && table->rows[i].low <= table->rows[i - 1].low))
			return false;
	}
	return true;
}

/**
 * tprof_table_check - check a table to its last row
 * @table:	table; its arrays are as long as its numbers say
 *
 * Return: 0 or -EINVAL.
 */
int tprof_table_check(const struct tprof_table *table)
{
	u32 page;

	if (table->first[0] || table->first[table->nr_pages] != table->nr_rows ||
	    !are_rules_valid(table))
		return -EINVAL;
	for (page = 0; page < table->nr_pages; page++) {
		if (!is_page_valid(table, page))
			return -EINVAL;
		cond_resched();
	}
	return 0;
}
