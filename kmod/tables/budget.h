/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the memory of unwind tables and mappings, over all sessions
 *
 * Context: process.
 */
#ifndef TPROF_BUDGET_H
#define TPROF_BUDGET_H

#include <linux/types.h>
#include <linux/uidgid.h>

int tprof_budget_take(size_t bytes, bool is_private);
void tprof_budget_give(size_t bytes, bool is_private);
int tprof_budget_take_mapping(size_t bytes, bool is_private, kuid_t user);
void tprof_budget_give_mapping(size_t bytes, bool is_private, kuid_t user);
u64 tprof_budget_used(void);

#endif /* TPROF_BUDGET_H */
