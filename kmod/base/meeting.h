/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - whether two sets of tasks meet, found once for each pair
 *
 * START asks for each CPU, each counter and each event that uses it whether its session has a
 * task in common with that of another event. The answer is the same for all of them, and to find
 * it takes a walk over all threads of the machine. So each set remembers the answer for the set
 * that it was last compared with.
 *
 * Context: process. Answers are remembered under the x86 lock (pmu_x86.c).
 */
#ifndef TPROF_MEETING_H
#define TPROF_MEETING_H

#include "base/tasks_types.h"

void tprof_meeting_begin_round(void);
bool tprof_meeting_ask(struct tprof_tasks *a, const struct tprof_tasks *b);

#endif /* TPROF_MEETING_H */
