/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a target follows forks, execs and exits
 */
#ifndef TPROF_TARGET_FOLLOW_H
#define TPROF_TARGET_FOLLOW_H

#include "target/target_types.h"

int tprof_target_follow(struct tprof_target *target);
void tprof_target_unfollow(struct tprof_target *target);
bool tprof_target_remove_thread(struct tprof_target *target, pid_t tid);
bool tprof_target_remove_process(struct tprof_target *target, pid_t tgid);
bool tprof_target_expel(struct tprof_target *target, const struct task_struct *task);

#endif /* TPROF_TARGET_FOLLOW_H */
