// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - what a recording knows of the tables of its binaries
 */
#include <stdlib.h>
#include <unistd.h>

#include "session/table_store.h"
#include "unit.h"

static const struct build_id id = { 20, { 1 } };
static const struct build_id kept_id = { 20, { 2 } };
static char dir[] = "/tmp/table-store-XXXXXX";
static struct table_store store;

static void put(enum table_state state, u64 text_bytes)
{
	struct unwind_table table = { .text_bytes = text_bytes };

	table_store_put(&store, &id, state, &table);
	unwind_table_free(&table);
}

/* Return the number that put() gave, 0 without a table. Set @is_pending. */
static u64 look_up(const struct build_id *wanted, bool *is_pending)
{
	const struct unwind_table *table;

	table = table_store_table(&store, table_store_get(&store, wanted), is_pending);
	return table ? table->text_bytes : 0;
}

static void test_states(void)
{
	bool is_pending;

	unit_ok(!look_up(&id, &is_pending) && is_pending, "a_table_of_a_new_binary_may_come");
	put(TABLE_NONE, 0);
	unit_ok(!look_up(&id, &is_pending) && !is_pending, "a_binary_without_table_gets_none");
	put(TABLE_READY, 5);
	unit_ok(look_up(&id, &is_pending) == 5 && !is_pending, "a_table_comes_after_none");
	put(TABLE_NONE, 0);
	unit_ok(look_up(&id, &is_pending) == 5 && !is_pending, "none_does_not_replace_a_table");
	put(TABLE_READY, 6);
	put(TABLE_CACHED, 7);
	unit_ok(look_up(&id, &is_pending) == 5, "the_first_table_stays");
}

/* Write a table of one rule to the cache. */
static void keep(u64 text_bytes)
{
	static const struct tprof_lx_unwind_rule end = { .how = TPROF_LX_UNWIND_END };
	struct table_builder builder = { .table.build_id = kept_id };

	if (builder_add(&builder, 0x1000, &end) || builder_end(&builder, 0x2000))
		abort();
	builder.table.pages[builder.table.nr_pages] = builder.table.nr_rows;
	builder.table.text_bytes = text_bytes;
	if (table_cache_write(&store.cache, &builder.table))
		abort();
	unwind_table_free(&builder.table);
	builder_free(&builder);
}

static void test_cached(void)
{
	struct unwind_table none = { 0 };
	bool is_pending;
	u32 nr;

	keep(9);
	table_store_put(&store, &kept_id, TABLE_CACHED, &none);
	unit_ok(look_up(&kept_id, &is_pending) == 9 && !is_pending,
		"a_table_is_read_from_the_cache");
	table_cache_clear(&store.cache, &nr);
	unit_ok(look_up(&kept_id, &is_pending) == 9, "a_table_is_read_once");
}

/* The cache has lost a table before it was needed. */
static void test_lost(void)
{
	const struct build_id lost_id = { 20, { 3 } };
	struct unwind_table none = { 0 };
	bool is_pending;

	table_store_put(&store, &lost_id, TABLE_CACHED, &none);
	unit_ok(!look_up(&lost_id, &is_pending) && !is_pending,
		"a_table_that_the_cache_has_lost_does_not_come");
}

static void remove_dir(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	if (system(command))
		abort();
}

int main(void)
{
	if (!mkdtemp(dir) || setenv("XDG_CACHE_HOME", dir, 1))
		abort();
	unsetenv("SUDO_UID");
	table_store_init(&store);
	if (!store.has_cache)
		abort();
	test_states();
	test_cached();
	test_lost();
	table_store_free(&store);
	remove_dir();
	return unit_exit();
}
