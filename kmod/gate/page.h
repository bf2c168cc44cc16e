/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - count pages: a thread reads its own counters by RDPMC, without a system call
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
