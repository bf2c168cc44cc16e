// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - hash tables, interned names and thread names
 */
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "world/tasks.h"

#define NUMBERS	10000

static void test_table(void)
{
	static u64 numbers[NUMBERS];
	struct hash_table table = { 0 };
	size_t at = 0, walked = 0;
	bool found = true;

	unit_ok(!hash_table_find(&table, hash_number(1), NULL, NULL),
		"an empty table finds nothing");
	for (u64 i = 0; i < NUMBERS; i++) {
		numbers[i] = i * i;
		if (hash_table_add(&table, hash_number(numbers[i]), &numbers[i]))
			abort();
	}
	for (u64 i = 0; i < NUMBERS; i++)
		found &= hash_table_find(&table, hash_number(i * i), NULL, NULL) == &numbers[i];
	unit_ok(found, "every number is found");
	unit_ok(!hash_table_find(&table, hash_number(2), NULL, NULL),
		"a number that was not added is not found");
	while (hash_table_next(&table, &at))
		walked++;
	unit_ok(walked == NUMBERS && table.nr == NUMBERS,
		"a walk visits every number");
	hash_table_free(&table, NULL);
	unit_ok(!table.nr && !table.slots, "a freed table is empty");
}

/* Remove two of three numbers, in an order that moves entries over the end of the table. */
static void test_removal(void)
{
	static u64 numbers[NUMBERS];
	struct hash_table table = { 0 };
	bool is_found = true, is_gone = true;

	for (u64 i = 0; i < NUMBERS; i++) {
		numbers[i] = i;
		if (hash_table_add(&table, hash_number(i), &numbers[i]))
			abort();
	}
	for (u64 i = 0; i < NUMBERS; i++) {
		if (i % 3)
			hash_table_remove(&table, hash_number(i), &numbers[i]);
	}
	hash_table_remove(&table, hash_number(1), &numbers[1]);
	for (u64 i = 0; i < NUMBERS; i++) {
		if (i % 3)
			is_gone &= !hash_table_find(&table, hash_number(i), NULL, NULL);
		else
			is_found &= hash_table_find(&table, hash_number(i), NULL, NULL) ==
				    &numbers[i];
	}
	unit_ok(is_gone && table.nr == (NUMBERS + 2) / 3, "removed numbers are not found");
	unit_ok(is_found, "all other numbers are found");
	hash_table_free(&table, NULL);
}

static void test_names(void)
{
	struct interned names = { 0 };
	char text[] = "name";
	const char *name = interned_get(&names, text);

	unit_ok(name != text && !strcmp(name, "name"), "a name is copied");
	unit_ok(interned_get(&names, "name") == name,
		"equal names are the same copy");
	unit_ok(interned_get(&names, "") != name,
		"different names are different copies");
	interned_free(&names);
}

static void test_tasks(void)
{
	struct task_record comm = { .pid = 10, .tid = 11, .comm = "worker" };
	struct task_record fork = { .pid = 20, .tid = 20, .ppid = 10, .ptid = 11 };
	struct task_set tasks = { 0 };
	const char *name;

	unit_ok(!strcmp(tasks_name(&tasks, 0), "swapper"),
		"thread 0 is the idle task");
	unit_ok(!strcmp(tasks_name(&tasks, 11), ":11"),
		"an unknown thread is called by its number");
	tasks_update(&tasks, PERF_RECORD_FORK, &fork);
	unit_ok(!strcmp(tasks_name(&tasks, 20), ":20"),
		"a child does not inherit the number of its parent");
	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	name = tasks_name(&tasks, 11);
	unit_ok(!strcmp(name, "worker"),
		"a thread is called by its recorded name");
	tasks_update(&tasks, PERF_RECORD_FORK, &fork);
	unit_ok(tasks_name(&tasks, 20) == name,
		"a child inherits its parent's name, as the same pointer");
	comm.comm = "boss";
	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	unit_ok(!strcmp(tasks_name(&tasks, 11), "boss") && tasks_name(&tasks, 20) == name,
		"a new name of the parent does not reach the child");
	tasks_free(&tasks);
}

static void end_threads(struct task_set *tasks, s32 first, u32 nr)
{
	struct task_record fork = { .pid = 1, .ppid = 1, .ptid = 11 }, exit = { 0 };

	for (u32 i = 0; i < nr; i++) {
		fork.tid = first + i;
		exit.tid = first + i;
		tasks_update(tasks, PERF_RECORD_FORK, &fork);
		tasks_update(tasks, PERF_RECORD_EXIT, &exit);
	}
}

static void test_forgetting(void)
{
	struct task_record comm = { .pid = 10, .tid = 11, .comm = "worker" };
	struct task_record exit = { .pid = 10, .tid = 50 };
	struct task_set tasks = { .forgets = true };

	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	comm.tid = 50;
	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	tasks_update(&tasks, PERF_RECORD_EXIT, &exit);
	end_threads(&tasks, 1000, GONE_TASKS - 1);
	unit_ok(!strcmp(tasks_name(&tasks, 50), "worker"),
		"the name of a thread that exited lately is kept");
	end_threads(&tasks, 100000, 1);
	unit_ok(!strcmp(tasks_name(&tasks, 50), ":50"),
		"the name of a thread that exited long ago is forgotten");
	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	tasks_update(&tasks, PERF_RECORD_EXIT, &exit);
	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	end_threads(&tasks, 1000, 3 * GONE_TASKS);
	unit_ok(!strcmp(tasks_name(&tasks, 50), "worker"),
		"the name of a thread that reuses an id is kept");
	unit_ok(tasks.table.nr <= GONE_TASKS + 2, "few threads are kept");
	tasks_free(&tasks);
}

static void test_new_names(void)
{
	struct task_record comm = { .pid = 10, .tid = 11, .comm = "first" };
	struct task_set tasks = { 0 };
	struct interned old = { 0 };
	const char *name;

	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	comm.comm = "second";
	tasks_update(&tasks, PERF_RECORD_COMM, &comm);
	unit_ok(!tasks_renew_names(&tasks, 2, &old) && !old.table.nr,
		"as many names as allowed are kept");
	name = tasks_name(&tasks, 11);
	unit_ok(!tasks_renew_names(&tasks, 1, &old) && tasks.names.table.nr == 1 &&
		!strcmp(tasks_name(&tasks, 11), "second"), "names without a thread are dropped");
	unit_ok(!strcmp(name, "second") && name != tasks_name(&tasks, 11),
		"old copies of names stay valid");
	interned_free(&old);
	tasks_free(&tasks);
}

int main(void)
{
	test_table();
	test_removal();
	test_forgetting();
	test_new_names();
	test_names();
	test_tasks();
	return unit_exit();
}
