// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - the profiles of a running session, made anew at each interval
 *
 * All stacks that have not faded away are counted again, so that a function that was not known
 * yet gets its name.
 */
#include <errno.h>

#include "top/live_profile.h"

/* @feed and @resolver must outlive @live. */
void live_profile_init(struct live_profile *live, struct feed *feed, struct resolver *resolver,
		       const struct top_options *opts)
{
	*live = (struct live_profile){
		.feed = feed, .resolver = resolver, .gather = live->gathers,
		.options = { .keys = opts->keys, .trees = opts->chains, .callers_first = true,
			     .children = opts->chains ? CHILDREN_YES : CHILDREN_NO,
			     .names = &live->fading.names, .find = resolver_find,
			     .arg = resolver },
	};
	fading_init(&live->fading, &live->options.keys);
}

/*
 * Add the samples that the feed has handed over. Set @is_new if there was a harvest. If memory
 * runs out, return -ENOMEM.
 */
int live_profile_take(struct live_profile *live, enum fading_older older,
		      bool *is_new)
{
	struct harvest *harvest;
	size_t i;
	int err = 0;

	*is_new = false;
	while (!err && (harvest = feed_take(live->feed))) {
		*is_new = true;
		resolver_know_kernel(live->resolver, harvest);
		for (i = 0; i < ARRAY_SIZE(live->tags); i++)
			live->tags[i] = harvest->profiles[i];
		live->nr_samples += harvest->samples;
		live->nr_kernel += harvest->kernel;
		err = fading_turn(&live->fading, &harvest->stacks, older);
		harvest_free(harvest);
	}
	return err;
}

/**
 * struct sample_counting - profiles that are made
 * @live:	has the samples
 * @gather:	gets the profiles
 */
struct sample_counting {
	const struct live_profile *live;
	struct gather *gather;
};

/* The function that fading_count() asks for profiles. */
static struct profile *profile_of(void *arg, const struct profile *tag)
{
	const struct sample_counting *counting = arg;
	const struct live_profile *live = counting->live;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(live->tags); i++) {
		if (live->tags[i] == tag)
			return gather_profile(counting->gather, &live->feed->reader, i);
	}
	return NULL;
}

static void forget_profiles(struct live_profile *live, u32 nr)
{
	if (live->are_set[nr])
		gather_free(&live->gathers[nr]);
	live->are_set[nr] = false;
}

/* Each event has a profile, even if it has no samples. */
static int make_profiles(struct gather *gather, const struct reader *reader)
{
	u32 i;

	for (i = 0; i < reader->nr_events; i++) {
		if (!gather_profile(gather, reader, i))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Count all samples that have not faded away in the profiles of @gather. Call gather_free() even
 * if this fails.
 *
 * @options: must stay valid until then
 */
int live_profile_count(const struct live_profile *live, struct gather *gather,
		       const struct gather_options *options)
{
	const struct reader *reader = &live->feed->reader;
	const struct symbol_options no_symbols = { 0 };
	struct sample_counting counting = { live, gather };
	int err;

	resolver_note_done(live->resolver);
	err = gather_init(gather, options, &no_symbols, reader);
	if (!err)
		err = make_profiles(gather, reader);
	return err ? err : fading_count(&live->fading, gather, profile_of, &counting);
}

static u64 (*order_of(const struct live_profile *live))(const struct profile_entry *entry)
{
	return column_find(live->options.trees ? "children" : "overhead")->value;
}

static int put_in_order(struct live_profile *live, struct profile *profile)
{
	int err = profile_sort(profile, order_of(live));
	size_t i;

	for (i = 0; i < profile->nr_roots; i++) {
		if (profile->roots[i])
			call_tree_sort(profile->roots[i]);
	}
	return err;
}

/*
 * Set @live->gather to one with the profiles of all samples, which are sorted. The one before
 * stays until the next call.
 */
int live_profile_update(struct live_profile *live)
{
	u32 nr = live->gather == live->gathers, i;
	struct gather *gather = &live->gathers[nr];
	int err;

	forget_profiles(live, nr);
	live->gather = gather;
	live->are_set[nr] = true;
	err = live_profile_count(live, gather, &live->options);
	for (i = 0; i < gather->nr_profiles && !err; i++)
		err = put_in_order(live, gather->profiles[i]);
	return err;
}

/* Set the members of @status about samples and symbols. */
void live_profile_describe(struct live_profile *live, struct status *status)
{
	struct feed *feed = live->feed;

	live->all_samples += live->nr_samples;
	live->all_kernel += live->nr_kernel;
	status->samples = live->nr_samples;
	status->kernel = live->nr_kernel;
	status->all_samples = live->all_samples;
	status->all_kernel = live->all_kernel;
	live->nr_samples = 0;
	live->nr_kernel = 0;
	pthread_mutex_lock(&feed->lock);
	status->left_out = feed->left_out + live->fading.left_out;
	status->passed_over = feed->passed_over;
	status->nr_binaries_left_out = feed->nr_binaries_left_out;
	pthread_mutex_unlock(&feed->lock);
	status->nr_waiting = live->resolver->nr_asked;
	status->nr_refused = live->resolver->nr_refused;
}

void live_profile_free(struct live_profile *live)
{
	forget_profiles(live, 0);
	forget_profiles(live, 1);
	fading_free(&live->fading);
}
