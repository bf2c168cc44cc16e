/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - print call trees as text in perf's layout
 */
#ifndef TPROF_TREE_TEXT_H
#define TPROF_TREE_TEXT_H

#include <stdio.h>

#include "profile/call_tree.h"

/**
 * struct tree_text - how to print call trees
 * @out:	output file
 * @total:	period of the whole profile
 * @limit:	do not print branches below this percentage of @total
 * @columns:	shorten names so that lines have at most so many columns; 0 for whole names
 */
struct tree_text {
	FILE	*out;
	u64	total;
	double	limit;
	u32	columns;
};

void tree_text_print(const struct tree_text *text, const struct call_node *root, u64 own);

#endif /* TPROF_TREE_TEXT_H */
