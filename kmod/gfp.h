/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how memory is asked for on behalf of a user
 *
 * It is his group's, and when there is none he has ENOMEM: that is nothing to tell
 * the kernel's log, and nothing to kill somebody for.
 */
#ifndef TPROF_GFP_H
#define TPROF_GFP_H

#include <linux/gfp.h>

#define TPROF_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)

#endif /* TPROF_GFP_H */
