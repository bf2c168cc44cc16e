// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the cache of unwind tables, while several processes use it
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "same_table.h"
#include "unit.h"
#include "unwind/table_cache.h"

#define TABLES		64
#define ROUNDS		50

/**
 * struct counts - what the processes have done, in memory that they share
 * @written:	tables written
 * @lost:	tables whose incomplete file was removed
 * @cleared:	tables removed
 * @failed:	calls that returned another error
 * @wrong:	tables that were read and are not as written
 */
struct counts {
	u32	written;
	u32	lost;
	u32	cleared;
	u32	failed;
	u32	wrong;
};

static struct counts *counts;
static struct table_cache cache;

static void count(u32 *number, u32 by)
{
	__atomic_add_fetch(number, by, __ATOMIC_RELAXED);
}

/* Make a table of one row. */
static struct unwind_table make_table(void)
{
	static const struct tprof_lx_unwind_rule rule = {
		.how = TPROF_LX_UNWIND_CFA, .base = TPROF_LX_UNWIND_RSP, .offset = 8,
		.rbp = TPROF_LX_UNWIND_RBP_SAME,
	};
	struct table_builder builder = { 0 };
	struct unwind_table table;

	if (builder_add(&builder, 0x1000, &rule))
		abort();
	table = builder.table;
	builder_free(&builder);
	table.pages = realloc(table.pages, 2 * sizeof(*table.pages));
	table.pages[1] = table.nr_rows;
	table.build_id.size = 20;
	return table;
}

/* As record does for each binary: write the table, and read it when it is needed again. */
static void write_and_read(struct unwind_table *table, u32 number)
{
	struct unwind_table read;
	int err;

	table->build_id.data[0] = number;
	err = table_cache_write(&cache, table);
	count(err ? &counts->lost : &counts->written, 1);
	count(&counts->failed, err && err != -ENOENT);
	err = table_cache_read(&cache, &table->build_id, &read);
	count(&counts->failed, err && err != -ENOENT);
	if (err)
		return;
	count(&counts->wrong, !same_table(table, &read));
	unwind_table_free(&read);
}

static void write_again_and_again(struct unwind_table *table)
{
	u32 i;

	for (i = 0; i < ROUNDS * TABLES; i++)
		write_and_read(table, i % TABLES);
}

static void clear(u32 rounds)
{
	u32 nr;

	while (rounds--) {
		count(&counts->failed, !!table_cache_clear(&cache, &nr));
		count(&counts->cleared, nr);
	}
}

static void wait_for(const int *pids, u32 nr)
{
	int status;

	while (nr--) {
		if (pids[nr] < 0 || waitpid(pids[nr], &status, 0) != pids[nr] || status)
			abort();
	}
}

/* Let two processes clear the same tables. */
static void clear_twice(struct unwind_table *table)
{
	int pids[2];
	u32 i;

	for (i = 0; i < TABLES; i++) {
		table->build_id.data[0] = i;
		count(&counts->written, !table_cache_write(&cache, table));
	}
	for (i = 0; i < 2; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			clear(1);
			_exit(0);
		}
	}
	wait_for(pids, 2);
}

static void test_two_clear(struct unwind_table *table)
{
	u32 i;

	for (i = 0; i < ROUNDS; i++)
		clear_twice(table);
	unit_ok(!counts->failed, "two_processes_clear_the_same_tables");
	unit_ok(counts->written == ROUNDS * TABLES && counts->cleared == counts->written,
		"each_table_is_counted_once");
}

static void test_write_and_clear(struct unwind_table *table)
{
	int pids[3];
	u32 i;

	*counts = (struct counts){ 0 };
	for (i = 0; i < 3; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		if (i < 2)
			write_again_and_again(table);
		else
			clear(ROUNDS);
		_exit(0);
	}
	wait_for(pids, 3);
	clear(1);
	printf("# %u written, %u lost, %u cleared\n", counts->written, counts->lost,
	       counts->cleared);
	unit_ok(!counts->failed, "processes_that_write_and_clear_do_not_fail_each_other");
	unit_ok(!counts->wrong, "table_is_whole_or_not_there");
	unit_ok(!rmdir(cache.path), "no_file_stays_after_the_last_clear");
}

int main(void)
{
	char home[] = "/tmp/table-cache-test-XXXXXX", path[64];
	struct unwind_table table = make_table();

	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED || !mkdtemp(home) || setenv("XDG_CACHE_HOME", home, 1) ||
	    table_cache_open(&cache))
		abort();
	test_two_clear(&table);
	test_write_and_clear(&table);
	table_cache_close(&cache);
	unwind_table_free(&table);
	snprintf(path, sizeof(path), "%s/tprof-lx", home);
	rmdir(path);
	rmdir(home);
	return unit_exit();
}
