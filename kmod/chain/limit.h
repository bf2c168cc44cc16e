/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the addresses of user space
 *
 * Also compiled in user space, by the unit test walk_test.
 */
#ifndef TPROF_LIMIT_H
#define TPROF_LIMIT_H

#ifdef __KERNEL__
#include <linux/processor.h>
#define TPROF_WALK_LIMIT	TASK_SIZE_MAX
#else
#define TPROF_WALK_LIMIT	((1UL << 47) - 4096)
#endif

/* Power of two above all addresses below TPROF_WALK_LIMIT: see rule_cache.h. */
#define TPROF_WALK_SPAN		(TPROF_WALK_LIMIT + 4096)

#endif /* TPROF_LIMIT_H */
