// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - export as LLVM's sample profile
 */
#include "export/source_tree.h"
#include "export_inlines.h"
#include "unit.h"

/* The copy of this program is mapped this far above it. */
#define SHIFT	(1ULL << 36)

static char copy[80];

/* Copy this program without the section that clang does not write. */
static bool make_copy(const char *path)
{
	char command[PATH_MAX + 128];

	snprintf(copy, sizeof(copy), "/tmp/copy-%d", getpid());
	snprintf(command, sizeof(command), "objcopy --remove-section .debug_aranges %s %s", path,
		 copy);
	return !system(command);
}

/* Add a sample in inlined_function() of the copy to the recording of inlines. */
static bool make_recording_of_two_binaries(void)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	static char path[PATH_MAX];
	struct mapping map = { 0 };

	make_recording_of_inlines();
	find_own_mapping(&map, path);
	if (!make_copy(path))
		return false;
	begin_records(true);
	record_mmap2(&records, &task, &map);
	map.start += SHIFT;
	map.name = copy;
	record_mmap2(&records, &task, &map);
	ADD(0, 0, 9, sampled);
	ADD(0, 0, 4, sampled + SHIFT);
	ADD(0, 0, 2, sampled + SHIFT);
	end_records(1);
	return true;
}

/* Let the call chain of the sample begin elsewhere, as with a sample of a precise event. */
static void make_recording_of_another_chain(void)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	const u64 elsewhere = 0x900000;
	static char path[PATH_MAX];
	struct mapping map = { 0 };

	find_own_mapping(&map, path);
	begin_records(true);
	record_mmap2(&records, &task, &map);
	ADD(0, 0, 9, sampled);
	memcpy(records.data + records.len - sizeof(u64), &elsewhere, sizeof(u64));
	end_records(1);
}

static bool exports(const char *option, const char *value, const char *wanted)
{
	bool is_wanted = !run_export("autofdo", option, value) && got &&
			 !strcmp((char *)got, wanted);

	if (!is_wanted)
		fprintf(stderr, "got:\n%s", got ? (char *)got : "nothing\n");
	return is_wanted;
}

static void test_recordings(void)
{
	make_recording();
	unit_ok(run_export("autofdo", NULL, NULL) == STATUS_FAILED, "two_events_are_an_error");
	unit_ok(run_export("autofdo", "--event", "nmi") == STATUS_FAILED,
		"recording_without_source_lines_is_an_error");
	unit_ok(run_export("autofdo", "--pid", "1") == STATUS_FAILED,
		"filter_that_takes_no_sample_is_an_error");
	make_recording_of_inlines();
	unit_ok(exports(NULL, NULL, "outer_function:9:0\n"
				    " 3: inlined_function:9\n"
				    "  3: 9\n"),
		"inlined_function_is_in_the_line_of_its_call");
	make_recording_of_another_chain();
	unit_ok(exports(NULL, NULL, "outer_function:9:0\n"
				    " 3: inlined_function:9\n"
				    "  3: 9\n"), "sampled_address_counts_whatever_the_chain");
	if (!make_recording_of_two_binaries()) {
		unit_skip("program_without_aranges_has_lines", "no objcopy");
		return;
	}
	unit_ok(run_export("autofdo", NULL, NULL) == STATUS_FAILED,
		"source_lines_of_two_binaries_are_an_error");
	unit_ok(exports("--dso", strrchr(copy, '/') + 1, "outer_function:6:0\n"
							  " 3: inlined_function:6\n"
							  "  3: 6\n"),
		"program_without_aranges_has_lines");
	unlink(copy);
}

/* Add a line of function "f", which begins in line 10. Return the weight of the line. */
static u64 add(struct source_tree *tree, u32 line, u32 discriminator, u64 weight)
{
	struct source_path path = { 1, { { "f", 10, line, discriminator, false } } };
	const struct source_function *function;

	if (source_tree_add(tree, &path, weight, &function))
		abort();
	return source_line(function->lines)->weight;
}

static void test_weights(void)
{
	struct source_tree tree = { 0 };
	struct source_node *first;

	add(&tree, 12, 0, 5);
	unit_ok(add(&tree, 12, 0, 7) == 7 && add(&tree, 12, 0, 6) == 7,
		"line_has_the_largest_weight_of_its_instructions");
	/* Block 2 with 3 copies: 2 << 1, and 3 << 1 in the next 7 bits. */
	unit_ok(add(&tree, 11, 2 << 1 | 3 << 8, 10) == 30, "copies_of_a_block_add_up");
	source_tree_finish(&tree);
	first = source_function(tree.functions)->lines;
	unit_ok(first->place.line == 1 && first->place.discriminator == 2 &&
		first->next->place.line == 2 && source_function(tree.functions)->total == 37,
		"lines_are_in_order_and_add_up");
	source_tree_free(&tree);
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_recordings();
	test_weights();
	remove_files();
	return unit_exit();
}
