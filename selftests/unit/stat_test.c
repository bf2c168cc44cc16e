// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - counts: mean and deviation, ratios, output formats
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counts/metrics.h"
#include "counts/stat_output.h"
#include "unit.h"

static void test_statistics(void)
{
	struct statistics stats = { 0 };

	statistics_add(&stats, 10);
	unit_ok(stats.mean == 10 && statistics_deviation(&stats) == 0,
		"one value has a mean and no deviation");
	statistics_add(&stats, 12);
	statistics_add(&stats, 14);
	/* Variance 4, 3 values, mean 12: sqrt(4 / 3) / 12 = 9.62 percent. */
	unit_ok(stats.mean == 12 && fabs(statistics_deviation(&stats) - 9.6225) < 0.0001,
		"the mean and its deviation in percent are computed");

	stats = (struct statistics){ 0 };
	statistics_add(&stats, 1e15);
	statistics_add(&stats, 1e15 + 2);
	unit_ok(fabs(statistics_deviation(&stats) * 1e15 / 100 - 1) < 0.01,
		"a small deviation of a large count is kept");
	stats = (struct statistics){ 0 };
	statistics_add(&stats, 0);
	statistics_add(&stats, 0);
	unit_ok(statistics_deviation(&stats) == 0,
		"two counts of 0 have no deviation");
}

static struct perf_event_attr hardware(u64 config)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_HARDWARE, .config = config };
}

static struct perf_event_attr software(u64 config)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE, .config = config };
}

/* Add an event. On lane (CPU) n, it counted @value * (n + 1) and ran for @ran_ns. */
static struct counted_event *add(struct counting *counting, const char *name,
				 struct perf_event_attr attr, u64 value, u64 ran_ns)
{
	struct counted_event *event = &counting->events[counting->nr_events];
	u32 lane;

	if (counting_add(counting, name, &attr, counting->nr_events, COUNTED))
		return NULL;
	for (lane = 0; lane < counting->nr_lanes; lane++) {
		event->cells[lane].value = value * (lane + 1);
		event->cells[lane].ran_ns = ran_ns;
	}
	return event;
}

static bool metric_is(const struct counting *counting, const struct counted_event *event,
		      double value, const char *unit)
{
	struct metric metric;

	metric_of(counting, event, 0, &metric);
	if (!unit)
		return !metric.unit;
	return metric.unit && !strcmp(metric.unit, unit) && fabs(metric.value - value) < 1e-9;
}

static void test_metrics(void)
{
	struct perf_event_attr user = hardware(PERF_COUNT_HW_INSTRUCTIONS);
	struct perf_event_attr raw = { .type = PERF_TYPE_RAW, .config = 1 };
	struct counting counting = { 0 };
	struct cpu_list all = { 0 };
	struct counted_event *cycles, *insns, *insns_user, *branches, *misses, *other, *clock;

	user.exclude_kernel = 1;
	counting_choose_lanes(&counting, &all, 4, false);
	cycles = add(&counting, "cycles", hardware(PERF_COUNT_HW_CPU_CYCLES), 2000, 1000);
	insns = add(&counting, "instructions", hardware(PERF_COUNT_HW_INSTRUCTIONS), 3000, 1000);
	insns_user = add(&counting, "instructions:u", user, 2500, 1000);
	branches = add(&counting, "b", hardware(PERF_COUNT_HW_BRANCH_INSTRUCTIONS), 0, 1000);
	misses = add(&counting, "m", hardware(PERF_COUNT_HW_BRANCH_MISSES), 7, 1000);
	other = add(&counting, "r01", raw, 5, 1000);

	unit_ok(metric_is(&counting, cycles, 2, "GHz"),
		"cycles are shown as a frequency");
	unit_ok(metric_is(&counting, insns, 1.5, "insn per cycle"),
		"instructions are shown per cycle");
	unit_ok(metric_is(&counting, insns_user, 2.5, "G/sec"),
		"events of other modes have no ratio");
	unit_ok(metric_is(&counting, misses, 7, "M/sec"),
		"a count of 0 is no divisor");
	insns = add(&counting, "instructions/cpu=1/", hardware(PERF_COUNT_HW_INSTRUCTIONS), 900,
		    1000);
	unit_ok(metric_is(&counting, insns, 900, "M/sec"), "events of other CPUs have no ratio");
	add(&counting, "cycles/cpu=0/", hardware(PERF_COUNT_HW_CPU_CYCLES), 100, 1000);
	add(&counting, "cycles/cpu=1/", hardware(PERF_COUNT_HW_CPU_CYCLES), 300, 1000);
	unit_ok(metric_is(&counting, insns, 3, "insn per cycle"),
		"events of the same CPUs have a ratio");
	branches->cells[0].value = 140;
	unit_ok(metric_is(&counting, misses, 5, "% of all branches"),
		"branch misses are shown as percent of branches");
	branches->state = COUNTED_NOT;
	unit_ok(metric_is(&counting, misses, 7, "M/sec"),
		"an event that is not counted is no divisor");
	unit_ok(metric_is(&counting, branches, 0, NULL),
		"an event that is not counted has no metric");
	unit_ok(metric_is(&counting, other, 5, "M/sec"), "a raw event has a rate");
	clock = add(&counting, "task-clock", software(PERF_COUNT_SW_TASK_CLOCK), 3000, 3000);
	unit_ok(metric_is(&counting, clock, 0, NULL),
		"a task clock has no metric before the time is known");
	counting.elapsed_ns = 2000;
	unit_ok(metric_is(&counting, clock, 1.5, "CPUs utilized"),
		"a task clock is compared with the elapsed time");
	other->cells[0].ran_ns = 0;
	unit_ok(metric_is(&counting, other, 0, NULL),
		"an event that never ran has no rate");
	counting_free(&counting);
}

static void test_choice(void)
{
	struct counting counting = { 0 };
	struct cpu_list some = { .bits = { 0x0a }, .bytes = 1 };

	counting_choose_lanes(&counting, &some, 3, true);
	unit_ok(counting.nr_lanes == 1 && counting.lanes[0] == 1,
		"the lanes are the CPUs of the set that exist");
	add(&counting, "a", hardware(0), 1, 1);
	add(&counting, "b", hardware(1), 1, 1);
	add(&counting, "c", hardware(2), 1, 1);
	counting.events[1].state = COUNTED_UNKNOWN;
	unit_ok(counting_mask(&counting) == 5,
		"an event that is not supported is not started");
	unit_ok(counting_shrink(&counting) && counting.events[2].state == COUNTED_NOT &&
		counting_mask(&counting) == 1,
		"the last event is given up first");
	unit_ok(!counting_shrink(&counting) && counting_mask(&counting) == 1,
		"the first event is never given up");
	counting_free(&counting);
}

/*
 * Print the counts of three events on two CPUs. The CPUs do not have the third
 * event.
 */
static char *print(const struct stat_format *format, bool repeated, bool intervals)
{
	char *command[] = { "true", NULL }, *text = NULL;
	struct stat_output output = { .format = format, .separator = ";", .command = command,
				      .repeated = repeated, .intervals = intervals,
				      .per_cpu = true };
	struct cpu_list cpus = { .bits = { 0x07, 0x02 }, .bytes = 2 };
	struct counting counting = { 0 };
	struct stat_times times = { 0 };
	size_t len;

	counting_choose_lanes(&counting, &cpus, 2, true);
	add(&counting, "cycles", hardware(PERF_COUNT_HW_CPU_CYCLES), 1234567, 1000000);
	add(&counting, "instructions", hardware(PERF_COUNT_HW_INSTRUCTIONS), 1234567, 1000000);
	counting.events[1].cells[1].value = 0;
	add(&counting, "ref-cycles", hardware(PERF_COUNT_HW_REF_CPU_CYCLES), 1, 1);
	counting.events[2].state = COUNTED_UNKNOWN;
	if (repeated) {
		counting_end_run(&counting);
		counting_end_run(&counting);
	}
	statistics_add(&times.elapsed, 1.5);
	statistics_add(&times.user, 0.25);
	statistics_add(&times.sys, 0.125);

	output.counting = &counting;
	output.cpus = &cpus;
	output.out = open_memstream(&text, &len);
	stat_lines(&output, 1500000000);
	stat_end(&output, &times);
	fclose(output.out);
	counting_free(&counting);
	return text;
}

static void check_print(const struct stat_format *format, bool repeated, bool intervals,
			const char *expected, const char *name)
{
	char *text = print(format, repeated, intervals);
	bool same = !strcmp(text, expected);

	unit_ok(same, name);
	if (!same)
		printf("# got:\n%s# expected:\n%s", text, expected);
	free(text);
}

static const char text[] =
	"\n Counts on CPUs 0-2,9 while 'true' ran:\n\n"
	"CPU0               1,234,567  cycles                    #    1.235  GHz\n"
	"CPU0               1,234,567  instructions              #     1.00  insn per cycle\n"
	"CPU0         <not supported>  ref-cycles\n"
	"CPU1               2,469,134  cycles                    #    2.469  GHz\n"
	"CPU1                       0  instructions              #     0.00  insn per cycle\n"
	"CPU1         <not supported>  ref-cycles\n"
	"\n"
	"         1.500000000  seconds time elapsed\n"
	"         0.250000000  seconds user\n"
	"         0.125000000  seconds sys\n\n";

static const char csv[] =
	"1.500000000;CPU0;1234567;;cycles;1000000;100.00;1.235;GHz\n"
	"1.500000000;CPU0;1234567;;instructions;1000000;100.00;1.00;insn per cycle\n"
	"1.500000000;CPU0;<not supported>;;ref-cycles;1;0.00;;\n"
	"1.500000000;CPU1;2469134;;cycles;1000000;100.00;2.469;GHz\n"
	"1.500000000;CPU1;0;;instructions;1000000;100.00;0.00;insn per cycle\n"
	"1.500000000;CPU1;<not supported>;;ref-cycles;1;0.00;;\n";

#define COUNTED_AS(count, metric, unit) \
	",\"state\":\"counted\",\"count\":" count ",\"deviation_percent\":0.00," \
	"\"ran_ns\":1000000,\"metric\":" metric ",\"metric_unit\":\"" unit "\"}\n"

#define ELAPSED_DEVIATION ",\"elapsed_deviation_percent\":0.00"

static const char json[] =
	"{\"cpu\":0,\"event\":\"cycles\"" COUNTED_AS("1234567.00", "1.235", "GHz")
	"{\"cpu\":0,\"event\":\"instructions\"" COUNTED_AS("1234567.00", "1.00", "insn per cycle")
	"{\"cpu\":0,\"event\":\"ref-cycles\",\"state\":\"not supported\"}\n"
	"{\"cpu\":1,\"event\":\"cycles\"" COUNTED_AS("2469134.00", "2.469", "GHz")
	"{\"cpu\":1,\"event\":\"instructions\"" COUNTED_AS("0.00", "0.00", "insn per cycle")
	"{\"cpu\":1,\"event\":\"ref-cycles\",\"state\":\"not supported\"}\n"
	"{\"runs\":1,\"elapsed_seconds\":1.500000000" ELAPSED_DEVIATION
	",\"user_seconds\":0.250000,\"sys_seconds\":0.125000}\n";

/* Check that the lines of @output contain @expected. */
static void expect_lines(struct stat_output *output, const char *expected, const char *name)
{
	char *printed = NULL;
	size_t len;

	output->out = open_memstream(&printed, &len);
	stat_lines(output, 0);
	fclose(output->out);
	unit_ok(strstr(printed, expected), name);
	if (!strstr(printed, expected))
		printf("# got:\n%s# expected:\n%s", printed, expected);
	free(printed);
}

/* Print a task clock and a count beside it. */
static void check_clock(const struct stat_format *format, const char *expected, const char *name)
{
	char *command[] = { NULL };
	struct cpu_list all = { 0 };
	struct counting counting = { .elapsed_ns = 1e9 };
	struct stat_output output = { .format = format, .separator = ",", .command = command,
				      .counting = &counting, .cpus = &all };

	counting_choose_lanes(&counting, &all, 1, false);
	add(&counting, "task-clock", software(PERF_COUNT_SW_TASK_CLOCK), 1708761321, 1000);
	add(&counting, "page-faults", software(PERF_COUNT_SW_PAGE_FAULTS), 7, 1000000000);
	expect_lines(&output, expected, name);
	counting_free(&counting);
}

static void test_clocks(void)
{
	check_clock(&stat_text,
		    "            1,708.76  msec  task-clock                #    1.709  CPUs utilized\n"
		    "                   7        page-faults               #    7.000  /sec\n",
		    "a task clock is printed in ms");
	check_clock(&stat_csv, "1708.761321,msec,task-clock,1000,100.00,1.709,CPUs utilized\n"
			       "7,,page-faults,", "CSV has a unit");
	check_clock(&stat_json, "\"count\":1708761321,\"unit\":\"ns\",", "JSON has a unit");
}

/* Print the counts of a thread, and of threads that are not listed. */
static void check_named(const char *comm, const struct stat_format *format, const char *expected,
			const char *name)
{
	struct tprof_lx_thread thread = { .pid = 7, .tid = 123, .value = 1234567, .ran_ns = 1000000,
					  .flags = TPROF_LX_THREAD_EXITED };
	struct tprof_lx_threads list = { .threads = (uintptr_t)&thread, .nr_threads = 1, .gone = 5,
					 .gone_ns = 1000, .nr_gone = 2, .unattributed = 3 };
	char *command[] = { "true", NULL };
	struct counting counting = { 0 };
	struct cpu_list all = { 0 };
	struct pid_list none = { 0 };
	struct stat_output output = { .format = format, .separator = ",", .command = command,
				      .counting = &counting, .cpus = &all,
				      .pids = &none, .tids = &none, .is_process_scope = true,
				      .per_thread = true };
	struct count_cell cells[3] = { { .value = 1234567, .ran_ns = 1000000 },
				       { .value = 5, .ran_ns = 1000 }, { .value = 3 } };

	snprintf(thread.comm, sizeof(thread.comm), "%s", comm);
	counting_choose_lanes(&counting, &all, 1, false);
	add(&counting, "r01", (struct perf_event_attr){ .type = PERF_TYPE_RAW }, 1, 1);
	free(counting.events[0].cells);
	counting.events[0].cells = memcpy(malloc(sizeof(cells)), cells, sizeof(cells));
	thread_rows_add(&counting.threads, 0, &list);
	counting.nr_lanes = counting.threads.nr;
	expect_lines(&output, expected, name);
	counting_free(&counting);
}

static void check_threads(const struct stat_format *format, const char *expected, const char *name)
{
	check_named("worker", format, expected, name);
}

static void test_threads(void)
{
	check_threads(&stat_text, "its descendants, by thread:\n\n"
		      "         worker-123                  1,234,567  r01                       #    1.235  G/sec\n"
		      "    [exited: 2]                              5  r01                       #    5.000  M/sec\n"
		      " [unattributed]                              3  r01\n",
		      "the table has a row per thread");
	check_threads(&stat_csv, "worker-123,1234567,,r01,1000000,100.00,1.235,G/sec\n"
				 "[exited: 2],5,,r01,1000,100.00,5.000,M/sec\n"
				 "[unattributed],3,,r01,0,100.00,,\n",
		      "CSV has a line per thread, as perf's");
	check_named("a,b,\"c", &stat_csv, "\"a,b,\"\"c-123\",1234567,,r01,1000000,100.00,1.235,G/sec\n",
		    "CSV quotes a name that has the separator or quotes");
	check_threads(&stat_json,
		      "{\"row\":\"thread\",\"pid\":7,\"tid\":123,\"comm\":\"worker\",\"exited\":true,\"event\":\"r01\",",
		      "JSON has an object per thread");
	check_threads(&stat_json, "{\"row\":\"exited\",\"threads\":2,\"event\":\"r01\",",
		      "JSON has the number of threads that are not listed");
}

/* An event of one kind of cores ran for a quarter of the time. */
static void check_kinds(const struct stat_format *format, const char *expected, const char *name)
{
	char *command[] = { NULL };
	struct cpu_list all = { 0 };
	struct counting counting = { 0 };
	struct stat_output output = { .format = format, .separator = ",", .command = command,
				      .counting = &counting, .cpus = &all };
	struct counted_event *event;

	counting_choose_lanes(&counting, &all, 1, false);
	event = add(&counting, "cpu_core/instructions/", hardware(PERF_COUNT_HW_INSTRUCTIONS),
		    5000, 1000);
	event->cores = TPROF_LX_EVENT_CPU_CORE;
	event->cells[0].missed_ns = 3000;
	add(&counting, "cycles", hardware(PERF_COUNT_HW_CPU_CYCLES), 8000, 4000);
	expect_lines(&output, expected, name);
	counting_free(&counting);
}

static void test_kinds(void)
{
	check_kinds(&stat_text, "5,000  cpu_core/instructions/    #    5.000  G/sec",
		    "an event of one kind has a rate, and no ratio to cycles of all");
	check_kinds(&stat_text, "  (25.00% of the time)\n",
		    "the table has the share of the time in which the event was counted");
	check_kinds(&stat_csv, "5000,,cpu_core/instructions/,1000,25.00,5.000,G/sec\n"
			       "8000,,cycles,4000,100.00,",
		    "CSV has the share, and does not scale the count");
	check_kinds(&stat_json, "\"ran_ns\":1000,\"missed_ns\":3000,",
		    "JSON has the time in which the event was not counted");
}

static void test_formats(void)
{
	char *repeated = print(&stat_text, true, false);
	char *intervals = print(&stat_text, false, true);

	check_print(&stat_text, false, false, text, "the table is printed");
	check_print(&stat_csv, false, true, csv, "CSV is printed, with the time");
	check_print(&stat_json, true, false, json, "JSON is printed, one object a line");
	unit_ok(strstr(repeated, "insn per cycle          ( +-  0.00% )\n"),
		"the table of repeated runs has deviations");
	unit_ok(strstr(intervals, "            time  CPU                    count  event\n") &&
		strstr(intervals, "     1.500000000  CPU1               2,469,134  cycles "),
		"the table of intervals has times");
	free(repeated);
	free(intervals);
}

/* Print nothing but the heading, and check it. */
static void check_heading_of(char **words, const char *pids, const char *tids,
			     bool is_process_scope, const char *expected)
{
	char *text = NULL;
	struct counting counting = { 0 };
	struct cpu_list cpus = { 0 };
	struct pid_list pid_list = { 0 }, tid_list = { 0 };
	struct stat_output output = { .format = &stat_text, .counting = &counting, .cpus = &cpus,
				      .pids = &pid_list, .tids = &tid_list,
				      .is_process_scope = is_process_scope };
	char name[96];
	size_t len;

	if (pids)
		parse_pid_list(pids, &pid_list);
	if (tids)
		parse_pid_list(tids, &tid_list);
	output.command = pids || tids ? words + 2 : words;
	output.out = open_memstream(&text, &len);
	stat_lines(&output, 0);
	fclose(output.out);
	snprintf(name, sizeof(name), "the heading is '%s'", expected);
	unit_ok(strstr(text, expected) && strlen(text) == strlen(expected) + strlen("\n :\n\n"),
		name);
	free(text);
}

static void check_heading(const char *pids, const char *tids, bool is_process_scope,
			  const char *expected)
{
	char *words[] = { "sleep", "1", NULL };

	check_heading_of(words, pids, tids, is_process_scope, expected);
}

static void test_headings(void)
{
	char *hostile[] = { "a\033[2Jb", "c\nd", NULL };

	check_heading_of(hostile, NULL, NULL, true,
			 "Counts of 'a\\x1b[2Jb c\\x0ad' and its descendants");
	check_heading(NULL, NULL, false, "Counts on all CPUs while 'sleep 1' ran");
	check_heading(NULL, NULL, true, "Counts of 'sleep 1' and its descendants");
	check_heading("7", NULL, true, "Counts of process 7 and descendants");
	check_heading("7,8", NULL, true, "Counts of processes 7,8 and descendants");
	check_heading(NULL, "9", true, "Counts of thread 9");
	check_heading(NULL, "9,10", true, "Counts of threads 9,10");
}

int main(void)
{
	test_statistics();
	test_metrics();
	test_choice();
	test_formats();
	test_threads();
	test_kinds();
	test_clocks();
	test_headings();
	return unit_exit();
}
