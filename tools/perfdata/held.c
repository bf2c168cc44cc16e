// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - samples that wait for their deferred call chain
 */
#include <linux/tprof_lx.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "perfdata/held.h"
#include "perfdata/perfdata.h"

#define MAX_RECORD	0xfff8

void held_list_init(struct held_list *list)
{
	*list = (struct held_list){ .last = &list->first };
}

void held_list_add(struct held_list *list, struct held *held)
{
	held->next = NULL;
	*list->last = held;
	list->last = &held->next;
	list->nr++;
}

/* Remove the first sample. Return it, or NULL if the list is empty. */
struct held *held_list_take(struct held_list *list)
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

void held_list_free(struct held_list *list)
{
	struct held *held;

	while ((held = held_list_take(list)))
		free(held);
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

/* Return true if the sample is not too large for a record after its chain has changed. */
bool held_has_room(const struct record *record, const struct words *chain,
		   const struct new_chain *made)
{
	return made->rest.nr <= MAX_RECORD / sizeof(u64) &&
	       record->header.size + (made->keep + made->rest.nr - chain->nr) * sizeof(u64) <=
	       MAX_RECORD;
}

/*
 * Copy a sample, but with @made in place of @chain, which is its call chain. The copy waits
 * for no chain. Return NULL if out of memory.
 */
struct held *held_with_chain(const struct record *record, const struct words *chain,
			     const struct new_chain *made)
{
	size_t begin = chain->at - record->data, old_end = begin + chain->nr * sizeof(u64);
	u64 nr = made->keep + made->rest.nr;
	struct held *held = make(record, record->header.size + (nr - chain->nr) * sizeof(u64));
	u8 *at;

	if (!held)
		return NULL;
	held->record.header.misc &= ~TPROF_LX_MISC_CHAIN_DEFERRED;
	at = mempcpy(held->data, record->data, begin + made->keep * sizeof(u64));
	if (made->rest.nr)
		at = mempcpy(at, made->rest.at, made->rest.nr * sizeof(u64));
	memcpy(at, record->data + old_end, record->header.size - old_end);
	memcpy(held->data + begin - sizeof(nr), &nr, sizeof(nr));
	memcpy(held->data, &held->record.header, sizeof(held->record.header));
	return held;
}

/*
 * If the chain of a sample ends with PERF_CONTEXT_USER_DEFERRED and a cookie, set *@cookie
 * and return true.
 */
bool held_find_cookie(const struct layout *layout, const struct sample *sample, u64 *cookie)
{
	const struct words *chain = &sample->chain;
	const u8 *last_two;

	if (!layout->defers || chain->nr < 2)
		return false;
	last_two = chain->at + (chain->nr - 2) * sizeof(u64);
	if (load_u64(last_two) != PERFDATA_CONTEXT_USER_DEFERRED)
		return false;
	*cookie = load_u64(last_two + sizeof(u64));
	return true;
}

/*
 * Copy a sample, with PERF_CONTEXT_USER in place of PERF_CONTEXT_USER_DEFERRED and the cookie,
 * which is no frame. In user mode, the innermost frame is known.
 */
static struct held *without_cookie(const struct record *record, const struct sample *sample,
				   u64 cookie)
{
	bool is_user = (record->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
		       PERF_RECORD_MISC_USER;
	u64 frame[] = { PERF_CONTEXT_USER, sample->ip };
	struct new_chain made = { .keep = sample->chain.nr - 2,
				  .rest = { (const u8 *)frame, 1 } };
	struct held *held;

	if (is_user && sample->fields & PERF_SAMPLE_IP)
		made.rest.nr = 2;
	held = held_with_chain(record, &sample->chain, &made);
	if (!held)
		return NULL;
	held->has_cookie = true;
	held->cookie = cookie;
	held->nr_kept = made.keep + 1;
	return held;
}

/* Copy a sample that waits. Return the copy, or NULL if out of memory. */
struct held *held_make(const struct record *record, const struct sample *sample)
{
	struct held *held;
	u64 cookie;

	if (held_find_cookie(&record->event->layout, sample, &cookie)) {
		held = without_cookie(record, sample, cookie);
	} else {
		held = make(record, record->header.size);
		if (held)
			memcpy(held->data, record->data, record->header.size);
	}
	if (!held)
		return NULL;
	held->pid = sample->pid;
	held->tid = sample->tid;
	return held;
}
