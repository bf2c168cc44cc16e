// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - call stacks whose samples fade
 *
 * The frames are in the binary without symbols, so no file is read.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/fading.h"
#include "unit.h"

#define PERIOD	1000

static const struct symbol_options no_symbols;
static struct reader reader;
static struct profile tag = { .event = "cycles" };
static struct profile_keys keys;
static struct subjects subjects;
static struct interned names;
static struct object object;

/* Add @samples samples at @addr of a thread named @comm with id @tid. */
static void add(struct stacks *stacks, const char *comm, u32 tid, u64 addr, u32 samples)
{
	struct spot spot = { .addr = addr, .object = &object };
	struct sample sample = { .tid = tid };
	const struct subject *subject = subjects_search(&subjects, &sample,
							interned_get(&names, comm));

	for (; samples; samples--) {
		if (stacks_begin(stacks, &tag, subject, PERIOD) ||
		    stacks_add_frames(stacks, &spot, 1))
			abort();
		stacks_end(stacks);
	}
	if (stacks_settle(stacks))
		abort();
}

/* Return the number of samples at @addr, in the unit of stacks, and their period. */
static u64 samples_at(const struct fading *fading, u64 addr, u64 *period)
{
	u64 samples = 0;

	*period = 0;
	for (size_t i = 0; i < fading->stacks.table.nr; i++) {
		if (fading->stacks.list[i]->frames[0].addr != addr)
			continue;
		samples += fading->stacks.list[i]->samples;
		*period += fading->stacks.list[i]->period;
	}
	return samples;
}

static void turn(struct fading *fading, struct stacks *fresh, enum fading_older older)
{
	if (fading_turn(fading, fresh, older))
		abort();
	stacks_clear(fresh);
}

static void test_decay(void)
{
	struct stacks fresh = { 0 };
	struct fading fading;
	u64 period, turns = 0;

	fading_init(&fading, &keys);
	add(&fresh, "worker", 1, 16, 64);
	turn(&fading, &fresh, OLDER_FADE);
	unit_ok(samples_at(&fading, 16, &period) == 64 * FADING_UNIT && period == 64 * PERIOD,
		"new samples count whole");
	add(&fresh, "worker", 1, 32, 1);
	add(&fresh, "worker", 1, 16, 8);
	turn(&fading, &fresh, OLDER_FADE);
	unit_ok(samples_at(&fading, 16, &period) == (56 + 8) * FADING_UNIT &&
		period == (56 + 8) * PERIOD, "older samples count 7/8 in the next interval");
	unit_ok(fading.stacks.table.nr == 2, "equal stacks are one");
	turn(&fading, &fresh, OLDER_KEEP);
	unit_ok(samples_at(&fading, 16, &period) == (56 + 8) * FADING_UNIT &&
		period == (56 + 8) * PERIOD, "older samples can count whole");
	turn(&fading, &fresh, OLDER_DROP);
	unit_ok(!fading.stacks.table.nr, "older samples can be removed at once");
	add(&fresh, "worker", 1, 16, 1);
	for (turn(&fading, &fresh, OLDER_FADE); fading.stacks.table.nr && turns < 100; turns++)
		turn(&fading, &fresh, OLDER_FADE);
	unit_ok(turns == 21, "a sample is forgotten when 1/16 of it is left");
	fading_free(&fading);
	stacks_free(&fresh);
}

/* A number of stacks that no interval has again, as those of a fork storm. */
static void test_bounds(void)
{
	struct stacks fresh = { 0 };
	struct fading fading;
	size_t most = 0;
	u64 period;
	u32 tid = 1;
	char comm[16];

	fading_init(&fading, &keys);
	for (int i = 0; i < 100; i++) {
		for (int k = 0; k < 100; k++, tid++) {
			snprintf(comm, sizeof(comm), "storm%u", tid);
			add(&fresh, comm, tid, 16 * tid, 1);
		}
		turn(&fading, &fresh, OLDER_FADE);
		if (fading.stacks.table.nr > most)
			most = fading.stacks.table.nr;
	}
	unit_ok(most <= 22 * 100, "stacks of threads that ended fade away");
	unit_ok(fading.subjects.table.nr == fading.stacks.table.nr,
		"threads are kept as long as their stacks");
	fading.max_bytes = 20 * sizeof(struct stack);
	add(&fresh, "last", tid, 8, 3);
	turn(&fading, &fresh, OLDER_FADE);
	unit_ok(fading.stacks.bytes <= fading.max_bytes + 2 * sizeof(struct stack),
		"the bytes of stacks are limited");
	unit_ok(samples_at(&fading, 8, &period) == 3 * FADING_UNIT && fading.left_out > 0,
		"new samples come first, and samples without room are counted");
	fading_free(&fading);
	stacks_free(&fresh);
}

/* A table may still show a thread that has faded away. */
static void test_names(void)
{
	struct stacks fresh = { 0 };
	struct fading fading;
	const char *name;
	int i;

	fading_init(&fading, &keys);
	add(&fresh, "worker", 1, 16, 1);
	turn(&fading, &fresh, OLDER_FADE);
	name = fading.stacks.list[0]->subject->comm;
	for (i = 0; i < 30; i++)
		turn(&fading, &fresh, OLDER_FADE);
	add(&fresh, "worker", 1, 16, 1);
	turn(&fading, &fresh, OLDER_FADE);
	unit_ok(!strcmp(name, "worker") && fading.stacks.list[0]->subject->comm == name,
		"the name of a thread stays where it is");
	fading.names.max = 2;
	add(&fresh, "second", 2, 16, 1);
	add(&fresh, "third", 3, 16, 1);
	add(&fresh, "worker", 4, 16, 1);
	turn(&fading, &fresh, OLDER_DROP);
	unit_ok(!strcmp(fading.stacks.list[0]->subject->comm, "second") &&
		!strcmp(fading.stacks.list[1]->subject->comm, FADING_UNNAMED) &&
		fading.stacks.list[2]->subject->comm == name,
		"the number of names is limited");
	fading_free(&fading);
	stacks_free(&fresh);
}

static struct profile *the_profile(void *arg, const struct profile *of)
{
	return of == &tag ? gather_profile(arg, &reader, 0) : NULL;
}

static int find_nothing(void *arg, struct spot *spot)
{
	(void)arg;
	spot->symbol = object_nowhere(spot->object, spot->addr);
	return 0;
}

static void test_profile(void)
{
	struct gather_options options = { .keys = keys, .find = find_nothing };
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct stacks fresh = { 0 };
	struct profile_entry first;
	struct gather gather;
	struct fading fading;

	reader_begin(&reader, -1);
	if (reader_add_event(&reader, &attr, sizeof(attr)))
		abort();
	fading_init(&fading, &keys);
	add(&fresh, "one", 1, 16, 30);
	add(&fresh, "two", 2, 16, 10);
	turn(&fading, &fresh, OLDER_FADE);
	if (gather_init(&gather, &options, &no_symbols, &reader) ||
	    fading_count(&fading, &gather, the_profile, &gather) ||
	    profile_sort(gather.profiles[0], column_find("overhead")->value))
		abort();
	first = profile_sorted(gather.profiles[0], 0);
	unit_ok(gather.profiles[0]->samples == 40 && gather.profiles[0]->period == 40 * PERIOD,
		"a profile has whole samples");
	unit_ok(gather.profiles[0]->entries.nr == 2 && first.self->samples == 30 &&
		first.self->period == 30 * PERIOD && !strcmp((char *)first.keys[0], "one"),
		"an entry has the samples of its key");
	gather_free(&gather);
	reader_close(&reader);
	fading_free(&fading);
	stacks_free(&fresh);
}

int main(void)
{
	keys = (struct profile_keys){ { column_find("comm"), column_find("tid") }, 2 };
	subjects_init(&subjects, &keys, false);
	test_decay();
	test_bounds();
	test_names();
	test_profile();
	subjects_free(&subjects);
	interned_free(&names);
	return unit_exit();
}
