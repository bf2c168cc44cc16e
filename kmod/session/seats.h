/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sessions whose events may share counters
 *
 * START looks for tasks that are in both sets, by a walk over all tasks, once for each pair of
 * sets (base/meeting.h), and so does ATTACH while events of the session use counters. Both hold
 * the seats lock, and keep CPUs from coming online, until what they have checked is done. With
 * enable_on_exec, all targets count as members, whether they have called execve(2) or not.
 */
#ifndef TPROF_SEATS_H
#define TPROF_SEATS_H

#include "session/cpu.h"
#include "target/target_types.h"

int tprof_seats_start(struct tprof_crew *crew, u32 mask);
int tprof_seats_attach(struct tprof_crew *crew, struct tprof_target *target,
		       struct task_struct *task, u32 flags);

#endif /* TPROF_SEATS_H */
