/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - side-band records of tasks that run already
 */
#ifndef TPROF_TRACK_PRESENT_H
#define TPROF_TRACK_PRESENT_H

#include "track/track_list.h"

void tprof_track_present(const struct tprof_tracker *tracker, struct task_struct *task,
			 bool has_children);

#endif /* TPROF_TRACK_PRESENT_H */
