// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - export as a profile of the Firefox Profiler
 */
#include "export_inlines.h"
#include "export_json.h"
#include "unit.h"

/* Return the text after @wanted in the output, or NULL. */
static const char *after(const char *from, const char *wanted)
{
	const char *at = from ? strstr(from, wanted) : NULL;

	return at ? at + strlen(wanted) : NULL;
}

/* Return the number of rows of a table, which precedes its columns. */
static long rows_of(const char *table)
{
	char wanted[64];
	const char *at;

	snprintf(wanted, sizeof(wanted), "\"%s\":{\"length\":", table);
	at = after((const char *)got, wanted);
	return at ? strtol(at, NULL, 10) : -1;
}

/* Return true if a column has @nr numbers from @least to below @limit, or null. */
static bool has_numbers(const char *column, long nr, long least, long limit)
{
	long i, value;
	char *end;

	for (i = 0; *column != ']'; i++, column = end + (*end == ',')) {
		end = (char *)column + strlen("null");
		if (!strncmp(column, "null", strlen("null")))
			continue;
		value = strtol(column, &end, 10);
		if (end == column || value < least || value >= limit)
			return false;
	}
	return i == nr;
}

/* Return true if each stack has its callers before it. */
static bool has_prefixes(void)
{
	const char *at = after((const char *)got, "\"prefixOffset\":[");
	long i;
	char *end;

	for (i = 0; at && *at != ']'; i++, at = end + (*end == ',')) {
		if (strtol(at, &end, 10) > i)
			return false;
	}
	return at;
}

/* Return true if each row of @column in @table refers to a row of a table with @limit rows. */
static bool refers(const char *table, const char *column, long limit)
{
	char wanted[64];
	const char *at;

	snprintf(wanted, sizeof(wanted), "\"%s\":{\"length\":", table);
	at = after((const char *)got, wanted);
	snprintf(wanted, sizeof(wanted), "\"%s\":[", column);
	at = after(at, wanted);
	return at && has_numbers(at, rows_of(table), 0, limit);
}

static long count_strings(void)
{
	const char *at = after((const char *)got, "\"stringArray\":[");
	long nr = 0;

	while (at && *at == '"') {
		at = json_skip_string(at);
		at += at && *at == ',';
		nr++;
	}
	return nr;
}

static bool is_whole(void)
{
	long strings = count_strings(), libs = count_of((const char *)got, "\"breakpadId\":");

	return json_is_valid((const char *)got) &&
	       refers("stackTable", "frame", rows_of("frameTable")) &&
	       refers("stackTable", "prefixOffset", rows_of("stackTable") + 1) &&
	       has_prefixes() &&
	       refers("frameTable", "func", rows_of("funcTable")) &&
	       refers("frameTable", "category", 6) &&
	       refers("frameTable", "nativeSymbol", rows_of("nativeSymbols")) &&
	       refers("funcTable", "name", strings) &&
	       refers("funcTable", "resource", rows_of("resourceTable")) &&
	       refers("funcTable", "source", rows_of("sources")) &&
	       refers("resourceTable", "lib", libs) && refers("resourceTable", "name", strings) &&
	       refers("nativeSymbols", "libIndex", libs) &&
	       refers("nativeSymbols", "name", strings) &&
	       refers("sources", "filename", strings);
}

/* Return the sum of the weights of the threads with weights of @type; times are in ns. */
static u64 sum_of(const char *type)
{
	const char *at = (const char *)got, *end;
	double sum = 0;

	while ((at = after(at, "\"weight\":["))) {
		end = strchr(at, ']');
		if (!after(end, "\"weightType\":\"") ||
		    strncmp(after(end, "\"weightType\":\""), type, strlen(type)))
			continue;
		for (; at < end; at = strpbrk(at, ",]") + 1)
			sum += strtod(at, NULL);
	}
	return sum * NSEC_PER_MSEC + 0.5;
}

static void test_tables(void)
{
	make_recording();
	unit_ok(!run_export("firefox", NULL, NULL) && is_whole(),
		"columns_have_one_length_and_valid_indexes");
	unit_ok(strstr((char *)got, "\"preprocessedProfileVersion\":66,"), "format_has_version_66");
	unit_ok(sum_of("tracing-ms") == report_sums(0).period + report_sums(1).period,
		"weights_have_the_sum_of_report");
	unit_ok(count_of((char *)got, "\"processName\":") == 4 &&
		count_of((char *)got, "\"isMainThread\":true") == 1,
		"each_thread_and_event_is_a_thread");
	unit_ok(rows_of("stackTable") >= 512 && rows_of("stackTable") < 512 + 16,
		"stacks_share_their_callers");
	unit_ok(strstr((char *)got, "\"timeDeltas\":[0.000000,0.001000,0.002000,"),
		"times_begin_with_the_first_sample");
	unit_ok(strstr((char *)got, "\"x\\\"\\\\</script>;\\\\x01\\\\xff\xc3\xa9\"") &&
		strstr((char *)got, "a\\\";\\\\x0a\\\\x80"), "hostile_names_are_escaped");
}

static void test_inlines(void)
{
	char wanted[64];

	make_recording_of_inlines();
	snprintf(wanted, sizeof(wanted), "\"line\":[%d,%d]", call_line, sampled_line);
	unit_ok(!run_export("firefox", "--inline", NULL) && is_whole() &&
		strstr((char *)got, "\"inlineDepth\":[0,1]") && strstr((char *)got, wanted),
		"inlined_function_is_a_frame_with_a_depth");
	unit_ok(rows_of("nativeSymbols") == 1 && strstr((char *)got, "\"nativeSymbol\":[0,0]") &&
		rows_of("funcTable") == 2, "inlined_function_has_the_symbol_around_it");
}

static void test_markers(void)
{
	static const char mark[] = "\"data\":[{\"type\":\"Mark\",\"text\":\"here\\\"\\\\x0a\"},";
	static const char loss[] = "{\"type\":\"LostSamples\",\"count\":12}]";
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct perf_event_header lost = { .type = PERF_RECORD_LOST_SAMPLES,
					  .size = sizeof(lost) + sizeof(u64) +
						  RECORD_TRAILER_BYTES };

	begin_records(true);
	ADD(0, 0, 1, IN(LEAF));
	task.time = now;
	record_cgroup(&records, &task, 7, TPROF_LX_MARK_PREFIX "here\"\n");
	bytes_add(&records, &lost, sizeof(lost));
	bytes_add_u64(&records, 12);
	record_add_trailer(&records, &task);
	ADD(0, 1, 1, IN(LEAF));
	end_records(1);
	unit_ok(!run_export("firefox", NULL, NULL) && is_whole() &&
		strstr((char *)got, mark) && strstr((char *)got, loss),
		"marks_and_losses_are_markers");
	unit_ok(strstr((char *)got, "\"startTime\":[0.001000,0.001000]") &&
		count_of((char *)got, "\"markers\":{\"length\":0,") == 1,
		"first_thread_has_the_markers_at_their_times");
}

#define KERNEL		0xffffffff81000000ULL
#define ENTRY		(KERNEL + 0x1100)	/* asm_sysvec_apic_timer_interrupt() */
#define WORK		(KERNEL + 0x2100)	/* update_load() */
#define CALL		(KERNEL + 0x3100)	/* entry_SYSCALL_64() */

static void make_kernel_symbols(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		abort();
	fprintf(file, "%llx T _text\n%llx T asm_sysvec_apic_timer_interrupt\n", KERNEL,
		KERNEL + 0x1000);
	fprintf(file, "%llx T update_load\n%llx T entry_SYSCALL_64\n%llx T _etext\n",
		KERNEL + 0x2000, KERNEL + 0x3000, KERNEL + 0x4000);
	fclose(file);
}

/* The same function is called by an interrupt and by a system call. */
static void test_interrupts(void)
{
	struct record_trailer task = { .pid = -1, .id = 41 };
	struct mapping text = { .start = KERNEL, .len = 0x4000, .pgoff = KERNEL,
				.name = "[kernel.kallsyms]_text" };
	char path[80];

	begin_records(true);
	record_kernel_mmap(&records, &task, &text);
	ADD(0, 0, 1, PERF_CONTEXT_KERNEL, WORK, PERF_CONTEXT_USER, IN(MAIN));
	ADD(0, 0, 1, PERF_CONTEXT_KERNEL, WORK, ENTRY, PERF_CONTEXT_USER, IN(MAIN));
	ADD(0, 0, 1, PERF_CONTEXT_KERNEL, WORK, CALL, PERF_CONTEXT_USER, IN(MAIN));
	end_records(1);
	snprintf(path, sizeof(path), "%s/kallsyms", directory);
	make_kernel_symbols(path);
	unit_ok(!run_export("firefox", "--kallsyms", path) && is_whole() &&
		strstr((char *)got, "\"category\":[4,2,5,5,2]"),
		"what_an_interrupt_calls_has_its_category");
	unlink(path);
}

static void test_small_recordings(void)
{
	make_empty_recording();
	unit_ok(!run_export("firefox", NULL, NULL) && is_whole() &&
		strstr((char *)got, "\"threads\":[]"), "empty_recording_has_no_threads");
	make_recording_without_chains();
	unit_ok(!run_export("firefox", NULL, NULL) && is_whole() &&
		sum_of("tracing-ms") == report_sums(0).period,
		"samples_without_chains_have_a_frame");
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_tables();
	test_inlines();
	test_markers();
	test_interrupts();
	test_small_recordings();
	remove_files();
	return unit_exit();
}
