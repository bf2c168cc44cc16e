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

int main(void)
{
	test_table();
	test_names();
	test_tasks();
	return unit_exit();
}
