/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - records that wait for unwind tables, without threads that make any
 */
#ifndef TPROF_UNIT_UNFINISHED_RUN_H
#define TPROF_UNIT_UNFINISHED_RUN_H

#include <stdio.h>

#include "base/load.h"
#include "session/table_maker.h"
#include "session/unfinished.h"
#include "stack_records.h"

#define PID	5

static char dir[] = "/tmp/unfinished-XXXXXX";

static struct opener *no_opener;
static struct table_maker maker;
static struct unfinished unfinished;

/* The next records, what was written, and how many mappings were shown to the opener. */
static struct bytes next, written;
static u32 nr_seen;

/* The chain that the module has found, and those that are found by tables and frame pointers. */
static const u64 raw[] = { PERF_CONTEXT_USER, LEAF };
static const u64 found[] = { PERF_CONTEXT_USER, LEAF, SMALL, OUTERMOST };
static const u64 by_frames[] = { PERF_CONTEXT_USER, LEAF, PERF_CONTEXT_USER, BY_FRAME };

static inline void take_written(void *arg, const void *records, size_t len)
{
	(void)arg;
	bytes_add(&written, records, len);
}

static inline void see(void *arg, const void *record)
{
	(void)arg;
	(void)record;
	nr_seen++;
}

/* Begin without tables. They may still come. */
static inline void begin(void)
{
	maker.nr_workers = 1;
	maker.nr_early = 1;
	unfinished = (struct unfinished){
		.write = take_written,
		.see = see,
		.events = test_events,
		.nr_events = ARRAY_SIZE(test_events),
		.opener = &no_opener,
		.maker = &maker,
	};
	if (unfinished_begin(&unfinished))
		abort();
	nr_seen = 0;
}

static inline void end(void)
{
	unfinished_free(&unfinished);
	bytes_free(&written);
}

/* Give the records that were made, all at once. */
static inline void take(void)
{
	unfinished_take(&unfinished, next.data, next.len);
	bytes_free(&next);
}

static inline void take_rounds(u32 nr)
{
	while (nr--)
		record_finished_round(&next);
	take();
}

static inline void put_table(enum table_state state)
{
	struct unwind_table table = { 0 };

	if (state == TABLE_READY)
		table = program_table();
	table_store_put(&unfinished.store, &program, state, &table);
	unwind_table_free(&table);
}

static inline void add_with(const struct stack_made *made, u64 time)
{
	add_sample(&next, 0, time, PID, raw, ARRAY_SIZE(raw), made);
}

/* Return the first record that was written, or the one that follows @record; NULL for none. */
static inline const u8 *record_after(const u8 *record)
{
	const u8 *at = record ? record + load_u16(record + 6) : written.data;

	return at && at < written.data + written.len ? at : NULL;
}

/* Return true if the records @wanted were written: a letter for each. */
static inline bool is_written(const char *wanted)
{
	static const char letters[] = {
		[PERF_RECORD_COMM] = 'C', [PERF_RECORD_FORK] = 'F', [PERF_RECORD_SAMPLE] = 'S',
		[PERF_RECORD_MMAP2] = 'M', [PERF_RECORD_CGROUP] = 'D',
		[PERFDATA_FINISHED_ROUND] = 'r',
	};
	const u8 *record = NULL;
	char text[32] = "";
	size_t len = 0;

	while ((record = record_after(record)) && len < sizeof(text) - 1)
		text[len++] = letters[load_u32(record)];
	if (!strcmp(text, wanted))
		return true;
	printf("# '%s' was written, not '%s'\n", text, wanted);
	return false;
}

/* Return the time of the sample @record. */
static inline u64 sample_time(const u8 *record)
{
	return load_u64(record + sizeof(struct perf_event_header) + 3 * sizeof(u64));
}

/* Return true if @record is a finished sample with this chain, and nothing else. */
static inline bool has_chain(const u8 *record, u32 event, const u64 *chain, u64 nr)
{
	struct bytes wanted = { 0 };
	bool is_same;

	if (!record)
		return false;
	add_sample(&wanted, event, sample_time(record), PID, chain, nr, NULL);
	is_same = load_u16(record + 6) == wanted.len && !memcmp(record, wanted.data, wanted.len);
	bytes_free(&wanted);
	return is_same;
}

#define first_has(chain)	has_chain(record_after(NULL), 0, chain, ARRAY_SIZE(chain))

/* Begin with a program that is mapped, and its table. */
static inline void begin_with(enum table_state state)
{
	begin();
	add_program(&next, 10, PID);
	take();
	bytes_free(&written);
	put_table(state);
}

/* Take a sample with a copy. It is finished at once. */
static inline void finish_one(const struct stack_made *made)
{
	add_with(made, 20);
	take_rounds(2);
}

static inline void remove_dir(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	if (system(command))
		abort();
}

/* Have an empty cache of tables. */
static inline void make_dir(void)
{
	if (!mkdtemp(dir) || setenv("XDG_CACHE_HOME", dir, 1))
		abort();
}

#endif /* TPROF_UNIT_UNFINISHED_RUN_H */
