/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - assignment of a CPU's counters to events
 *
 * The events of all sessions share the counters. An event that finds no free
 * counter is refused. An event keeps its counter until it stops: counters are
 * not multiplexed. The file also compiles in user space, for the unit tests.
 */
#ifndef TPROF_X86_ROWS_H
#define TPROF_X86_ROWS_H

#include "pmu/pmu.h"
#include "x86/x86_caps.h"

/**
 * struct tprof_x86_rows - the counters of a CPU
 * @taken:	mask of counters that events use
 * @disabled:	mask of counters that the administrator disabled
 * @events:	event on each taken counter
 * @periods:	for each taken counter, where to read its event's current period
 *
 * Protected by the x86 lock (pmu_x86.c).
 */
struct tprof_x86_rows {
	u64			taken;
	u64			disabled;
	struct tprof_pmu_event	*events[TPROF_X86_MAX_ROWS];
	const u64		*periods[TPROF_X86_MAX_ROWS];
};

int tprof_x86_rows_take(struct tprof_x86_rows *rows, u64 able,
			struct tprof_pmu_event *event, const u64 *period);
void tprof_x86_rows_give(struct tprof_x86_rows *rows, int row);
u32 tprof_x86_rows_list(const struct tprof_x86_rows *rows,
			const struct tprof_x86_caps *caps,
			struct tprof_lx_row *list, u32 room);
int tprof_x86_rows_admin(struct tprof_x86_rows *rows,
			 const struct tprof_x86_caps *caps,
			 const struct tprof_lx_row_admin *arg, bool is_trial);

#endif /* TPROF_X86_ROWS_H */
