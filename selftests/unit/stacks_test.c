// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the table of different call stacks
 *
 * The test counts random stacks in the table and in a plain list, and compares both.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/stacks.h"
#include "unit.h"

#define MAX_FRAMES	6
#define MAX_STACKS	40000
#define ROUNDS		60000

/**
 * struct known - a stack in the plain list
 * @frames:	its frames, as small numbers
 * @nr:		number of @frames
 * @subject:	number of its subject
 * @profile:	number of its profile
 * @samples:	number of its samples
 * @period:	sum of their periods
 */
struct known {
	u8	frames[MAX_FRAMES];
	u32	nr;
	u32	subject;
	u32	profile;
	u64	samples;
	u64	period;
};

static struct stacks stacks;
static struct profile profiles[2];
static struct subject subjects[2] = { { .number = 1 }, { .number = 2 } };
static struct object objects[2];
static struct known list[MAX_STACKS];
static size_t nr_known;

/* Derive an address, a binary and a mode from @number. */
static struct spot spot_of(u8 number)
{
	return (struct spot){ .addr = number / 4, .object = &objects[number % 2],
			      .is_kernel = number / 2 % 2 };
}

static struct known *find(const struct known *wanted)
{
	const size_t len = offsetof(struct known, samples);

	for (size_t i = 0; i < nr_known; i++) {
		if (!memcmp(&list[i], wanted, len))
			return &list[i];
	}
	list[nr_known] = *wanted;
	return &list[nr_known++];
}

static void add(u64 period)
{
	struct known wanted = { .nr = 1 + random() % MAX_FRAMES, .subject = random() % 2,
				.profile = random() % 2 }, *known;
	struct spot spots[MAX_FRAMES];

	for (u32 i = 0; i < wanted.nr; i++) {
		wanted.frames[i] = random() % 8;
		spots[i] = spot_of(wanted.frames[i]);
	}
	if (stacks_begin(&stacks, &profiles[wanted.profile], &subjects[wanted.subject], period) ||
	    stacks_add_frames(&stacks, spots, 1) ||
	    stacks_add_frames(&stacks, spots + 1, wanted.nr - 1))
		abort();
	stacks_end(&stacks);
	known = find(&wanted);
	known->samples++;
	known->period += period;
}

static bool is_same(const struct stack *stack, const struct known *known)
{
	bool same = stack->nr == known->nr && stack->subject == &subjects[known->subject] &&
		    stack->profile == &profiles[known->profile] &&
		    stack->samples == known->samples && stack->period == known->period;

	for (size_t i = 0; i < known->nr && same; i++) {
		struct spot spot = stack_spot(&stack->frames[i]);
		struct spot wanted = spot_of(known->frames[i]);

		same = spot.addr == wanted.addr && spot.object == wanted.object &&
		       spot.is_kernel == wanted.is_kernel && !spot.symbol;
	}
	return same;
}

static bool are_same(void)
{
	bool same = !stacks_settle(&stacks) && stacks.table.nr == nr_known;

	for (size_t i = 0; i < nr_known && same; i++)
		same = is_same(stacks.list[i], &list[i]);
	return same;
}

static void test_long(void)
{
	static struct spot spots[2000];
	size_t before = stacks.table.nr;

	for (size_t i = 0; i < ARRAY_SIZE(spots); i++)
		spots[i] = spot_of(i % 8);
	for (int i = 0; i < 2; i++) {
		stacks_begin(&stacks, profiles, subjects, 1);
		stacks_add_frames(&stacks, spots, ARRAY_SIZE(spots));
		stacks_end(&stacks);
	}
	stacks_settle(&stacks);
	unit_ok(stacks.table.nr == before + 1 && stacks.list[before]->samples == 2 &&
		stacks.list[before]->nr == ARRAY_SIZE(spots), "stacks: a long stack is kept");
}

int main(void)
{
	srandom(1);
	for (int i = 0; i < ROUNDS && nr_known < 2000; i++)
		add(random() % 1000);
	unit_ok(are_same(), "stacks: each stack is counted once, in the order of first samples");
	add(1ULL << 40);
	unit_ok(stacks.nr_waiting, "stacks: samples wait for their lookup");
	unit_ok(are_same() && !stacks.nr_waiting, "stacks: a period may exceed 32 bits");
	test_long();
	unit_ok(!stacks_are_full(&stacks), "stacks: a few stacks do not fill the table");
	stacks.bytes = STACKS_MAX_BYTES + 1;
	unit_ok(stacks_are_full(&stacks), "stacks: the table is bounded");
	stacks_clear(&stacks);
	nr_known = 0;
	for (int i = 0; i < 1000; i++)
		add(1);
	unit_ok(!stacks_are_full(&stacks) && are_same(), "stacks: a cleared table is used again");
	stacks_free(&stacks);
	return unit_exit();
}
