// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the command diff, and how it matches binaries
 */
#include "diff/binaries.h"
#include "diff/diff_options.h"
#include "export_json.h"
#include "export_records.h"
#include "unit.h"

static char before[80], after[80];
static char *output, *said;

/* Make the file at @path: samples in two functions, one elsewhere, and of a second event. */
static void make_file(char path[80], const char *name, u32 leafs, u32 mains, size_t nr_events)
{
	u32 i;

	begin_records(true);
	for (i = 0; i < leafs; i++)
		ADD(0, 0, 10, IN(LEAF) + i % 9, IN(MAIN));
	for (i = 0; i < mains; i++)
		ADD(0, 0, 10, IN(MAIN));
	ADD(0, 0, 10, 0x900000 + 0x100ULL * leafs);
	end_records(nr_events);
	snprintf(path, 80, "%s/%s", directory, name);
	rename(recording, path);
}

/* Run diff with up to four arguments before the files. Return its status. */
static int run_diff(const char *const *args, size_t nr, const char *old, const char *now)
{
	char *argv[10] = { "diff" };
	FILE *terminal = stdout, *errors = stderr;
	size_t len, said_len, i;
	int status;

	for (i = 0; i < nr; i++)
		argv[i + 1] = (char *)args[i];
	argv[nr + 1] = (char *)old;
	argv[nr + 2] = (char *)now;
	free(output);
	free(said);
	stdout = open_memstream(&output, &len);
	stderr = open_memstream(&said, &said_len);
	status = diff_command.run(&diff_command, nr + 1 + !!old + !!now, argv);
	fclose(stdout);
	fclose(stderr);
	stdout = terminal;
	stderr = errors;
	return status;
}

#define RUN(old, now, ...)                                                          \
	run_diff((const char *const[]){ __VA_ARGS__ },                               \
		 sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *), old, now)

/* Remove blanks and lines, which json_is_valid() does not know. */
static char *plain(char *text)
{
	char *from = text, *to = text;

	for (; *from; from++) {
		if (*from != ' ' && *from != '\n')
			*to++ = *from;
	}
	strcpy(to, "\n");
	return text;
}

/* Return true if the output has @line, with one blank for each sequence of blanks. */
static bool has_line(const char *line)
{
	char *text = strdup(output), *from, *to = text;
	bool found;

	for (from = text; text && *from; from++) {
		if (*from != ' ' || from[1] != ' ')
			*to++ = *from;
	}
	if (to)
		*to = '\0';
	found = text && strstr(text, line);
	free(text);
	return found;
}

static void test_table(void)
{
	unit_ok(!RUN(before, after, "-s", "sym") &&
		has_line("\n 30.00% 50.00% +20.00% +15.75..+24.14 grew [.] leaf\n") &&
		has_line("\n 69.90% 49.90% -20.00% -24.15..-15.75 shrank [.] main\n"),
		"changes_have_an_interval_and_a_result");
	unit_ok(has_line("\n 0.10% 0.10% +0.00% -0.47..+0.47 noise [.] [unknown]\n"),
		"addresses_outside_all_functions_are_a_line");
	unit_ok(!RUN(before, before, "-s", "sym") && !strstr(output, "grew") &&
		!strstr(output, "shrank"), "the_same_recording_is_noise");
	unit_ok(!RUN(before, after, "-s", "sym", "--percent-limit", "60") &&
		strstr(output, "main") && !strstr(output, "leaf"), "limit_hides_small_lines");
	unit_ok(!RUN(before, after, "-s", "sym", "-S", "leaf") && has_line("\n 30.00% ") &&
		!strstr(output, "main"), "filters_hide_lines");
	unit_ok(!RUN(before, after, "-s", "sym", before) && strstr(output, "New 2"),
		"several_new_recordings_have_columns");
}

/* A large function changes by 2.5 percent, which is noise, and one from 0 to 2 percent. */
static void test_noise(void)
{
	char other[80];
	u32 i;

	begin_records(true);
	for (i = 0; i < 1000; i++)
		ADD(0, 0, 10, IN(i < 325 ? LEAF : i < 980 ? MAIN : AGAIN));
	end_records(1);
	snprintf(other, sizeof(other), "%s/other", directory);
	rename(recording, other);
	unit_ok(!RUN(before, other, "-s", "sym") && has_line("+2.50% -1.56..+6.55 noise [.] leaf"),
		"a_change_within_its_interval_is_noise");
	unit_ok(strstr(output, "grew    [.] again\n") && strstr(output, "noise   [.] leaf") >
		strstr(output, "grew    [.] again\n"), "lines_beyond_noise_come_first");
	unit_ok(!RUN(before, other, "-s", "sym", "--fail-above", "2.2"), "noise_does_not_fail");
	unit_ok(RUN(before, other, "-s", "sym", "--fail-above", "1.8") == STATUS_GREW,
		"a_growth_beyond_noise_fails");
	unlink(other);
}

static void test_json(void)
{
	unit_ok(!RUN(before, after, "--json", "-s", "sym") && json_is_valid(plain(output)),
		"json_is_valid");
	unit_ok(strstr(output, "\"leaf\",\"old\":{\"percent\":30.0000,\"period\":3000,") &&
		strstr(output, "\"samples\":300},\"new\":[{\"percent\":50.0000,") &&
		strstr(output, "\"samples\":500,\"change\":20.0000,\"interval\":[15.75"),
		"json_has_sums_and_intervals");
	unit_ok(strstr(output, "],\"result\":\"grew\"}]}"), "json_has_results");
}

static void test_normalize(void)
{
	char twice[80];

	make_file(twice, "twice", 600, 1399, 1);
	unit_ok(!RUN(before, twice, "-s", "sym") && !strstr(output, "grew"),
		"shares_do_not_grow_with_the_recording");
	unit_ok(!RUN(before, twice, "-s", "sym", "--normalize", "none") &&
		has_line("\n 30.00% 60.00% +30.00% ") &&
		has_line("\n# New, all lines: 200.00% +100.00% "),
		"events_grow_with_the_recording");
	unit_ok(!RUN(before, twice, "-s", "sym", "--normalize", "time") &&
		has_line("\n 30.00% 29.98% -0.02% "), "rates_do_not_grow_with_time");
	unlink(twice);
}

static void test_status(void)
{
	unit_ok(RUN(before, after, "--fail-above", "19.9") == STATUS_GREW,
		"a_growth_beyond_the_limit_fails");
	unit_ok(!RUN(before, after, "--fail-above", "20.1"), "a_smaller_growth_passes");
	unit_ok(!RUN(after, after, "--fail-above", "0"), "noise_passes");
	unit_ok(RUN(before, after, "--fail-above", "15", "-S", "main") == STATUS_OK,
		"a_line_that_shrank_passes");
}

static void test_wrong_uses(void)
{
	char other[80], empty[80];

	make_file(other, "other", 5, 5, 2);
	begin_records(true);
	end_records(1);
	snprintf(empty, sizeof(empty), "%s/empty", directory);
	rename(recording, empty);
	unit_ok(RUN(before, NULL, "--json") == STATUS_USAGE, "one_recording_is_refused");
	unit_ok(RUN("-", "-", "--json") == STATUS_USAGE, "two_pipes_are_refused");
	unit_ok(RUN(before, after, "--normalize", "size") == STATUS_USAGE,
		"unknown_normalization_is_refused");
	unit_ok(RUN(before, after, "-s", "waker") == STATUS_USAGE, "key_waker_is_refused");
	unit_ok(RUN(before, "/nonexistent", "--json") == STATUS_FAILED && !*output,
		"a_missing_file_fails");
	unit_ok(RUN("/dev/null", after, "--json") == STATUS_FAILED && !*output,
		"an_empty_file_fails");
	unit_ok(RUN(own_map_path, after, "--json") == STATUS_FAILED && !*output,
		"a_text_file_fails");
	unit_ok(RUN(before, other, "-s", "sym") == STATUS_FAILED &&
		RUN(other, before, "-s", "sym") == STATUS_FAILED && !*output,
		"different_events_fail");
	unit_ok(!RUN(before, other, "-s", "sym", "--event", "nmi"), "common_events_can_be_chosen");
	unit_ok(RUN(before, after, "--comm", "nobody", "--fail-above", "0") == STATUS_FAILED,
		"filters_that_hide_everything_are_an_error");
	unit_ok(RUN(before, empty, "-s", "sym") == STATUS_FAILED &&
		RUN(empty, before, "--fail-above", "1") == STATUS_FAILED,
		"a_recording_without_samples_fails");
	unlink(other);
	unlink(empty);
}

/* Percentages of the old recording need periods there, shares do not. */
static void test_no_periods(void)
{
	char zero[80];
	u32 i;

	begin_records(true);
	for (i = 0; i < 20; i++)
		ADD(0, 0, 0, IN(LEAF), IN(MAIN));
	end_records(1);
	snprintf(zero, sizeof(zero), "%s/zero", directory);
	rename(recording, zero);
	unit_ok(RUN(zero, before, "-s", "sym", "--normalize", "none") == STATUS_FAILED &&
		!*output && strstr(said, "zero has only periods of 0 of event 'nmi'"),
		"an_old_recording_without_periods_is_refused");
	unit_ok(RUN(zero, before, "-s", "sym", "--normalize", "time") == STATUS_FAILED &&
		!*output && strstr(said, "periods of 0"), "rates_need_periods");
	unit_ok(!RUN(zero, before, "-s", "sym") && !strstr(output, "nan") &&
		!strstr(output, "inf"), "shares_need_no_periods");
	unit_ok(!RUN(before, zero, "-s", "sym", "--normalize", "none") &&
		!strstr(output, "nan") && !strstr(output, "inf"),
		"a_new_recording_may_have_no_periods");
	unlink(zero);
}

/* Control characters in a name would change what a terminal shows. */
static void test_names(void)
{
	char odd[80];

	make_file(odd, "\033[2Jodd", 5, 5, 2);
	unit_ok(RUN(odd, before, "-s", "sym") == STATUS_FAILED &&
		strstr(said, "x1b[2Jodd") && !strchr(said, '\033') &&
		RUN(before, odd, "-s", "sym") == STATUS_FAILED && !strchr(said, '\033'),
		"names_in_messages_are_escaped");
	unit_ok(RUN(odd, before, "--event", "\033[2J") == STATUS_FAILED && !strchr(said, '\033'),
		"the_name_of_an_event_is_escaped");
	unit_ok(RUN(odd, before, "--normalize", "\033[2J") == STATUS_USAGE &&
		!strchr(said, '\033'), "the_name_of_a_wrong_normalization_is_escaped");
	unlink(odd);
}

static void add_binary(struct objects *objects, const char *name, u8 id)
{
	struct build_id build_id = { .size = id ? 20 : 0, .data = { id } };
	struct object_key key = { .name = name, .build_id = &build_id };

	if (!objects_get(objects, &key))
		abort();
}

static const char *path_name(const struct object *object)
{
	return object->name;
}

static void test_binaries(void)
{
	struct symbol_options options = { 0 };
	struct binaries binaries;
	struct objects old, now;
	bool is_matched;

	objects_init(&old, &options);
	objects_init(&now, &options);
	add_binary(&old, "/moved", 1);
	add_binary(&old, "/rebuilt", 2);
	add_binary(&old, "/left", 3);
	add_binary(&old, "/right", 4);
	add_binary(&now, "/elsewhere", 1);
	add_binary(&now, "/rebuilt", 9);
	add_binary(&now, "/right", 3);
	add_binary(&now, "/left", 7);
	add_binary(&now, "/none", 0);
	is_matched = !binaries_match(&binaries, &old, &now, path_name);
	unit_ok(is_matched && !strcmp(binaries_old_name(&binaries, "/elsewhere"), "/moved"),
		"a_moved_binary_is_found_by_its_build_id");
	unit_ok(!strcmp(binaries_old_name(&binaries, "/rebuilt"), "/rebuilt") &&
		!strcmp(binaries_old_name(&binaries, "/none"), "/none"),
		"a_rebuilt_binary_is_found_by_its_name");
	unit_ok(!strcmp(binaries_old_name(&binaries, "/right"), "/left") &&
		strcmp(binaries_old_name(&binaries, "/left"), "/left"),
		"a_build_id_goes_before_a_name");
	binaries_free(&binaries);
	objects_free(&now);
	objects_free(&old);
}

int main(void)
{
	make_functions();
	make_file(before, "before", 300, 699, 1);
	make_file(after, "after", 500, 499, 1);
	test_table();
	test_noise();
	test_json();
	test_normalize();
	test_status();
	test_wrong_uses();
	test_names();
	test_no_periods();
	test_binaries();
	unlink(before);
	unlink(after);
	remove_files();
	free(output);
	free(said);
	return unit_exit();
}
