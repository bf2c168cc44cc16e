/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the processes of a target, and their descendants
 */
#ifndef TPROF_TARGET_TREE_H
#define TPROF_TARGET_TREE_H

#include "target/target_types.h"

int tprof_target_insert_process(struct tprof_target *target, const struct task_struct *task,
				bool is_heir);
int tprof_target_insert_thread(struct tprof_target *target, const struct task_struct *task);

unsigned long *tprof_tree_alloc(const s32 *tgids, u32 nr);
bool tprof_tree_mark_children(const struct tprof_target *target, unsigned long *tree, bool is_in);

/* Return true if the process of a task is in a target, and has not exited. */
static inline bool tprof_target_has_process(const struct tprof_target *target,
					    const struct task_struct *task)
{
	return test_bit(task->tgid, target->present);
}

#endif /* TPROF_TARGET_TREE_H */
