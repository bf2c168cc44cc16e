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
 * @exec_pids:	bitmap of the processes in @pids that called execve(2) after
 *		they became targets, and of the descendants that were forked
 *		after that call; changed under @lock
 * @lock:	serialises mark_present() with the probes, which copy the parent's
 *		bits and set a bit in @exec_pids; raw, because tracepoint probes
 *		take it; innermost
 * @node:	entry in the list of all targets, which the probes walk under RCU
 */
struct tprof_target {
	unsigned long		*pids;
	unsigned long		*exec_pids;
	raw_spinlock_t		lock;
	struct list_head	node;
};

struct tprof_target *tprof_target_alloc(const s32 *pids, u32 nr);
void tprof_target_free(struct tprof_target *target);

#endif /* TPROF_TARGET_H */
