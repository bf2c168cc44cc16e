/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - count pages: a thread reads its own counters by RDPMC, without a system call
 *
 *	count = offset + the counter, by RDPMC, sign-extended
 *
 * An event with TPROF_LX_EVENT_PAGE counts a single thread. When the gate opens for it,
 * tprof_page_open_all() writes the number of the counter of this CPU, and the offset so that
 * the sum is the count so far. When the gate closes, the number becomes 0 and the count goes
 * to the total, to be continued on any CPU. Both run while the counter stands still. An NMI
 * that reloads the counter changes the offset by as much, so such counters are served by
 * tprof_x86_overflow_general(). A counter that is armed or disarmed in an open gate (suspend)
 * is shown or hidden as well. All writers run on the CPU of the thread, and interrupt it. So
 * the thread never sees a page between two writes, but reads again if @lock has changed.
 */
#ifndef TPROF_GATE_PAGE_H
#define TPROF_GATE_PAGE_H

#include "pmu/page.h"
#include "pmu/pmu.h"

struct tprof_tasks;

struct tprof_page *tprof_page_alloc(void);
void tprof_page_free(struct tprof_page *page);
void tprof_page_set_total(struct tprof_page *page, u64 total);
void tprof_page_permit(const struct tprof_pmu_event *event, bool may_rdpmc);
void tprof_page_open_all(const struct tprof_pmu_gate *parts, u32 nr_parts,
			 const struct tprof_pmu_opening *opening);
void tprof_page_close_all(const struct tprof_pmu_gate *parts, u32 nr_parts,
			  const struct tprof_pmu_opening *opening);

#endif /* TPROF_GATE_PAGE_H */
