/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which processes may execute RDPMC
 *
 * perf sets dirty counters to 0 in the switches between address spaces that this file causes;
 * none is dirty while the module holds the counters (x86_dirty.c). A module cannot read what
 * the file rdpmc in sysfs allows, so mmap(2) of a count page looks at CR4 afterwards, and
 * writes @cap_user_rdpmc. A fork copies @perf_rdpmc_allowed to the child, but no mapping. So a
 * probe sets it to 0 there.
 */
#ifndef TPROF_RDPMC_H
#define TPROF_RDPMC_H

#include <linux/types.h>

struct mm_struct;

int tprof_rdpmc_forbid_children(void);
void tprof_rdpmc_uninit(void);
int tprof_rdpmc_allow(struct mm_struct *mm);
void tprof_rdpmc_keep(struct mm_struct *mm);
void tprof_rdpmc_disallow(struct mm_struct *mm);
bool tprof_rdpmc_is_allowed(void);

#endif /* TPROF_RDPMC_H */
