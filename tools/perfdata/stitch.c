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
 * sample waits for its chain only until a record is more than MAX_AGE newer. perf defers
 * all user parts to the end of the system call, however long the thread sleeps in it; so
 * its samples wait without this limit. At most MAX_WAITING samples wait, or MAX_COOKIES of
 * perf.
 */
#define MAX_AGE		NSEC_PER_SEC
#define MAX_WAITING	512
#define MAX_COOKIES	4096

/* Tolerance for tprof_lx_chain.elapsed, in ns. */
#define SLACK		(100 * 1000)

/* Set up @stitch. Call this before the first reader_next() on @reader. */
void stitch_init(struct stitch *stitch, struct reader *reader)
{
	*stitch = (struct stitch){ .reader = reader };
	held_list_init(&stitch->waiting);
	held_list_init(&stitch->ready);
}

static void let_go(struct stitch *stitch)
{
	struct held *held = held_list_take(&stitch->waiting);

	if (held)
		held_list_add(&stitch->ready, held);
}

static void let_all_go(struct stitch *stitch)
{
	while (stitch->waiting.nr)
		let_go(stitch);
}

static bool is_old(const struct stitch *stitch, const struct held *held, u64 time)
{
	if (held->has_cookie)
		return stitch->waiting.nr > MAX_COOKIES;
	return stitch->waiting.nr > MAX_WAITING ||
	       (held->record.time < time && time - held->record.time > MAX_AGE);
}

static void let_old_go(struct stitch *stitch, u64 time)
{
	while (stitch->waiting.nr && is_old(stitch, stitch->waiting.first, time))
		let_go(stitch);
}

static int hold(struct stitch *stitch, const struct record *record, const struct sample *sample)
{
	struct held *held = held_make(record, sample);

	if (!held)
		return -ENOMEM;
	held->event = record->event - stitch->reader->events;
	held_list_add(&stitch->waiting, held);
	let_old_go(stitch, record->time);
	return 0;
}

/* Return true if @chain is a proper prefix of @whole. */
static bool is_beginning(const struct words *chain, const struct words *whole)
{
	return chain->nr > 1 && chain->nr < whole->nr &&
	       !memcmp(chain->at, whole->at, chain->nr * sizeof(u64));
}

/*
 * Truncate a chain to @max_stack frames and the PERF_CONTEXT_USER marks before them. If
 * @max_stack is 0, keep all frames.
 */
static struct words cut(const struct words *whole, u16 max_stack)
{
	struct words words = { whole->at, 0 };
	u64 left = max_stack ? max_stack : whole->nr, i;

	for (i = 0; i < whole->nr && left; i++) {
		if (load_u64(whole->at + i * sizeof(u64)) >= PERF_CONTEXT_MAX)
			continue;
		words.nr = i + 1;
		left--;
	}
	return words;
}

/**
 * struct rest - which samples to release, and their deferred chain
 * @any_tid:	release the samples of all threads of @pid, not only those of
 *		@tid
 * @pid:	process id, if @any_tid
 * @tid:	thread id, unless @any_tid
 * @since:	time of the oldest sample that @whole may belong to
 * @has_cookie:	@whole belongs to samples with @cookie
 * @cookie:	cookie of the samples
 * @whole:	the deferred chain; empty to release the samples as they are
 */
struct rest {
	u32	pid;
	u32	tid;
	bool	any_tid;
	u64	since;
	bool	has_cookie;
	u64	cookie;
	struct words whole;
};

/*
 * A mapping of the process ends no wait for a chain that perf deferred: the thread is in the
 * kernel, perhaps in mmap(2), and its user frames are looked up when they have been read.
 */
static bool is_for(const struct rest *rest, const struct held *held)
{
	return rest->any_tid ? held->pid == rest->pid && !held->has_cookie :
			       held->tid == rest->tid;
}

/* Find the chain of @held with @rest. Return false if @rest belongs to another sample. */
static bool find_whole(const struct rest *rest, const struct held *held, u16 max_stack,
		       const struct words *chain, struct new_chain *made)
{
	*made = (struct new_chain){ 0 };
	if (rest->has_cookie != held->has_cookie)
		return false;
	if (rest->has_cookie) {
		*made = (struct new_chain){ held->nr_kept, rest->whole };
		return held->cookie == rest->cookie;
	}
	made->rest = cut(&rest->whole, max_stack);
	return held->record.time >= rest->since && is_beginning(chain, &made->rest);
}

/*
 * If @rest belongs to @held, add it to the call chain. Return:
 * - the new sample, after freeing @held;
 * - @held, if it has another chain or the new sample would be too large;
 * - NULL if out of memory.
 */
static struct held *continued(struct stitch *stitch, struct held *held, const struct rest *rest)
{
	const struct layout *layout = &stitch->reader->events[held->event].layout;
	struct new_chain made;
	struct sample sample;
	struct held *longer;

	if (layout_sample(layout, held->data, &sample) ||
	    !find_whole(rest, held, layout->attr.sample_max_stack, &sample.chain, &made) ||
	    !held_has_room(&held->record, &sample.chain, &made))
		return held;
	longer = held_with_chain(&held->record, &sample.chain, &made);
	if (!longer)
		return NULL;
	longer->event = held->event;
	stitch->nr_continued++;
	free(held);
	return longer;
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

	held_list_init(&others);
	while ((held = held_list_take(&stitch->waiting))) {
		if (!is_for(rest, held)) {
			held_list_add(&others, held);
			continue;
		}
		if (rest->whole.nr) {
			whole = continued(stitch, held, rest);
			err = whole ? err : -ENOMEM;
			held = whole ? whole : held;
		}
		held_list_add(&stitch->ready, held);
	}
	while ((held = held_list_take(&others)))
		held_list_add(&stitch->waiting, held);
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

/* If @record, a CALLCHAIN_DEFERRED record, names a thread, fill in @rest and return true. */
static bool find_deferred(const struct record *record, struct rest *rest)
{
	const struct layout *layout = &record->event->layout;
	struct record_body body = { record->data, record->header.size, record->header.misc };
	struct chain_record chain;
	struct sample trailer;

	if (layout_trailer(layout, record->data, &trailer) ||
	    !(trailer.fields & PERF_SAMPLE_TID))
		return false;
	body.size -= layout->trailer;
	if (record_chain(&body, &chain))
		return false;
	*rest = (struct rest){ .tid = trailer.tid, .has_cookie = true, .cookie = chain.cookie,
			       .whole = chain.ips };
	return true;
}

/*
 * If held samples must be returned before @record, select them in @rest and return
 * true:
 * - COMM, FORK, EXIT: the samples of the thread. The caller must find its old name, and after
 *   execve(2), a chain would be that of the new program;
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
	case PERFDATA_CHAIN_DEFERRED:
		is_over = find_deferred(record, &rest);
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

static bool is_deferred(const struct record *record)
{
	return record->header.type == PERF_RECORD_SAMPLE &&
	       record->header.misc & TPROF_LX_MISC_CHAIN_DEFERRED;
}

/* Return true if @record may be a sample with a deferred chain, or a chain of perf. */
static bool needs_look(const struct record *record)
{
	return record->event && (record->event->layout.defers || is_deferred(record) ||
				 record->header.type == PERFDATA_CHAIN_DEFERRED);
}

/* Return true if @record is a sample with a deferred chain, and read it. */
static bool has_more(const struct record *record, struct sample *sample)
{
	u64 cookie;

	if (!needs_look(record) || record->header.type != PERF_RECORD_SAMPLE ||
	    layout_sample(&record->event->layout, record->data, sample))
		return false;
	return is_deferred(record) || held_find_cookie(&record->event->layout, sample, &cookie);
}

/*
 * If @record is a sample with a deferred chain, hold it back. Otherwise, store @record
 * in @stitch->behind.
 */
static int take_in(struct stitch *stitch, const struct record *record)
{
	struct sample sample;

	if (has_more(record, &sample))
		return hold(stitch, record, &sample);
	stitch->behind = *record;
	stitch->has_behind = true;
	return prepare(stitch, record);
}

static bool take_ready(struct stitch *stitch, struct record *record)
{
	free(stitch->given);
	stitch->given = held_list_take(&stitch->ready);
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
		if (!stitch->waiting.nr && !needs_look(record))
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
	held_list_free(&stitch->waiting);
	held_list_free(&stitch->ready);
}
