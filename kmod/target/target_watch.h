/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - add tasks to a target that has a watcher
 */
#ifndef TPROF_TARGET_WATCH_H
#define TPROF_TARGET_WATCH_H

#include "target/target_types.h"

int tprof_target_watch_trees(struct tprof_target *target, const s32 *tgids, u32 nr);
int tprof_target_watch(struct tprof_target *target, struct task_struct *task, u32 flags);

#endif /* TPROF_TARGET_WATCH_H */
