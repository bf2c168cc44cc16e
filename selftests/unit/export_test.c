// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the command export, and the formats of text
 */
#include <glob.h>
#include <sys/mman.h>

#include "export_json.h"
#include "export_records.h"
#include "says.h"
#include "unit.h"

/* Return the sum of the numbers at the ends of all lines. */
static u64 sum_of_lines(char *text)
{
	char *line, *number;
	u64 sum = 0;

	while ((line = strsep(&text, "\n"))) {
		number = strrchr(line, ' ');
		if (number)
			sum += strtoull(number + 1, NULL, 10);
	}
	return sum;
}

static void test_folded(void)
{
	make_recording();
	unit_ok(run_export("folded", NULL, NULL) == STATUS_FAILED && !got,
		"folded_refuses_several_events_and_writes_no_file");
	unit_ok(!run_export("folded", "--event", "timer:u") &&
		strstr((char *)got, "plain;main 1\n"), "folded_has_paths_of_one_event");
	unit_ok(sum_of_lines((char *)got) == report_sums(1).samples,
		"folded_has_the_samples_of_report");
	unit_ok(!run_export("folded", "--event", "nmi") &&
		strstr((char *)got, ";x\"\\</script>:\\x01\\xff\xc3\xa9 1\n") &&
		strstr((char *)got, "\na\":\\x0a\\x80;main;"), "folded_keeps_hostile_names_in_their_frame");
}

static void test_speedscope(void)
{
	u64 sum = report_sums(0).period + report_sums(1).period;

	unit_ok(!run_export("speedscope", NULL, NULL) && json_is_valid((char *)got),
		"speedscope_is_valid_json");
	unit_ok(json_sum((char *)got, "weights") == sum && json_sum((char *)got, "endValue") == sum,
		"speedscope_has_the_sum_of_report");
	unit_ok(count_of((char *)got, "\"type\":\"sampled\"") == 4,
		"speedscope_has_a_profile_per_thread_and_event");
	unit_ok(strstr((char *)got, "\"weights\":[30,80,640,1280]"),
		"speedscope_merges_equal_neighbours");
	unit_ok(strstr((char *)got, "\"x\\\"\\\\</script>;\\\\x01\\\\xff\xc3\xa9\"") &&
		strstr((char *)got, "a\\\";\\\\x0a\\\\x80"), "speedscope_escapes_hostile_names");
	unit_ok(count_of((char *)got, "llll...\"") == 1 &&
		got_len < 4 * LONG_LEN, "speedscope_bounds_long_names");
	unit_ok(!run_export("speedscope", "--comm", "plain") &&
		json_sum((char *)got, "weights") == sum - 40 - 320,
		"speedscope_leaves_out_what_the_filter_hides");
	unit_ok(!run_export("speedscope", "-S", "leaf") &&
		json_sum((char *)got, "weights") == 10 + 20 + 320,
		"speedscope_filters_by_the_sampled_function");
}

static void test_rows(void)
{
	static const char head[] = "{\"ts\":\"1970-01-01 00:00:05.000000\",\"host\":\"\",";
	static const char tail[] = "\"n\":2,\"weight\":30,\"stack\":[\"main\",\"leaf\"]}\n";
	u64 weight = report_sums(0).period + report_sums(1).period;

	unit_ok(!run_export("rows", NULL, NULL) && json_is_valid((char *)got) &&
		count_of((char *)got, "\n") == 7, "rows_are_a_line_per_stack");
	unit_ok(json_sum((char *)got, "n") == report_sums(0).samples + report_sums(1).samples &&
		json_sum((char *)got, "weight") == weight, "rows_have_the_sums_of_report");
	unit_ok(!strncmp((char *)got, head, strlen(head)) &&
		strstr((char *)got, "\"comm\":\"plain\",\"pid\":") &&
		strstr((char *)got, "\"event\":\"nmi\",") && strstr((char *)got, tail),
		"rows_have_all_members");
	unit_ok(count_of((char *)got, "\"again\"") == 512 + 3, "rows_have_whole_stacks");
}

/* The first two samples have the same stack, and are 1 ms apart. */
static void test_intervals(void)
{
	begin_records(true);
	ADD(0, 0, 1, IN(LEAF));
	now += NSEC_PER_MSEC;
	ADD(0, 0, 2, IN(LEAF));
	ADD(0, 0, 4, IN(LEAF));
	end_records(1);
	unit_ok(!run_export("rows", "-I", "1") && count_of((char *)got, "\n") == 2 &&
		strstr((char *)got, "00:00:05.000000") && strstr((char *)got, "00:00:05.001000") &&
		json_sum((char *)got, "weight") == 7, "rows_begin_with_each_interval");
	unit_ok(!run_export("rows", NULL, NULL) && count_of((char *)got, "\n") == 1,
		"rows_of_a_second_are_one");
	unit_ok(run_export("rows", "-I", "0") == STATUS_USAGE &&
		run_export("folded", "-I", "10") == STATUS_USAGE, "useless_intervals_are_refused");
}

static void test_keys(void)
{
	make_recording();
	unit_ok(!run_export_with_keys("rows", "time") && json_is_valid((char *)got) &&
		count_of((char *)got, "\"keys\":{\"time\":\"5.00000") == 7 &&
		strstr((char *)got, "\"weight\":30,\"stack\":[\"main\",\"leaf\"],\"keys\":{") &&
		count_of((char *)got, "5.000000\",\"parent\":\"leaf\"}}") == 1 &&
		count_of((char *)got, "5.000000\",\"parent\":\"again\"}}") == 1 &&
		count_of((char *)got, "5.000004\",\"parent\":\"again\"}}") == 1 &&
		count_of((char *)got, "\"parent\":\"[other]\"}") == 3, "rows_have_keys");
	make_recording_of_weights();
	unit_ok(!run_export("rows", "-s", "weight") && count_of((char *)got, "\n") == 2 &&
		strstr((char *)got, "\"weight\":5,\"stack\":[\"main\",\"leaf\"],") &&
		strstr((char *)got, ",\"keys\":{\"weight\":\"300\"}}"), "rows_are_a_line_per_key");
	unit_ok(run_export("speedscope", "-s", "weight") == STATUS_USAGE &&
		run_export("rows", "-s", "parent") == STATUS_USAGE &&
		run_export("rows", "-s", "waker") == STATUS_USAGE, "useless_keys_are_refused");
	make_recording();
	unit_ok(run_export("rows", "-s", "weight") == STATUS_FAILED,
		"keys_that_were_not_recorded_are_an_error");
}

static void test_small_recordings(void)
{
	make_empty_recording();
	unit_ok(!run_export("folded", NULL, NULL) && !got_len, "empty_recording_is_folded");
	unit_ok(!run_export("rows", NULL, NULL) && !got_len, "empty_recording_has_no_rows");
	unit_ok(!run_export("speedscope", NULL, NULL) && json_is_valid((char *)got) &&
		strstr((char *)got, "\"profiles\":[]"), "empty_recording_is_speedscope");
	make_recording_without_chains();
	unit_ok(!run_export("speedscope", NULL, NULL) &&
		json_sum((char *)got, "weights") == report_sums(0).period &&
		!strstr((char *)got, "[]]") && !strstr((char *)got, ",[]"),
		"samples_without_chains_have_a_frame");
	unit_ok(!run_export("pprof", NULL, NULL) && !run_export("callgrind", NULL, NULL) &&
		!run_export("firefox", NULL, NULL) && !strstr((char *)got, "4294967295"),
		"addresses_of_marks_have_a_frame");
}

static void write_old(const char *text)
{
	FILE *file = fopen(exported, "we");

	if (!file)
		abort();
	fputs(text, file);
	fclose(file);
}

/* Return true if a file that is not complete is left. */
static bool has_temporary_file(void)
{
	char pattern[80];
	glob_t found;
	bool has_any;

	snprintf(pattern, sizeof(pattern), "%s/.tprof-lx-*", directory);
	has_any = !glob(pattern, 0, NULL, &found);
	globfree(&found);
	return has_any;
}

/* Return the size of the recording. */
static off_t recording_size(void)
{
	struct stat st;

	return stat(recording, &st) ? -1 : st.st_size;
}

/* Return the status of an export to @path. */
static int export_to(char *path)
{
	char *argv[] = { "export", "rows", "-i", recording, "-o", path, NULL };

	return export_command.run(&export_command, 6, argv);
}

static void test_names_of_output(void)
{
	char link[64];
	struct stat st;
	off_t size;

	make_recording();
	size = recording_size();
	snprintf(link, sizeof(link), "%s/link", directory);
	if (symlink("data", link))
		abort();
	unit_ok(export_to(recording) == STATUS_FAILED && export_to(link) == STATUS_FAILED &&
		recording_size() == size, "recording_is_not_replaced_by_its_export");
	unlink(link);
	write_old("old");
	if (symlink("out", link))
		abort();
	unit_ok(!export_to(link) && !lstat(link, &st) &&
		S_ISLNK(st.st_mode) && !stat(exported, &st) && st.st_size > 100,
		"file_behind_a_link_is_replaced");
	unlink(exported);
	unit_ok(!export_to(link) && !lstat(link, &st) &&
		S_ISLNK(st.st_mode) && !stat(exported, &st) && st.st_size > 100,
		"file_that_a_link_names_is_created");
	unlink(link);
	if (symlink("link", link))
		abort();
	unit_ok(export_to(link) == STATUS_FAILED && !lstat(link, &st) && S_ISLNK(st.st_mode),
		"link_to_itself_is_refused");
	unlink(link);
	unit_ok(export_to("") == STATUS_FAILED, "empty_name_is_refused");
}

/* --pid drops samples when they are read; --comm may do it when their sums are printed. */
static bool says_nothing_is_there(const char *format, const char *filter)
{
	char *argv[] = { "export", (char *)format, "-i", recording, "-o", exported,
			 (char *)filter, "1", "--event", (char *)test_events[0].name, NULL };

	return says(&export_command, STATUS_OK,
		    "no samples are in the output; check the filters", argv, 10);
}

static bool refuses(const char *option, const char *value, const char *text)
{
	char *argv[] = { "export", "rows", "-i", recording, (char *)option, (char *)value, NULL };

	return says(&export_command, STATUS_FAILED, text, argv, 6);
}

static void test_symbol_options(void)
{
	make_recording();
	unit_ok(refuses("--kallsyms", "/etc/passwd", "no copy of /proc/kallsyms; make one"),
		"a_file_that_is_no_kallsyms_is_refused");
	write_old("0000000000000000 T _text\n0000000000000000 T _stext\n");
	unit_ok(refuses("--kallsyms", exported, "all addresses are 0; copy"),
		"kallsyms_without_addresses_is_refused");
	unit_ok(refuses("--vmlinux", "/etc/passwd", "no ELF file; give the uncompressed vmlinux"),
		"a_file_that_is_no_vmlinux_is_refused");
	unit_ok(refuses("--symfs", "/etc/passwd", "no directory; give the root"),
		"a_file_that_is_no_directory_is_refused");
	unit_ok(refuses("--vmlinux", "/nonesuch", "No such file"), "a_missing_file_is_refused");
}

static void test_empty(void)
{
	static const char *const formats[] = { "folded", "rows", "pprof", "speedscope", "firefox",
					       "callgrind", "otlp" };
	bool is_good = true;
	size_t i;

	make_recording();
	for (i = 0; i < ARRAY_SIZE(formats); i++)
		is_good &= says_nothing_is_there(formats[i], "--pid") &&
			   says_nothing_is_there(formats[i], "--comm");
	unit_ok(is_good, "an_empty_output_is_told");
}

static void test_output(void)
{
	char *full[] = { "export", "speedscope", "-i", recording, "-o", "/dev/full", NULL };
	char *both[] = { "export", "-i", recording, "speedscope", "-o", exported, NULL };
	struct stat st;

	make_recording();
	write_old("old");
	unit_ok(run_export("speedscope", "--event", "nonesuch") == STATUS_FAILED &&
		run_export("folded", "--event", "nonesuch") == STATUS_FAILED &&
		!strcmp((char *)got, "old"), "failure_keeps_the_old_file");
	if (truncate(recording, 900))
		abort();
	unit_ok(run_export("speedscope", NULL, NULL) == STATUS_FAILED &&
		!strcmp((char *)got, "old"), "damaged_recording_keeps_the_old_file");
	unit_ok(!has_temporary_file(), "failure_leaves_no_temporary_file");
	make_recording();
	chmod(exported, 0640);
	unit_ok(!run_export("speedscope", NULL, NULL) && json_is_valid((char *)got) &&
		!stat(exported, &st) && (st.st_mode & 0777) == 0640,
		"success_replaces_the_old_file_and_keeps_its_mode");
	unit_ok(export_command.run(&export_command, 6, full) == STATUS_FAILED,
		"full_device_is_an_error");
	unit_ok(!export_command.run(&export_command, 6, both),
		"options_may_be_before_and_after_the_format");
	unit_ok(run_export("nonesuch", NULL, NULL) == STATUS_USAGE &&
		run_export("speedscope", "folded", NULL) == STATUS_USAGE,
		"wrong_formats_are_refused");
}

static void test_cgroups(void)
{
	make_recording_of_cgroups();
	unit_ok(!run_export("rows", NULL, NULL) && count_of((char *)got, "\n") == 3 &&
		strstr((char *)got, ",\"cgroup\":\"/first\",\"event\":\"nmi\",\"n\":2,") &&
		strstr((char *)got, ",\"cgroup\":\"/a\\\"</script>\\\\x0a\",") &&
		strstr((char *)got, ",\"cgroup\":\"[unknown]\","), "rows_have_their_cgroups");
	make_recording();
	unit_ok(!run_export("rows", NULL, NULL) && !strstr((char *)got, "cgroup"),
		"recordings_without_cgroups_have_no_member_for_them");
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_folded();
	test_speedscope();
	test_rows();
	test_intervals();
	test_keys();
	test_small_recordings();
	test_output();
	test_empty();
	test_symbol_options();
	test_names_of_output();
	test_cgroups();
	remove_files();
	return unit_exit();
}
