/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - read the samples of a recording and find their call stacks
 *
 * The samples are read once, in the order of their times. Each is given to the format,
 * which keeps only what it needs of the sample.
 */
#ifndef TPROF_EXPORT_SAMPLES_H
#define TPROF_EXPORT_SAMPLES_H

#include "export/export.h"
#include "export/groups.h"
#include "export/keys.h"
#include "perfdata/losses.h"
#include "world/chain.h"

/**
 * struct samples - the state of reading samples
 * @export:	the recording
 * @needed:	PERF_SAMPLE_* fields that filter and keys need, and NEED_PARALLELISM
 * @sample:	the current sample
 * @misc:	misc of its record
 * @event:	index of its event in reader.events
 * @comm:	name of its thread; equal names are the same pointer
 * @cgroup:	path of its cgroup, NULL if it was not recorded; equal paths are the same pointer
 * @host:	name of its host; equal names are the same pointer; NULL unless merge made the
 *		recording of several hosts
 * @rests:	for each event, what latency_of() has left
 * @nr_rests:	number of @rests
 * @keys:	keys that --sort chooses
 * @world:	tasks, mappings and binaries at its time
 * @leaf_only:	find the frames of the sampled address only, without its callers
 * @chain:	its frames, innermost first, at least one; a function is NULL if it was not
 *		looked up
 * @losses:	lost samples
 * @span:	samples that were taken
 * @take:	takes the current sample; returns 0 or -errno
 * @note:	gets each record other than samples, in the order of times; may be NULL;
 *		returns 0 or -errno
 * @arg:	the format's data for @take and @note
 */
struct samples {
	const struct export *export;
	u64	needed;
	struct sample sample;
	u16	misc;
	u32	event;
	const char *comm;
	const char *cgroup;
	const char *host;
	double	*rests;
	u32	nr_rests;
	struct keys keys;
	struct world world;
	bool	leaf_only;
	struct chain chain;
	struct losses losses;
	struct export_span span;
	int	(*take)(struct samples *samples);
	int	(*note)(struct samples *samples, const struct record *record);
	void	*arg;
};

/* Room for samples_weight_name(). */
#define WEIGHT_NAME_LEN	80

int samples_init(struct samples *samples, const struct export *export);
const char *samples_weight_name(const struct export *export, const struct reader_event *event,
				char *buf);
struct group samples_group(const struct samples *samples);
int samples_find_keys(struct samples *samples, u32 *tuple);
void samples_note_losses(const char *input, u64 lost);
int samples_read(struct samples *samples);
void samples_free(struct samples *samples);

#endif /* TPROF_EXPORT_SAMPLES_H */
