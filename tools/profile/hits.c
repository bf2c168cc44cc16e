// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - count samples by place, and look up their functions in batches
 */
#include <errno.h>

#include "base/load.h"
#include "profile/hits.h"

/*
 * Set up @hits for the samples of one recording.
 *
 * @world, @filter: must stay valid until hits_free()
 */
void hits_init(struct hits *hits, struct world *world, const struct profile_keys *keys,
	       const struct gather_filter *filter)
{
	*hits = (struct hits){ .world = world, .filter = filter };
	subjects_init(&hits->subjects, keys, filter->comms);
}

/* Find the binary of each waiting hit, and prefetch the slot of its place. */
static int locate(struct hits *hits)
{
	struct waiting_hit *hit = hits->waiting, *end = hit + hits->nr;
	int err;

	for (; hit < end; hit++) {
		err = world_locate_sample(hits->world, hit->pid, hit->misc, hit->spot.ip,
					  &hit->spot);
		if (err)
			return err;
		hit->key = (struct place_key){ hit->spot.addr,
					       hit->spot.object->number << 1 | hit->spot.is_kernel,
					       hit->subject->number };
		hit->hash = place_hash(&hit->key);
		places_prefetch(&hit->profile->places, hit->hash);
	}
	return 0;
}

/* Find the waiting hits whose places are not in the table yet. */
static void find_new(struct hits *hits)
{
	struct waiting_hit *hit = hits->waiting, *end = hit + hits->nr;

	hits->nr_fresh = 0;
	for (; hit < end; hit++) {
		if (places_find(&hit->profile->places, &hit->key, hit->hash)->found)
			continue;
		hit->place = &hits->fresh[hits->nr_fresh];
		hits->fresh[hits->nr_fresh++].hit = hit;
	}
}

/* Look up the function of a new place, and the key of its entry. */
static int look_up(struct hits *hits, struct new_place *fresh)
{
	struct objects *objects = &hits->world->objects;
	struct spot *spot = &fresh->hit->spot;
	const struct subject *subject = fresh->hit->subject;
	struct sample sample = { .pid = subject->pid, .tid = subject->tid, .cpu = subject->cpu };
	struct profile *profile = fresh->hit->profile;
	struct hit hit = { .objects = objects, .sample = &sample, .event = profile->event,
			   .comm = subject->comm };

	spot->symbol = object_resolve(objects, spot->object, spot->addr);
	if (!spot->symbol)
		return -ENOMEM;
	hit.spot = *spot;
	fresh->is_shown = filter_shows(hits->filter, &hit);
	if (!fresh->is_shown)
		return 0;
	fresh->key = entry_key(profile, &hit);
	hash_table_expect(&profile->table, fresh->key.hash);
	return 0;
}

/* Look up all new places. Each loop prefetches the memory that the next one reads. */
static int look_up_new(struct hits *hits)
{
	struct new_place *fresh, *end = hits->fresh + hits->nr_fresh;
	const struct spot *spot;
	enum symtab_step step;
	int err = 0;

	for (step = 0; step < SYMTAB_NR_STEPS; step++) {
		for (fresh = hits->fresh; fresh < end; fresh++) {
			spot = &fresh->hit->spot;
			object_expect(&hits->world->objects, spot->object, spot->addr, step);
		}
	}
	for (fresh = hits->fresh; fresh < end && !err; fresh++)
		err = look_up(hits, fresh);
	for (fresh = hits->fresh; fresh < end && !err; fresh++) {
		if (fresh->is_shown)
			profile_expect(fresh->hit->profile, &fresh->key);
	}
	return err;
}

/* Add the place of a hit, and its entry. Return NULL if out of memory. */
static struct place *add_place(const struct waiting_hit *hit)
{
	u32 found = (object_status(hit->spot.object, hit->spot.symbol) + 1) << PLACE_ENTRY_BITS;
	struct profile_entry *entry;

	if (hit->place->is_shown) {
		entry = profile_get(hit->profile, &hit->place->key);
		if (!entry)
			return NULL;
		found |= entry->number + 1;
	}
	return places_add(&hit->profile->places, &hit->key, hit->hash, found);
}

/* Count the waiting samples in their places. Prefetch what count_callers() changes. */
static int count(struct hits *hits)
{
	struct waiting_hit *hit = hits->waiting, *end = hit + hits->nr;
	struct place *place;

	for (; hit < end; hit++) {
		place = places_find(&hit->profile->places, &hit->key, hit->hash);
		if (!place->found)
			place = add_place(hit);
		if (!place)
			return -ENOMEM;
		hit->entry = place_entry(place);
		if (!hit->is_frame) {
			place->samples++;
			place->period += hit->period;
		}
		if (hit->stamp && hit->entry && hit->entry <= hit->profile->nr_callees)
			__builtin_prefetch(&hit->profile->callees[hit->entry - 1], 1);
	}
	return 0;
}

/*
 * Count each waiting sample once in each entry of its callers, as a sample of a callee.
 * Skip the sample's own entry: add_up_place() counts the sample there.
 */
static int count_callers(struct hits *hits)
{
	struct waiting_hit *hit = hits->waiting, *end = hit + hits->nr;
	struct callee_tally *callees;

	for (; hit < end; hit++) {
		if (!hit->stamp || !hit->entry)
			continue;
		callees = profile_callees(hit->profile, hit->entry - 1);
		if (!callees)
			return -ENOMEM;
		if (callees->stamp == hit->stamp)
			continue;
		callees->stamp = hit->stamp;
		if (!hit->is_frame)
			continue;
		callees->samples++;
		callees->period += hit->period;
	}
	return 0;
}

/* Look up and count all waiting samples. */
int hits_settle(struct hits *hits)
{
	int err = locate(hits);

	find_new(hits);
	if (!err)
		err = look_up_new(hits);
	if (!err)
		err = count(hits);
	if (!err)
		err = count_callers(hits);
	hits->nr = 0;
	return err;
}

/* Return a free hit, or NULL if out of memory. If no hit is free, settle all first. */
static struct waiting_hit *new_hit(struct hits *hits)
{
	if (hits->nr == HITS_MAX && hits_settle(hits))
		return NULL;
	return &hits->waiting[hits->nr++];
}

/* Add a hit for each frame that chain_find() would find. @self is the hit of the sample. */
static int add_frames(struct hits *hits, const struct words *frames,
		      const struct waiting_hit *self)
{
	/* A copy, because new_hit() may reuse @self for a frame. */
	const struct waiting_hit any = *self;
	bool is_kernel = is_kernel_mode(any.misc);
	struct waiting_hit *hit;
	u64 i, ip, nr = 0;

	for (i = 0; i < frames->nr; i++) {
		ip = load_u64(frames->at + i * sizeof(ip));
		if (ip >= PERF_CONTEXT_MAX) {
			is_kernel = ip == PERF_CONTEXT_KERNEL;
			continue;
		}
		if (nr++ == RECORDED_MAX) {
			hits->nr_cut++;
			break;
		}
		hit = new_hit(hits);
		if (!hit)
			return -ENOMEM;
		*hit = any;
		hit->spot.ip = ip;
		hit->misc = is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
		hit->is_frame = true;
	}
	return 0;
}

/* Make space for another sample: move all counts from the places to the entries. */
static int make_room(struct hits *hits, struct profile *profile)
{
	int err = hits_settle(hits);

	hits_add_up(hits, profile);
	return err;
}

/*
 * Add a sample. After this, its record may be released, but mappings must not change
 * before the next hits_settle().
 *
 * @sample: only @ip, @pid, @tid and @cpu are used
 */
int hits_add(struct hits *hits, const struct hit_sample *hit, const struct sample *sample)
{
	const struct subject *subject = subjects_find(&hits->subjects, &hits->world->tasks,
						      sample->pid, sample->tid, sample->cpu);
	struct waiting_hit *self;
	u32 stamp;

	if (!subject)
		return -ENOMEM;
	if (places_are_full(&hit->profile->places) && make_room(hits, hit->profile))
		return -ENOMEM;
	stamp = places_take(&hit->profile->places);
	self = new_hit(hits);
	if (!self)
		return -ENOMEM;
	self->profile = hit->profile;
	self->subject = subject;
	self->spot.ip = sample->ip;
	self->period = hit->period;
	self->pid = sample->pid;
	self->stamp = hit->has_frames ? stamp : 0;
	self->misc = hit->misc;
	self->is_frame = false;
	world_expect(hits->world, sample->pid, hit->misc);
	return hit->has_frames ? add_frames(hits, &hit->frames, self) : 0;
}

/* Move the counts of all places of @profile to its entries, and to the sums in @hits. */
void hits_add_up(struct hits *hits, struct profile *profile)
{
	u64 before = profile->samples;

	profile_add_up(profile, hits->unresolved);
	hits->samples += profile->samples - before;
}

void hits_free(struct hits *hits)
{
	subjects_free(&hits->subjects);
}
