/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - an unwind table that has each kind of rule
 */
#ifndef TPROF_UNIT_TABLE_BY_HAND_H
#define TPROF_UNIT_TABLE_BY_HAND_H

#include "tables/table.h"

enum {
	RULE_CUT,
	RULE_END,
	RULE_LEAF,	/* CFA = rsp + 8 */
	RULE_SMALL,	/* CFA = rsp + 24, rbp is saved below the return address */
	RULE_BP,	/* CFA = rbp + 16, rbp is saved there */
	RULE_RBX,	/* CFA = rbx + 8 */
	RULE_REALIGNED,	/* CFA = *(rbp - 8) */
	RULE_PLT,
	RULE_SIGNAL,
	RULE_FP,
	RULE_LOST_BP,	/* CFA = rsp + 8, and rbp has any value */
	RULE_DOWN,	/* CFA = rsp - 8 */
	RULE_KEEP_BX,	/* CFA = rsp + 8, the caller has the same rbx */
	RULE_SAVE_BX,	/* CFA = rsp + 24, rbx is saved two words below the return address */
	RULE_PLT_BX,	/* as RULE_PLT, the caller has the same rbx */
	RULE_DEREF_BX,	/* CFA = *rsp, the caller has the same rbx */
	RULE_LOW_BX,	/* CFA = rsp + 8, rbx is saved below rsp */
	NR_RULES,
};

static const struct tprof_lx_unwind_rule rules[NR_RULES] = {
	[RULE_CUT]	= { TPROF_LX_UNWIND_CUT, 99, 99, -1 },
	[RULE_END]	= { TPROF_LX_UNWIND_END, 99, 99, -1 },
	[RULE_LEAF]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP_SAME, 8 },
	[RULE_SMALL]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, -16, 24 },
	[RULE_BP]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RBP, -16, 16 },
	[RULE_RBX]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RBX, TPROF_LX_UNWIND_RBP_SAME, 8 },
	[RULE_REALIGNED] = { TPROF_LX_UNWIND_DEREF, TPROF_LX_UNWIND_RBP, -16, -8 },
	[RULE_PLT]	= { TPROF_LX_UNWIND_PLT, 0, TPROF_LX_UNWIND_RBP_SAME, 11 },
	[RULE_SIGNAL]	= { TPROF_LX_UNWIND_SIGNAL, 0, 0, 0 },
	[RULE_FP]	= { TPROF_LX_UNWIND_FP, 0, 0, 0 },
	[RULE_LOST_BP]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP,
			    TPROF_LX_UNWIND_RBP_UNDEFINED, 8 },
	[RULE_DOWN]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP,
			    TPROF_LX_UNWIND_RBP_SAME, -8 },
	[RULE_KEEP_BX]	= { TPROF_LX_UNWIND_CFA,
			    TPROF_LX_UNWIND_BASE(TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBX_SAME),
			    TPROF_LX_UNWIND_RBP_SAME, 8 },
	[RULE_SAVE_BX]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_BASE(TPROF_LX_UNWIND_RSP, 3),
			    TPROF_LX_UNWIND_RBP_SAME, 24 },
	[RULE_PLT_BX]	= { TPROF_LX_UNWIND_PLT,
			    TPROF_LX_UNWIND_BASE(0, TPROF_LX_UNWIND_RBX_SAME),
			    TPROF_LX_UNWIND_RBP_SAME, 11 },
	[RULE_DEREF_BX]	= { TPROF_LX_UNWIND_DEREF,
			    TPROF_LX_UNWIND_BASE(TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBX_SAME),
			    TPROF_LX_UNWIND_RBP_SAME, 0 },
	[RULE_LOW_BX]	= { TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_BASE(TPROF_LX_UNWIND_RSP, 15),
			    TPROF_LX_UNWIND_RBP_SAME, 8 },
};

/* The function of rule N is at N * 256. Page 1 has no rows, page 2 begins in a function. */
static struct tprof_lx_unwind_row rows[NR_RULES + 2];
static const u32 first[] = { 0, NR_RULES, NR_RULES, NR_RULES + 2 };

static const struct tprof_table by_hand = {
	.page0 = 1,
	.nr_pages = 3,
	.nr_rows = NR_RULES + 2,
	.nr_rules = NR_RULES,
	.first = first,
	.rules = rules,
	.rows = rows,
};

static void fill_rows(void)
{
	for (u32 i = 0; i < NR_RULES; i++)
		rows[i] = (struct tprof_lx_unwind_row){ i * 256, i };
	rows[NR_RULES] = (struct tprof_lx_unwind_row){ 0, RULE_LEAF };
	rows[NR_RULES + 1] = (struct tprof_lx_unwind_row){ 0xffff, RULE_END };
}

#endif /* TPROF_UNIT_TABLE_BY_HAND_H */
