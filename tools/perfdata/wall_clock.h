/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the date of a sample
 */
#ifndef TPROF_WALL_CLOCK_H
#define TPROF_WALL_CLOCK_H

#include "perfdata/feature_set.h"

bool wall_clock_offset(const struct feature_set *features, u64 *offset);

#endif /* TPROF_WALL_CLOCK_H */
