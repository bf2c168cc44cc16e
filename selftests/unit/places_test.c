// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the table of places, and counting while it is cleared
 *
 * No sample is in a mapping, so every address counts as a function of its own.
 */
#include <stdlib.h>

#include "profile/hits.h"
#include "unit.h"

#define NR_SAMPLES	1000
#define NR_ADDRESSES	50
#define PERIOD		3

static struct world world;
static struct hits hits;
static struct profile profile;
static struct profile_keys keys;

static void begin(void)
{
	static const struct gather_filter all;
	static struct feature_set none;
	struct symbol_options options = { .no_debuginfod = true };

	keys = (struct profile_keys){ { column_find("sym"), column_find("tid") }, 2 };
	if (world_init(&world, &options, &none))
		abort();
	hits_init(&hits, &world, &keys, &all);
	profile = (struct profile){ .keys = &keys, .event = "event" };
	if (places_init(&profile.places, 1))
		abort();
}

static void end(void)
{
	hits_free(&hits);
	profile_free(&profile);
	world_free(&world);
}

/* Add a sample at address A = @i % NR_ADDRESSES, with the call chain A, A, A + 1, 0. */
static void add(u64 i)
{
	u64 at = i % NR_ADDRESSES, chain[] = { at, at, at + 1, 0 };
	struct sample sample = { .ip = at, .pid = 1, .tid = i % 2 };
	struct hit_sample hit = { .profile = &profile, .misc = PERF_RECORD_MISC_USER,
				  .period = PERIOD, .has_frames = true,
				  .frames = { (const u8 *)chain, ARRAY_SIZE(chain) } };

	if (hits_add(&hits, &hit, &sample))
		abort();
}

static bool is_counted(void)
{
	u64 samples = 0, callers = 0;
	bool is_ok = profile.samples == NR_SAMPLES && profile.period == PERIOD * NR_SAMPLES &&
		     hits.samples == NR_SAMPLES &&
		     hits.unresolved[SYMBOL_NO_MAPPING] == NR_SAMPLES;

	for (u32 i = 0; i < profile.entries.nr; i++) {
		struct profile_entry entry = entries_at(&profile.entries, i);

		is_ok &= entry.self->period == PERIOD * entry.self->samples &&
			 entry.children->period == PERIOD * entry.children->samples;
		samples += entry.self->samples;
		callers += entry.children->samples;
	}
	/*
	 * A sample at A has 3 different functions in its chain (A, A + 1 and 0), or 2 if
	 * A is 0.
	 */
	return is_ok && samples == NR_SAMPLES &&
	       callers == 3 * NR_SAMPLES - NR_SAMPLES / NR_ADDRESSES;
}

/*
 * Let the table be cleared whenever it has @max places. Test that the counts are right, and
 * that the table was cleared if @is_cleared.
 */
static void test_limit(size_t max, bool is_cleared, const char *name)
{
	bool was_cleared = false;
	size_t before;

	begin();
	profile.places.max = max;
	for (u64 i = 0; i < NR_SAMPLES; i++) {
		before = profile.places.nr;
		add(i);
		was_cleared |= profile.places.nr < before;
	}
	unit_ok(!hits_finish(&hits) && is_counted() && was_cleared == is_cleared, name);
	end();
}

/*
 * Let the table rest whenever few of @trial searches find their place. Test that the counts are
 * right, and that it rested if @is_rested.
 */
static void test_rest(u32 trial, bool is_rested, const char *name)
{
	u32 saved = places_trial;
	bool was_resting = false;

	begin();
	places_trial = trial;
	for (u64 i = 0; i < NR_SAMPLES; i++) {
		add(i);
		was_resting |= profile.places.rest;
	}
	unit_ok(!hits_finish(&hits) && is_counted() && was_resting == is_rested, name);
	places_trial = saved;
	end();
}

/* Each rest is twice as long as the one before, until a third of the searches find their place. */
static void test_judgement(void)
{
	struct places places = { 0 };
	bool is_longer = true;

	for (u32 rest = places_trial; rest <= PLACES_MAX_REST; rest *= 2) {
		places_count(&places, places_trial - 1, places_trial / 3 - 1);
		is_longer &= !places.rest;
		places_count(&places, 1, 0);
		is_longer &= places.rest == rest && places_rest(&places, rest - 1) &&
			     places_rest(&places, 2) && !places_rest(&places, 1);
	}
	places_count(&places, places_trial, 0);
	unit_ok(is_longer && places.rest == PLACES_MAX_REST,
		"a table with few known places rests longer and longer");
	places.rest = 0;
	places_count(&places, places_trial, places_trial / 3);
	unit_ok(!places.rest && !places_rest(&places, 1),
		"a table that knows a third of the places does not rest");
	places_count(&places, places_trial, 0);
	unit_ok(places.rest == places_trial, "the first rest after that is short");
}

/* A place enters the table with its second sample. */
static void test_second_sample(void)
{
	size_t first, second;

	begin();
	add(1);
	if (hits_finish(&hits))
		abort();
	first = profile.places.nr;
	add(1);
	if (hits_finish(&hits))
		abort();
	second = profile.places.nr;
	unit_ok(!first && second == 3 && profile.entries.nr == 3 &&
		entries_self(&profile.entries, 0)->samples == 2,
		"a place is added when it is sampled for the second time");
	end();
}

/*
 * Add the same addresses in many binaries, or for many subjects. Return true if a search looks at
 * few slots.
 */
static bool are_spread(u32 nr_objects, u32 nr_addrs, u32 nr_subjects)
{
	u64 nr = (u64)nr_objects * nr_addrs * nr_subjects, probes = 0;
	struct places places;

	if (places_init(&places, 1))
		abort();
	for (u64 i = 0; i < nr; i++) {
		struct object object = { .number = i % nr_objects };
		u64 addr = 0x1000 + 16 * (i / nr_objects % nr_addrs);
		struct place place = { place_pack(&object, i % 2, addr),
				       i / nr_objects / nr_addrs, 1 };
		u64 hash = place_hash(&place);

		if (places_add(&places, &place, hash))
			abort();
		probes += (places_find(&places, &place, hash) - places_slot(&places, hash)) &
			  (places.room - 1);
	}
	places_free(&places);
	return probes < 4 * nr;
}

static void test_spread(void)
{
	unit_ok(are_spread(16000, 1, 1), "an address in many binaries has different slots");
	unit_ok(are_spread(200, 300, 1), "addresses in many binaries have different slots");
	unit_ok(are_spread(1, 30, 2000), "addresses of many subjects have different slots");
	unit_ok(are_spread(20, 50, 60), "places of all kinds have different slots");
}

/* Pack addresses of several binaries in both modes. */
static void test_pack(void)
{
	static const u64 addrs[] = { 0, 1, 1ULL << 47, (1ULL << 47) - 1, -(1ULL << 47), ~0ULL };
	static const u32 numbers[] = { 0, 1, 2, 3, (1U << PACKED_OBJECT_BITS) - 1 };
	u64 packed[ARRAY_SIZE(addrs) * ARRAY_SIZE(numbers) * 2 + 2];
	size_t nr = 0;
	bool is_ok = true;

	/* The lowest and highest of the numbers that places_far() returns. */
	packed[nr++] = 1ULL << 63;
	packed[nr++] = 1ULL << 63 | UINT32_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(addrs) * ARRAY_SIZE(numbers); i++) {
		struct object object = { .number = numbers[i % ARRAY_SIZE(numbers)] };
		u64 addr = addrs[i / ARRAY_SIZE(numbers)];

		is_ok &= object_can_pack(&object, addr) == (addr != 1ULL << 47);
		if (!object_can_pack(&object, addr))
			continue;
		packed[nr++] = place_pack(&object, false, addr);
		packed[nr++] = place_pack(&object, true, addr);
	}
	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < i; k++)
			is_ok &= packed[i] != packed[k];
	}
	unit_ok(is_ok && nr == 52, "packed addresses differ by binary, mode and address");
}

/*
 * Look up addresses that cannot be packed, because the number of the binary or the address
 * has too many bits, and one that can.
 */
static void test_far(void)
{
	struct object far = { .number = 1 << PACKED_OBJECT_BITS }, near = { .number = 1 };
	struct places places;
	u64 packed[6], again;
	bool is_ok = true;

	if (places_init(&places, 1) ||
	    places_far(&places, &far, false, 1, &packed[0]) ||
	    places_far(&places, &far, true, 1, &packed[1]) ||
	    places_far(&places, &far, false, 2, &packed[2]) ||
	    places_far(&places, &near, false, 1ULL << 50, &packed[3]) ||
	    places_far(&places, &near, false, 1ULL << 51, &packed[4]) ||
	    places_far(&places, &far, false, 1, &again))
		abort();
	packed[5] = place_pack(&near, true, ~0ULL);
	for (size_t i = 0; i < ARRAY_SIZE(packed); i++) {
		for (size_t k = 0; k < i; k++)
			is_ok &= packed[i] != packed[k];
	}
	unit_ok(is_ok, "different addresses that cannot be packed have different numbers");
	unit_ok(again == packed[0], "the same address has the same number");
	places_free(&places);
}

/* Return true if a table still has room for all waiting hits when it is full. */
static bool has_room_for_hits(u32 nr_tables)
{
	struct places places;
	size_t full_room = 0;
	bool has_room;

	if (places_init(&places, nr_tables))
		abort();
	for (u64 i = 0; i < places.max + HITS_MAX; i++) {
		struct place place = { i, 0, 1 };

		if (places_add(&places, &place, place_hash(&place)))
			abort();
		if (places.nr == places.max)
			full_room = places.room;
	}
	has_room = places.room == full_room;
	places_free(&places);
	return has_room;
}

static void test_growth(void)
{
	struct places places;
	bool is_ok = true;
	u64 i;

	if (places_init(&places, 1))
		abort();
	for (i = 0; i < 200000; i++) {
		struct place place = { i / 447, i % 447, i + 1 };
		u64 hash = place_hash(&place);

		is_ok &= !places_find(&places, &place, hash)->found;
		if (places_add(&places, &place, hash))
			abort();
	}
	for (i = 0; i < 200000; i++) {
		struct place place = { i / 447, i % 447, 0 };

		is_ok &= places_find(&places, &place, place_hash(&place))->found == i + 1;
	}
	unit_ok(is_ok && places.nr == 200000, "a table that grows keeps its places apart");
	places_free(&places);
	if (places_init(&places, 4096))
		abort();
	unit_ok(places.max >= 16384 && places.max <= 65536,
		"tables of many events share the memory");
	places_free(&places);
	unit_ok(has_room_for_hits(1) && has_room_for_hits(59) && has_room_for_hits(4096),
		"a full table has room for all waiting hits");
}

int main(void)
{
	test_limit(6 << 20, false, "samples are counted by place");
	test_limit(80, true, "samples are counted if the table is cleared at times");
	test_limit(1, true, "samples are counted if the table is always full");
	test_rest(10, true, "samples are counted while the table rests");
	test_rest(1 << 20, false, "a table does not rest before it is judged");
	test_judgement();
	test_second_sample();
	test_growth();
	test_spread();
	test_pack();
	test_far();
	return unit_exit();
}
