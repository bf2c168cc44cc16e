/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the attached trackers, for the files that tell them something
 *
 * Context: any but NMI, under rcu_read_lock().
 */
#ifndef TPROF_TRACK_LIST_H
#define TPROF_TRACK_LIST_H

#include <linux/bitops.h>
#include <linux/rculist.h>
#include <linux/sched.h>

#include "sample/sample.h"
#include "track/track.h"

/* Changed under the track lock, read under RCU. */
extern struct list_head tprof_track_list;

/**
 * tprof_track_for_each - visit the trackers that want some kind of record
 * @tracker:	cursor
 * @want:	enum tprof_track_want
 */
#define tprof_track_for_each(tracker, want)				\
	list_for_each_entry_rcu(tracker, &tprof_track_list, node)	\
		if ((tracker)->wants & (want))

/**
 * tprof_track_covers - is a task one of those that a tracker follows
 * @tracker:	tracker
 * @task:	task
 *
 * Return: true if so.
 */
static inline bool tprof_track_covers(const struct tprof_tracker *tracker,
				      const struct task_struct *task)
{
	const unsigned long *targets = tracker->sampler->targets;

	return !targets || test_bit(task->tgid, targets);
}

#endif /* TPROF_TRACK_LIST_H */
