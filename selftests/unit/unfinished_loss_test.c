// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - records that wait for unwind tables in vain, or lack something else
 */
#include "unfinished_run.h"
#include "unit.h"

/* With more mappings than these, those of processes that have exited are forgotten. */
#define MANY_MAPS	(1U << 19)

static void test_hopeless(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin_with(TABLE_PENDING);
	maker.nr_early = 0;
	add_with(&made, 20);
	take_rounds(1);
	unit_ok(is_written(""), "without_hope_a_record_waits_for_older_ones");
	take_rounds(1);
	unit_ok(is_written("Srr") && first_has(by_frames) && unfinished.sums.hurried == 1,
		"a_record_does_not_wait_for_a_table_that_nothing_makes");
	end();
}

/* A process without known mappings, and a copy that is malformed. */
static void test_kept(void)
{
	struct stack_made made = stack_of(LEAF);

	begin();
	add_sample(&next, 0, 20, PID, by_frames, ARRAY_SIZE(by_frames), &made);
	take_rounds(2);
	unit_ok(first_has(by_frames), "without_mappings_a_chain_is_kept");
	bytes_free(&written);
	add_program(&next, 10, PID);
	take();
	bytes_free(&written);
	put_table(TABLE_READY);
	made.end.bytes += 8;
	finish_one(&made);
	unit_ok(is_written("Srr") && first_has(raw) && unfinished.sums.kept == 2,
		"a_malformed_copy_is_removed");
	end();
}

static void test_dropped(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin_with(TABLE_READY);
	add_with(&made, 20);
	next.data[sizeof(struct perf_event_header)] = 99;
	add_with(&made, 21);
	take_rounds(2);
	unit_ok(is_written("Srr") && first_has(found) && unfinished.sums.dropped == 1,
		"a_malformed_record_is_dropped_and_counted");
	end();
}

static void test_no_memory(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin_with(TABLE_PENDING);
	add_with(&made, 20);
	record_finished_round(&next);
	take();
	unfinished.held.failed = true;
	add_with(&made, 21);
	add_program(&next, 22, PID);
	take_rounds(1);
	unit_ok(is_written("SrSMr") && first_has(by_frames) && !unfinished.rounds,
		"without_memory_all_are_written_in_their_order");
	bytes_free(&written);
	put_table(TABLE_READY);
	finish_one(&made);
	unit_ok(is_written("Srr") && first_has(found), "later_records_wait_again");
	end();
}

/* The log of mappings grows while a record waits. */
static void test_forget(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin_with(TABLE_PENDING);
	add_with(&made, 20);
	take();
	map_log_exit(&unfinished.log, 30, PID);
	unfinished.log.nr += MANY_MAPS;
	take_rounds(1);
	unit_ok(unfinished.log.nr == MANY_MAPS, "a_large_log_forgets_while_records_wait");
	take_rounds(1);
	unit_ok(is_written("Srr") && first_has(raw) && unfinished.sums.kept == 1,
		"a_record_of_a_forgotten_process_keeps_its_chain");
	end();
}

int main(void)
{
	make_dir();
	test_hopeless();
	test_kept();
	test_dropped();
	test_no_memory();
	test_forget();
	remove_dir();
	return unit_exit();
}
