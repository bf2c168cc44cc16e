/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the cells of a profile's table: values of entries, and their texts
 */
#ifndef TPROF_CELLS_H
#define TPROF_CELLS_H

#include "profile/interval.h"
#include "profile/profile.h"

double profile_share(u64 part, u64 whole);
u64 profile_whole(const struct profile *profile, const struct column *column);
struct interval profile_interval(const struct profile *profile, u64 period);
u64 profile_value(const struct profile *profile, const struct profile_entry *entry,
		  const struct column *column);
const char *profile_cell(const struct profile *profile, const struct column *column, u64 value,
			 char *buf, size_t len);

#endif /* TPROF_CELLS_H */
