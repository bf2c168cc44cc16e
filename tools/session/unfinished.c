// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - finish records whose chain has met a file without a table yet
 */
#include <poll.h>
#include <string.h>

#include "base/load.h"
#include "base/monotonic.h"
#include "cli/say.h"
#include "perfdata/layout.h"
#include "session/stack_record.h"
#include "session/unfinished.h"

/* Maximum size of the records that wait, in bytes. */
#define MAX_HELD	(256U << 20)
/* How long a record waits at most, and how long the end of a recording does. */
#define MAX_WAIT	(120 * NSEC_PER_SEC)
#define END_WAIT	(60 * NSEC_PER_SEC)
/* After this time, the end of a recording says that it waits. */
#define SILENT_WAIT	NSEC_PER_SEC
#define END_TURN_MS	10
/* Records of other CPUs that are older come before the second FINISHED_ROUND. */
#define ROUNDS		2

/**
 * enum patience - what records wait for
 * @WAIT_FOR_TABLES: for tables, and for older records of other CPUs
 * @WAIT_FOR_RECORDS: for older records of other CPUs
 * @WAIT_NOT:	for nothing
 */
enum patience {
	WAIT_FOR_TABLES,
	WAIT_FOR_RECORDS,
	WAIT_NOT,
};

/*
 * Prepare @unfinished in the thread that will use it. The caller has set the first members.
 * Return 0 or -ENOMEM.
 */
int unfinished_begin(struct unfinished *unfinished)
{
	table_store_init(&unfinished->store);
	unfinished->log.store = &unfinished->store;
	layout_init(&unfinished->layout, &unfinished->events->attr);
	bytes_extend(&unfinished->finished, 2 * UINT16_MAX);
	return bytes_err(&unfinished->finished);
}

static u16 size_at(const u8 *record)
{
	return load_u16(record + offsetof(struct perf_event_header, size));
}

/* Return true if a record may have the copy of a stack. */
static bool has_copy(const struct perf_event_header *header)
{
	return header->misc & TPROF_LX_MISC_STACK &&
	       (header->type == PERF_RECORD_SAMPLE || header->type == PERF_RECORD_CGROUP);
}

/* Return the time of a record that is no sample. */
static u64 time_of(const struct unfinished *unfinished, const u8 *data)
{
	struct sample trailer;

	return layout_trailer(&unfinished->layout, data, &trailer) ? 0 : trailer.time;
}

static void know_task(struct unfinished *unfinished, const struct record_body *body, u32 type,
		      u64 time)
{
	struct map_log *log = &unfinished->log;
	struct task_record task;

	if (record_task(body, type, &task))
		return;
	/* The mappings of a process from before the session have records of their own. */
	if (type == PERF_RECORD_FORK && !(body->misc & PERF_RECORD_MISC_FORK_EXEC))
		map_log_fork(log, time, task.ppid, task.pid);
	else if (type == PERF_RECORD_EXIT && task.pid == task.tid)
		map_log_exit(log, time, task.pid);
	else if (type == PERF_RECORD_COMM && task.exec)
		map_log_exec(log, time, task.pid);
}

/* Learn from a record what a process has mapped since @time. */
static void know(struct unfinished *unfinished, const u8 *data, u64 time)
{
	struct record_body body = { .data = data };
	struct perf_event_header header;
	struct map_record map;

	memcpy(&header, data, sizeof(header));
	body.size = header.size;
	body.misc = header.misc;
	if (header.type != PERF_RECORD_MMAP2)
		know_task(unfinished, &body, header.type, time);
	else if (!record_map(&body, header.type, &map))
		map_log_map(&unfinished->log, time, &map);
}

/* Learn what the processes have mapped before the session started. */
void unfinished_know(struct unfinished *unfinished, const void *records, size_t len)
{
	struct perf_event_header header;
	const u8 *pos = records;

	for (; len >= sizeof(header); pos += header.size, len -= header.size) {
		memcpy(&header, pos, sizeof(header));
		if (header.size < sizeof(header) || header.size > len)
			return;
		know(unfinished, pos, 0);
	}
}

/* Return true if tables that are not there yet may still come. */
static bool may_come(const struct unfinished *unfinished)
{
	/* What the opener has opened is with the maker when the opener is idle. */
	return !opener_is_idle(*unfinished->opener) || !table_maker_is_idle(unfinished->maker);
}

static void count_chain(struct unfinished_sums *sums, const struct stack_chain *chain)
{
	sums->hurried += chain->is_pending;
	if (chain->is_whole)
		sums->whole++;
	else if (chain->is_beyond)
		sums->beyond++;
	else
		sums->cut++;
}

/* Make the record without the copy. Return false if it has to wait for a table. */
static bool make(struct unfinished *unfinished, const struct stack_record *record,
		 enum patience patience)
{
	static struct walk_map maps[STACK_WALK_MAPS];
	static struct stack_chain chain;
	u32 nr = record->has_copy ?
		 map_log_at(&unfinished->log, record->time, record->pid, maps) : 0;

	if (!nr) {
		unfinished->sums.kept++;
		stack_record_strip(record, &unfinished->finished);
		return true;
	}
	stack_record_walk(record, maps, nr, &chain);
	if (chain.is_pending && patience == WAIT_FOR_TABLES)
		return false;
	count_chain(&unfinished->sums, &chain);
	stack_record_finish(record, &chain, &unfinished->finished);
	return true;
}

/*
 * Finish the record at @data. Return false if it has to wait for a table. A malformed record is
 * dropped: what follows its fields may be memory of a program, and nothing says where this begins.
 */
static bool finish(struct unfinished *unfinished, const u8 *data, enum patience patience)
{
	struct bytes *out = &unfinished->finished;
	struct stack_record record;

	if (!stack_record_read(&record, data, unfinished->events, unfinished->nr_events)) {
		unfinished->sums.dropped++;
		return true;
	}
	out->len = 0;
	if (!make(unfinished, &record, patience))
		return false;
	unfinished->sums.bytes += record.rest - record.copy;
	unfinished->write(unfinished->arg, out->data, out->len);
	return true;
}

/* Return the length of the records at the front without a copy. */
static size_t front_without_copy(struct unfinished *unfinished)
{
	struct perf_event_header header;
	size_t at = unfinished->done;

	for (; at < unfinished->held.len; at += header.size) {
		memcpy(&header, unfinished->held.data + at, sizeof(header));
		if (has_copy(&header))
			break;
		unfinished->rounds -= header.type == PERFDATA_FINISHED_ROUND;
	}
	return at - unfinished->done;
}

/* Write the records at the front that need not wait. */
static void release(struct unfinished *unfinished, enum patience patience)
{
	bool may_write = true;
	const u8 *front;
	size_t len;

	while (may_write && unfinished->done < unfinished->held.len) {
		front = unfinished->held.data + unfinished->done;
		len = front_without_copy(unfinished);
		if (len) {
			unfinished->write(unfinished->arg, front, len);
		} else {
			may_write = (patience == WAIT_NOT || unfinished->rounds >= ROUNDS) &&
				    finish(unfinished, front, patience);
			len = may_write ? size_at(front) : 0;
		}
		unfinished->done += len;
		if (len)
			unfinished->since = monotonic_ns();
	}
}

/* Give the memory back of records that were written. */
static void compact(struct unfinished *unfinished)
{
	struct bytes *held = &unfinished->held;

	if (unfinished->done == held->len) {
		bytes_free(held);
		unfinished->done = 0;
	} else if (unfinished->done > held->len / 2) {
		memmove(held->data, held->data + unfinished->done, held->len - unfinished->done);
		held->len -= unfinished->done;
		unfinished->done = 0;
	}
}

/* Try again to finish the records that wait. */
void unfinished_retry(struct unfinished *unfinished)
{
	bool is_hopeless;

	if (!unfinished->held.len)
		return;
	/* First the question, then the tables that came before it. */
	is_hopeless = !may_come(unfinished) ||
		      monotonic_ns() - unfinished->since > MAX_WAIT;
	release(unfinished, WAIT_FOR_TABLES);
	if (is_hopeless)
		release(unfinished, WAIT_FOR_RECORDS);
	if (unfinished->held.len - unfinished->done > MAX_HELD)
		release(unfinished, WAIT_NOT);
	compact(unfinished);
}

/**
 * struct look - what a look at records has found
 * @has_copy:	one of them has a copy of a stack
 * @rounds:	number of FINISHED_ROUND records
 */
struct look {
	bool	has_copy;
	u32	rounds;
};

/* Learn from a record, and add it to @look. */
static void look_at(struct unfinished *unfinished, const struct perf_event_header *header,
		    const u8 *record, struct look *look)
{
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_CGROUP:
		look->has_copy |= has_copy(header);
		break;
	case PERF_RECORD_MMAP2:
		unfinished->see(unfinished->arg, record);
		know(unfinished, record, time_of(unfinished, record));
		break;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		know(unfinished, record, time_of(unfinished, record));
		break;
	case PERFDATA_FINISHED_ROUND:
		look->rounds++;
		break;
	}
}

static struct look look_at_all(struct unfinished *unfinished, const void *records, size_t len)
{
	struct perf_event_header header;
	const u8 *pos = records;
	struct look look = { 0 };

	for (; len >= sizeof(header); pos += header.size, len -= header.size) {
		memcpy(&header, pos, sizeof(header));
		if (header.size < sizeof(header) || header.size > len)
			break;
		look_at(unfinished, &header, pos, &look);
	}
	return look;
}

/* Without memory to let @records wait, write them now, after those that wait. */
static void write_now(struct unfinished *unfinished, const void *records, size_t len)
{
	struct bytes *held = &unfinished->held;

	held->failed = false;
	release(unfinished, WAIT_NOT);
	bytes_free(held);
	*held = (struct bytes){ .data = (u8 *)records, .len = len };
	unfinished->done = 0;
	release(unfinished, WAIT_NOT);
	*held = (struct bytes){ 0 };
	unfinished->done = 0;
}

/* Write @records, or let them wait. The caller gives whole records. */
void unfinished_take(struct unfinished *unfinished, const void *records, size_t len)
{
	struct look look;

	/* Records that wait may need what is forgotten here, but all new ones need room. */
	map_log_forget_ended(&unfinished->log);
	look = look_at_all(unfinished, records, len);
	if (!unfinished->held.len && !look.has_copy) {
		unfinished->write(unfinished->arg, records, len);
		return;
	}
	if (!unfinished->held.len)
		unfinished->since = monotonic_ns();
	unfinished->rounds += look.rounds;
	bytes_add(&unfinished->held, records, len);
	if (unfinished->held.failed)
		write_now(unfinished, records, len);
	else
		unfinished_retry(unfinished);
}

/*
 * At the end of the stream, wait for the tables that the records need, but at most END_WAIT, and
 * until @stop can be read. Call this while the threads of the recording still run.
 */
void unfinished_wait(struct unfinished *unfinished, int stop)
{
	struct pollfd pfd = { .fd = stop, .events = POLLIN };
	u64 now = monotonic_ns(), until = now + END_WAIT, silent_until = now + SILENT_WAIT;
	bool is_stopped = false;

	unfinished->rounds += ROUNDS;
	unfinished_retry(unfinished);
	while (unfinished->held.len && monotonic_ns() < until && !is_stopped) {
		is_stopped = poll(&pfd, 1, END_TURN_MS) > 0;
		if (monotonic_ns() >= silent_until) {
			say_note("waiting for unwind tables of large binaries; press Ctrl-C to do without");
			silent_until = until;
		}
		unfinished_retry(unfinished);
	}
}

/* Write all records, at the end of the stream. */
void unfinished_end(struct unfinished *unfinished)
{
	release(unfinished, WAIT_NOT);
	compact(unfinished);
}

void unfinished_free(struct unfinished *unfinished)
{
	bytes_free(&unfinished->held);
	bytes_free(&unfinished->finished);
	map_log_free(&unfinished->log);
	table_store_free(&unfinished->store);
}
