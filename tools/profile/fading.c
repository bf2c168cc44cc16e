// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the call stacks of a running session, with samples that fade
 */
#include <errno.h>

#include "profile/fading.h"

/* In each interval, weights are multiplied by 7/8. */
#define KEPT		7
#define OF		8
/* A stack with fewer samples is forgotten: 1/16 of a sample. */
#define LEAST		(FADING_UNIT / 16)

/* Set up an empty set. @keys must outlive it. */
void fading_init(struct fading *fading, const struct profile_keys *keys)
{
	*fading = (struct fading){ .keys = keys, .max_bytes = STACKS_MAX_BYTES,
				   .names.max = FADING_MAX_NAMES };
	subjects_init(&fading->subjects, keys, false);
}

/* Return a copy of the name of a thread, or NULL if memory runs out. */
static const char *keep_name(struct fading *fading, const char *name)
{
	const char *kept = interned_get(&fading->names, name);

	return kept || !interned_is_full(&fading->names) ? kept : FADING_UNNAMED;
}

/* Find or add a subject like @old. Return NULL if memory runs out. */
static const struct subject *copy_subject(struct fading *fading, const struct subject *old)
{
	struct sample sample = subject_sample(old);
	const char *comm = NULL;

	if (!fading->subjects.members)
		return &fading->subjects.none;
	if (fading->subjects.members & SUBJECT_COMM) {
		comm = keep_name(fading, old->comm);
		if (!comm)
			return NULL;
	}
	return subjects_search(&fading->subjects, &sample, comm);
}

static int put(struct fading *fading, const struct stack *stack, u64 samples, u64 period)
{
	const struct subject *subject;
	struct stack *to;

	if (fading->stacks.bytes > fading->max_bytes) {
		fading->left_out += (samples + FADING_UNIT / 2) / FADING_UNIT;
		return 0;
	}
	subject = copy_subject(fading, stack->subject);
	to = subject ? stacks_merge(&fading->stacks, stack, subject) : NULL;
	if (!to)
		return -ENOMEM;
	to->samples += samples;
	to->period += period;
	return 0;
}

static u64 fade(u64 weight)
{
	return weight / OF * KEPT + weight % OF * KEPT / OF;
}

static int put_older(struct fading *fading, const struct stacks *old, enum fading_older older)
{
	u64 samples, period;
	size_t i;
	int err = 0;

	if (older == OLDER_DROP)
		return 0;
	for (i = 0; i < old->table.nr && !err; i++) {
		samples = old->list[i]->samples;
		period = old->list[i]->period;
		if (older == OLDER_FADE) {
			samples = fade(samples);
			period = fade(period);
		}
		if (samples >= LEAST)
			err = put(fading, old->list[i], samples, period);
	}
	return err;
}

static void free_content(struct fading *fading)
{
	stacks_free(&fading->stacks);
	subjects_free(&fading->subjects);
}

/*
 * Add the samples of @fresh to older ones, after these have got the weights that @older says. If
 * there is no room for all, new samples come before old ones. All is copied, so the caller may
 * free @fresh and what it refers to, except binaries. If memory runs out, return -ENOMEM; then
 * samples are missing.
 */
int fading_turn(struct fading *fading, const struct stacks *fresh,
		enum fading_older older)
{
	struct fading old = *fading;
	int err = 0;
	size_t i;

	fading->stacks = (struct stacks){ 0 };
	subjects_init(&fading->subjects, fading->keys, false);
	for (i = 0; i < fresh->table.nr && !err; i++)
		err = put(fading, fresh->list[i], fresh->list[i]->samples * FADING_UNIT,
			  fresh->list[i]->period);
	if (!err)
		err = put_older(fading, &old.stacks, older);
	free_content(&old);
	return err;
}

static void scale(u64 *samples)
{
	*samples = (*samples + FADING_UNIT / 2) / FADING_UNIT;
}

/* Convert samples in the unit of stacks to whole samples. */
static void scale_profile(struct profile *profile)
{
	struct entries *entries = &profile->entries;
	u32 i;

	scale(&profile->samples);
	for (i = 0; i < entries->nr; i++) {
		scale(&entries_self(entries, i)->samples);
		if (!entries->is_flat)
			scale(&entries_children(entries, i)->samples);
	}
}

/*
 * Count all stacks in the profiles of @gather. @profile_of returns the profile for a stack's
 * profile, or NULL if memory runs out.
 */
int fading_count(const struct fading *fading, struct gather *gather,
		 struct profile *(*profile_of)(void *arg, const struct profile *tag), void *arg)
{
	const struct stacks *stacks = &fading->stacks;
	struct profile *profile;
	int err = 0;
	size_t i;

	for (i = 0; i < stacks->table.nr && !err; i++) {
		profile = profile_of(arg, stacks->list[i]->profile);
		err = profile ? gather_count_stack(gather, profile, stacks->list[i]) : -ENOMEM;
	}
	for (i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i])
			scale_profile(gather->profiles[i]);
	}
	return err;
}

void fading_free(struct fading *fading)
{
	free_content(fading);
	interned_free(&fading->names);
}
