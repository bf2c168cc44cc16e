/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - print call trees as text in perf's layout
 */
#ifndef TPROF_REPORT_TREE_H
#define TPROF_REPORT_TREE_H

#include <stdio.h>

#include "profile/call_tree.h"

void report_tree(FILE *out, const struct call_node *root, u64 own, u64 total, double limit);

#endif /* TPROF_REPORT_TREE_H */
