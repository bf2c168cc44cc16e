// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which mappings each process had at which time
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "session/map_log.h"
#include "unit.h"

/* More mappings than these make the log forget processes that have exited. */
#define MANY_MAPS	(1U << 19)

static struct table_store store;
static struct map_log log = { .store = &store };
static struct walk_map maps[STACK_WALK_MAPS];

static void map(u64 time, s32 pid, u64 start, u64 end, u64 offset)
{
	const struct map_record record = {
		.pid = pid,
		.start = start,
		.len = end - start,
		.pgoff = offset,
		.prot = PROT_READ | PROT_EXEC,
	};

	map_log_map(&log, time, &record);
}

/* Return true if the process has the mappings @wanted at @time: "START-END+OFFSET ...". */
static bool has(u64 time, u32 pid, const char *wanted)
{
	u32 nr = map_log_at(&log, time, pid, maps), i;
	char text[256] = "";
	size_t len = 0;

	for (i = 0; i < nr && len < sizeof(text); i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%llx-%llx+%llx", i ? " " : "",
				maps[i].start, maps[i].end, maps[i].offset);
	if (!strcmp(text, wanted))
		return true;
	printf("# process %u at %llu: '%s', not '%s'\n", pid, time, text, wanted);
	return false;
}

static void test_times(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map(30, 1, 0x5000, 0x6000, 0x100);
	map(20, 1, 0x3000, 0x4000, 0x200);
	unit_ok(has(9, 1, "") && has(10, 1, "1000-2000+0") &&
		has(20, 1, "1000-2000+0 3000-4000+200") &&
		has(30, 1, "1000-2000+0 3000-4000+200 5000-6000+100"),
		"a_process_has_what_it_has_mapped_before");
	unit_ok(has(30, 2, ""), "an_unknown_process_has_nothing");
	map_log_free(&log);
}

/* The younger of two mappings counts, in whatever order their records come. */
static void test_order(void)
{
	map(20, 1, 0x1000, 0x2000, 0x700);
	map(10, 1, 0x1000, 0x2000, 0x100);
	unit_ok(has(15, 1, "1000-2000+100") && has(20, 1, "1000-2000+700"),
		"records_may_come_late");
	map_log_free(&log);
}

static void test_overlay(void)
{
	map(1, 1, 0x1000, 0x9000, 0x10000);
	map(2, 1, 0x3000, 0x4000, 0);
	unit_ok(has(2, 1, "1000-3000+10000 3000-4000+0 4000-9000+13000"),
		"a_mapping_inside_of_another_splits_it");
	map(3, 1, 0x2000, 0x3800, 0x500);
	unit_ok(has(3, 1, "1000-2000+10000 2000-3800+500 3800-4000+800 4000-9000+13000"),
		"a_mapping_trims_both_neighbours");
	map(4, 1, 0x2000, 0x5000, 0x600);
	unit_ok(has(4, 1, "1000-2000+10000 2000-5000+600 5000-9000+14000"),
		"a_mapping_removes_those_that_it_covers");
	map(5, 1, 0x0800, 0xa000, 0x700);
	unit_ok(has(5, 1, "800-a000+700"), "a_mapping_covers_all");
	map(6, 1, 0xa000, 0xb000, 0x900);
	unit_ok(has(6, 1, "800-a000+700 a000-b000+900"), "neighbours_stay_whole");
	map_log_free(&log);
}

/* Later mappings do not fit, but those that replace others do. */
static void test_many(void)
{
	u32 nr, i;

	for (i = 0; i < STACK_WALK_MAPS + 2; i++)
		map(1, 1, 0x10000 * (u64)(i + 1), 0x10000 * (u64)(i + 1) + 0x1000, i);
	map(2, 1, 0x50000, 0x51000, 0x777);
	nr = map_log_at(&log, 2, 1, maps);
	for (i = 0; i < nr; i++) {
		if (maps[i].start != 0x10000 * (u64)(i + 1) ||
		    maps[i].offset != (i == 4 ? 0x777 : i))
			break;
	}
	unit_ok(nr == STACK_WALK_MAPS && i == nr, "there_are_at_most_so_many_mappings");
	map_log_free(&log);
}

static void test_ignored(void)
{
	struct map_record data = { .pid = 1, .start = 0x1000, .len = 0x1000, .prot = PROT_READ };

	map_log_map(&log, 1, &data);
	map(1, -1, 0x1000, 0x2000, 0);
	map(1, 1, 0x1000, 0x1000, 0);
	map(1, 1, 0xfffffffffffff000, 0x1000, 0);
	unit_ok(has(1, 1, "") && !log.nr, "only_code_of_processes_counts");
	map_log_free(&log);
}

static void test_exec(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map(30, 1, 0x5000, 0x6000, 0);
	map_log_exec(&log, 20, 1);
	unit_ok(has(19, 1, "1000-2000+0") && has(20, 1, "") && has(30, 1, "5000-6000+0"),
		"exec_removes_the_mappings_before_it");
	map_log_free(&log);
}

static void test_fork(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map(30, 1, 0x3000, 0x4000, 0);
	map_log_fork(&log, 20, 1, 2);
	unit_ok(has(40, 2, "1000-2000+0"), "a_child_has_what_its_parent_had");
	map(25, 2, 0x7000, 0x8000, 0);
	unit_ok(has(40, 2, "1000-2000+0 7000-8000+0") &&
		has(40, 1, "1000-2000+0 3000-4000+0"),
		"mappings_after_a_fork_are_separate");
	map_log_fork(&log, 50, 1, 1);
	unit_ok(has(60, 1, "1000-2000+0 3000-4000+0"), "a_new_thread_changes_nothing");
	map_log_free(&log);
}

/* The child has run on another CPU. The records of that one came first. */
static void test_late_fork(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map_log_exec(&log, 21, 2);
	map(22, 2, 0x5000, 0x6000, 0);
	map_log_fork(&log, 20, 1, 2);
	unit_ok(has(20, 2, "1000-2000+0") && has(21, 2, "") && has(22, 2, "5000-6000+0"),
		"a_late_fork_keeps_what_the_child_has_done");
	map_log_free(&log);
}

/* The parent has mapped a file on another CPU. The records of that one come last. */
static void test_late_parent(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map_log_fork(&log, 20, 1, 2);
	map_log_fork(&log, 30, 2, 3);
	map_log_fork(&log, 40, 1, 4);
	map_log_exec(&log, 12, 1);
	map(15, 1, 0x3000, 0x4000, 0);
	map(35, 1, 0x5000, 0x6000, 0);
	unit_ok(has(50, 2, "3000-4000+0"), "a_child_has_what_its_parent_is_known_later_to_have");
	unit_ok(has(50, 3, "3000-4000+0"), "so_has_a_grandchild");
	unit_ok(has(50, 4, "3000-4000+0 5000-6000+0"), "another_child_began_later");
	map_log_free(&log);
}

static void test_late_first_mapping(void)
{
	map_log_fork(&log, 20, 1, 2);
	map(10, 1, 0x1000, 0x2000, 0);
	unit_ok(has(20, 2, "1000-2000+0"), "a_parent_may_be_known_after_its_child");
	map_log_free(&log);
}

/* Processes 2 and 3 had a parent with the id of the next child of process 1. */
static void test_other_children(void)
{
	map_log_fork(&log, 30, 4, 2);
	map_log_fork(&log, 31, 2, 3);
	map(10, 1, 0x1000, 0x2000, 0);
	map_log_fork(&log, 40, 1, 4);
	map_log_fork(&log, 50, 4, 5);
	map(20, 1, 0x3000, 0x4000, 0);
	unit_ok(has(60, 2, "") && has(60, 3, "") && has(60, 4, "1000-2000+0 3000-4000+0") &&
		has(60, 5, "1000-2000+0 3000-4000+0"),
		"children_of_an_earlier_process_with_an_id_get_nothing");
	map_log_free(&log);
}

/* A grandchild is known before its parent. */
static void test_late_generation(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map_log_fork(&log, 30, 2, 3);
	map_log_fork(&log, 20, 1, 2);
	unit_ok(has(30, 3, "1000-2000+0"), "a_grandchild_may_be_known_before_its_parent");
	map_log_free(&log);
}

static void test_reuse(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map(11, 2, 0x3000, 0x4000, 0);
	map_log_exit(&log, 15, 2);
	map_log_fork(&log, 20, 1, 2);
	unit_ok(has(20, 2, "1000-2000+0"), "a_new_process_has_nothing_of_the_last_with_its_id");
	unit_ok(log.nr == 2, "the_log_counts_what_it_has");
	map_log_free(&log);
}

/* Make the log large, by a process that has not exited. */
static void fill(void)
{
	for (u32 i = 0; i < MANY_MAPS; i++)
		map(i, 99, 0x1000, 0x2000, 0);
}

static void test_forget(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map_log_exit(&log, 15, 1);
	map(10, 2, 0x1000, 0x2000, 0);
	map_log_forget_ended(&log);
	unit_ok(has(20, 1, "1000-2000+0"), "a_small_log_forgets_nothing");
	map(10, 4, 0x3000, 0x4000, 0);
	map_log_exit(&log, 15, 4);
	map_log_fork(&log, 30, 2, 4);
	fill();
	map_log_forget_ended(&log);
	unit_ok(has(20, 1, "") && has(20, 2, "1000-2000+0"),
		"a_large_log_forgets_processes_that_have_exited");
	unit_ok(has(30, 4, "1000-2000+0"), "a_large_log_keeps_a_new_process_with_an_old_id");
	map_log_free(&log);
}

/* A process that has exited without a mapping, and another one with its id. */
static void test_forget_empty(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map_log_fork(&log, 5, 1, 2);
	map_log_exit(&log, 15, 2);
	map_log_fork(&log, 20, 1, 2);
	fill();
	map_log_forget_ended(&log);
	unit_ok(has(20, 2, "1000-2000+0"),
		"a_large_log_keeps_a_process_whose_id_one_without_mappings_had");
	map_log_free(&log);
}

/* The child has run and exited on another CPU. The records of that one came first. */
static void test_forget_late_fork(void)
{
	map(10, 1, 0x1000, 0x2000, 0);
	map_log_exit(&log, 30, 2);
	map_log_fork(&log, 20, 1, 2);
	fill();
	map_log_forget_ended(&log);
	unit_ok(has(20, 2, ""), "a_large_log_forgets_a_process_that_exited_before_a_late_fork");
	map_log_free(&log);
}

static void test_files(void)
{
	const struct build_id id = { 20, { 1 } }, other = { 20, { 2 } };
	struct map_record record = {
		.pid = 1, .start = 0x1000, .len = 0x1000, .prot = PROT_EXEC, .build_id = id,
	};
	struct unwind_table table = { .text_bytes = 77 };

	map_log_map(&log, 1, &record);
	record.start = 0x2000;
	record.build_id = other;
	map_log_map(&log, 1, &record);
	map(1, 1, 0x3000, 0x4000, 0);
	table_store_put(&store, &id, TABLE_READY, &table);
	unit_ok(map_log_at(&log, 1, 1, maps) == 3 && maps[0].table &&
		maps[0].table->text_bytes == 77 && !maps[0].is_pending,
		"a_mapping_has_the_table_of_its_file");
	unit_ok(!maps[1].table && maps[1].is_pending, "a_table_may_still_come");
	unit_ok(!maps[2].table && !maps[2].is_pending, "a_file_without_build_id_gets_no_table");
	map_log_free(&log);
	table_store_free(&store);
}

int main(void)
{
	test_times();
	test_order();
	test_overlay();
	test_many();
	test_ignored();
	test_exec();
	test_fork();
	test_late_fork();
	test_late_parent();
	test_late_first_mapping();
	test_other_children();
	test_late_generation();
	test_reuse();
	test_forget();
	test_forget_empty();
	test_forget_late_fork();
	test_files();
	return unit_exit();
}
