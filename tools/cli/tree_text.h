/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - print call trees as text in perf's layout
 */
#ifndef TPROF_TREE_TEXT_H
#define TPROF_TREE_TEXT_H

#include <stdio.h>

#include "profile/call_tree.h"

void tree_text_print(FILE *out, const struct call_node *root, u64 own, u64 total, double limit);

#endif /* TPROF_TREE_TEXT_H */
