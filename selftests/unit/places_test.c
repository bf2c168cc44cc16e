// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the table of places, and when its counts are added to entries
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

	for (size_t i = 0; i < profile.table.nr; i++) {
		const struct tally *tally = &profile.entries[i]->tally;

		is_ok &= tally->period == PERIOD * tally->samples &&
			 tally->children_period == PERIOD * tally->children_samples &&
			 profile.entries[i]->number == i;
		samples += tally->samples;
		callers += tally->children_samples;
	}
	/*
	 * A sample at A has 3 different functions in its chain (A, A + 1 and 0), or 2 if
	 * A is 0.
	 */
	return is_ok && samples == NR_SAMPLES &&
	       callers == 3 * NR_SAMPLES - NR_SAMPLES / NR_ADDRESSES;
}

/*
 * Let counts be added to the entries after every @every samples, and whenever the table
 * has @max places. Test that the final counts are right. @is_early: counts must have
 * been added to the entries before the end, too.
 */
static void test_limits(u32 every, size_t max, bool is_early, const char *name)
{
	begin();
	profile.places.max = max;
	for (u64 i = 0; i < NR_SAMPLES; i++) {
		if (profile.places.left > every)
			profile.places.left = every;
		add(i);
	}
	unit_ok(!!profile.samples == is_early && !hits_settle(&hits), name);
	hits_add_up(&hits, &profile);
	unit_ok(is_counted(), name);
	unit_ok(!profile.places.nr, "the table is empty after its samples are added up");
	end();
}

static void test_growth(void)
{
	struct places places;
	bool is_ok = true;
	struct place *place;
	u64 i;

	if (places_init(&places, 1))
		abort();
	for (i = 0; i < 200000; i++) {
		struct place_key key = { i / 4, i % 2, i / 2 % 2 };

		place = places_find(&places, &key, place_hash(&key));
		is_ok &= !place->found;
		place = places_add(&places, &key, place_hash(&key), 1);
		if (!place)
			abort();
		place->period = i;
	}
	for (i = 0; i < 200000; i++) {
		struct place_key key = { i / 4, i % 2, i / 2 % 2 };

		place = places_find(&places, &key, place_hash(&key));
		is_ok &= place->found && place->period == i;
	}
	unit_ok(is_ok && places.nr == 200000, "a table that grows keeps its places apart");
	places_free(&places);
	if (places_init(&places, 4096))
		abort();
	unit_ok(places.max >= 16384 && places.max <= 65536,
		"tables of many events share the memory");
	places_free(&places);
}

int main(void)
{
	test_limits(~0U, 6 << 20, false, "samples are counted in places");
	test_limits(~0U, 4, true, "a full table is added up before the next sample");
	test_limits(7, 6 << 20, true, "sums of 32 bits are added up before they overflow");
	test_limits(1, 1, true, "every sample is added up alone");
	test_growth();
	return unit_exit();
}
