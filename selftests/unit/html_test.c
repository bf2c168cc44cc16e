// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the command html, and the data in its page
 */
#include "html/points.h"
#include "html_run.h"
#include "unit.h"

/* Return true if each stack leads to the root, and @depth is the length of the longest. */
static bool has_stacks(size_t depth)
{
	size_t i, nr, at, frames, longest = 0, nr_points;
	const u32 *stacks, *up = column("up", &nr);

	stacks = column("stack", &nr_points);
	for (i = 0; i < nr_points; i++) {
		if (!stacks[i] || stacks[i] >= nr)
			return false;
		for (at = stacks[i], frames = 0; at; at -= up[at], frames++) {
			if (!up[at] || up[at] > at)
				return false;
		}
		longest = frames > longest ? frames : longest;
	}
	return nr && !up[0] && longest == depth;
}

static void test_data(void)
{
	make_recording();
	unit_ok(!run_html(NULL, NULL) && decode_page(), "page_has_data");
	unit_ok(has_sums_of_report(0) && has_sums_of_report(1), "sums_are_those_of_report");
	unit_ok(has_stacks(512), "stacks_are_whole");
	unit_ok(strstr(json, "\"events\":[{\"name\":\"nmi\",\"isTime\":true},") &&
		strstr(json, ",{\"name\":\"timer:u\",\"isTime\":true}]") &&
		strstr(json, "\"startSeconds\":5,\"startNanoseconds\":0,") &&
		strstr(json, ",\"isCoarse\":false,"), "json_has_events_and_times");
	unit_ok(!run_html("--event", "timer:u") && decode_page() &&
		strstr(json, ",\"firstEvent\":1,"), "page_begins_with_an_event_with_samples");
	unit_ok(!run_html("-S", "leaf") && decode_page() && sums_of(0, 0).period == 30 &&
		sums_of(0, 1).period == 320, "filter_applies");
}

/* Names are in the data only, and nothing in the data can be markup. */
static void test_hostile_names(void)
{
	const char *at;

	make_recording();
	unit_ok(!run_html(NULL, NULL) && decode_page() &&
		strstr(json, "[\"x\\\"\\\\</script>;\\\\x01\\\\xff\xc3\xa9\",") &&
		strstr(json, ",\"a\\\";\\\\x0a\\\\x80\"]"), "hostile_names_are_data");
	at = strstr((char *)got, "id=\"data\">\n") + strlen("id=\"data\">\n");
	at += strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=");
	unit_ok(!strncmp(at, "</script>\n<script>\n", strlen("</script>\n<script>\n")) &&
		count_of((char *)got, "</script") == 2, "data_end_their_element_only");
	unit_ok(strstr((char *)got, "content=\"default-src 'none'; script-src 'sha256-") &&
		!strstr((char *)got, "@STYLE") && !strstr((char *)got, "@SCRIPT") &&
		!strstr((char *)got, "://"), "page_forbids_the_network");
}

static void test_small_recordings(void)
{
	make_empty_recording();
	unit_ok(!run_html(NULL, NULL) && decode_page() && !sums_of(0, 0).samples &&
		strstr(json, "\"nrSamples\":0,") && strstr(json, "\"functions\":[]"),
		"empty_recording_has_a_page");
	make_recording_without_chains();
	unit_ok(!run_html(NULL, NULL) && decode_page() && has_sums_of_report(0) && has_stacks(1),
		"samples_without_chains_have_a_frame");
}

/* Bursts of samples, 100 ms apart, which become a point each. */
static void test_steps(void)
{
	size_t i, nr, old = points_most;
	const u32 *times;

	begin_records(true);
	for (i = 0; i < 64; i++) {
		ADD(0, 0, 1ULL << 32, IN(LEAF), IN(MAIN));
		now += i % 8 == 7 ? 100 * NSEC_PER_MSEC : 10000;
	}
	end_records(1);
	points_most = 16;
	unit_ok(!run_html(NULL, NULL) && decode_page() && strstr(json, ",\"isCoarse\":true,") &&
		has_sums_of_report(0), "sums_do_not_depend_on_steps");
	times = column("time", &nr);
	for (i = 1; i < nr && times[i]; i++)
		;
	unit_ok(nr >= 8 && nr <= 16 && i == nr, "many_samples_are_added_up_in_steps");
	points_most = old;
}

/* A step has 4096 ns. */
static void test_losses(void)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct perf_event_header lost = { .type = PERF_RECORD_LOST_SAMPLES,
					  .size = sizeof(lost) + sizeof(u64) +
						  RECORD_TRAILER_BYTES };
	const u32 *times, *counts;
	size_t nr;

	begin_records(true);
	ADD(0, 0, 1, IN(LEAF));
	task.time = FIRST_TIME + 3 * 4096;
	bytes_add(&records, &lost, sizeof(lost));
	bytes_add_u64(&records, 12);
	record_add_trailer(&records, &task);
	/* A BPF filter dropped these. */
	lost.misc = 1U << 15;
	bytes_add(&records, &lost, sizeof(lost));
	bytes_add_u64(&records, 900);
	record_add_trailer(&records, &task);
	now = FIRST_TIME + 5 * 4096;
	ADD(0, 0, 1, IN(LEAF));
	end_records(1);
	unit_ok(!run_html(NULL, NULL) && decode_page(), "recording_with_losses_has_a_page");
	times = column("lossTime", &nr);
	counts = column("lossCount", &nr);
	unit_ok(nr == 1 && times[0] == 3 && counts[0] == 12 && strstr(json, ",\"nrLost\":12,"),
		"losses_have_their_step");
	times = column("time", &nr);
	unit_ok(nr == 2 && !times[0] && times[1] == 5, "points_have_their_step");
}

/* Marks are records of cgroups. One of the first samples is before the first mark. */
static void test_marks(void)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	const u32 *times;
	size_t nr;

	begin_records(true);
	ADD(0, 0, 1, IN(LEAF));
	task.time = FIRST_TIME + 2 * 4096;
	record_cgroup(&records, &task, 1, TPROF_LX_MARK_PREFIX "begin");
	record_cgroup(&records, &task, 7, "/no-mark");
	task.time = FIRST_TIME + 6 * 4096;
	record_cgroup(&records, &task, 2, TPROF_LX_MARK_PREFIX "\"</script>\n");
	now = FIRST_TIME + 9 * 4096;
	ADD(0, 0, 1, IN(LEAF));
	end_records(1);
	unit_ok(!run_html(NULL, NULL) && decode_page() &&
		strstr(json, "\"marks\":[\"begin\",\"\\\"</script>\\\\x0a\"]") &&
		strstr(json, ",\"nrMarks\":2}"), "page_has_marks");
	times = column("markTime", &nr);
	unit_ok(nr == 2 && times[0] == 2 && times[1] == 6, "marks_have_their_step");
	unit_ok(!run_html("--time", "5.00001,") && decode_page() &&
		strstr(json, "\"marks\":[\"\\\"</script>\\\\x0a\"]"), "time_chooses_marks");
}

static void test_cgroups(void)
{
	make_recording_of_cgroups();
	unit_ok(!run_html(NULL, NULL) && decode_page() && has_sums_of_report(0) &&
		count_of(json, ",\"plain\",\"/first\"]") == 1 &&
		count_of(json, ",\"plain\",\"/a\\\"</script>\\\\x0a\"]") == 1 &&
		count_of(json, ",\"[unknown]\"]") == 1, "threads_have_their_cgroups");
}

static void test_keys(void)
{
	const u32 *tuples, *texts, *weights;
	size_t i, nr, nr_texts;

	make_recording_of_weights();
	unit_ok(!run_html("-s", "weight") && decode_page() &&
		strstr(json, ",{\"word\":\"weight\",\"title\":\"Weight\",") &&
		strstr(json, "\"Weight\",\"texts\":[\"300\",\"7\"]}]"),
		"page_has_the_texts_of_keys");
	tuples = column("tuple", &nr);
	texts = column("tupleText", &nr_texts);
	weights = column("weight", &i);
	for (i = 0; i < nr && nr_texts == 2 && tuples[i] < 2 &&
	     texts[tuples[i]] == (weights[i] == 2); i++)
		;
	unit_ok(nr && i == nr, "points_have_their_keys");
	unit_ok(!run_html("-s", "comm,cpu,dso") && decode_page() &&
		count_of(json, "\"word\":\"comm\"") == 1 && !strstr(json, "\"texts\"") &&
		!strstr(json, "\"word\":\"cgroup\""), "page_has_a_key_once");
	unit_ok(run_html("-s", "waker") == STATUS_USAGE &&
		run_html("-s", "parent") == STATUS_USAGE &&
		run_html("--time-quantum", "1s") == STATUS_USAGE, "useless_keys_are_refused");
	make_recording();
	unit_ok(run_html("-s", "weight") == STATUS_FAILED,
		"keys_that_were_not_recorded_are_an_error");
}

#define NOBODY	"65534"

/*
 * Make a program xdg-open in @directory. It writes its user and the begin of the page that it
 * can read into a file, which it renames when it is complete.
 */
static void make_opener(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		abort();
	fprintf(file, "#!/bin/sh\nPATH=/bin:/usr/bin\nread -r line <\"$1\"\n"
		"echo \"$(id -u) $HOME $line\" >%1$s/new\nmv %1$s/new %1$s/seen\n", directory);
	fclose(file);
	if (chmod(path, 0755))
		abort();
}

/* Wait for what the opener has written. */
static bool opener_saw(const char *wanted)
{
	char path[80], text[256] = "";
	FILE *file = NULL;
	int i;

	snprintf(path, sizeof(path), "%s/seen", directory);
	for (i = 0; i < 1000 && !file; i++) {
		usleep(10000);
		file = fopen(path, "re");
	}
	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		abort();
	fclose(file);
	unlink(path);
	return begins_with(text, wanted) && strstr(text, " <!DOCTYPE html>\n");
}

/* Root runs no browser, so let this test be of another user that ran sudo. */
static void test_opening(void)
{
	char *to_stdout[] = { "html", "-i", recording, "-o", "-", "--open", NULL };
	char *path = strdup(getenv("PATH")), opener[80], me[32];

	snprintf(opener, sizeof(opener), "%s/xdg-open", directory);
	snprintf(me, sizeof(me), "%u ", geteuid());
	setenv("PATH", directory, 1);
	setenv("SUDO_UID", NOBODY, 1);
	setenv("SUDO_GID", NOBODY, 1);
	if (chmod(directory, 01777))
		abort();
	unit_ok(run_html("--open", NULL) == STATUS_FAILED && decode_page(),
		"page_stays_if_nothing_opens_it");
	make_opener(opener);
	unlink(exported);
	unit_ok(!run_html("--open", NULL) && opener_saw(geteuid() ? me : NOBODY " "),
		"user_that_ran_sudo_opens_the_page");
	if (geteuid()) {
		unit_skip("root_runs_no_browser", "this needs root");
	} else {
		unsetenv("SUDO_UID");
		unit_ok(run_html("--open", NULL) == STATUS_FAILED && decode_page(),
			"root_runs_no_browser");
	}
	unlink(opener);
	setenv("PATH", path, 1);
	free(path);
	unit_ok(html_command.run(&html_command, 6, to_stdout) == STATUS_USAGE,
		"open_needs_a_file");
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_data();
	test_hostile_names();
	test_small_recordings();
	test_steps();
	test_losses();
	test_marks();
	test_cgroups();
	test_keys();
	test_opening();
	remove_files();
	return unit_exit();
}
