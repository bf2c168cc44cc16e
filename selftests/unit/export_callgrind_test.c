// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - export in the format of callgrind, read as callgrind_annotate does
 */
#include "export_inlines.h"
#include "unit.h"

#define MAX	64

/* Functions, with the sums of their own costs and of the calls of them, by event. */
static struct read_function {
	char	name[8192];
	u64	self[2];
	u64	calls[2];
} functions[MAX];
static size_t nr_functions, nr_events;
static u64 totals[2];
static int lines[2];
static bool is_damaged;

static struct read_function *function_of(const char *name)
{
	size_t i;

	for (i = 0; i < nr_functions; i++) {
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	}
	if (i == MAX)
		abort();
	nr_functions++;
	snprintf(functions[i].name, sizeof(functions[i].name), "%s", name);
	return &functions[i];
}

/* Return the function of "fn=(NUMBER) NAME", or of "fn=(NUMBER)" after that. */
static struct read_function *named(const char *line)
{
	static char *names[MAX];
	char *end;
	u64 number = strtoull(strchr(line, '(') + 1, &end, 10);

	if (*end != ')' || !number || number >= MAX) {
		is_damaged = true;
		return function_of("?");
	}
	if (end[1] == ' ') {
		free(names[number]);
		names[number] = strdup(end + 2);
	}
	return function_of(names[number] ? names[number] : "?");
}

static void add_numbers(const char *text, u64 *sums)
{
	char *end;

	for (size_t i = 0; i < nr_events; i++, text = end) {
		sums[i] += strtoull(text, &end, 10);
		is_damaged |= end == text;
	}
}

static void read_line(const char *line)
{
	static struct read_function *current, *called;
	static bool is_call;
	char *end;

	if (!strncmp(line, "events:", 7)) {
		for (line += 7; (line = strchr(line, ' ')); line++)
			nr_events++;
	} else if (!strncmp(line, "totals:", 7)) {
		add_numbers(line + 7, totals);
	} else if (!strncmp(line, "fn=", 3)) {
		current = named(line);
	} else if (!strncmp(line, "cfn=", 4)) {
		called = named(line);
	} else if (!strncmp(line, "calls=", 6)) {
		is_call = true;
	} else if (*line >= '0' && *line <= '9') {
		lines[is_call] = strtol(line, &end, 10);
		if (current)
			add_numbers(end, is_call ? called->calls : current->self);
		is_call = false;
	}
}

static bool read_profile(void)
{
	char *text = (char *)got, *line;

	memset(functions, 0, sizeof(functions));
	nr_functions = 0;
	nr_events = 0;
	totals[0] = 0;
	totals[1] = 0;
	is_damaged = !text;
	while ((line = strsep(&text, "\n")))
		read_line(line);
	return !is_damaged;
}

static bool has_costs(const char *name, size_t event, u64 self, u64 calls)
{
	const struct read_function *function = function_of(name);

	return function->self[event] == self && function->calls[event] == calls;
}

static void test_costs(void)
{
	u64 sum = 0;

	make_recording();
	unit_ok(!run_export("callgrind", NULL, NULL) &&
		strstr((char *)got, "\nevents: nmi timer_u\n") && read_profile(),
		"each_event_is_a_column");
	unit_ok(totals[0] == report_sums(0).period && totals[1] == report_sums(1).period,
		"totals_are_the_sums_of_report");
	for (size_t i = 0; i < nr_functions; i++)
		sum += functions[i].self[0];
	unit_ok(sum == totals[0], "own_costs_add_up_to_the_total");
	unit_ok(has_costs("leaf", 0, 30, 110) && has_costs("main", 0, 0, 150) &&
		has_costs("leaf", 1, 320, 320), "calls_have_the_inclusive_cost");
	unit_ok(has_costs("again", 0, 720, 720), "recursive_calls_count_once");
	unit_ok(has_costs("x\"\\</script>;\\x01\\xff\xc3\xa9", 0, 40, 40),
		"hostile_name_is_a_function");
}

static void test_small_recordings(void)
{
	make_empty_recording();
	unit_ok(!run_export("callgrind", NULL, NULL) && read_profile() && !totals[0],
		"empty_recording_has_totals");
	make_recording_without_chains();
	unit_ok(!run_export("callgrind", NULL, NULL) && read_profile() &&
		has_costs("leaf", 0, 11, 11) && has_costs("main", 0, 7, 7),
		"samples_without_chains_have_costs");
}

static void test_lines(void)
{
	make_recording_of_inlines();
	unit_ok(!run_export("callgrind", "--inline", NULL) && read_profile() &&
		has_costs("inlined_function", 0, 9, 9) && has_costs("outer_function", 0, 0, 9) &&
		lines[false] == sampled_line && lines[true] == call_line,
		"inlined_function_is_called_in_its_line");
	unit_ok(!run_export("callgrind", NULL, NULL) && read_profile() &&
		has_costs("outer_function", 0, 9, 9) && lines[false] == sampled_line,
		"costs_have_absolute_lines");
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_costs();
	test_small_recordings();
	test_lines();
	remove_files();
	return unit_exit();
}
