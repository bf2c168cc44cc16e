// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the options of html that choose what a page shows first
 */
#include "html_run.h"
#include "unit.h"

/* Steps have 4096 ns, samples are 1000 ns apart from FIRST_TIME on, which is 5 seconds. */
static void test_first_view(void)
{
	make_recording();
	unit_ok(!run_html(NULL, NULL) && decode_page() && strstr(json, ",\"first\":{},"),
		"page_begins_with_all");
	unit_ok(!run_html("--function", "again") && decode_page() &&
		strstr(json, ",\"first\":{\"function\":\"again\"},"), "page_has_its_first_function");
	unit_ok(!run_html("--function", EVIL_NAME) && decode_page() &&
		strstr(json,
		       ",\"first\":{\"function\":\"x\\\"\\\\</script>;\\\\x01\\\\xff\xc3\xa9\"}"),
		"first_function_has_the_name_of_the_page");
	unit_ok(!run_html("--search", "^\"</script>\\d") && decode_page() &&
		strstr(json, ",\"first\":{\"search\":\"^\\\"</script>\\\\d\"},") &&
		count_of((char *)got, "</script") == 2, "page_has_its_first_search");
}

static void test_part(void)
{
	make_recording();
	unit_ok(!run_html("--part", "5.000003,5.000006") && decode_page() &&
		strstr(json, ",\"first\":{\"from\":1,\"to\":1},") && has_sums_of_report(0),
		"page_has_its_first_part_and_all_samples");
	unit_ok(!run_html("--part", "4,5.000004") && decode_page() &&
		strstr(json, ",\"first\":{\"from\":0,\"to\":0},"), "part_begins_with_the_recording");
	unit_ok(!run_html("--part", "5.000004,") && decode_page() &&
		strstr(json, ",\"first\":{\"from\":1},"), "part_without_an_end_ends_with_the_recording");
}

static void test_errors(void)
{
	make_recording();
	unit_ok(!run_html(NULL, NULL) && run_html("--function", "agai") == STATUS_FAILED &&
		decode_page() && strstr(json, ",\"first\":{},"),
		"unknown_function_leaves_the_older_page");
	unit_ok(run_html("--function", "") == STATUS_FAILED, "empty_name_is_unknown");
	unit_ok(run_html("--part", "6,7") == STATUS_FAILED &&
		run_html("--part", "1,2") == STATUS_FAILED, "part_without_samples_is_an_error");
	unit_ok(run_html("--part", "7,6") == STATUS_USAGE &&
		run_html("--part", "6") == STATUS_USAGE, "part_is_two_times");
	make_empty_recording();
	unit_ok(run_html("--function", "again") == STATUS_FAILED &&
		run_html("--part", "5,6") == STATUS_FAILED, "recording_without_samples_has_nothing");
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_first_view();
	test_part();
	test_errors();
	remove_files();
	return unit_exit();
}
