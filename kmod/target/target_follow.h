/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a target follows forks, execs and exits
 *
 * When the last of the targets that have not exited exits, the exit probe queues work that
 * stops the session. So a reader sees the end of the stream, and record -p and stat -p need
 * not watch any process. The work takes the session lock, so it also stops a session that a
 * START begins at the same time. The exit probe runs before the kernel closes the files of the
 * task and runs its task work. So the work first looks for threads of all targets that exit,
 * but are not zombies yet. It looks again every 10 ms until there is none.
 *
 * execve(2) of a thread that does not lead its process gives it the id of the leader. If
 * execve(2) fails after that, the exit probe does not find the thread under its new id. So the
 * exit of a process of which a single thread was a target also queues the work, which removes
 * such lost threads.
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
