/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which processes a session is about
 *
 * A bitmap by process id that an NMI can ask without a lock. The processes
 * that were named and their descendants are in it; a fork makes the child what
 * its parent is. That also makes a reused id right, as every new process is
 * forked.
 */
#ifndef TPROF_TARGET_H
#define TPROF_TARGET_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/**
 * struct tprof_target - the processes
 * @pids:	bitmap; W: @lock
 * @lock:	makes "child as parent" one step against the first marking; raw,
 *		because a tracepoint probe takes it; nests in nothing
 * @node:	in the list of targets that follow forks; RCU readers
 */
struct tprof_target {
	unsigned long		*pids;
	raw_spinlock_t		lock;
	struct list_head	node;
};

struct tprof_target *tprof_target_alloc(const s32 *pids, u32 nr);
void tprof_target_free(struct tprof_target *target);

#endif /* TPROF_TARGET_H */
