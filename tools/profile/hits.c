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

/* Find the binaries of the hits of @group, and prefetch the slots of their places. */
static int locate(struct hits *hits, const struct hit_group *group)
{
	struct spot *spots = hits->spots + group->first;
	struct waiting_hit *hit = hits->waiting + group->first;
	struct places *places = &group->profile->places;
	int err = world_locate_all(hits->world, group->pid, spots, group->nr);
	size_t i;

	if (err || places_reserve(places, HITS_MAX))
		return -ENOMEM;
	if (group->has_self)
		world_correct_guest(hits->world, group->misc, spots);
	for (i = 0; i < group->nr; i++, hit++) {
		hit->key = (struct place_key){ spots[i].addr,
					       spots[i].object->number << 1 | spots[i].is_kernel,
					       group->subject->number };
		hit->hash = place_hash(&hit->key);
		places_prefetch(places, hit->hash);
	}
	return 0;
}

/*
 * Find the places of the hits of @group. Add a place that is not in the table yet to
 * @hits->fresh.
 */
static void find_places(struct hits *hits, const struct hit_group *group)
{
	const struct places *places = &group->profile->places;
	struct waiting_hit *hit = hits->waiting + group->first, *end = hit + group->nr;
	struct new_place *fresh;

	for (; hit < end; hit++) {
		hit->place = places_find(places, &hit->key, hit->hash);
		if (hit->place->found)
			continue;
		fresh = &hits->fresh[hits->nr_fresh++];
		fresh->group = group;
		fresh->hit = hit;
		fresh->spot = &hits->spots[hit - hits->waiting];
	}
}

/* Look up the function of a new place, and the key of its entry. */
static int look_up(struct hits *hits, struct new_place *fresh)
{
	struct objects *objects = &hits->world->objects;
	const struct subject *subject = fresh->group->subject;
	struct profile *profile = fresh->group->profile;
	struct sample sample = { .pid = subject->pid, .tid = subject->tid, .cpu = subject->cpu };
	struct hit hit = { .objects = objects, .sample = &sample, .event = profile->event,
			   .comm = subject->comm };

	if (world_find_function(hits->world, fresh->spot))
		return -ENOMEM;
	hit.spot = *fresh->spot;
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
	enum symtab_step step;
	int err = 0;

	for (step = 0; step < SYMTAB_NR_STEPS; step++) {
		for (fresh = hits->fresh; fresh < end; fresh++)
			object_expect(&hits->world->objects, fresh->spot->object,
				      fresh->spot->addr, step);
	}
	for (fresh = hits->fresh; fresh < end && !err; fresh++)
		err = look_up(hits, fresh);
	for (fresh = hits->fresh; fresh < end && !err; fresh++) {
		if (fresh->is_shown)
			profile_expect(fresh->group->profile, &fresh->key);
	}
	return err;
}

/*
 * Add a new place and its entry. If another hit of this batch has added the place, do
 * nothing.
 */
static int add_place(const struct new_place *fresh)
{
	u32 found = (object_status(fresh->spot->object, fresh->spot->symbol) + 1)
		    << PLACE_ENTRY_BITS;
	struct profile *profile = fresh->group->profile;
	struct waiting_hit *hit = fresh->hit;
	struct profile_entry *entry;

	hit->place = places_find(&profile->places, &hit->key, hit->hash);
	if (hit->place->found)
		return 0;
	if (fresh->is_shown) {
		entry = profile_get(profile, &fresh->key);
		if (!entry)
			return -ENOMEM;
		found |= entry->number + 1;
	}
	hit->place = places_add(&profile->places, &hit->key, hit->hash, found);
	return hit->place ? 0 : -ENOMEM;
}

static int add_new(struct hits *hits)
{
	const struct new_place *fresh, *end = hits->fresh + hits->nr_fresh;
	int err = hits->nr_fresh ? look_up_new(hits) : 0;

	for (fresh = hits->fresh; fresh < end && !err; fresh++)
		err = add_place(fresh);
	hits->nr_fresh = 0;
	return err;
}

/*
 * If @group has the sample itself, count the sample in its place. Prefetch the memory
 * that count_callers() will write.
 */
static int count(const struct hits *hits, const struct hit_group *group)
{
	const struct waiting_hit *hit = hits->waiting + group->first, *end = hit + group->nr;
	u32 entry;

	if (group->has_self) {
		hit->place->samples++;
		hit->place->period += group->period;
	}
	if (!group->stamp)
		return 0;
	if (profile_reserve_callees(group->profile))
		return -ENOMEM;
	for (; hit < end; hit++) {
		entry = place_entry(hit->place);
		if (entry)
			__builtin_prefetch(&group->profile->callees[entry - 1], 1);
	}
	return 0;
}

/*
 * Count the sample of @group once in each entry of its callers, as a sample of a callee.
 * Skip the sample's own entry: add_up_place() counts the sample there.
 */
static void count_callers(const struct hits *hits, const struct hit_group *group)
{
	const struct waiting_hit *hit = hits->waiting + group->first, *end = hit + group->nr;
	bool is_self = group->has_self;
	struct callee_tally *callees;
	u32 entry;

	if (!group->stamp)
		return;
	for (; hit < end; hit++, is_self = false) {
		entry = place_entry(hit->place);
		if (!entry)
			continue;
		callees = &group->profile->callees[entry - 1];
		if (callees->stamp == group->stamp)
			continue;
		callees->stamp = group->stamp;
		callees->samples += !is_self;
		callees->period += is_self ? 0 : group->period;
	}
}

static int settle(struct hits *hits)
{
	const struct hit_group *group, *end = hits->groups + hits->nr_groups;
	int err = 0;

	for (group = hits->groups; group < end && !err; group++)
		err = locate(hits, group);
	if (err)
		return err;
	for (group = hits->groups; group < end; group++)
		find_places(hits, group);
	err = add_new(hits);
	for (group = hits->groups; group < end && !err; group++)
		err = count(hits, group);
	if (err)
		return err;
	for (group = hits->groups; group < end; group++)
		count_callers(hits, group);
	return 0;
}

/* Look up and count all waiting samples. */
int hits_settle(struct hits *hits)
{
	int err = settle(hits);

	hits->nr = 0;
	hits->nr_groups = 0;
	return err;
}

/*
 * Append a copy of @group to @hits, with its first hit after all other hits. If there
 * are HITS_MAX hits already, first call hits_settle(). Return NULL if out of memory.
 */
static struct hit_group *begin_group(struct hits *hits, const struct hit_group *group)
{
	if (hits->nr == HITS_MAX && hits_settle(hits))
		return NULL;
	hits->groups[hits->nr_groups] = *group;
	hits->groups[hits->nr_groups].first = hits->nr;
	return &hits->groups[hits->nr_groups++];
}

/*
 * Add a hit to @group, the last group in @hits. There must be fewer than HITS_MAX hits.
 */
static void add_hit(struct hits *hits, struct hit_group *group, bool is_kernel, u64 ip)
{
	struct spot *spot = &hits->spots[hits->nr++];

	spot->ip = ip;
	spot->is_kernel = is_kernel;
	group->nr++;
}

/*
 * Add a hit for each frame that chain_find() would find. @group already has the sample.
 */
static int add_frames(struct hits *hits, const struct words *frames, struct hit_group *group)
{
	const struct hit_group rest = { .profile = group->profile, .subject = group->subject,
					.period = group->period, .pid = group->pid,
					.stamp = group->stamp };
	/* Copy the spot: begin_group() may release and reuse it. */
	const struct spot self = hits->spots[group->first];
	bool can_skip = !is_guest_mode(group->misc);
	bool is_kernel = is_kernel_mode(group->misc);
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
		/*
		 * Skip the sample's own place, because count_callers() skips the
		 * sample's own entry.
		 */
		if (ip == self.ip && is_kernel == self.is_kernel && can_skip)
			continue;
		if (hits->nr == HITS_MAX)
			group = begin_group(hits, &rest);
		if (!group)
			return -ENOMEM;
		add_hit(hits, group, is_kernel, ip);
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
 * Add a sample. The caller may release the sample's record afterwards, but must call
 * hits_settle() before mappings change.
 *
 * @sample: only @ip, @pid, @tid and @cpu are used
 */
int hits_add(struct hits *hits, const struct hit_sample *hit, const struct sample *sample)
{
	const struct subject *subject = subjects_find(&hits->subjects, &hits->world->tasks,
						      sample->pid, sample->tid, sample->cpu);
	struct hit_group group = { .profile = hit->profile, .subject = subject,
				   .period = hit->period, .pid = sample->pid,
				   .misc = hit->misc, .has_self = true };
	struct hit_group *added;

	if (!subject)
		return -ENOMEM;
	if (places_are_full(&hit->profile->places) && make_room(hits, hit->profile))
		return -ENOMEM;
	group.stamp = places_take(&hit->profile->places);
	if (!hit->has_frames)
		group.stamp = 0;
	added = begin_group(hits, &group);
	if (!added)
		return -ENOMEM;
	add_hit(hits, added, is_kernel_mode(hit->misc), sample->ip);
	world_expect(hits->world, sample->pid, hit->misc);
	return hit->has_frames ? add_frames(hits, &hit->frames, added) : 0;
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
