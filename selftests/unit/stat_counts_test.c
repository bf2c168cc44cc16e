// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - counts in a recording
 */
#include <string.h>

#include "gather_records.h"
#include "perfdata/stat_counts.h"
#include "unit.h"

static struct gather gather;

/* Read @records, of two events. Return their counts, which are valid until the next call. */
static const struct stat_counts *read_counts(struct bytes *records)
{
	static const struct gather_options options;
	struct message message;

	gather_free(&gather);
	if (gather_records(&gather, &options, records, 2, false, &message))
		return NULL;
	return &gather.counts;
}

static void put(struct bytes *records, u64 id, u64 value, u64 ns)
{
	const struct stat_reading reading = { id, STAT_ANY_CPU, 0, value, ns, ns };

	stat_record_count(records, &reading);
}

static void test_written(void)
{
	static const struct stat_thread thread = { .tid = 100, .comm = "a name" };
	static const u32 any = STAT_ANY_CPU;
	const struct stat_scope scope = { .aggregation = STAT_GLOBALLY, .threads = &thread,
					  .nr_threads = 1, .cpus = &any, .nr_cpus = 1 };
	struct bytes records = { 0 };
	const struct stat_counts *counts;

	stat_record_begin(&records, &scope);
	put(&records, test_events[1].id, 7, 30);
	put(&records, test_events[0].id, 1ULL << 40, 20);
	stat_record_round(&records, true, 50);
	counts = read_counts(&records);
	unit_ok(counts && counts->nr == 2 && counts->elapsed == 50 && counts->all[0].event == 1 &&
		counts->all[0].value == 7 && counts->all[0].enabled == 30 &&
		counts->all[0].running == 30 && counts->all[1].event == 0 &&
		counts->all[1].value == 1ULL << 40, "counts are read as they were written");
	unit_ok(counts && !strcmp(counts->all[0].name, test_events[1].name),
		"counts have the names of their events");
}

static void test_rounds(void)
{
	struct bytes records = { 0 };
	const struct stat_counts *counts;

	put(&records, test_events[0].id, 3, 1);
	put(&records, test_events[0].id, 4, 2);
	stat_record_round(&records, false, 10);
	counts = read_counts(&records);
	unit_ok(counts && counts->nr == 1 && counts->all[0].value == 7 &&
		counts->all[0].running == 3, "the counts of CPUs and threads are added up");
	put(&records, test_events[0].id, 3, 1);
	stat_record_round(&records, false, 10);
	put(&records, test_events[0].id, 8, 5);
	stat_record_round(&records, false, 20);
	counts = read_counts(&records);
	unit_ok(counts && counts->nr == 1 && counts->all[0].value == 8 && counts->elapsed == 20,
		"each round has the counts since the start");
}

static void test_strange(void)
{
	struct perf_event_header torn = { .type = PERFDATA_STAT, .size = 24 };
	struct bytes records = { 0 };
	const struct stat_counts *counts;

	put(&records, 12345, 3, 1);
	bytes_add(&records, &torn, sizeof(torn));
	bytes_add_u64(&records, test_events[0].id);
	bytes_add_u64(&records, 0);
	counts = read_counts(&records);
	unit_ok(counts && !counts->nr, "counts of unknown events and short records are left out");
}

int main(void)
{
	test_written();
	test_rounds();
	test_strange();
	gather_free(&gather);
	return unit_exit();
}
