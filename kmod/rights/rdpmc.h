/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which processes may execute RDPMC
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
