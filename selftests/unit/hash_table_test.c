// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - reserving room in a hash table
 */
#include <stdlib.h>

#include "base/hash_table.h"
#include "unit.h"

#define NR	1000

static u64 numbers[2 * NR];

static void add(struct hash_table *table, u64 from, u64 to)
{
	for (u64 i = from; i < to; i++) {
		numbers[i] = i;
		if (hash_table_add(table, hash_number(i), &numbers[i]))
			abort();
	}
}

static void test_reserve(void)
{
	struct hash_table table = { 0 };
	bool is_found = true;
	size_t room;

	add(&table, 0, NR);
	if (hash_table_reserve(&table, NR))
		abort();
	room = table.room;
	add(&table, NR, 2 * NR);
	for (u64 i = 0; i < 2 * NR; i++)
		is_found &= hash_table_find(&table, hash_number(i), NULL, NULL) == &numbers[i];
	unit_ok(table.room == room, "a table does not grow while it has reserved room");
	unit_ok(is_found && table.nr == 2 * NR, "all entries are found after room is reserved");
	hash_table_free(&table, NULL);
}

int main(void)
{
	test_reserve();
	return unit_exit();
}
