// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the page of a recording with more stacks, points or frames than it has
 */
#include "html/page.h"
#include "html/page_prune.h"
#include "html_run.h"
#include "unit.h"

/* Samples of 125 stacks in a step: half of them in one, the others in each once or twice. */
static void make_recording_of_stacks(void)
{
	size_t i;

	begin_records(true);
	for (i = 0; i < 250; i++) {
		now = FIRST_TIME;
		if (i % 2)
			ADD(0, 0, 7, IN(LEAF), IN(AGAIN), IN(MAIN));
		else
			ADD(0, 0, 1, IN(i / 2 % 5), IN(i / 10 % 5), IN(i / 50));
	}
	end_records(1);
}

/* Return the number of samples in nodes of small stacks. */
static u32 samples_of_small(void)
{
	const u32 *stacks, *samples, *kinds;
	u32 sum = 0;
	size_t i, nr;

	kinds = column("kind", &nr);
	stacks = column("stack", &nr);
	samples = column("samples", &nr);
	for (i = 0; i < nr; i++)
		sum += kinds[stacks[i]] == TREE_SMALL_KIND ? samples[i] : 0;
	return sum;
}

/* Return true if a stack has the samples and the period. */
static bool has_stack_of(u32 wanted_samples, u32 wanted_weight)
{
	const u32 *samples, *weights, *kinds, *stacks;
	size_t i, nr;

	kinds = column("kind", &nr);
	stacks = column("stack", &nr);
	samples = column("samples", &nr);
	weights = column("weight", &nr);
	for (i = 0; i < nr; i++) {
		if (samples[i] == wanted_samples && weights[i] == wanted_weight &&
		    kinds[stacks[i]] != TREE_SMALL_KIND)
			return true;
	}
	return false;
}

static void test_small_stacks(void)
{
	size_t nr, read = page_stacks_read, shown = page_stacks_shown;

	make_recording_of_stacks();
	unit_ok(!run_html(NULL, NULL) && decode_page() && !samples_of_small() &&
		strstr(json, ",\"leastShare\":0.000000000000,\"missedShare\":0.000000000000,") &&
		!strstr(json, "[small stacks]"), "page_of_few_stacks_has_all");
	page_stacks_shown = 16;
	unit_ok(!run_html(NULL, NULL) && decode_page() && has_sums_of_report(0) &&
		samples_of_small() > 50 && samples_of_small() <= 125, "small_stacks_are_folded");
	column("up", &nr);
	unit_ok(nr > 3 && nr <= 17 && has_stack_of(126, 125 * 7 + 1), "largest_stack_is_exact");
	unit_ok(strstr(json, ",\"missedShare\":0.000000000000,") &&
		!strstr(json, "\"leastShare\":0.000000000000,") &&
		strstr(json, ",[\"[small stacks]\",\"[small stacks]\",\"\",0]]"),
		"page_has_the_least_share");
	page_stacks_shown = 2;
	unit_ok(!run_html(NULL, NULL) && decode_page() && has_sums_of_report(0) &&
		strstr(json, "\"functions\":[[\"main\",") && !strstr(json, "[\"leaf\",") &&
		!strstr(json, "[\"again\","), "page_has_functions_of_its_stacks_only");
	page_stacks_shown = 16;
	page_stacks_read = 32;
	unit_ok(!run_html(NULL, NULL) && decode_page() && has_sums_of_report(0) &&
		samples_of_small() > 50 && has_stack_of(126, 125 * 7 + 1) &&
		!strstr(json, "\"leastShare\":0.000000000000,"),
		"stacks_are_folded_while_samples_are_read");
	page_stacks_read = read;
	page_stacks_shown = shown;
}

/* If time does not make points equal, fewer stacks do. */
static void test_many_points(void)
{
	size_t nr, most = points_most, max = points_max;

	make_recording_of_stacks();
	points_most = 32;
	points_max = 32;
	unit_ok(!run_html(NULL, NULL) && decode_page() && has_sums_of_report(0) &&
		samples_of_small() && has_stack_of(126, 125 * 7 + 1), "many_points_fold_stacks");
	column("time", &nr);
	unit_ok(nr > 1 && nr <= 32, "number_of_points_is_bounded");
	points_most = most;
	points_max = max;
}

/* Frames are looked up again after they were forgotten. */
static void test_many_frames(void)
{
	size_t most = page_frames_most, before;
	u8 *first;

	make_recording();
	if (run_html(NULL, NULL))
		abort();
	before = got_len;
	first = malloc(before);
	if (!first)
		abort();
	memcpy(first, got, before);
	page_frames_most = 2;
	unit_ok(!run_html(NULL, NULL) && got_len == before && !memcmp(got, first, before),
		"forgotten_frames_are_found_again");
	page_frames_most = most;
	free(first);
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_small_stacks();
	test_many_points();
	test_many_frames();
	remove_files();
	return unit_exit();
}
