/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the processes that a session samples
 *
 * A bitmap of process ids, which an NMI can read without a lock. The bits of the
 * named processes and their descendants are set: a fork copies the bit of the parent
 * to the child. That also corrects the bit of a reused id, as every new process is
 * forked.
 */
#ifndef TPROF_TARGET_H
#define TPROF_TARGET_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/**
 * struct tprof_target - a set of processes
 * @pids:	bitmap of process ids; W: @lock
 * @lock:	makes copying the parent's bit atomic against mark_present(); raw,
 *		because a tracepoint probe takes it; innermost
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
