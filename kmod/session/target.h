/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the processes that a session samples
 *
 * A target is a bitmap of process ids, which an NMI can read without a lock. CONFIG
 * sets the bits of the processes that it lists and of their descendants. A fork
 * copies the bit of the parent to the child, so a reused process id never keeps the
 * bit of the old process.
 */
#ifndef TPROF_TARGET_H
#define TPROF_TARGET_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/**
 * struct tprof_target - a set of processes
 * @pids:	bitmap of process ids; changed under @lock
 * @lock:	serialises mark_present() with probe_fork(), which copies the parent's
 *		bit; raw, because a tracepoint probe takes it; innermost
 * @node:	entry in the list of all targets, which probe_fork() walks under RCU
 */
struct tprof_target {
	unsigned long		*pids;
	raw_spinlock_t		lock;
	struct list_head	node;
};

struct tprof_target *tprof_target_alloc(const s32 *pids, u32 nr);
void tprof_target_free(struct tprof_target *target);

#endif /* TPROF_TARGET_H */
