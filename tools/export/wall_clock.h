/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - the date of a sample
 */
#ifndef TPROF_EXPORT_WALL_CLOCK_H
#define TPROF_EXPORT_WALL_CLOCK_H

#include "perfdata/feature_set.h"

bool wall_clock_offset(const struct feature_set *features, u64 *offset);

#endif /* TPROF_EXPORT_WALL_CLOCK_H */
