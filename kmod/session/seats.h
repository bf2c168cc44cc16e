/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sessions whose events may share counters
 */
#ifndef TPROF_SEATS_H
#define TPROF_SEATS_H

#include "session/cpu.h"
#include "target/target_types.h"

int tprof_seats_start(struct tprof_crew *crew, u32 mask);
int tprof_seats_attach(struct tprof_crew *crew, struct tprof_target *target,
		       struct task_struct *task, u32 flags);

#endif /* TPROF_SEATS_H */
