/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - samples on their way from the reader to the places of a profile
 *
 * Each step of a look-up reads memory that is in no cache. So some samples wait here,
 * and each step is done for all of them, after the memory for all was asked for. Their
 * mappings are those of now: hits_settle() has to look them up before mappings change.
 */
#ifndef TPROF_HITS_H
#define TPROF_HITS_H

#include "profile/gather_filter.h"
#include "profile/subjects.h"
#include "world/chain.h"

#define HITS_MAX	64

/**
 * struct waiting_hit - a sample, or a frame of its call chain
 * @profile:	the profile to count it in
 * @subject:	task and CPU, as far as keys and filter use them
 * @spot:	its address; the binary is looked up by hits_settle()
 * @key:	its place, found by hits_settle()
 * @hash:	place_hash() of @key
 * @period:	period of the sample
 * @pid:	process
 * @stamp:	number of the sample if callers are counted, else 0
 * @misc:	misc of the record, or PERF_RECORD_MISC_* of the frame
 * @is_frame:	a frame, not the sample itself
 * @entry:	number of the entry + 1, or 0 if it is filtered out
 */
struct waiting_hit {
	struct profile *profile;
	const struct subject *subject;
	struct spot spot;
	struct place_key key;
	u64	hash;
	u64	period;
	u32	pid;
	u32	stamp;
	u16	misc;
	bool	is_frame;
	u32	entry;
};

/**
 * struct hits - samples that wait, and counts of those that were added up
 * @world:	tasks, mappings and binaries
 * @filter:	which samples and frames get an entry
 * @subjects:	tasks and CPUs of samples
 * @samples:	samples that were added up
 * @unresolved:	@samples by enum symbol_status
 * @nr_cut:	call chains that were cut at RECORDED_MAX
 * @waiting:	the samples that wait
 * @nr:		number of @waiting
 */
struct hits {
	struct world *world;
	const struct gather_filter *filter;
	struct subjects subjects;
	u64	samples;
	u64	unresolved[SYMBOL_NR_STATUS];
	u64	nr_cut;
	struct waiting_hit waiting[HITS_MAX];
	size_t	nr;
};

/**
 * struct hit_sample - a sample to add
 * @profile:	the profile to count it in
 * @misc:	misc of its record
 * @period:	its period
 * @frames:	recorded call chain, if callers are counted; else empty
 * @has_frames:	count callers
 */
struct hit_sample {
	struct profile *profile;
	u16	misc;
	u64	period;
	struct words frames;
	bool	has_frames;
};

void hits_init(struct hits *hits, struct world *world, const struct profile_keys *keys,
	       const struct gather_filter *filter);
int hits_add(struct hits *hits, const struct hit_sample *hit, const struct sample *sample);
int hits_settle(struct hits *hits);
void hits_add_up(struct hits *hits, struct profile *profile);
void hits_free(struct hits *hits);

#endif /* TPROF_HITS_H */
