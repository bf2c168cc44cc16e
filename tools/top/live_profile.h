/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - the profiles of a running session, made anew at each interval
 */
#ifndef TPROF_LIVE_PROFILE_H
#define TPROF_LIVE_PROFILE_H

#include "profile/fading.h"
#include "top/resolver.h"
#include "top/status.h"
#include "top/top_options.h"

/**
 * struct live_profile - the profiles
 * @feed:	gives the samples
 * @resolver:	gives the functions
 * @fading:	all samples that have not faded away
 * @options:	options of @gathers
 * @gathers:	have the profiles of the last two live_profile_update(), as a screen still needs
 *		the rows before when it replaces them
 * @are_set:	these @gathers were set up
 * @gather:	the one of @gathers with the last profiles
 * @tags:	profiles that @fading refers to, by index of the event
 * @nr_samples:	number of samples that were read since the last live_profile_describe()
 * @nr_kernel:	number of those in the kernel
 * @all_samples: number of samples that were read before that
 * @all_kernel:	number of those in the kernel
 */
struct live_profile {
	struct feed *feed;
	struct resolver *resolver;
	struct fading fading;
	struct gather_options options;
	struct gather gathers[2];
	bool	are_set[2];
	struct gather *gather;
	const struct profile *tags[TPROF_LX_MAX_EVENTS];
	u64	nr_samples;
	u64	nr_kernel;
	u64	all_samples;
	u64	all_kernel;
};

void live_profile_init(struct live_profile *live, struct feed *feed, struct resolver *resolver,
		       const struct top_options *opts);
int live_profile_take(struct live_profile *live, enum fading_older older,
		      bool *is_new);
int live_profile_update(struct live_profile *live);
int live_profile_count(const struct live_profile *live, struct gather *gather,
		       const struct gather_options *options);
void live_profile_describe(struct live_profile *live, struct status *status);
void live_profile_free(struct live_profile *live);

#endif /* TPROF_LIVE_PROFILE_H */
