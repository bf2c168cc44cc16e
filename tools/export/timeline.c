// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the samples of each thread, in the order of their times
 */
#include <errno.h>

#include "base/array.h"
#include "export/timeline.h"

static bool is_track(const void *entry, const void *wanted)
{
	const struct track *track = entry, *key = wanted;

	return track->pid == key->pid && track->tid == key->tid && track->event == key->event;
}

/* Find or add a track. Return NULL if out of memory, or if there are TRACKS_MAX tracks. */
static struct track *track_of(struct timeline *timeline, const struct track *key)
{
	u64 hash = hash_number(hash_number((u64)key->pid << 32 | key->tid) + key->event);
	size_t nr = timeline->table.nr;
	struct track *track = hash_table_find(&timeline->table, hash, is_track, key), **tracks;

	if (track || nr == TRACKS_MAX)
		return track;
	tracks = array_grow(timeline->tracks, nr, &timeline->room, sizeof(*tracks));
	if (!tracks)
		return NULL;
	timeline->tracks = tracks;
	track = arena_get(&timeline->memory, sizeof(*track));
	if (!track || hash_table_add(&timeline->table, hash, track))
		return NULL;
	*track = *key;
	tracks[nr] = track;
	return track;
}

/*
 * Add a sample to its track. A sample may be recorded after a later one of the same thread:
 * then it gets the time of that one.
 */
static int add_step(struct timeline *timeline, const struct track *key, const struct step *step)
{
	struct track *track = track_of(timeline, key);
	struct step *last, added = *step;

	if (!track)
		return timeline->table.nr == TRACKS_MAX ? -E2BIG : -ENOMEM;
	track->comm = key->comm;
	last = track->nr ? &track_steps(track)[track->nr - 1] : NULL;
	if (timeline->merges && last && last->stack == step->stack) {
		last->weight += step->weight;
		return 0;
	}
	if (timeline->nr_steps == STEPS_MAX)
		return -E2BIG;
	if (last && last->time > added.time)
		added.time = last->time;
	bytes_add(&track->steps, &added, sizeof(added));
	if (bytes_err(&track->steps))
		return -ENOMEM;
	track->nr++;
	timeline->nr_steps++;
	return 0;
}

/*
 * Add the current sample and its stack. Return 0, -ENOMEM, or -E2BIG if there are too many
 * samples.
 */
int timeline_take(struct timeline *timeline, struct frames *frames, struct samples *samples)
{
	const struct sample *sample = &samples->sample;
	struct track key = { .pid = sample->pid, .tid = sample->tid, .event = samples->event,
			     .comm = samples->comm };
	struct step step = { .time = sample->time, .weight = sample->period };
	int err = frames_add(frames, &samples->world, samples->chain.frames, samples->chain.nr,
			     &step.stack);

	return err ? err : add_step(timeline, &key, &step);
}

void timeline_free(struct timeline *timeline)
{
	size_t i;

	for (i = 0; i < timeline->table.nr; i++)
		bytes_free(&timeline->tracks[i]->steps);
	free(timeline->tracks);
	arena_free(&timeline->memory);
	hash_table_free(&timeline->table, NULL);
}
