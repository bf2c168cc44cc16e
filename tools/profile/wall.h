/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - add up the times on and off CPU of a recording
 */
#ifndef TPROF_WALL_H
#define TPROF_WALL_H

#include "profile/gather.h"

int wall_merge(struct gather *gather, struct reader *reader);

#endif /* TPROF_WALL_H */
