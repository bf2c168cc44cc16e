// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - counts in a recording, as perf stat record writes them
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/load.h"
#include "perfdata/stat_counts.h"

/* Values of perf in CPU_MAP, STAT_CONFIG and STAT_ROUND. */
#define MAP_OF_CPUS		0
#define CONFIG_AGGREGATION	0
#define CONFIG_INTERVAL		1
#define CONFIG_SCALE		2
#define ROUND_INTERVAL		0
#define ROUND_FINAL		1

/* Offsets in a STAT and in a STAT_ROUND record. */
#define STAT_ID			8
#define STAT_CPU		16
#define STAT_THREAD		20
#define STAT_VALUE		24
#define STAT_ENABLED		32
#define STAT_RUNNING		40
#define STAT_END		48
#define ROUND_TIME		16
#define ROUND_END		24

/* THREAD_MAP and STAT_CONFIG have the number of their entries, then the entries. */
#define ENTRIES			16
#define THREAD_BYTES		24
#define TAG_BYTES		16

/* Since Linux 6.5 and 6.9, perf has one more place of the machine before threads. */
u32 stat_by_thread(void)
{
	struct utsname uts;
	unsigned int major, minor;

	if (uname(&uts) || sscanf(uts.release, "%u.%u", &major, &minor) != 2)
		return 7;
	if (major > 6 || (major == 6 && minor >= 9))
		return 7;
	return major == 6 && minor >= 5 ? 6 : 5;
}

static void add_header(struct bytes *out, u32 type, size_t body)
{
	struct perf_event_header header = { .type = type, .size = sizeof(header) + body };

	bytes_add(out, &header, sizeof(header));
}

static void add_tag(struct bytes *out, u64 tag, u64 value)
{
	bytes_add_u64(out, tag);
	bytes_add_u64(out, value);
}

static void add_threads(struct bytes *out, const struct stat_scope *scope)
{
	const struct stat_thread *thread;
	u32 i;

	add_header(out, PERFDATA_THREAD_MAP, sizeof(u64) + scope->nr_threads * THREAD_BYTES);
	bytes_add_u64(out, scope->nr_threads);
	for (i = 0; i < scope->nr_threads; i++) {
		thread = &scope->threads[i];
		bytes_add_u32(out, thread->tid);
		bytes_add_u32(out, thread->more);
		bytes_add(out, thread->comm, sizeof(thread->comm));
	}
}

/* The array of a CPU_MAP record follows two u16. Records end at a multiple of 8 bytes. */
static void add_cpus(struct bytes *out, const struct stat_scope *scope)
{
	u16 head[] = { MAP_OF_CPUS, scope->nr_cpus }, cpu;
	size_t len = sizeof(head) + scope->nr_cpus * sizeof(cpu);
	u32 i;

	add_header(out, PERFDATA_CPU_MAP, ALIGN_UP(len, 8));
	bytes_add(out, head, sizeof(head));
	for (i = 0; i < scope->nr_cpus; i++) {
		cpu = scope->cpus[i];
		bytes_add(out, &cpu, sizeof(cpu));
	}
	bytes_extend(out, ALIGN_UP(len, 8) - len);
}

static void add_config(struct bytes *out, const struct stat_scope *scope)
{
	add_header(out, PERFDATA_STAT_CONFIG, 7 * sizeof(u64));
	bytes_add_u64(out, 3);
	add_tag(out, CONFIG_AGGREGATION, scope->aggregation);
	add_tag(out, CONFIG_INTERVAL, scope->interval / NSEC_PER_MSEC);
	add_tag(out, CONFIG_SCALE, scope->scales);
}

/* Append what was counted. For perf, STAT_CONFIG must be the last: it refers to the threads. */
void stat_record_begin(struct bytes *out, const struct stat_scope *scope)
{
	add_threads(out, scope);
	add_cpus(out, scope);
	add_config(out, scope);
}

/* Append a count. */
void stat_record_count(struct bytes *out, const struct stat_reading *reading)
{
	add_header(out, PERFDATA_STAT, STAT_END - sizeof(struct perf_event_header));
	bytes_add_u64(out, reading->id);
	bytes_add_u32(out, reading->cpu);
	bytes_add_u32(out, reading->thread);
	bytes_add_u64(out, reading->value);
	bytes_add_u64(out, reading->enabled);
	bytes_add_u64(out, reading->running);
}

/*
 * Append the end of a round of counts, at @elapsed ns since the start. The rounds of intervals are
 * not final ones: for perf, a final round is one more interval.
 */
void stat_record_round(struct bytes *out, bool is_final, u64 elapsed)
{
	add_header(out, PERFDATA_STAT_ROUND, ROUND_END - sizeof(struct perf_event_header));
	bytes_add_u64(out, is_final ? ROUND_FINAL : ROUND_INTERVAL);
	bytes_add_u64(out, elapsed);
}

/* Return the number of entries of @bytes that a record has, or 0 if it has other bytes. */
static u64 count_entries(const struct record *record, size_t bytes)
{
	u64 nr = record->header.size < ENTRIES ? 0 : load_u64(record->data + ENTRIES - sizeof(nr));

	return nr > (record->header.size - ENTRIES) / bytes ? 0 : nr;
}

/* Read a STAT_CONFIG record into @scope. Return false for another record. */
bool stat_read_scope(const struct record *record, struct stat_scope *scope)
{
	const u8 *tag = record->data + ENTRIES;
	u64 nr, value;

	if (record->header.type != PERFDATA_STAT_CONFIG)
		return false;
	for (nr = count_entries(record, TAG_BYTES); nr; nr--, tag += TAG_BYTES) {
		value = load_u64(tag + sizeof(u64));
		if (load_u64(tag) == CONFIG_AGGREGATION)
			scope->aggregation = value;
		else if (load_u64(tag) == CONFIG_INTERVAL)
			scope->interval = value * NSEC_PER_MSEC;
		else if (load_u64(tag) == CONFIG_SCALE)
			scope->scales = value;
	}
	return true;
}

/*
 * Read a THREAD_MAP record into @threads, which has room for as many as a record can have, and
 * set @nr. Return false for another record.
 */
bool stat_read_threads(const struct record *record, struct stat_thread *threads, u32 *nr)
{
	const u8 *entry = record->data + ENTRIES;
	u32 i;

	if (record->header.type != PERFDATA_THREAD_MAP)
		return false;
	*nr = count_entries(record, THREAD_BYTES);
	for (i = 0; i < *nr; i++, entry += THREAD_BYTES) {
		threads[i].tid = load_u32(entry);
		threads[i].more = load_u32(entry + sizeof(u32));
		memcpy(threads[i].comm, entry + sizeof(u64), STAT_COMM_BYTES);
		threads[i].comm[STAT_COMM_BYTES - 1] = '\0';
	}
	return true;
}

/* Read a STAT record. Return false for another record. */
bool stat_read_count(const struct record *record, struct stat_reading *reading)
{
	const u8 *data = record->data;

	if (record->header.type != PERFDATA_STAT || record->header.size < STAT_END)
		return false;
	*reading = (struct stat_reading){
		.id = load_u64(data + STAT_ID),
		.cpu = load_u32(data + STAT_CPU),
		.thread = load_u32(data + STAT_THREAD),
		.value = load_u64(data + STAT_VALUE),
		.enabled = load_u64(data + STAT_ENABLED),
		.running = load_u64(data + STAT_RUNNING),
	};
	return true;
}

/* Read the time of a STAT_ROUND record. Return false for another record. */
bool stat_read_round(const struct record *record, u64 *elapsed)
{
	if (record->header.type != PERFDATA_STAT_ROUND || record->header.size < ROUND_END)
		return false;
	*elapsed = load_u64(record->data + ROUND_TIME);
	return true;
}

static struct stat_count *find_count(struct stat_counts *counts, u32 event)
{
	u32 i;

	for (i = 0; i < counts->nr; i++) {
		if (counts->all[i].event == event)
			return &counts->all[i];
	}
	if (counts->nr == ARRAY_SIZE(counts->all))
		return NULL;
	counts->all[counts->nr] = (struct stat_count){ .event = event };
	return &counts->all[counts->nr++];
}

/* An event has a STAT record for each CPU and thread: add them up. */
static void add_count(struct stat_counts *counts, struct reader *reader,
		      const struct stat_reading *reading)
{
	const struct reader_event *event = reader_find_event(reader, reading->id);
	struct stat_count *count;

	if (!event)
		return;
	/* The counts of each round are those since the start. */
	if (counts->is_round_over)
		counts->nr = 0;
	counts->is_round_over = false;
	count = find_count(counts, event - reader->events);
	if (!count) {
		counts->nr_left_out++;
		return;
	}
	/* In a pipe, the names of the events may come after the first counts. */
	memcpy(count->name, event->name, sizeof(count->name));
	count->value += reading->value;
	count->enabled += reading->enabled;
	count->running += reading->running;
}

/* Add the count of a STAT record, or the time of a STAT_ROUND record. Ignore other records. */
void stat_counts_add(struct stat_counts *counts, struct reader *reader,
		     const struct record *record)
{
	struct stat_reading reading;

	if (stat_read_count(record, &reading))
		add_count(counts, reader, &reading);
	else if (stat_read_round(record, &counts->elapsed))
		counts->is_round_over = true;
}
