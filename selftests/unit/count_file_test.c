// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - counts that stat writes to a recording, and those that it reads
 *
 * What is printed of a recording must be what is printed while it is made.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/say.h"
#include "perfdata/stat_counts.h"
#include "perfdata_test.h"
#include "stat/count_file.h"
#include "stat/stat_report.h"
#include "unit.h"

#define ELAPSED	(2 * NSEC_PER_SEC)

static char path[] = "/tmp/count_file_test.XXXXXX";

/**
 * struct run - a run of stat with --record
 * @opts:	the command line
 * @counting:	the counts
 * @file:	the recording
 * @output:	prints the counts
 * @text:	what is printed
 */
struct run {
	struct stat_options opts;
	struct counting counting;
	struct count_file file;
	struct stat_output output;
	char	*text;
	size_t	len;
};

static char *no_command[] = { NULL };
static char *words[] = { "stat", "--record", NULL };
static const struct stat_format *const formats[] = { &stat_text, &stat_csv, &stat_json };

static void add_event(struct counting *counting, const char *name, u32 type, u64 config)
{
	struct perf_event_attr attr = { .type = type, .config = config,
					.size = PERFDATA_ATTR_SIZE };

	if (counting_add(counting, name, &attr, counting->nr_events, COUNTED))
		abort();
}

static void add_events(struct counting *counting)
{
	add_event(counting, "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	add_event(counting, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	add_event(counting, "instructions:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	counting->events[2].attr.exclude_kernel = 1;
	add_event(counting, "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	counting->events[3].state = COUNTED_NOT;
	add_event(counting, "r1234", PERF_TYPE_RAW, 0x1234);
	counting->events[4].state = COUNTED_UNKNOWN;
}

/* Let each lane count @step more, as a reading of the module would. */
static void count(struct counting *counting, u64 step, u64 ns)
{
	struct count_cell *cell;
	u32 event, lane;

	for (event = 0; event < counting->nr_events; event++) {
		if (counting->events[event].state != COUNTED)
			continue;
		for (lane = 0; lane < counting->nr_lanes; lane++) {
			cell = &counting->events[event].cells[lane];
			cell->value = step * (lane + 1) * (event + 1);
			cell->ran_ns = ns / 2;
			cell->missed_ns = event == 2 ? ns / 4 : 0;
			cell->total += cell->value;
			cell->total_ns += cell->ran_ns;
			cell->total_missed_ns += cell->missed_ns;
		}
	}
}

static void begin(struct run *run, struct stat_options opts, const struct stat_format *format)
{
	static const struct cpu_list some = { .bits = { 0x05 }, .bytes = 1 };

	*run = (struct run){ .opts = opts };
	run->opts.record = path;
	run->opts.report = path;
	run->opts.command = no_command;
	run->opts.words = words;
	run->opts.nr_words = 2;
	counting_choose_lanes(&run->counting, &some, 4, opts.per_cpu);
	add_events(&run->counting);
	run->output = (struct stat_output){
		.out = open_memstream(&run->text, &run->len), .format = format,
		.separator = ",", .counting = &run->counting, .recording = path,
		.per_cpu = opts.per_cpu, .per_thread = opts.per_thread,
		.intervals = opts.interval,
	};
	if (count_file_open(&run->file, &run->counting, &run->opts))
		abort();
}

/* Print what was counted until @elapsed, and write it. */
static int end_round(struct run *run, u64 elapsed)
{
	static const struct pid_list targets = { .pids = { 77 }, .nr = 1 };

	stat_lines(&run->output, elapsed);
	return count_file_round(&run->file, &targets, elapsed);
}

static const struct pid_list no_targets;

/* Return what is printed of the recording. */
static char *print_recording(const struct run *run, int *status)
{
	struct stat_output output = { .format = run->output.format, .separator = "," };
	char *text = NULL;
	size_t len;

	output.out = open_memstream(&text, &len);
	*status = stat_report(&output, &run->opts);
	fclose(output.out);
	return text;
}

/* Compare what was printed with what is printed of the recording. */
static void must_read_back(struct run *run, const char *name)
{
	struct stat_times times = { 0 };
	char *text;
	int status;

	statistics_add(&times.elapsed, (double)ELAPSED / NSEC_PER_SEC);
	stat_end(&run->output, &times);
	fclose(run->output.out);
	unit_ok(!count_file_close(&run->file, false), "the recording is completed");
	text = print_recording(run, &status);
	unit_ok(!status && !strcmp(text, run->text), name);
	if (strcmp(text, run->text))
		printf("# printed:\n%s# read:\n%s", run->text, text);
	free(text);
	free(run->text);
	counting_free(&run->counting);
}

static void test_round(const struct stat_options *opts, u64 value, const char *name)
{
	struct run run;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		begin(&run, *opts, formats[i]);
		count(&run.counting, value, ELAPSED);
		run.counting.elapsed_ns = ELAPSED;
		end_round(&run, ELAPSED);
		must_read_back(&run, name);
	}
}

static void test_intervals(void)
{
	struct run run;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		begin(&run, (struct stat_options){ .interval = NSEC_PER_SEC, .per_cpu = i == 1 },
		      formats[i]);
		run.counting.elapsed_ns = NSEC_PER_SEC;
		count(&run.counting, 1000, NSEC_PER_SEC);
		end_round(&run, NSEC_PER_SEC);
		count(&run.counting, 50, NSEC_PER_SEC);
		end_round(&run, ELAPSED);
		must_read_back(&run, "intervals are printed as they were");
	}
}

/* Add a row of each kind, and @nr threads. */
static void add_rows(struct counting *counting, u32 nr)
{
	struct thread_rows *rows = &counting->threads;
	struct thread_row *row;
	u32 i, event;

	rows->rows = calloc(nr + 2, sizeof(*rows->rows));
	for (i = 0; i < nr + 2; i++) {
		row = &rows->rows[rows->nr++];
		row->kind = i < nr ? ROW_THREAD : i == nr ? ROW_EXITED : ROW_UNATTRIBUTED;
		row->nr = i == nr ? 99999999 : 0;
		for (event = 0; event < 3; event++) {
			row->values[event] = 1000 * (event + 1) + i;
			row->ran_ns[event] = row->kind == ROW_UNATTRIBUTED ? 0 : 5000 + i;
		}
		if (i >= nr)
			continue;
		row->thread = (struct tprof_lx_thread){ .pid = 4000000, .tid = 100 + i };
		row->thread.flags = i % 2 ? TPROF_LX_THREAD_EXITED : 0;
		snprintf(row->thread.comm, sizeof(row->thread.comm), "thread-%08u", i % 100000000);
	}
	if (counting_show_threads(counting))
		abort();
}

static void test_threads(void)
{
	struct run run;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		begin(&run, (struct stat_options){ .per_thread = true }, formats[i]);
		add_rows(&run.counting, 3);
		run.counting.elapsed_ns = ELAPSED;
		end_round(&run, ELAPSED);
		must_read_back(&run, "counts of threads are printed as they were");
	}
}

/* The file has the threads. */
static void test_processes(void)
{
	static const struct stat_options opts = { .per_thread = true, .per_process = true };
	struct run run;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		begin(&run, opts, formats[i]);
		add_rows(&run.counting, 3);
		run.counting.elapsed_ns = ELAPSED;
		if (count_file_round(&run.file, &no_targets, ELAPSED) ||
		    counting_join_threads(&run.counting) || run.counting.nr_lanes != 3)
			abort();
		stat_lines(&run.output, ELAPSED);
		must_read_back(&run, "counts of processes are printed as they were");
	}
}

/* A list of threads in a recording has at most 64 KiB. */
static void test_many_threads(void)
{
	struct run run;
	char *text, *line, *rest;
	u64 sum = 0, expected = 0, nr = 0;
	u32 i;
	int status;

	begin(&run, (struct stat_options){ .per_thread = true }, &stat_csv);
	add_rows(&run.counting, 5000);
	for (i = 0; i < run.counting.threads.nr; i++)
		expected += run.counting.threads.rows[i].values[1];
	end_round(&run, ELAPSED);
	fclose(run.output.out);
	count_file_close(&run.file, false);
	text = print_recording(&run, &status);
	unit_ok(!status && strstr(text, "\n[others: 2274],"),
		"threads for which a list has no room have one line");
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!strstr(line, ",cycles,"))
			continue;
		sum += strtoull(strchr(line, ',') + 1, NULL, 10);
		nr++;
	}
	unit_ok(nr == STAT_THREADS_MAX && sum == expected, "the lines add up to the count");
	free(text);
	free(run.text);
	counting_free(&run.counting);
}

/* Write @records as a recording. Return what is printed of it, and set @status. */
static char *print_records(struct bytes *records, const struct stat_options *opts, int *status)
{
	struct perfdata_event events[] = {
		{ .id = 41, .name = "one" },
		{ .id = 42, .name = "two" },
	};
	static struct feature_set none;
	struct feature_set names = { 0 };
	struct run run = { .opts = *opts, .output.format = &stat_csv };
	struct writer writer;
	size_t written;
	int fd = open(path, O_RDWR | O_TRUNC | O_CREAT | O_CLOEXEC, 0600), i;

	for (i = 0; i < 2; i++)
		events[i].attr = (struct perf_event_attr){ .type = PERF_TYPE_RAW,
							   .config = i,
							   .size = PERFDATA_ATTR_SIZE,
							   .sample_type = PERF_SAMPLE_IDENTIFIER };
	features_add_events(&names, events, 2);
	writer_begin(&writer, fd, false, events, 2, &none);
	writer_append(&writer, records->data, records->len, &written);
	writer_end(&writer, &names);
	features_free(&names);
	close(fd);
	records->len = 0;
	run.opts.report = path;
	return print_recording(&run, status);
}

static void must_print(struct bytes *records, const struct stat_options *opts,
		       const char *expected, const char *name)
{
	int status;
	char *text = print_records(records, opts, &status);

	unit_ok(!status && !strcmp(text, expected), name);
	if (strcmp(text, expected))
		printf("# status %d, printed:\n%s# expected:\n%s", status, text, expected);
	free(text);
}

static void must_refuse(struct bytes *records, const struct stat_options *opts, const char *name)
{
	int status;
	char *text = print_records(records, opts, &status);

	unit_ok(status == STATUS_FAILED && !*text, name);
	free(text);
}

static void put(struct bytes *records, u64 id, u32 cpu, u32 thread, u64 value, u64 enabled,
		u64 running)
{
	const struct stat_reading reading = { id, cpu, thread, value, enabled, running };

	stat_record_count(records, &reading);
}

/* perf counts by CPU, also if it prints sums. Its events share counters. */
static void test_perf(void)
{
	static const struct stat_thread all = { .tid = -1 };
	static const u32 cpus[] = { 0, 6 };
	struct stat_scope scope = { .aggregation = STAT_GLOBALLY, .scales = true,
				    .threads = &all, .nr_threads = 1, .cpus = cpus, .nr_cpus = 2 };
	struct stat_options sums = { 0 }, by_cpu = { .per_cpu = true };
	struct stat_options by_thread = { .per_thread = true };
	struct bytes records = { 0 };
	int i;

	for (i = 0; i < 3; i++) {
		stat_record_begin(&records, &scope);
		put(&records, 41, 0, 0, 10, 100, 50);
		put(&records, 41, 6, 0, 5, 100, 100);
		put(&records, 42, 0, 0, 0, 100, 0);
		put(&records, 42, 6, 0, 0, 100, 0);
		stat_record_round(&records, true, 100);
		if (i == 0)
			must_print(&records, &sums, "25,,one,150,75.00,166.667,M/sec\n"
				   "<not counted>,,two,0,0.00,,\n",
				   "counts of a part of the time are scaled, and added up");
		else if (i == 1)
			must_print(&records, &by_cpu, "CPU0,20,,one,50,50.00,400.000,M/sec\n"
				   "CPU0,<not counted>,,two,0,0.00,,\n"
				   "CPU6,5,,one,100,100.00,50.000,M/sec\n"
				   "CPU6,<not counted>,,two,0,0.00,,\n",
				   "-A prints the counts of each CPU");
		else
			must_refuse(&records, &by_thread, "counts of CPUs are not those of threads");
	}
	bytes_free(&records);
}

/* perf writes the threads, but not of which processes they are. */
static void test_threads_of_perf(void)
{
	static const struct stat_thread two[] = { { .tid = 5, .comm = "a" },
						  { .tid = 6, .comm = "b" } };
	struct stat_scope scope = { .aggregation = stat_by_thread(), .threads = two,
				    .nr_threads = 2 };
	struct stat_options by_process = { .per_thread = true, .per_process = true };
	struct bytes records = { 0 };

	stat_record_begin(&records, &scope);
	put(&records, 41, STAT_ANY_CPU, 1, 10, 100, 100);
	stat_record_round(&records, true, 100);
	must_refuse(&records, &by_process, "threads of perf cannot be added up to processes");
	bytes_free(&records);
}

static void test_strange(void)
{
	struct stat_options sums = { 0 }, by_cpu = { .per_cpu = true };
	struct bytes records = { 0 };

	record_finished_round(&records);
	must_refuse(&records, &sums, "a recording without counts is refused");
	put(&records, 41, STAT_ANY_CPU, 0, 10, 100, 100);
	must_refuse(&records, &by_cpu, "-A is refused for counts of all CPUs together");
	put(&records, 41, STAT_ANY_CPU, 0, 10, 100, 100);
	put(&records, 43, STAT_ANY_CPU, 0, 10, 100, 100);
	put(&records, 41, STAT_ANY_CPU, 1U << 20, 10, 100, 100);
	put(&records, 41, 1U << 20, 0, 10, 100, 100);
	must_print(&records, &sums, "10,,one,100,100.00,100.000,M/sec\n"
		   "<not supported>,,two,0,0.00,,\n",
		   "readings of unknown events, CPUs and threads are left out");
	bytes_free(&records);
}

/* Write a recording of two intervals. Return its length. */
static off_t write_intervals(void)
{
	struct run run;
	struct stat st;

	begin(&run, (struct stat_options){ .interval = NSEC_PER_SEC }, &stat_csv);
	count(&run.counting, 1000, NSEC_PER_SEC);
	end_round(&run, NSEC_PER_SEC);
	count(&run.counting, 1000, NSEC_PER_SEC);
	end_round(&run, ELAPSED);
	fclose(run.output.out);
	if (count_file_close(&run.file, false) || stat(path, &st))
		abort();
	free(run.text);
	counting_free(&run.counting);
	return st.st_size;
}

/* Print the recording. Return the status. */
static int print_damaged(void)
{
	struct run run = { .opts.report = path, .output.format = &stat_csv };
	int status;

	free(print_recording(&run, &status));
	return status;
}

static void test_cuts(void)
{
	off_t len = write_intervals();

	while (len-- > 0) {
		if (truncate(path, len))
			abort();
		if (print_damaged() != STATUS_FAILED)
			break;
	}
	unit_ok(len < 0, "a recording that is cut anywhere is an error");
}

static void test_damage(void)
{
	off_t at, len = write_intervals();
	int fd = open(path, O_RDWR | O_CLOEXEC), status = STATUS_OK;
	u8 byte, other;

	for (at = 0; at < len && (status == STATUS_OK || status == STATUS_FAILED); at++) {
		if (pread(fd, &byte, 1, at) != 1)
			abort();
		other = ~byte;
		if (pwrite(fd, &other, 1, at) != 1)
			abort();
		status = print_damaged();
		if (pwrite(fd, &byte, 1, at) != 1)
			abort();
	}
	unit_ok(at == len, "a wrong byte anywhere does no harm");
	unit_ok(print_damaged() == STATUS_OK, "the same recording is read without it");
	close(fd);
}

int main(void)
{
	int fd = mkstemp(path);
	char old[80];

	close(fd);
	verbosity = -1;
	test_round(&(struct stat_options){ 0 }, 1000000007, "sums are printed as they were");
	test_round(&(struct stat_options){ .per_cpu = true }, 12345,
		   "counts of CPUs are printed as they were");
	test_intervals();
	test_threads();
	test_processes();
	test_many_threads();
	test_perf();
	test_threads_of_perf();
	test_strange();
	freopen("/dev/null", "w", stderr);
	test_cuts();
	test_damage();
	unlink(path);
	snprintf(old, sizeof(old), "%s.old", path);
	unlink(old);
	return unit_exit();
}
