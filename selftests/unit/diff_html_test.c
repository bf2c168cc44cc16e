// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the page of diff --html
 */
#include "html/page_prune.h"
#include "html_page.h"
#include "unit.h"

static char old[64];

/* Keep the recording that was made last as the old one. */
static void keep_old(void)
{
	snprintf(old, sizeof(old), "%s/old", directory);
	if (rename(recording, old))
		abort();
}

static int run_diff(const char *const *more)
{
	char *argv[16] = { "diff", "--html", "-o", exported, old, recording };
	int argc = 6;

	while (*more)
		argv[argc++] = (char *)*more++;
	return diff_command.run(&diff_command, argc, argv);
}

#define DIFF(...) run_diff((const char *const[]){ __VA_ARGS__ __VA_OPT__(,) NULL })

static bool is_made(void)
{
	if (DIFF())
		return false;
	read_output();
	return decode_page();
}

static bool is(struct tally sums, u64 samples, u64 period)
{
	return sums.samples == samples && sums.period == period;
}

/* Return true if the points of both recordings with the weights have the same stack. */
static bool share_stack(u32 before, u32 now)
{
	const u32 *stacks, *weights;
	u32 stack = 0, other = 0;
	size_t i, nr;

	stacks = column("stack", &nr);
	weights = column("weight", &nr);
	for (i = 0; i < nr; i++) {
		stack = weights[i] == before ? stacks[i] : stack;
		other = weights[i] == now ? stacks[i] : other;
	}
	return stack && stack == other;
}

static void make_old(void)
{
	begin_records(true);
	ADD(0, 0, 10, IN(LEAF), IN(MAIN));
	ADD(0, 0, 20, IN(EVIL), IN(MAIN));
	ADD(1, 0, 40, IN(LEAF), IN(MAIN));
	end_records(2);
	keep_old();
}

/* The new recording begins an hour later. */
static void make_new(void)
{
	begin_records(true);
	now += 3600 * NSEC_PER_SEC;
	ADD(0, 0, 80, IN(AGAIN));
	now += 8 * 4096;
	ADD(0, 1, 160, IN(LEAF), IN(MAIN));
	ADD(1, 0, 320, IN(LEAF), IN(MAIN));
	end_records(2);
}

static void test_data(void)
{
	const u32 *times;
	size_t nr;

	unit_ok(is_made(), "page_has_data");
	unit_ok(is(sums_of(0, 0), 2, 30) && is(sums_of(0, 1), 1, 40) && is(sums_of(1, 0), 2, 240) &&
		is(sums_of(1, 1), 1, 320), "each_recording_has_its_sums");
	unit_ok(share_stack(10, 160) && share_stack(40, 320) && !share_stack(10, 80),
		"equal_stacks_are_one");
	unit_ok(count_of(json, "[\"leaf\",") == 1 && count_of(json, "[\"main\",") == 1,
		"functions_of_both_are_one");
	times = column("time", &nr);
	unit_ok(nr == 6 && times[0] + times[1] + times[2] + times[3] == 0 &&
		times[4] + times[5] == 8, "both_recordings_begin_at_once");
	unit_ok(strstr(json, "\"runs\":[{\"input\":\"") && count_of(json, "\"nrSamples\":3,") == 2,
		"page_has_both_names");
	unit_ok(count_of((char *)got, "</script") == 2 &&
		strstr(json, "[\"x\\\"\\\\</script>;\\\\x01\\\\xff\xc3\xa9\","),
		"hostile_names_are_data");
}

static void test_normalize(void)
{
	unit_ok(is_made() && strstr(json, "\"normalize\":\"weight\","), "shares_are_the_default");
	unit_ok(!DIFF("--normalize", "time"), "normalize_makes_a_page");
	read_output();
	unit_ok(decode_page() && strstr(json, "\"normalize\":\"time\",") &&
		count_of(json, "\"seconds\":") == 2, "page_has_the_durations");
}

static void test_refusals(void)
{
	char *same[] = { "diff", "--html", "-o", recording, old, recording, NULL };
	char *no_page[] = { "diff", "-o", exported, old, recording, NULL };

	unit_ok(DIFF("--json") == STATUS_USAGE && DIFF("-s", "sym") == STATUS_USAGE &&
		DIFF("--fail-above", "5") == STATUS_USAGE &&
		DIFF("--parent", "x") == STATUS_USAGE && DIFF(old) == STATUS_USAGE,
		"options_without_a_meaning_are_refused");
	unit_ok(diff_command.run(&diff_command, 5, no_page) == STATUS_USAGE,
		"output_needs_a_page");
	unit_ok(diff_command.run(&diff_command, 6, same) == STATUS_FAILED &&
		diff_command.run(&diff_command, 6,
				 (char *[]){ "diff", "--html", "-o", old, old, recording, NULL }) ==
		STATUS_FAILED && !DIFF(), "recordings_are_not_replaced");
	unit_ok(DIFF("--comm", "nobody") == STATUS_FAILED && !access(exported, R_OK),
		"page_stays_if_nothing_can_be_compared");
	make_empty_recording();
	unit_ok(DIFF() == STATUS_FAILED, "empty_recording_cannot_be_compared");
	begin_records(true);
	ADD(0, 0, 80, IN(LEAF), IN(MAIN));
	end_records(1);
	unit_ok(DIFF() == STATUS_FAILED && !DIFF("--event", "nmi"), "events_must_be_the_same");
	begin_records(true);
	ADD(0, 0, 80, IN(LEAF), IN(MAIN));
	end_records(2);
	unit_ok(DIFF() == STATUS_FAILED && !DIFF("--event", "nmi"),
		"events_must_have_samples_in_both");
}

/* Small stacks of each recording are those of its callers. */
static void test_small_stacks(void)
{
	size_t read = page_stacks_read, shown = page_stacks_shown, nr;

	make_old();
	make_new();
	page_stacks_read = 3;
	unit_ok(is_made() && is(sums_of(0, 0), 2, 30) && is(sums_of(1, 0), 2, 240) &&
		is(sums_of(1, 1), 1, 320) && strstr(json, "[\"[small stacks]\","),
		"recordings_with_small_stacks_have_their_sums");
	page_stacks_read = read;
	page_stacks_shown = 2;
	unit_ok(is_made() && is(sums_of(0, 0), 2, 30) && is(sums_of(1, 0), 2, 240) &&
		is(sums_of(1, 1), 1, 320) && share_stack(30, 160), "stacks_of_both_are_folded");
	column("up", &nr);
	unit_ok(nr == 4 && count_of(json, "[\"[small stacks]\",") == 1 &&
		strstr(json, ",\"missedShare\":0.000000000000,"), "largest_stack_is_kept");
	page_stacks_shown = shown;
}

int main(void)
{
	verbosity = -1;
	make_functions();
	make_old();
	make_new();
	test_data();
	test_small_stacks();
	test_normalize();
	test_refusals();
	unlink(old);
	remove_files();
	return unit_exit();
}
