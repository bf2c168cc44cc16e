// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - the clock of the output
 */
#include <string.h>

#include "base/printable.h"
#include "cli/say.h"
#include "merge/merge_hosts.h"
#include "perfdata/wall_clock.h"

/*
 * Return what to add to the times of @source. The time of day and the clock are read one after
 * the other, and the time of day may be adjusted: less than a second on one host is no other
 * boot of that host.
 */
static u64 shift_of(const struct merge *merge, const struct source *source, u64 shift)
{
	const char *host = merge_host(source), *other = merge_host(merge->clock);

	return shift < NSEC_PER_SEC && host && other && !strcmp(host, other) ? 0 : shift;
}

/*
 * Let all times be of the clock that is furthest behind the time of day, so that all shifts
 * are positive.
 */
void merge_clocks(struct merge *merge)
{
	const struct source *clock = NULL;
	u64 offset, least = 0;
	struct source *source;
	u32 i;

	for (i = 0; i < merge->nr_sources; i++) {
		source = &merge->sources[i];
		if (!wall_clock_offset(&source->reader.features, &offset)) {
			say_note("%s has no time of day, so the times of all recordings stay as they are",
				 printable(source->name));
			return;
		}
		if (!i || offset < least) {
			least = offset;
			clock = source;
		}
	}
	merge->clock = clock;
	for (i = 0; i < merge->nr_sources; i++) {
		source = &merge->sources[i];
		wall_clock_offset(&source->reader.features, &offset);
		source->shift = shift_of(merge, source, offset - least);
	}
}
