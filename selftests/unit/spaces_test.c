// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the mappings of processes
 *
 * Add random mappings to the spaces, and to an array with an entry for each page.
 * Each page must have the same mapping in both.
 */
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "world/spaces.h"

#define PAGES	200
#define STEPS	3000

static struct object objects[STEPS + 1];

/* Return true if each page has the mapping of its object in @pages, and others have none. */
static bool is_right(struct space *space, struct object *const *pages)
{
	const struct map *map;

	for (u64 page = 0; page < PAGES; page++) {
		map = space_find(space, page);
		if ((map ? map->object : NULL) != pages[page])
			return false;
		/*
		 * If a later mapping replaced a part of @map, the remaining pages keep
		 * their offsets in the object.
		 */
		if (map && page + map->to_object != page + (map->object - objects))
			return false;
	}
	return !space_find(space, PAGES) && !space_find(space, ~0ULL);
}

static void test_overlaps(void)
{
	struct object *pages[PAGES] = { 0 };
	struct spaces spaces = { 0 };
	struct space *space = spaces_get(&spaces, 1);
	bool right = true, sorted = true;

	srandom(1);
	for (int i = 1; i <= STEPS && right; i++) {
		u64 start = random() % PAGES, len = 1 + random() % 20;
		struct map map = { .start = start, .end = start + len, .to_object = i,
				   .object = &objects[i] };

		if (map.end > PAGES)
			map.end = PAGES;
		if (space_add(space, &map))
			abort();
		for (u64 page = start; page < map.end; page++)
			pages[page] = &objects[i];
		right = is_right(space, pages);
		for (u32 at = 1; at < space->list->nr; at++)
			sorted &= space->list->maps[at - 1].end <= space->list->maps[at].start;
	}
	unit_ok(right, "each page has the mapping that was added last");
	unit_ok(sorted, "mappings are in order and do not overlap");
	unit_ok(space->list->nr <= PAGES,
		"mappings that are covered are removed");
	spaces_free(&spaces);
}

static struct object *at(struct spaces *spaces, u32 pid, u64 addr)
{
	const struct map *map = space_find(spaces_get(spaces, pid), addr);

	return map ? map->object : NULL;
}

static void test_processes(void)
{
	struct map first = { .start = 10, .end = 20, .object = &objects[1] };
	struct map second = { .start = 15, .end = 16, .object = &objects[2] };
	struct map none = { .start = 15, .end = 15, .object = &objects[2] };
	struct spaces spaces = { 0 };

	space_add(spaces_get(&spaces, 1), &first);
	space_add(spaces_get(&spaces, 1), &none);
	unit_ok(at(&spaces, 1, 15) == &objects[1],
		"an empty mapping is ignored");
	spaces_fork(&spaces, 1, 2);
	spaces_fork(&spaces, 1, 1);
	unit_ok(at(&spaces, 2, 10) == &objects[1] && !at(&spaces, 2, 20),
		"a child inherits its parent's mappings");
	unit_ok(spaces_get(&spaces, 1)->list == spaces_get(&spaces, 2)->list,
		"parent and child share one list of mappings");
	space_add(spaces_get(&spaces, 2), &second);
	unit_ok(at(&spaces, 2, 15) == &objects[2] && at(&spaces, 1, 15) == &objects[1],
		"a mapping of the child does not appear in its parent");
	space_clear(spaces_get(&spaces, 1));
	unit_ok(!at(&spaces, 1, 10) && at(&spaces, 2, 10) == &objects[1],
		"clearing a process leaves its child's mappings alone");
	unit_ok(!at(&spaces, 3, 10), "an unknown process has no mappings");
	spaces_free(&spaces);
}

static int map_object(struct spaces *spaces, u32 pid, u64 start, struct object *object)
{
	struct map map = { .start = start, .end = start + 1, .object = object };

	return space_add(spaces_get(spaces, pid), &map);
}

static int map_at(struct spaces *spaces, u32 pid, u64 start)
{
	return map_object(spaces, pid, start, &objects[1]);
}

static void test_exec(void)
{
	struct spaces spaces = { 0 };

	map_object(&spaces, 1, 10, &objects[1]);
	map_object(&spaces, 1, 11, &objects[1]);
	spaces_exec(&spaces, 1);
	map_object(&spaces, 1, 10, &objects[2]);
	unit_ok(at(&spaces, 1, 10) == &objects[2] && at(&spaces, 1, 11) == &objects[1],
		"after an exec, old mappings stay where no new one is");
	spaces_fork(&spaces, 1, 2);
	unit_ok(at(&spaces, 2, 10) == &objects[2] && at(&spaces, 2, 11) == &objects[1],
		"a child inherits mappings from before its parent's exec");
	spaces_exec(&spaces, 2);
	spaces_exec(&spaces, 2);
	unit_ok(at(&spaces, 2, 10) == &objects[2],
		"a second record of an exec changes nothing");
	unit_ok(!at(&spaces, 2, 11) && at(&spaces, 1, 11) == &objects[1],
		"only the last exec's old mappings stay");
	spaces_exec(&spaces, 3);
	unit_ok(spaces.table.nr == 2, "an exec of an unknown process is ignored");
	space_clear(spaces_get(&spaces, 1));
	space_clear(spaces_get(&spaces, 2));
	unit_ok(!at(&spaces, 1, 11) && !at(&spaces, 2, 10) && !spaces.total,
		"clearing a process removes its old mappings, too");
	spaces_free(&spaces);
}

/* Add more mappings than the limits allow. */
static void test_limits(void)
{
	struct spaces spaces = { 0 };
	const u64 most = 1 << 17;
	bool failed = false;

	for (u64 i = 0; i < most + 10; i++)
		failed |= map_at(&spaces, 1, 2 * i);
	unit_ok(!failed && spaces.nr_left_out >= 10 && spaces.nr_left_out < 20,
		"mappings beyond the limit of a process are left out and counted");
	unit_ok(at(&spaces, 1, 0) && at(&spaces, 1, most) && !at(&spaces, 1, 2 * most + 8),
		"mappings within the limit of a process are kept");

	spaces.nr_left_out = 0;
	map_at(&spaces, 2, 0);
	spaces_end(&spaces, 1);
	unit_ok(at(&spaces, 1, 0),
		"the mappings of a process that ended are kept");
	/* Pretend that all processes together have reached their limit of mappings. */
	spaces.total += 16 << 20;
	spaces.total -= most;
	map_at(&spaces, 3, 0);
	unit_ok(!at(&spaces, 1, 0) && at(&spaces, 2, 0) && at(&spaces, 3, 0) &&
		!spaces.nr_left_out,
		"mappings of ended processes make room for others");
	spaces_free(&spaces);
}

/* Let @nr processes begin and end, with process ids from *@next_pid on. */
static void pass_processes(struct spaces *spaces, u32 *next_pid, u32 nr)
{
	for (; nr; nr--, ++*next_pid) {
		spaces_add_thread(spaces, *next_pid, *next_pid);
		spaces_remove_thread(spaces, *next_pid);
	}
}

static void test_gone(void)
{
	struct spaces spaces = { 0 };
	u32 next_pid = 100;

	map_at(&spaces, 1, 0);
	spaces_add_thread(&spaces, 1, 1);
	spaces_add_thread(&spaces, 1, 10);
	map_at(&spaces, 2, 0);
	spaces_add_thread(&spaces, 2, 20);
	spaces_remove_thread(&spaces, 2);
	spaces_remove_thread(&spaces, 3);
	map_at(&spaces, 4, 0);
	spaces_add_thread(&spaces, 4, 4);
	spaces_remove_thread(&spaces, 4);
	spaces_remove_thread(&spaces, 1);
	pass_processes(&spaces, &next_pid, GONE_SPACES - 1);
	unit_ok(at(&spaces, 4, 0), "mappings of processes that ended lately are kept");
	spaces_add_thread(&spaces, 4, 4);
	pass_processes(&spaces, &next_pid, GONE_SPACES);
	unit_ok(at(&spaces, 1, 0), "mappings are kept until the last thread exits");
	unit_ok(at(&spaces, 2, 0), "mappings are kept if the first thread has no FORK record");
	unit_ok(at(&spaces, 4, 0), "mappings are kept if a process id is used again");
	spaces_remove_thread(&spaces, 1);
	pass_processes(&spaces, &next_pid, GONE_SPACES - 1);
	unit_ok(at(&spaces, 1, 0), "mappings are kept for some time after the last thread exits");
	pass_processes(&spaces, &next_pid, 1);
	unit_ok(!at(&spaces, 1, 0) && at(&spaces, 2, 0) && spaces.total == 32,
		"mappings of a process that ended are freed");
	unit_ok(spaces.table.nr <= GONE_SPACES + 5, "processes that ended are forgotten");
	spaces_free(&spaces);
}

int main(void)
{
	test_limits();
	test_overlaps();
	test_processes();
	test_exec();
	test_gone();
	return unit_exit();
}
