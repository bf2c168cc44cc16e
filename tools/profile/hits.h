/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - count samples by place, and look up their functions in batches
 *
 * A lookup takes several steps, and each reads memory that is probably not in the CPU's
 * cache. So up to HITS_MAX samples and frames wait here. hits_settle() does each step
 * for all of them, and prefetches the memory for the next step. Samples are looked up
 * in the current mappings, so hits_settle() must be called before mappings change.
 *
 * The steps are: find the mappings, then the places, then the functions and entries of new
 * places, then, with the next batch, the counts. gather.c calls hits_settle() before each
 * record that is not a sample, and, in a recording with jitdump files, before each sample,
 * since JIT-compiled functions are mapped by time, without a record.
 */
#ifndef TPROF_HITS_H
#define TPROF_HITS_H

#include "profile/gather_filter.h"
#include "profile/seen.h"
#include "profile/subjects.h"

#define HITS_MAX	512

/**
 * struct hit_group - consecutive hits of one sample
 * @profile:	the profile to count the sample in
 * @subject:	task and CPU, as far as keys and filter use them
 * @period:	period of the sample
 * @pid:	process
 * @first:	index of the first hit
 * @nr:		number of hits
 * @misc:	misc of the record
 * @is_kernel:	all hits have kernel addresses; else, they have user addresses
 * @has_self:	the first hit is the sample itself; all other hits are frames. If it is
 *		false, the group has further frames of the sample before it.
 * @is_apart:	its places are looked up without the table; set by hits_settle()
 */
struct hit_group {
	struct profile *profile;
	const struct subject *subject;
	u64	period;
	u32	pid;
	u16	first;
	u16	nr;
	u16	misc;
	bool	is_kernel;
	bool	has_self;
	bool	is_apart;
};

/**
 * struct waiting_hit - a sample, or a frame of its call chain
 * @place:	its place; place.found is 0 if the place is new, until add_place() is called
 * @hash:	place_hash() of @place
 * @slot:	places_slot() of @place
 *
 * Without the table, only place.found is used.
 */
struct waiting_hit {
	struct place place;
	u64	hash;
	struct place *slot;
};

/**
 * struct new_place - a place to be added
 * @group:	the group of @hit
 * @hit:	a hit in this place
 * @spot:	the spot of @hit
 * @key:	key of its entry, if @is_shown
 * @is_shown:	the filter does not hide the place
 */
struct new_place {
	const struct hit_group *group;
	struct waiting_hit *hit;
	struct spot *spot;
	struct entry_key key;
	bool	is_shown;
};

/**
 * struct due_group - entries to count a sample in
 * @entries:	the entries of its profile
 * @period:	period of the sample
 * @self:	the entry of the sample itself + 1; 0 for none
 * @nr:		number of entries in hits.due_entries that count it as a sample of a callee
 */
struct due_group {
	const struct entries *entries;
	u64	period;
	u32	self;
	u32	nr;
};

/**
 * struct hits - waiting samples, and sums over the samples that were counted
 * @world:	tasks, mappings and binaries
 * @filter:	which samples and frames get an entry
 * @subjects:	tasks and CPUs of samples
 * @samples:	number of samples that were counted
 * @unresolved:	number of these samples with each enum symbol_status
 * @nr_cut:	number of call chains that were cut at RECORDED_MAX
 * @seen:	entries of the sample that is being counted
 * @groups:	the groups of waiting samples and frames
 * @nr_groups:	number of @groups
 * @spots:	addresses of the waiting samples and frames; hits_settle() looks up their
 *		binaries
 * @waiting:	the places of @spots, set by hits_settle()
 * @nr:		number of @spots
 * @fresh:	places of @waiting that are not in the table yet
 * @nr_fresh:	number of @fresh
 * @due:	what the last hits_settle() found; it is counted by the next one, when its
 *		memory has arrived in the CPU's cache
 * @nr_due:	number of @due
 * @due_entries: the entries of all @due, one group after the other
 */
struct hits {
	struct world *world;
	const struct gather_filter *filter;
	struct subjects subjects;
	u64	samples;
	u64	unresolved[SYMBOL_NR_STATUS];
	u64	nr_cut;
	struct seen seen;
	struct hit_group groups[HITS_MAX];
	size_t	nr_groups;
	struct spot spots[HITS_MAX];
	struct waiting_hit waiting[HITS_MAX];
	size_t	nr;
	struct new_place fresh[HITS_MAX];
	size_t	nr_fresh;
	struct due_group due[HITS_MAX];
	size_t	nr_due;
	u32	due_entries[HITS_MAX];
};

/**
 * struct hit_sample - a sample to add
 * @profile:	the profile to count it in
 * @misc:	misc of its record
 * @period:	its period
 * @frames:	recorded call chain; used only if @has_frames
 * @has_frames:	count callers, too
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
int hits_finish(struct hits *hits);
void hits_free(struct hits *hits);

#endif /* TPROF_HITS_H */
