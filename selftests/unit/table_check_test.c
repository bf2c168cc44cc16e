// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the check of an unwind table, malicious ones included
 */
#include <string.h>

#include "table_by_hand.h"
#include "unit.h"

void (*tprof_test_interrupt)(void);

/* Return the result of tprof_table_check() for by_hand with one row and one rule changed. */
static int check_with(u32 index, struct tprof_lx_unwind_row row, struct tprof_lx_unwind_rule rule)
{
	struct tprof_lx_unwind_rule own_rules[NR_RULES];
	struct tprof_lx_unwind_row own_rows[NR_RULES + 2];
	struct tprof_table table = by_hand;

	memcpy(own_rules, rules, sizeof(rules));
	memcpy(own_rows, rows, sizeof(rows));
	own_rows[index] = row;
	own_rules[0] = rule;
	table.rows = own_rows;
	table.rules = own_rules;
	return tprof_table_check(&table);
}

static int check_row(u32 index, u16 low, u16 rule)
{
	return check_with(index, (struct tprof_lx_unwind_row){ low, rule }, rules[0]);
}

static int check_rule(u8 how, u8 base, s16 rbp, s32 offset)
{
	return check_with(0, rows[0], (struct tprof_lx_unwind_rule){ how, base, rbp, offset });
}

static int check_pages(const u32 *pages)
{
	struct tprof_table table = by_hand;

	table.first = pages;
	return tprof_table_check(&table);
}

static void test_check(void)
{
	const u32 nr = NR_RULES + 2;

	unit_ok(!tprof_table_check(&by_hand), "table is accepted");
	unit_ok(check_row(1, 0, 0) == -EINVAL, "two rows of one address are refused");
	unit_ok(check_row(2, 1, 0) == -EINVAL, "unsorted rows are refused");
	unit_ok(check_row(1, 256, NR_RULES) == -EINVAL, "row without a rule is refused");
	unit_ok(check_row(nr - 1, 1, 0xffff) == -EINVAL, "last row is checked");
	unit_ok(check_pages((u32[]){ 1, 2, 3, nr }) == -EINVAL, "rows before all pages");
	unit_ok(check_pages((u32[]){ 0, 1, 2, nr - 1 }) == -EINVAL, "rows after all pages");
	unit_ok(check_pages((u32[]){ 0, 5, 4, nr }) == -EINVAL, "pages in reverse order");
	unit_ok(check_pages((u32[]){ 0, -1U, 4, nr }) == -EINVAL, "rows beyond the table");
	unit_ok(check_rule(7, 0, 0, 0) == -EINVAL, "unknown kind of rule");
	unit_ok(check_rule(TPROF_LX_UNWIND_CFA, 7, 0, 8) == -EINVAL, "rbp above the CFA");
	unit_ok(check_rule(TPROF_LX_UNWIND_CFA, 7, -16, (1 << 24) + 1) == -EINVAL, "large offset");
	unit_ok(check_rule(TPROF_LX_UNWIND_CFA, 7, -16, -(1 << 24) - 1) == -EINVAL,
		"large negative offset");
	unit_ok(check_rule(TPROF_LX_UNWIND_PLT, 0, -16, 17) == -EINVAL, "plt: large offset");
	unit_ok(check_rule(TPROF_LX_UNWIND_PLT, 0, -16, -1) == -EINVAL, "plt: negative offset");
	unit_ok(check_rule(TPROF_LX_UNWIND_SIGNAL, 0, 0, 4097) == -EINVAL, "signal: large offset");
	unit_ok(check_rule(TPROF_LX_UNWIND_SIGNAL, 0, 0, -1) == -EINVAL,
		"signal: negative offset");
	unit_ok(!check_rule(TPROF_LX_UNWIND_END, 99, 99, -1), "unused fields are ignored");
}

int main(void)
{
	fill_rows();
	test_check();
	return unit_exit();
}
