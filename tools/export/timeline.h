/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - the samples of each thread, in the order of their times
 */
#ifndef TPROF_EXPORT_TIMELINE_H
#define TPROF_EXPORT_TIMELINE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/hash_table.h"
#include "base/types.h"
#include "export/frames.h"
#include "export/samples.h"

/* Maximum number of steps of all tracks: they take about 0.5 GB. */
#define STEPS_MAX	(16U << 20)

/* Maximum number of tracks: short ones take about 0.5 GB. */
#define TRACKS_MAX	(1U << 20)

/**
 * struct step - samples of a track
 * @time:	time of the first one
 * @weight:	sum of their periods
 * @stack:	call stack
 */
struct step {
	u64	time;
	u64	weight;
	u32	stack;
};

/**
 * struct track - the samples of a thread and an event
 * @pid:	the process
 * @tid:	the thread
 * @event:	index of the event in reader.events
 * @comm:	last name of the thread; equal names are the same pointer
 * @steps:	track_steps(): the samples, in the order of their times
 * @nr:		number of steps
 */
struct track {
	u32	pid;
	u32	tid;
	u32	event;
	const char *comm;
	struct bytes steps;
	size_t	nr;
};

/**
 * struct timeline - all tracks; empty if all members are zero
 * @merges:	neighbours with equal stacks are one step
 * @table:	tracks, by thread and event
 * @memory:	memory of the tracks
 * @tracks:	tracks, in the order of their first samples
 * @room:	capacity of @tracks
 * @nr_steps:	number of steps of all tracks
 */
struct timeline {
	bool	merges;
	struct hash_table table;
	struct arena memory;
	struct track **tracks;
	size_t	room;
	u64	nr_steps;
};

int timeline_take(struct timeline *timeline, struct frames *frames, struct samples *samples);
void timeline_free(struct timeline *timeline);

static inline struct step *track_steps(const struct track *track)
{
	return (struct step *)track->steps.data;
}

#endif /* TPROF_EXPORT_TIMELINE_H */
