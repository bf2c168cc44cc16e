// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - counts by thread: rows of stat --per-thread
 */
#include <stdlib.h>
#include <string.h>

#include "counts/threads.h"
#include "unit.h"

/* Two threads have had the id 8. The first of them has exited. */
static struct tprof_lx_thread threads[] = {
	{ .pid = 7, .tid = 8, .started = 100, .flags = TPROF_LX_THREAD_EXITED, .value = 5,
	  .ran_ns = 50, .comm = "old" },
	{ .pid = 7, .tid = 7, .started = 90, .value = 3, .ran_ns = 30, .comm = "main" },
	{ .pid = 7, .tid = 8, .started = 200, .value = 9, .ran_ns = 90, .comm = "a\nb" },
};

static int add(struct thread_rows *rows, u32 event, u32 first, u32 nr, u64 gone, u64 unattributed)
{
	struct tprof_lx_threads list = {
		.threads = (uintptr_t)&threads[first],
		.nr_threads = nr,
		.gone = gone,
		.gone_ns = gone,
		.nr_gone = gone ? 4 : 0,
		.unattributed = unattributed,
	};

	return thread_rows_add(rows, event, &list);
}

static u64 sum(const struct thread_rows *rows, u32 event)
{
	u64 values = 0;

	for (size_t i = 0; i < rows->nr; i++)
		values += rows->rows[i].values[event];
	return values;
}

static bool has_name(const struct thread_row *row, const char *expected)
{
	char buf[64];

	return !strcmp(thread_row_name(row, buf, sizeof(buf)), expected);
}

static void test_merge(void)
{
	struct thread_rows rows = { 0 };

	unit_ok(!add(&rows, 0, 0, 3, 0, 0) && rows.nr == 3 && sum(&rows, 0) == 17,
		"threads with the same id have rows of their own");
	unit_ok(!add(&rows, 1, 1, 2, 0, 0) && rows.nr == 3 && sum(&rows, 1) == 12,
		"a thread has one row for all events");
	unit_ok(sum(&rows, 0) == 17, "an event changes no counts of another one");
	thread_rows_free(&rows);

	unit_ok(!add(&rows, 0, 0, 1, 0, 0) && !add(&rows, 1, 1, 1, 0, 0) && rows.nr == 2 &&
		sum(&rows, 0) == 5 && sum(&rows, 1) == 3,
		"a thread may have a count of one event only");
	thread_rows_free(&rows);
	unit_ok(!add(&rows, 0, 0, 0, 0, 0) && !rows.nr, "there may be no thread at all");
	thread_rows_sort(&rows, 0);
	thread_rows_free(&rows);
}

static void test_rest(void)
{
	struct thread_rows rows = { 0 };

	unit_ok(!add(&rows, 0, 0, 3, 1000, 0) && !add(&rows, 1, 0, 3, 2000, 70) && rows.nr == 5 &&
		sum(&rows, 0) == 1017 && sum(&rows, 1) == 2087,
		"two more rows have what belongs to no thread");
	thread_rows_sort(&rows, 0);
	unit_ok(rows.rows[0].values[0] == 9 && rows.rows[1].values[0] == 5 &&
		rows.rows[2].values[0] == 3, "threads are sorted by their counts");
	unit_ok(rows.rows[3].kind == ROW_EXITED && rows.rows[4].kind == ROW_UNATTRIBUTED,
		"rows without a thread are last, whatever their counts");
	unit_ok(has_name(&rows.rows[2], "main-7"), "a thread is called by its name and id");
	unit_ok(has_name(&rows.rows[0], "a\\x0ab-8"), "control characters are escaped");
	unit_ok(has_name(&rows.rows[3], "[exited: 4]") && has_name(&rows.rows[4], "[unattributed]"),
		"other rows are called by their kind");
	thread_rows_free(&rows);
}

/* The id 7 was used again: the second process 7 has one thread. */
static void test_processes(void)
{
	static struct tprof_lx_thread all[] = {
		{ .pid = 7, .tid = 8, .started = 100, .flags = TPROF_LX_THREAD_EXITED, .value = 5,
		  .comm = "worker" },
		{ .pid = 7, .tid = 7, .started = 300, .value = 1, .comm = "again" },
		{ .pid = 7, .tid = 7, .started = 100, .flags = TPROF_LX_THREAD_EXITED, .value = 3,
		  .ran_ns = 30, .comm = "first" },
		{ .pid = 9, .tid = 10, .started = 100, .value = 4, .comm = "left" },
		{ .pid = 7, .tid = 9, .started = 200, .flags = TPROF_LX_THREAD_EXITED, .value = 9,
		  .ran_ns = 90, .comm = "worker" },
	};
	struct tprof_lx_threads list = { .threads = (uintptr_t)all, .nr_threads = ARRAY_SIZE(all),
					 .gone = 70, .nr_gone = 4 };
	struct thread_rows rows = { 0 };

	thread_rows_join(&rows);
	if (thread_rows_add(&rows, 0, &list))
		abort();
	thread_rows_join(&rows);
	thread_rows_sort(&rows, 0);
	unit_ok(rows.nr == 4 && has_name(&rows.rows[0], "first-7") &&
		rows.rows[0].values[0] == 17 && rows.rows[0].ran_ns[0] == 120 &&
		rows.rows[0].nr == 3 && rows.rows[0].thread.flags == TPROF_LX_THREAD_EXITED,
		"a process has the sums of its threads");
	unit_ok(has_name(&rows.rows[1], "left-9") && rows.rows[1].values[0] == 4 &&
		!rows.rows[1].thread.flags, "a process may lack its first thread");
	unit_ok(has_name(&rows.rows[2], "again-7") && rows.rows[2].values[0] == 1,
		"processes with the same id have rows of their own");
	unit_ok(has_name(&rows.rows[3], "[exited: 4]") && rows.rows[3].values[0] == 70,
		"what belongs to no thread belongs to no process");
	thread_rows_free(&rows);
}

int main(void)
{
	test_merge();
	test_rest();
	test_processes();
	return unit_exit();
}
