// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - records that wait for unwind tables, and their chains
 */
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/load.h"
#include "session/table_maker.h"
#include "session/unfinished.h"
#include "stack_records.h"
#include "unit.h"

#define PID	5

/* With more mappings than these, those of processes that have exited are forgotten. */
#define MANY_MAPS	(1U << 19)

static char dir[] = "/tmp/unfinished-XXXXXX";

static struct opener *no_opener;
static struct table_maker maker;
static struct unfinished unfinished;

/* The next records, what was written, and how many mappings were shown to the opener. */
static struct bytes next, written;
static u32 nr_seen;

/* The chain that the module has found, and those that are found by tables and frame pointers. */
static const u64 raw[] = { PERF_CONTEXT_USER, LEAF };
static const u64 found[] = { PERF_CONTEXT_USER, LEAF, SMALL, OUTERMOST };
static const u64 by_frames[] = { PERF_CONTEXT_USER, LEAF, PERF_CONTEXT_USER, BY_FRAME };

static void take_written(void *arg, const void *records, size_t len)
{
	(void)arg;
	bytes_add(&written, records, len);
}

static void see(void *arg, const void *record)
{
	(void)arg;
	(void)record;
	nr_seen++;
}

/* Begin without tables. They may still come. */
static void begin(void)
{
	maker.nr_workers = 1;
	maker.nr_early = 1;
	unfinished = (struct unfinished){
		.write = take_written,
		.see = see,
		.events = test_events,
		.nr_events = ARRAY_SIZE(test_events),
		.opener = &no_opener,
		.maker = &maker,
	};
	if (unfinished_begin(&unfinished))
		abort();
	nr_seen = 0;
}

static void end(void)
{
	unfinished_free(&unfinished);
	bytes_free(&written);
}

/* Give the records that were made, all at once. */
static void take(void)
{
	unfinished_take(&unfinished, next.data, next.len);
	bytes_free(&next);
}

static void take_rounds(u32 nr)
{
	while (nr--)
		record_finished_round(&next);
	take();
}

static void put_table(enum table_state state)
{
	struct unwind_table table = { 0 };

	if (state == TABLE_READY)
		table = program_table();
	table_store_put(&unfinished.store, &program, state, &table);
	unwind_table_free(&table);
}

static void add_with(const struct stack_made *made, u64 time)
{
	add_sample(&next, 0, time, PID, raw, ARRAY_SIZE(raw), made);
}

/* Return the first record that was written, or the one that follows @record; NULL for none. */
static const u8 *record_after(const u8 *record)
{
	const u8 *at = record ? record + load_u16(record + 6) : written.data;

	return at && at < written.data + written.len ? at : NULL;
}

/* Return true if the records @wanted were written: a letter for each. */
static bool is_written(const char *wanted)
{
	static const char letters[] = {
		[PERF_RECORD_COMM] = 'C', [PERF_RECORD_FORK] = 'F', [PERF_RECORD_SAMPLE] = 'S',
		[PERF_RECORD_MMAP2] = 'M', [PERF_RECORD_CGROUP] = 'D',
		[PERFDATA_FINISHED_ROUND] = 'r',
	};
	const u8 *record = NULL;
	char text[32] = "";
	size_t len = 0;

	while ((record = record_after(record)) && len < sizeof(text) - 1)
		text[len++] = letters[load_u32(record)];
	if (!strcmp(text, wanted))
		return true;
	printf("# '%s' was written, not '%s'\n", text, wanted);
	return false;
}

/* Return the time of the sample @record. */
static u64 sample_time(const u8 *record)
{
	return load_u64(record + sizeof(struct perf_event_header) + 3 * sizeof(u64));
}

/* Return true if @record is a finished sample with this chain, and nothing else. */
static bool has_chain(const u8 *record, u32 event, const u64 *chain, u64 nr)
{
	struct bytes wanted = { 0 };
	bool is_same;

	if (!record)
		return false;
	add_sample(&wanted, event, sample_time(record), PID, chain, nr, NULL);
	is_same = load_u16(record + 6) == wanted.len && !memcmp(record, wanted.data, wanted.len);
	bytes_free(&wanted);
	return is_same;
}

#define first_has(chain)	has_chain(record_after(NULL), 0, chain, ARRAY_SIZE(chain))

/* Begin with a program that is mapped, and its table. */
static void begin_with(enum table_state state)
{
	begin();
	add_program(&next, 10, PID);
	take();
	bytes_free(&written);
	put_table(state);
}

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

/* Take a sample with a copy. It is finished at once. */
static void finish_one(const struct stack_made *made)
{
	add_with(made, 20);
	take_rounds(2);
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
	test_order();
	test_rounds();
	test_late_mapping();
	test_pending();
	test_without_table();
	test_hopeless();
	test_processes();
	test_kept();
	test_dropped();
	test_known();
	test_forget();
	test_end();
	remove_dir();
	return unit_exit();
}
