// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - count samples by place, and look up their functions in batches
 */
#include <errno.h>

#include "base/load.h"
#include "base/prefetch.h"
#include "profile/hits.h"

/* A value that no frame has. */
#define NO_IP	PERF_CONTEXT_MAX

_Static_assert(HITS_MAX <= PLACES_SPARE, "a full table has room for all waiting hits");

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

static int pack(struct places *places, const struct spot *spot, u64 *packed)
{
	if (!object_can_pack(spot->object, spot->addr))
		return places_far(places, spot->object, spot->is_kernel, spot->addr, packed);
	*packed = place_pack(spot->object, spot->is_kernel, spot->addr);
	return 0;
}

/* Set the places of the hits of @group, and prefetch their slots. */
static int find_slots(struct hits *hits, const struct hit_group *group)
{
	const struct spot *spot = hits->spots + group->first;
	struct waiting_hit *hit = hits->waiting + group->first, *end = hit + group->nr;
	struct places *places = &group->profile->places;
	u32 subject = group->subject->number;
	u64 salt = place_salt(subject);

	for (; hit < end; hit++, spot++) {
		hit->place.subject = subject;
		if (pack(places, spot, &hit->place.addr))
			return -ENOMEM;
		hit->hash = place_hash_salted(hit->place.addr, salt);
		hit->slot = places_slot(places, hit->hash);
		prefetch(hit->slot);
	}
	return 0;
}

/* Find the binaries of the hits of @group, and then their places. */
static int locate(struct hits *hits, struct hit_group *group)
{
	struct spot *spots = hits->spots + group->first;
	int err = world_locate_all(hits->world, group->pid, group->is_kernel, spots, group->nr);

	if (err)
		return err;
	if (group->has_self)
		world_correct_guest(hits->world, group->misc, spots);
	group->is_apart = places_rest(&group->profile->places, group->nr);
	return group->is_apart ? 0 : find_slots(hits, group);
}

/* Add the place of @hit to @hits->fresh. */
static void add_fresh(struct hits *hits, const struct hit_group *group, struct waiting_hit *hit)
{
	struct new_place *fresh = &hits->fresh[hits->nr_fresh++];

	fresh->group = group;
	fresh->hit = hit;
	fresh->spot = &hits->spots[hit - hits->waiting];
	recent_places_expect(&hits->world->objects.recent, fresh->spot->object,
			     fresh->spot->addr);
}

/*
 * Find the places of the hits of @group. Add a place that is not in the table yet to
 * @hits->fresh.
 */
static void find_places(struct hits *hits, const struct hit_group *group)
{
	struct places *places = &group->profile->places;
	struct waiting_hit *hit = hits->waiting + group->first, *end = hit + group->nr;
	u32 known = 0;

	if (group->is_apart) {
		for (; hit < end; hit++)
			add_fresh(hits, group, hit);
		return;
	}
	for (; hit < end; hit++) {
		hit->place.found = places_search(places, hit->slot, &hit->place)->found;
		if (hit->place.found) {
			known++;
			continue;
		}
		add_fresh(hits, group, hit);
		places_expect_note(places, hit->hash);
	}
	places_count(places, group->nr, known);
}

/* Look up the function of a new place, and the key of its entry. */
static int look_up(struct hits *hits, struct new_place *fresh)
{
	struct objects *objects = &hits->world->objects;
	const struct subject *subject = fresh->group->subject;
	struct profile *profile = fresh->group->profile;
	struct sample sample = subject_sample(subject);
	struct hit hit = { .objects = objects, .sample = &sample, .event = profile->event,
			   .comm = subject->comm };

	if (!fresh->spot->symbol && world_find_function(hits->world, fresh->spot))
		return -ENOMEM;
	hit.spot = *fresh->spot;
	fresh->is_shown = filter_shows(hits->filter, &hit);
	if (!fresh->is_shown)
		return 0;
	fresh->key = entry_key(profile, &hit);
	entries_expect_slot(&profile->entries, fresh->key.hash);
	return 0;
}

/* Set @spot->symbol if the function is in the cache, and prefetch what look_up() reads. */
static void find_recent(const struct objects *objects, struct spot *spot)
{
	spot->symbol = recent_places_find(&objects->recent, spot->object, spot->addr);
	if (!spot->symbol)
		return;
	prefetch(spot->symbol);
	/* The last member, which may be in the next line of the cache. */
	prefetch(&spot->symbol->inlined);
}

/* Look up all new places. Each loop prefetches the memory that the next one reads. */
static int look_up_new(struct hits *hits)
{
	const struct objects *objects = &hits->world->objects;
	struct new_place *fresh, *end = hits->fresh + hits->nr_fresh;
	enum symtab_step step;
	int err = 0;

	for (fresh = hits->fresh; fresh < end; fresh++)
		find_recent(objects, fresh->spot);
	for (step = 0; step < SYMTAB_NR_STEPS; step++) {
		for (fresh = hits->fresh; fresh < end; fresh++) {
			if (!fresh->spot->symbol)
				object_expect(objects, fresh->spot->object, fresh->spot->addr,
					      step);
		}
	}
	for (fresh = hits->fresh; fresh < end && !err; fresh++)
		err = look_up(hits, fresh);
	for (fresh = hits->fresh; fresh < end && !err; fresh++) {
		if (fresh->is_shown)
			entries_expect(&fresh->group->profile->entries, &fresh->key);
	}
	return err;
}

/*
 * Find or add the entry of a new place. If the place was sampled before, add it to the
 * table. If another hit of this batch has added the place, do nothing.
 */
static int add_place(const struct new_place *fresh)
{
	struct profile *profile = fresh->group->profile;
	struct place *place = &fresh->hit->place;
	u64 hash = fresh->hit->hash;
	bool is_apart = fresh->group->is_apart;
	u32 entry = 0;

	if (!is_apart) {
		place->found = places_find(&profile->places, place, hash)->found;
		if (place->found)
			return 0;
	}
	if (fresh->is_shown) {
		entry = entries_get(&profile->entries, &fresh->key);
		if (!entry)
			return -ENOMEM;
	}
	place->found = place_found(entry, object_status(fresh->spot->object, fresh->spot->symbol));
	if (is_apart || !places_note(&profile->places, hash))
		return 0;
	return places_add(&profile->places, place, hash);
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

/* Count what the last settle() has found. */
static void count_due(struct hits *hits)
{
	const struct due_group *due, *end = hits->due + hits->nr_due;
	const u32 *entry = hits->due_entries, *last;

	for (due = hits->due; due < end; due++) {
		const struct tally sample = { .period = due->period, .samples = 1 };

		if (due->self)
			tally_add(entries_self(due->entries, due->self - 1), &sample);
		for (last = entry + due->nr; entry < last; entry++)
			tally_add(entries_children(due->entries, *entry), &sample);
	}
	hits->nr_due = 0;
}

/* Count the sample of @group in the profile. Return the number of its entry + 1, or 0. */
static u32 count_self(struct hits *hits, const struct hit_group *group)
{
	u32 found = hits->waiting[group->first].place.found, entry = place_entry(found);
	struct profile *profile = group->profile;

	hits->samples++;
	hits->unresolved[place_status(found)]++;
	profile->samples++;
	profile->period += group->period;
	if (entry)
		prefetch(entries_self(&profile->entries, entry - 1));
	return entry;
}

/*
 * Let the next count_due() count the sample of @group once in each entry of its hits. Until
 * then, prefetch the tallies.
 *
 * @due_entries: where to put these entries
 *
 * Return the end of these entries.
 */
static u32 *count(struct hits *hits, const struct hit_group *group, u32 *due_entries)
{
	const struct waiting_hit *hit = hits->waiting + group->first, *end = hit + group->nr;
	const struct entries *entries = &group->profile->entries;
	struct due_group *due = &hits->due[hits->nr_due++];
	u32 *to = due_entries, entry;

	due->entries = entries;
	due->period = group->period;
	due->self = group->has_self ? count_self(hits, group) : 0;
	if (group->has_self)
		seen_clear(&hits->seen);
	for (; hit < end && !entries->is_flat; hit++) {
		entry = place_entry(hit->place.found);
		if (!entry || !seen_add(&hits->seen, entry - 1))
			continue;
		prefetch(entries_children(entries, entry - 1));
		*to++ = entry - 1;
	}
	due->nr = to - due_entries;
	return to;
}

static int settle(struct hits *hits)
{
	struct hit_group *group, *end = hits->groups + hits->nr_groups;
	u32 *due_entries = hits->due_entries;
	int err = 0;

	for (group = hits->groups; group < end && !err; group++)
		err = world_expect_all(hits->world, group->pid, group->is_kernel,
				       hits->spots + group->first, group->nr);
	for (group = hits->groups; group < end && !err; group++)
		err = locate(hits, group);
	if (err)
		return err;
	for (group = hits->groups; group < end; group++)
		find_places(hits, group);
	err = add_new(hits);
	if (err)
		return err;
	count_due(hits);
	for (group = hits->groups; group < end; group++)
		due_entries = count(hits, group, due_entries);
	return 0;
}

/* Look up all waiting samples. They are counted by the next call, or by hits_finish(). */
int hits_settle(struct hits *hits)
{
	int err = hits->nr_groups ? settle(hits) : 0;

	hits->nr = 0;
	hits->nr_groups = 0;
	return err;
}

/* Look up and count all waiting samples, after the last one. */
int hits_finish(struct hits *hits)
{
	int err = hits_settle(hits);

	count_due(hits);
	return err;
}

/*
 * Append an empty group to @hits, with its first hit after all other hits. If there is no
 * room, first call hits_settle(). Return NULL if out of memory.
 */
static struct hit_group *begin_group(struct hits *hits)
{
	struct hit_group *group;

	if ((hits->nr == HITS_MAX || hits->nr_groups == HITS_MAX) && hits_settle(hits))
		return NULL;
	group = &hits->groups[hits->nr_groups++];
	group->first = hits->nr;
	group->nr = 0;
	return group;
}

/* Append an empty group for further frames of the sample of @before. */
static struct hit_group *continue_group(struct hits *hits, const struct hit_group *before,
					bool is_kernel)
{
	struct hit_group *group = begin_group(hits);

	if (!group)
		return NULL;
	/* Even if begin_group() has reused @before, these members are still those of the sample. */
	group->profile = before->profile;
	group->subject = before->subject;
	group->period = before->period;
	group->pid = before->pid;
	group->misc = before->misc;
	group->is_kernel = is_kernel;
	group->has_self = false;
	return group;
}

/*
 * Add a hit to @group, the last group in @hits, for each of the @max words at @at before the
 * first mark of a context. There must be room. Skip the address @skipped.
 *
 * Return the number of words that were read: @max if there is no mark.
 */
static u64 add_run(struct hits *hits, struct hit_group *group, const u8 *at, u64 max, u64 skipped)
{
	struct spot *first = &hits->spots[hits->nr], *spot = first;
	u64 i, ip;

	for (i = 0; i < max; i++) {
		ip = load_u64(at + i * sizeof(ip));
		if (ip >= PERF_CONTEXT_MAX)
			break;
		if (ip != skipped)
			spot++->ip = ip;
	}
	hits->nr += spot - first;
	group->nr += spot - first;
	return i;
}

/*
 * Return how many words add_run() may read. @nr_words words of the chain are left, and @nr
 * frames were counted already.
 */
static u64 frames_left(const struct hits *hits, u64 nr_words, u64 nr)
{
	u64 left = HITS_MAX - hits->nr;

	if (left > nr_words)
		left = nr_words;
	return left < RECORDED_MAX - nr ? left : RECORDED_MAX - nr;
}

/*
 * Add a hit for each frame that chain_find() would find, but not for the sample's own
 * place: count() counts an entry once. @group already has the sample.
 */
static int add_frames(struct hits *hits, const struct words *frames, struct hit_group *group)
{
	/* Copy the sample: continue_group() may release and reuse its group. */
	const struct hit_group self = *group;
	u64 self_ip = is_guest_mode(self.misc) ? NO_IP : hits->spots[self.first].ip;
	const u8 *at = frames->at, *end = at + frames->nr * sizeof(u64);
	bool is_kernel = self.is_kernel;
	u64 nr = 0, added;

	while (at < end) {
		if (load_u64(at) >= PERF_CONTEXT_MAX) {
			is_kernel = load_u64(at) == PERF_CONTEXT_KERNEL;
			at += sizeof(u64);
			continue;
		}
		if (nr == RECORDED_MAX) {
			hits->nr_cut++;
			break;
		}
		if (hits->nr == HITS_MAX || is_kernel != group->is_kernel)
			group = continue_group(hits, group, is_kernel);
		if (!group)
			return -ENOMEM;
		added = add_run(hits, group, at, frames_left(hits, (end - at) / sizeof(u64), nr),
				is_kernel == self.is_kernel ? self_ip : NO_IP);
		at += added * sizeof(u64);
		nr += added;
	}
	return 0;
}

/* Make space for the places of another sample. */
static int make_room(struct hits *hits, struct places *places)
{
	int err = hits_settle(hits);

	places_clear(places);
	return err;
}

/*
 * Add a sample. The caller may release the sample's record afterwards, but must call
 * hits_settle() before mappings change.
 *
 * @sample: only @ip, @pid, @tid, @cpu, @slice and @weight are used
 */
int hits_add(struct hits *hits, const struct hit_sample *hit, const struct sample *sample)
{
	const struct subject *subject = subjects_find(&hits->subjects, &hits->world->tasks,
						      sample);
	struct hit_group *group;

	if (!subject)
		return -ENOMEM;
	if (places_are_full(&hit->profile->places) && make_room(hits, &hit->profile->places))
		return -ENOMEM;
	group = begin_group(hits);
	if (!group)
		return -ENOMEM;
	/* Do not copy the whole: the CPU would wait for these stores of different sizes. */
	group->profile = hit->profile;
	group->subject = subject;
	group->period = hit->period;
	group->pid = sample->pid;
	group->misc = hit->misc;
	group->is_kernel = is_kernel_mode(hit->misc);
	group->has_self = true;
	group->nr = 1;
	hits->spots[hits->nr++].ip = sample->ip;
	world_expect(hits->world, sample->pid, hit->misc);
	return hit->has_frames ? add_frames(hits, &hit->frames, group) : 0;
}

void hits_free(struct hits *hits)
{
	subjects_free(&hits->subjects);
}
