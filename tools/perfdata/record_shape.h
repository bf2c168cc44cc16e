/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - check whether a record has the form of its type
 *
 * A record of a damaged file may have another type than the recorder wrote. Its size, and the
 * counts and texts in it, seldom fit that type.
 */
#ifndef TPROF_RECORD_SHAPE_H
#define TPROF_RECORD_SHAPE_H

#include "perfdata/record_types.h"

bool record_shape_known(u32 type);
bool record_shape_fits(const struct record_body *body, u32 type,
		       const struct perf_event_attr *attr);

#endif /* TPROF_RECORD_SHAPE_H */
