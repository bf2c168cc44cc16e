// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - complete samples from their deferred call chains
 */
#include <errno.h>
#include <linux/tprof_lx.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "perfdata/record_types.h"
#include "perfdata/stitch.h"

/*
 * A deferred chain may come late (after a page was read from disk) or never. So a
 * sample waits for its chain only until a record is more than MAX_AGE newer. At most
 * MAX_WAITING samples wait.
 */
#define MAX_AGE		NSEC_PER_SEC
#define MAX_WAITING	512

/* Tolerance for tprof_lx_chain.elapsed, in ns. */
#define SLACK		(100 * 1000)

#define MAX_RECORD	0xfff8

static void list_init(struct held_list *list)
{
	*list = (struct held_list){ .last = &list->first };
}

static void list_add(struct held_list *list, struct held *held)
{
	held->next = NULL;
	*list->last = held;
	list->last = &held->next;
	list->nr++;
}

static struct held *list_take(struct held_list *list)
{
	struct held *held = list->first;

	if (!held)
		return NULL;
	list->first = held->next;
	if (!list->first)
		list->last = &list->first;
	list->nr--;
	return held;
}

static void list_free(struct held_list *list)
{
	struct held *held;

	while ((held = list_take(list)))
		free(held);
}

/* Set up @stitch. Call this before the first reader_next() on @reader. */
void stitch_init(struct stitch *stitch, struct reader *reader)
{
	*stitch = (struct stitch){ .reader = reader };
	list_init(&stitch->waiting);
	list_init(&stitch->ready);
}

/*
 * Allocate a sample with space for @size bytes. Copy the members of @record, but not
 * the bytes that @record->data points to.
 */
static struct held *make(const struct record *record, size_t size)
{
	struct held *held = calloc(1, sizeof(*held) + size);

	if (!held)
		return NULL;
	held->record = *record;
	held->record.header.size = size;
	held->record.data = held->data;
	return held;
}

static void let_go(struct stitch *stitch)
{
	struct held *held = list_take(&stitch->waiting);

	if (held)
		list_add(&stitch->ready, held);
}

static void let_all_go(struct stitch *stitch)
{
	while (stitch->waiting.nr)
		let_go(stitch);
}

static void let_old_go(struct stitch *stitch, u64 time)
{
	const struct held *held;

	while ((held = stitch->waiting.first) &&
	       (stitch->waiting.nr > MAX_WAITING ||
		(held->record.time < time && time - held->record.time > MAX_AGE)))
		let_go(stitch);
}

static int hold(struct stitch *stitch, const struct record *record, const struct sample *sample)
{
	struct held *held = make(record, record->header.size);

	if (!held)
		return -ENOMEM;
	memcpy(held->data, record->data, record->header.size);
	held->event = record->event - stitch->reader->events;
	held->pid = sample->pid;
	held->tid = sample->tid;
	list_add(&stitch->waiting, held);
	let_old_go(stitch, record->time);
	return 0;
}

/* Return true if @chain is a proper prefix of @whole. */
static bool is_beginning(const struct words *chain, const struct words *whole)
{
	return chain->nr > 1 && chain->nr < whole->nr &&
	       !memcmp(chain->at, whole->at, chain->nr * sizeof(u64));
}

/* Write to @longer a copy of @held with the call chain @whole in place of @chain. */
static void fill(struct held *longer, const struct held *held, const struct words *chain,
		 const struct words *whole)
{
	const u8 *end = held->data + held->record.header.size;
	const u8 *rest = chain->at + chain->nr * sizeof(u64);
	u64 nr = whole->nr;
	u8 *at;

	at = mempcpy(longer->data, held->data, chain->at - held->data);
	memcpy(at - sizeof(nr), &nr, sizeof(nr));
	at = mempcpy(at, whole->at, nr * sizeof(u64));
	memcpy(at, rest, end - rest);
	longer->record.header.misc &= ~TPROF_LX_MISC_CHAIN_DEFERRED;
	memcpy(longer->data, &longer->record.header, sizeof(longer->record.header));
}

/*
 * Truncate a chain to PERF_CONTEXT_USER and @max_stack frames. If @max_stack is 0,
 * keep all frames.
 */
static struct words cut(const struct words *whole, u16 max_stack)
{
	struct words words = *whole;

	if (max_stack && words.nr > max_stack + 1U)
		words.nr = max_stack + 1U;
	return words;
}

/*
 * If the chain of @held is a prefix of @deferred, replace it by @deferred. Return:
 * - the new sample, after freeing @held;
 * - @held, if its chain is not a prefix or the new sample would be too large;
 * - NULL if out of memory.
 */
static struct held *continued(struct stitch *stitch, struct held *held,
			      const struct words *deferred)
{
	const struct layout *layout = &stitch->reader->events[held->event].layout;
	struct words whole = cut(deferred, layout->attr.sample_max_stack);
	struct sample sample;
	struct held *longer;
	size_t size;

	if (layout_sample(layout, held->data, &sample) || !is_beginning(&sample.chain, &whole))
		return held;
	size = held->record.header.size + (whole.nr - sample.chain.nr) * sizeof(u64);
	if (size > MAX_RECORD)
		return held;
	longer = make(&held->record, size);
	if (!longer)
		return NULL;
	longer->event = held->event;
	fill(longer, held, &sample.chain, &whole);
	stitch->nr_continued++;
	free(held);
	return longer;
}

/**
 * struct rest - which samples to release, and their deferred chain
 * @any_tid:	release the samples of all threads of @pid, not only those of
 *		@tid
 * @pid:	process id, if @any_tid
 * @tid:	thread id, unless @any_tid
 * @since:	time of the oldest sample that @whole may belong to
 * @whole:	the deferred chain; empty to release the samples as they are
 */
struct rest {
	u32	pid;
	u32	tid;
	bool	any_tid;
	u64	since;
	struct words whole;
};

static bool is_for(const struct rest *rest, const struct held *held)
{
	return rest->any_tid ? held->pid == rest->pid : held->tid == rest->tid;
}

/*
 * Move the samples of @rest to @stitch->ready. If @rest->whole continues the chain of a
 * sample, complete the chain.
 */
static int release(struct stitch *stitch, const struct rest *rest)
{
	struct held_list others;
	struct held *held, *whole;
	int err = 0;

	list_init(&others);
	while ((held = list_take(&stitch->waiting))) {
		if (!is_for(rest, held)) {
			list_add(&others, held);
			continue;
		}
		if (rest->whole.nr && held->record.time >= rest->since) {
			whole = continued(stitch, held, &rest->whole);
			err = whole ? err : -ENOMEM;
			held = whole ? whole : held;
		}
		list_add(&stitch->ready, held);
	}
	while ((held = list_take(&others)))
		list_add(&stitch->waiting, held);
	return err;
}

/* If @record is a deferred chain, fill in @rest and return true. */
static bool find_chain(const struct record *record, struct rest *rest)
{
	const struct layout *layout = &record->event->layout;
	size_t room = record->header.size - sizeof(record->header);
	const u8 *body = record->data + sizeof(record->header);
	struct tprof_lx_chain chain;
	struct sample trailer;
	u64 elapsed;

	if (room < layout->trailer + sizeof(chain))
		return false;
	/* Copy the struct, because the record may be misaligned in its chunk. */
	memcpy(&chain, body, sizeof(chain));
	room -= layout->trailer + sizeof(chain);
	if (strncmp(chain.path, TPROF_LX_CHAIN_PATH, sizeof(chain.path)) ||
	    chain.nr > room / sizeof(u64) || layout_trailer(layout, record->data, &trailer) ||
	    !(trailer.fields & PERF_SAMPLE_TID))
		return false;
	elapsed = chain.elapsed + SLACK;
	*rest = (struct rest){
		.tid = trailer.tid,
		.since = elapsed < record->time ? record->time - elapsed : 0,
		.whole = { body + sizeof(chain), chain.nr },
	};
	return true;
}

/*
 * If held samples must be returned before @record, select them in @rest and return
 * true:
 * - COMM, FORK, EXIT: the samples of the thread, because no chain for them can follow;
 * - MMAP, MMAP2: the samples of the process, because the caller must find their functions
 *   before it changes the mappings.
 */
static bool find_end(const struct record *record, struct rest *rest)
{
	struct record_body body = { record->data, record->header.size, record->header.misc };
	u32 type = record->header.type;
	struct task_record task;
	struct map_record map;

	if (body.size < record->event->layout.trailer)
		return false;
	body.size -= record->event->layout.trailer;
	if (type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2) {
		if (record_map(&body, type, &map))
			return false;
		*rest = (struct rest){ .pid = map.pid, .any_tid = true };
		return true;
	}
	if (record_task(&body, type, &task))
		return false;
	*rest = (struct rest){ .tid = task.tid };
	return true;
}

/* Move the samples that stitch_next() must return before @record to @stitch->ready. */
static int prepare(struct stitch *stitch, const struct record *record)
{
	struct rest rest = { 0 };
	bool is_over = false;

	let_old_go(stitch, record->time);
	if (!record->event)
		return 0;
	switch (record->header.type) {
	case PERF_RECORD_CGROUP:
		is_over = find_chain(record, &rest);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		is_over = find_end(record, &rest);
		break;
	}
	return is_over ? release(stitch, &rest) : 0;
}

static bool has_more(const struct record *record)
{
	return record->event && record->header.type == PERF_RECORD_SAMPLE &&
	       record->header.misc & TPROF_LX_MISC_CHAIN_DEFERRED;
}

/*
 * If @record is a sample with a deferred chain, hold it back. Otherwise, store @record
 * in @stitch->behind.
 */
static int take_in(struct stitch *stitch, const struct record *record)
{
	struct sample sample;

	if (has_more(record) && !layout_sample(&record->event->layout, record->data, &sample))
		return hold(stitch, record, &sample);
	stitch->behind = *record;
	stitch->has_behind = true;
	return prepare(stitch, record);
}

static bool take_ready(struct stitch *stitch, struct record *record)
{
	free(stitch->given);
	stitch->given = list_take(&stitch->ready);
	if (stitch->given) {
		*record = stitch->given->record;
		record->event = &stitch->reader->events[stitch->given->event];
		return true;
	}
	if (!stitch->has_behind)
		return false;
	*record = stitch->behind;
	stitch->has_behind = false;
	return true;
}

/*
 * Get the next record, like reader_next(). A sample with a deferred chain may come
 * after newer records. @record is valid until the next call. Return 1; 0 at the end;
 * else -errno.
 */
int stitch_next(struct stitch *stitch, struct record *record)
{
	int ret;

	while (!take_ready(stitch, record)) {
		ret = reader_next(stitch->reader, record);
		if (ret <= 0 && !stitch->waiting.nr)
			return ret;
		if (ret <= 0) {
			/*
			 * At the end or after an error, return the held samples first.
			 * After them, reader_next() returns @ret again.
			 */
			let_all_go(stitch);
			continue;
		}
		/* Fast path: no sample is held back. */
		if (!stitch->waiting.nr && !has_more(record))
			return 1;
		ret = take_in(stitch, record);
		if (ret < 0)
			return ret;
	}
	return 1;
}

void stitch_free(struct stitch *stitch)
{
	free(stitch->given);
	list_free(&stitch->waiting);
	list_free(&stitch->ready);
}
