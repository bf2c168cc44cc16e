/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the processes of -p
 */
#ifndef TPROF_TARGETS_H
#define TPROF_TARGETS_H

#include "base/parse.h"
#include "live/device.h"

void targets_choose(struct pid_list *targets, const struct pid_list *tasks);
void targets_drop_ended(struct pid_list *targets);
bool targets_end_session(const struct pid_list *targets, const struct tprof_lx_info *info);

#endif /* TPROF_TARGETS_H */
