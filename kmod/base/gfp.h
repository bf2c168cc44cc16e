/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - flags of allocations on behalf of a user
 *
 * Such memory is charged to the caller's memory cgroup. An allocation that fails
 * logs nothing. Rings and the fifo need many single pages, so their allocation
 * uses TPROF_PAGE_GFP: it fails instead of calling the OOM killer.
 */
#ifndef TPROF_GFP_H
#define TPROF_GFP_H

#include <linux/gfp.h>

#define TPROF_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)
#define TPROF_PAGE_GFP	(TPROF_GFP | __GFP_RETRY_MAYFAIL)

#endif /* TPROF_GFP_H */
