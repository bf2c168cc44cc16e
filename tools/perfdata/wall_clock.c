// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the date of a sample
 */
#include "perfdata/wall_clock.h"
#include "perfdata/feature_cursor.h"

/*
 * Set @offset to the number that makes the time of a sample nanoseconds since 1970. Return
 * false, with an offset of 0, if the recording does not have it.
 */
bool wall_clock_offset(const struct feature_set *features, u64 *offset)
{
	struct feature_cursor cursor = feature_begin(features, PERFDATA_CLOCK_DATA);
	u32 version, clockid;
	u64 wall, time;

	*offset = 0;
	if (!feature_u32(&cursor, &version) || !feature_u32(&cursor, &clockid) ||
	    !feature_u64(&cursor, &wall) || !feature_u64(&cursor, &time))
		return false;
	*offset = wall - time;
	return true;
}
