/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how memory is asked for on behalf of a user
 *
 * It is his group's, and when there is none he has ENOMEM: that is nothing to tell
 * the kernel's log. For the much that rings need, one page at a time, nobody is
 * killed either.
 */
#ifndef TPROF_GFP_H
#define TPROF_GFP_H

#include <linux/gfp.h>

#define TPROF_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)
#define TPROF_PAGE_GFP	(TPROF_GFP | __GFP_RETRY_MAYFAIL)

#endif /* TPROF_GFP_H */
