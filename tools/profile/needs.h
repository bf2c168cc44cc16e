/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - check that samples have all fields that keys and filter read
 */
#ifndef TPROF_NEEDS_H
#define TPROF_NEEDS_H

#include "perfdata/reader.h"
#include "profile/gather_filter.h"
#include "profile/profile.h"

u64 needs_of(const struct profile_keys *keys, const struct gather_filter *filter);
int needs_check(u64 needed, struct reader *reader, const struct reader_event *event);

#endif /* TPROF_NEEDS_H */
