// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the parts of a record that has a copy of the stack, and its chain
 */
#include "session/stack_record.h"
#include "stack_records.h"
#include "unit.h"

#define PID	5
#define TIME	20

/* Code of no program. */
#define OTHER	0x10000000ULL

static struct unwind_table table;
static struct bytes record, finished;
static struct stack_chain chain;

/* The chain that the module has found. */
static const u64 raw[] = { PERF_CONTEXT_USER, LEAF };

/* Read the record that was made. */
static bool read_made(struct stack_record *parts)
{
	return stack_record_read(parts, record.data, test_events, ARRAY_SIZE(test_events));
}

/* Finish the record that was made, by the table of the program. Return false if it is refused. */
static bool finish(void)
{
	const struct walk_map map = { CODE, CODE + CODE_BYTES, 0, &table, false };
	struct stack_record parts;
	bool is_read = read_made(&parts);

	bytes_free(&finished);
	if (is_read) {
		stack_record_walk(&parts, &map, 1, &chain);
		stack_record_finish(&parts, &chain, &finished);
	}
	bytes_free(&record);
	return is_read;
}

/* Return true if the finished record is @wanted, and free @wanted. */
static bool is_finished(struct bytes *wanted)
{
	bool is_same = finished.len == wanted->len &&
		       !memcmp(finished.data, wanted->data, wanted->len);

	bytes_free(wanted);
	return is_same;
}

/* Return true if the finished record is a sample with a chain of @nr words, and nothing else. */
static bool has_chain(u32 event, const u64 *words, u64 nr)
{
	struct bytes wanted = { 0 };

	add_sample(&wanted, event, TIME, PID, words, nr, NULL);
	return is_finished(&wanted);
}

/* Finish a sample with this copy. */
static bool finish_sample(const struct stack_made *made)
{
	add_sample(&record, 0, TIME, PID, raw, ARRAY_SIZE(raw), made);
	return finish();
}

static void test_parts(void)
{
	const struct stack_made made = stack_of(LEAF);
	struct stack_record parts;

	add_sample(&record, 1, TIME, PID, raw, ARRAY_SIZE(raw), &made);
	unit_ok(read_made(&parts) && parts.pid == PID && parts.time == TIME &&
		parts.nr == ARRAY_SIZE(raw) &&
		!memcmp(record.data + parts.copy, made.bytes, sizeof(made.bytes)),
		"a_sample_has_a_copy");
	bytes_free(&record);
	add_deferred(&record, TIME, PID, raw, ARRAY_SIZE(raw), &made);
	unit_ok(read_made(&parts) && parts.pid == PID && parts.time == TIME &&
		parts.nr == ARRAY_SIZE(raw) &&
		!memcmp(record.data + parts.copy, made.bytes, sizeof(made.bytes)),
		"a_deferred_chain_has_a_copy");
	bytes_free(&record);
}

static void test_kernel_part(void)
{
	const u64 before[] = { PERF_CONTEXT_KERNEL, KERNEL, KERNEL + 1, PERF_CONTEXT_USER, LEAF };
	const u64 after[] = { PERF_CONTEXT_KERNEL, KERNEL, KERNEL + 1, PERF_CONTEXT_USER, LEAF,
			      SMALL, OUTERMOST };
	struct stack_made made = stack_of(LEAF);

	add_sample(&record, 0, TIME, PID, before, ARRAY_SIZE(before), &made);
	unit_ok(finish() && has_chain(0, after, ARRAY_SIZE(after)) && chain.is_whole,
		"the_kernel_part_stays");
	made.end.frames = 4;
	add_sample(&record, 0, TIME, PID, before, ARRAY_SIZE(before), &made);
	unit_ok(finish() && has_chain(0, after, ARRAY_SIZE(after) - 1) && !chain.is_whole,
		"kernel_frames_count_for_the_limit");
	made.end.frames = 2;
	add_sample(&record, 0, TIME, PID, before, ARRAY_SIZE(before), &made);
	unit_ok(finish() && has_chain(0, after, 3), "a_chain_may_have_kernel_frames_only");
}

static void test_user_part(void)
{
	const u64 found[] = { PERF_CONTEXT_USER, LEAF, SMALL, OUTERMOST };
	const struct stack_made made = stack_of(LEAF);
	struct bytes wanted = { 0 };

	add_sample(&record, 1, TIME, PID, raw, ARRAY_SIZE(raw), &made);
	unit_ok(finish() && has_chain(1, found, ARRAY_SIZE(found)),
		"fields_after_the_chain_stay");
	add_deferred(&record, TIME, PID, raw, ARRAY_SIZE(raw), &made);
	add_deferred(&wanted, TIME, PID, found, ARRAY_SIZE(found), NULL);
	unit_ok(finish() && is_finished(&wanted), "a_deferred_chain_is_finished");
}

/* The upper part of the copy has the frame above a large one. */
static void test_gap(void)
{
	const u64 words[] = { PERF_CONTEXT_USER, LARGE, OUTERMOST };
	struct stack_made made = stack_of(LARGE);

	made.end.low = SMALL_COPY - 64;
	made.end.present = made.end.low;
	made.end.gap = TPROF_LX_STACK_BELOW + 4088 - (made.end.low + 8);
	stack_put(&made, made.end.low + 8 - TPROF_LX_STACK_BELOW, OUTERMOST);
	unit_ok(finish_sample(&made) && has_chain(0, words, 3) && chain.is_whole,
		"a_chain_crosses_the_gap");
	made.end.gap -= 64;
	unit_ok(finish_sample(&made) && has_chain(0, words, 2) && chain.is_beyond,
		"a_chain_ends_beyond_the_upper_part");
	made.end.gap += 128;
	unit_ok(finish_sample(&made) && has_chain(0, words, 2) && chain.is_beyond,
		"a_chain_ends_in_the_gap");
}

static void test_present(void)
{
	const u64 words[] = { PERF_CONTEXT_USER, LEAF, SMALL };
	struct stack_made made = stack_of(LEAF);

	made.end.present = TPROF_LX_STACK_BELOW + 24;
	unit_ok(finish_sample(&made) && chain.is_whole, "no_more_of_the_stack_is_needed");
	made.end.present -= 8;
	unit_ok(finish_sample(&made) && has_chain(0, words, ARRAY_SIZE(words)) &&
		chain.is_beyond && !chain.is_whole,
		"a_chain_ends_where_the_stack_could_not_be_read");
}

/* The frame pointer leads to an address that is in no mapping. */
static void test_stray(void)
{
	const u64 words[] = { PERF_CONTEXT_USER, OTHER, PERF_CONTEXT_USER, BY_FRAME };
	static struct walk_map maps[STACK_WALK_MAPS];
	const struct stack_made made = stack_of(OTHER);

	for (u32 i = 0; i < STACK_WALK_MAPS; i++)
		maps[i] = (struct walk_map){ .start = OTHER + i * 4096,
					     .end = OTHER + (i + 1) * 4096 };
	stack_walk(maps, STACK_WALK_MAPS - 1, &made.end, made.bytes, made.end.frames, &chain);
	unit_ok(chain.nr == 2 && !memcmp(chain.words, words, 2 * sizeof(u64)),
		"an_address_in_no_mapping_is_no_caller");
	stack_walk(maps, STACK_WALK_MAPS, &made.end, made.bytes, made.end.frames, &chain);
	unit_ok(chain.nr == ARRAY_SIZE(words) && !memcmp(chain.words, words, sizeof(words)),
		"with_the_most_mappings_an_address_may_be_in_another");
}

/* Return true if the sample with this copy keeps its chain and its fields, and nothing else. */
static bool is_stripped(const struct stack_made *made)
{
	struct bytes wanted = { 0 };
	struct stack_record parts;

	bytes_free(&finished);
	add_sample(&record, 1, TIME, PID, raw, ARRAY_SIZE(raw), made);
	if (!read_made(&parts) || parts.has_copy)
		return false;
	stack_record_strip(&parts, &finished);
	bytes_free(&record);
	add_sample(&wanted, 1, TIME, PID, raw, ARRAY_SIZE(raw), NULL);
	return is_finished(&wanted);
}

static void test_malformed_copy(void)
{
	struct stack_made made = stack_of(LEAF);

	made.end.bytes += 8;
	unit_ok(is_stripped(&made), "a_copy_may_not_be_longer_than_there_is_room");
	made.end.bytes -= 16;
	unit_ok(is_stripped(&made), "a_copy_may_not_leave_memory_of_the_program");
	made = stack_of(LEAF);
	made.end.low += 8;
	unit_ok(is_stripped(&made), "the_first_part_is_not_longer_than_the_copy");
	made = stack_of(LEAF);
	made.end.low -= 8;
	unit_ok(is_stripped(&made), "the_first_part_ends_after_its_last_page");
	made.end.present -= 8;
	unit_ok(finish_sample(&made), "two_parts_are_well_formed");
}

/* Return whether a deferred chain is read that says it has @nr words. It has one. */
static bool is_read(u64 nr)
{
	const struct stack_made made = stack_of(LEAF);
	struct stack_record parts;
	bool result;

	add_deferred(&record, TIME, PID, raw, 1, &made);
	memcpy(record.data + sizeof(struct perf_event_header) +
	       offsetof(struct tprof_lx_chain, nr), &nr, sizeof(nr));
	result = read_made(&parts);
	bytes_free(&record);
	return result;
}

static void test_malformed_record(void)
{
	const u64 most = 1 + (SMALL_COPY + sizeof(struct tprof_lx_stack)) / sizeof(u64);
	struct stack_record parts;

	unit_ok(is_read(most) && !is_read(most + 1) && !is_read(~0ULL / 8),
		"a_deferred_chain_ends_before_the_trailer");
	add_sample(&record, 0, TIME, PID, raw, ARRAY_SIZE(raw), NULL);
	record.len -= sizeof(u64);
	set_header(&record, 0, PERF_RECORD_SAMPLE, TPROF_LX_MISC_STACK);
	unit_ok(!read_made(&parts), "a_sample_may_not_lack_a_word");
	bytes_free(&record);
	add_sample(&record, 0, TIME, PID, raw, ARRAY_SIZE(raw), NULL);
	record.data[sizeof(struct perf_event_header)] = 99;
	unit_ok(!read_made(&parts), "a_sample_is_of_an_event");
	bytes_free(&record);
}

int main(void)
{
	table = program_table();
	test_parts();
	test_kernel_part();
	test_user_part();
	test_gap();
	test_present();
	test_stray();
	test_malformed_copy();
	test_malformed_record();
	bytes_free(&finished);
	unwind_table_free(&table);
	return unit_exit();
}
