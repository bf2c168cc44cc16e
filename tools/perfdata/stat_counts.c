// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - counts in a recording, as perf stat record writes them
 */
#include <string.h>

#include "base/load.h"
#include "perfdata/stat_counts.h"

/* Values of perf in CPU_MAP, STAT_CONFIG and STAT_ROUND. */
#define MAP_OF_CPUS		0
#define CONFIG_AGGREGATION	0
#define CONFIG_INTERVAL		1
#define CONFIG_SCALE		2
#define AGGREGATED_GLOBALLY	1
#define ROUND_FINAL		1

/* The only CPU in the map stands for all. */
#define ANY_CPU			(-1)

#define COMM_BYTES		16

/* Offsets in a STAT and in a STAT_ROUND record. */
#define STAT_ID			8
#define STAT_VALUE		24
#define STAT_ENABLED		32
#define STAT_RUNNING		40
#define STAT_END		48
#define ROUND_TIME		16
#define ROUND_END		24

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

/* Append what was counted: process @pid with the name @comm, or -1 for all processes. */
void stat_record_begin(struct bytes *out, s32 pid, const char *comm)
{
	char name[COMM_BYTES] = "";
	const u16 cpus[] = { MAP_OF_CPUS, 1, (u16)ANY_CPU, 0 };

	strncpy(name, comm, sizeof(name) - 1);
	add_header(out, PERFDATA_STAT_CONFIG, 7 * sizeof(u64));
	bytes_add_u64(out, 3);
	add_tag(out, CONFIG_AGGREGATION, AGGREGATED_GLOBALLY);
	add_tag(out, CONFIG_INTERVAL, 0);
	add_tag(out, CONFIG_SCALE, 1);
	add_header(out, PERFDATA_THREAD_MAP, 2 * sizeof(u64) + sizeof(name));
	bytes_add_u64(out, 1);
	bytes_add_u64(out, (s64)pid);
	bytes_add(out, name, sizeof(name));
	add_header(out, PERFDATA_CPU_MAP, sizeof(cpus));
	bytes_add(out, cpus, sizeof(cpus));
}

/* Append the count of the event with the identifier @id. */
void stat_record_count(struct bytes *out, u64 id, u64 value, u64 ran_ns)
{
	add_header(out, PERFDATA_STAT, STAT_END - sizeof(struct perf_event_header));
	bytes_add_u64(out, id);
	bytes_add_u32(out, ANY_CPU);
	bytes_add_u32(out, 0);
	bytes_add_u64(out, value);
	bytes_add_u64(out, ran_ns);
	bytes_add_u64(out, ran_ns);
}

/* Append the end of the counts, which were counted for @elapsed ns. */
void stat_record_round(struct bytes *out, u64 elapsed)
{
	add_header(out, PERFDATA_STAT_ROUND, ROUND_END - sizeof(struct perf_event_header));
	bytes_add_u64(out, ROUND_FINAL);
	bytes_add_u64(out, elapsed);
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
		      const struct record *record)
{
	const struct reader_event *event = reader_find_event(reader,
							     load_u64(record->data + STAT_ID));
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
	count->value += load_u64(record->data + STAT_VALUE);
	count->enabled += load_u64(record->data + STAT_ENABLED);
	count->running += load_u64(record->data + STAT_RUNNING);
}

/* Add the count of a STAT record, or the time of a STAT_ROUND record. Ignore other records. */
void stat_counts_add(struct stat_counts *counts, struct reader *reader,
		     const struct record *record)
{
	if (record->header.type == PERFDATA_STAT && record->header.size >= STAT_END)
		add_count(counts, reader, record);
	if (record->header.type != PERFDATA_STAT_ROUND || record->header.size < ROUND_END)
		return;
	counts->elapsed = load_u64(record->data + ROUND_TIME);
	counts->is_round_over = true;
}
