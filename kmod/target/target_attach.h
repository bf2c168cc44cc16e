/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - processes and threads that join a target and leave it
 */
#ifndef TPROF_TARGET_ATTACH_H
#define TPROF_TARGET_ATTACH_H

#include "target/target_types.h"

int tprof_target_add(struct tprof_target *target, const s32 *pids, u32 nr);
int tprof_target_attach(struct tprof_target *target, struct task_struct *task, u32 flags);
int tprof_target_detach(struct tprof_target *target, struct task_struct *task, u32 flags);

#endif /* TPROF_TARGET_ATTACH_H */
