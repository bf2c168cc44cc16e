/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - write the samples that are shown as a perf.data
 */
#ifndef TPROF_SNAPSHOT_H
#define TPROF_SNAPSHOT_H

#include <linux/tprof_lx.h>

#include "perfdata/feature_set.h"
#include "profile/fading.h"

/**
 * struct snapshot - what to write
 * @fading:	the samples
 * @tags:	profiles that @fading refers to, by index of the event
 * @events:	the events
 * @nr_events:	number of @events
 * @before:	records about the kernel and the processes before the session
 * @before_len:	bytes in @before
 */
struct snapshot {
	const struct fading *fading;
	const struct profile *const *tags;
	const struct perfdata_event *events;
	u32	nr_events;
	const void *before;
	size_t	before_len;
};

int snapshot_write(const struct snapshot *snapshot, int fd);

#endif /* TPROF_SNAPSHOT_H */
