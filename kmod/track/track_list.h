/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the trackers that are attached, and which records each wants
 *
 * Context: any but NMI, under rcu_read_lock().
 */
#ifndef TPROF_TRACK_LIST_H
#define TPROF_TRACK_LIST_H

#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "sample/sampler.h"

/**
 * enum tprof_track_want - which records a session wants
 * @TPROF_TRACK_COMM:		COMM records
 * @TPROF_TRACK_COMM_EXEC:	at an exec, a COMM record with
 *				PERF_RECORD_MISC_COMM_EXEC
 * @TPROF_TRACK_TASK:		FORK and EXIT records
 * @TPROF_TRACK_MMAP:		MMAP or MMAP2 records of executable mappings
 * @TPROF_TRACK_MMAP_DATA:	MMAP or MMAP2 records of all other mappings
 * @TPROF_TRACK_MMAP2:		MMAP2 records instead of MMAP records
 * @TPROF_TRACK_BUILD_ID:	build-ids in MMAP2 records
 * @TPROF_TRACK_SWITCH:		SWITCH_CPU_WIDE records
 * @TPROF_TRACK_CHAIN:		deferred call chains
 * @TPROF_TRACK_TABLES:		changes of mappings, for unwind tables
 * @TPROF_TRACK_MODULE:		MMAP or MMAP2 records of loaded modules, KSYMBOL records of
 *				unloaded modules
 */
enum tprof_track_want {
	TPROF_TRACK_COMM	= 1U << 0,
	TPROF_TRACK_COMM_EXEC	= 1U << 1,
	TPROF_TRACK_TASK	= 1U << 2,
	TPROF_TRACK_MMAP	= 1U << 3,
	TPROF_TRACK_MMAP2	= 1U << 4,
	TPROF_TRACK_BUILD_ID	= 1U << 5,
	TPROF_TRACK_SWITCH	= 1U << 6,
	TPROF_TRACK_MMAP_DATA	= 1U << 7,
	TPROF_TRACK_CHAIN	= 1U << 8,
	TPROF_TRACK_MODULE	= 1U << 9,
	TPROF_TRACK_TABLES	= 1U << 10,
};

/**
 * struct tprof_tracker - the side-band records that a session wants
 * @node:	entry in the list of attached trackers; read under RCU, changed
 *		under the track lock
 * @sampler:	event that gives the records their id, clock and trailer
 * @targets:	tasks of which records are wanted, or NULL for all
 * @wants:	enum tprof_track_want
 * @frames:	maximum number of frames in a deferred chain
 * @stack_bytes: maximum bytes of the stack that a deferred chain may have a copy of
 * @tables:	tables by which the session's chains are followed, or NULL
 *
 * While it is attached, it is constant: tprof_track_replace() replaces it as a whole.
 */
struct tprof_tracker {
	struct list_head		node;
	const struct tprof_sampler	*sampler;
	const struct tprof_tasks	*targets;
	u32				wants;
	u32				frames;
	u32				stack_bytes;
	const struct tprof_tables	*tables;
};

/* The attached trackers. Changed under the track lock, read under RCU. */
extern struct list_head tprof_track_list;

/**
 * tprof_track_for_each - visit the trackers that want a kind of record
 * @tracker:	cursor
 * @want:	enum tprof_track_want
 */
#define tprof_track_for_each(tracker, want)				\
	list_for_each_entry_rcu(tracker, &tprof_track_list, node)	\
		if ((tracker)->wants & (want))

/**
 * tprof_track_covers - report whether a tracker wants records of a task
 *
 * A thread that is a target needs the mappings that other threads of its process make.
 *
 * Return: true if the session has no targets, if the process of @task is a target,
 * or if a thread of that process is or was a target.
 */
static inline bool tprof_track_covers(const struct tprof_tracker *tracker,
				      const struct task_struct *task)
{
	const struct tprof_tasks *targets = tracker->targets;

	return !targets || tprof_tasks_has_process(targets, task);
}

#endif /* TPROF_TRACK_LIST_H */
