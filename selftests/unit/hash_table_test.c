// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - a hash table that grows
 */
#include <stdlib.h>

#include "base/hash_table.h"
#include "unit.h"

#define NR	1000

static u64 numbers[NR];

static void add(struct hash_table *table, u64 from, u64 to)
{
	for (u64 i = from; i < to; i++) {
		numbers[i] = i;
		if (hash_table_add(table, hash_number(i), &numbers[i]))
			abort();
	}
}

static void test_growth(void)
{
	struct hash_table table = { 0 };
	bool is_found = true;

	add(&table, 0, NR);
	for (u64 i = 0; i < NR; i++)
		is_found &= hash_table_find(&table, hash_number(i), NULL, NULL) == &numbers[i];
	unit_ok(is_found && table.nr == NR, "all entries are found in a table that has grown");
	unit_ok(!hash_table_find(&table, hash_number(NR), NULL, NULL), "no other entry is found");
	hash_table_free(&table, NULL);
}

/* A table that was full keeps its slots, and one with few entries does not. */
static void test_clear(void)
{
	struct hash_table table = { 0 };
	size_t room;

	hash_table_clear(&table);
	add(&table, 0, NR);
	room = table.room;
	hash_table_clear(&table);
	unit_ok(!table.nr && table.room == room &&
		!hash_table_find(&table, hash_number(0), NULL, NULL),
		"a table that is cleared is empty and keeps its slots");
	add(&table, 0, 2);
	unit_ok(table.nr == 2 && table.room == room &&
		hash_table_find(&table, hash_number(1), NULL, NULL) == &numbers[1],
		"entries are added to a table that was cleared");
	hash_table_clear(&table);
	unit_ok(!table.nr && !table.room, "slots are freed if most are not used");
	hash_table_free(&table, NULL);
}

int main(void)
{
	test_clear();
	test_growth();
	return unit_exit();
}
