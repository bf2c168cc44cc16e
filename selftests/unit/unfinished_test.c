// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - records that wait for unwind tables, and their chains
 */
#include <sys/eventfd.h>
#include <unistd.h>

#include "unfinished_run.h"
#include "unit.h"

static void test_order(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin();
	add_program(&next, 10, PID);
	add_with(NULL, 11);
	take();
	unit_ok(is_written("MS") && nr_seen == 1, "records_without_a_copy_do_not_wait");
	put_table(TABLE_READY);
	add_with(NULL, 12);
	add_with(&made, 13);
	add_with(NULL, 14);
	add_program(&next, 15, PID + 1);
	take();
	unit_ok(is_written("MSS") && nr_seen == 2, "records_wait_behind_a_copy");
	take_rounds(1);
	unit_ok(is_written("MSS"), "older_mappings_may_come_in_the_next_round");
	add_exec(&next, 16, PID);
	add_fork(&next, 17, PID, PID + 2);
	take_rounds(1);
	unit_ok(is_written("MSSSSMrCFr"), "records_come_out_in_their_order");
	add_with(NULL, 18);
	take();
	unit_ok(is_written("MSSSSMrCFrS"), "later_records_do_not_wait");
	end();
}

/* Rounds before a copy do not count for it. */
static void test_rounds(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin_with(TABLE_READY);
	record_finished_round(&next);
	record_finished_round(&next);
	add_with(&made, 11);
	record_finished_round(&next);
	add_with(&made, 12);
	take();
	unit_ok(is_written("rr"), "earlier_rounds_do_not_count");
	take_rounds(1);
	unit_ok(is_written("rrSr"), "the_first_copy_has_waited_two_rounds");
	take_rounds(1);
	unit_ok(is_written("rrSrSrr"), "each_copy_waits_two_rounds");
	end();
}

static void test_late_mapping(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin();
	put_table(TABLE_READY);
	add_with(&made, 20);
	take_rounds(1);
	add_program(&next, 10, PID);
	take_rounds(1);
	unit_ok(is_written("SrMr") && first_has(found), "a_mapping_of_another_cpu_comes_later");
	end();
}

static void test_pending(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin_with(TABLE_PENDING);
	add_with(&made, 20);
	take_rounds(2);
	unfinished_retry(&unfinished);
	unit_ok(is_written(""), "a_record_waits_for_a_table");
	put_table(TABLE_READY);
	unfinished_retry(&unfinished);
	unit_ok(is_written("Srr") && first_has(found), "a_table_finishes_a_record");
	unit_ok(unfinished.sums.whole == 1 && !unfinished.sums.hurried &&
		unfinished.sums.bytes == SMALL_COPY + sizeof(struct tprof_lx_stack),
		"the_sums_have_a_whole_chain");
	end();
}

static void test_without_table(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin_with(TABLE_NONE);
	add_with(&made, 20);
	take_rounds(2);
	unit_ok(is_written("Srr") && first_has(by_frames),
		"frame_pointers_lead_through_a_file_without_table");
	unit_ok(unfinished.sums.cut == 1 && !unfinished.sums.hurried,
		"the_sums_have_a_cut_chain");
	end();
}

static void test_processes(void)
{
	const struct stack_made made = stack_of(LEAF);

	begin();
	put_table(TABLE_READY);
	add_program(&next, 10, 1);
	add_fork(&next, 11, 1, PID);
	add_exec(&next, 21, PID);
	take();
	bytes_free(&written);
	add_with(&made, 20);
	add_with(&made, 21);
	take_rounds(2);
	unit_ok(first_has(found), "a_child_has_the_mappings_of_its_parent");
	unit_ok(has_chain(record_after(record_after(NULL)), 0, raw, ARRAY_SIZE(raw)),
		"a_new_program_has_none_of_them");
	end();
}

/* Learn from the records that were made. */
static void know(void)
{
	unfinished_know(&unfinished, next.data, next.len);
	bytes_free(&next);
}

static void test_known(void)
{
	const struct record_trailer trailer = trailer_at(0, PID);
	const struct stack_made made = stack_of(LEAF);

	begin();
	put_table(TABLE_READY);
	add_program(&next, 0, 1);
	record_fork(&next, &trailer, 1, 1);
	know();
	add_sample(&next, 0, 20, PID, by_frames, ARRAY_SIZE(by_frames), &made);
	take_rounds(2);
	unit_ok(first_has(by_frames), "a_process_from_before_has_nothing_of_its_parent");
	bytes_free(&written);
	add_program(&next, 0, PID);
	know();
	finish_one(&made);
	unit_ok(is_written("Srr") && first_has(found),
		"mappings_from_before_the_session_are_known");
	end();
}

static void test_end(void)
{
	const struct stack_made made = stack_of(LEAF);
	int stop = eventfd(1, 0);

	begin_with(TABLE_PENDING);
	add_with(&made, 20);
	add_with(&made, 21);
	add_with(NULL, 22);
	take();
	unfinished_wait(&unfinished, stop);
	unit_ok(is_written(""), "a_signal_ends_the_wait");
	unfinished_end(&unfinished);
	unit_ok(is_written("SSS") && first_has(by_frames) && unfinished.sums.hurried == 2,
		"the_end_writes_all");
	bytes_free(&written);
	end();
	begin_with(TABLE_READY);
	add_with(&made, 20);
	take();
	unfinished_wait(&unfinished, -1);
	unit_ok(is_written("S") && first_has(found), "the_end_needs_no_further_rounds");
	end();
	close(stop);
}

int main(void)
{
	make_dir();
	test_order();
	test_rounds();
	test_late_mapping();
	test_pending();
	test_without_table();
	test_processes();
	test_known();
	test_end();
	return unit_exit();
}
