/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counters that several events share
 */
#ifndef TPROF_X86_SHARE_H
#define TPROF_X86_SHARE_H

#include "x86/x86_run_types.h"

int tprof_x86_share_begin(struct tprof_x86_run *run);
void tprof_x86_share_end(struct tprof_x86_run *run);
void tprof_x86_share_check(struct tprof_pmu_gate *gate);
void tprof_x86_share_join(struct tprof_x86_run *run, struct tprof_pmu_gate *gate);
u64 tprof_x86_share_count(struct tprof_x86_run *run);
void tprof_x86_share_settle(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums);
bool tprof_x86_share_collides(const struct tprof_x86_run *run, const struct tprof_tasks *tasks);

/* Return true if an event shares its counter with others. */
static inline bool tprof_x86_is_shared(const struct tprof_x86_run *run)
{
	return run->rows->seats[run->seat.row]->next;
}

#endif /* TPROF_X86_SHARE_H */
