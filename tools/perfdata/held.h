/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - samples that wait for their deferred call chain
 */
#ifndef TPROF_HELD_H
#define TPROF_HELD_H

#include "perfdata/reader.h"

/**
 * struct held - a copy of a sample that is held back
 * @next:	next sample in the list
 * @record:	the sample; its @event is unused, its @data points to @data below
 * @event:	index in reader.events, not a pointer: the reader may reallocate the
 *		array
 * @pid:	process
 * @tid:	thread
 * @has_cookie:	perf recorded the sample; its chain had PERF_CONTEXT_USER_DEFERRED and
 *		@cookie
 * @cookie:	cookie of the deferred chain
 * @nr_kept:	number of words of the chain before the user's addresses: the kernel part
 *		and PERF_CONTEXT_USER
 * @data:	bytes of the record
 */
struct held {
	struct held *next;
	struct record record;
	u32	event;
	u32	pid;
	u32	tid;
	bool	has_cookie;
	u64	cookie;
	u64	nr_kept;
	u8	data[];
};

/**
 * struct held_list - a list of samples, oldest first
 * @first:	first sample, or NULL
 * @last:	address of the pointer that held_list_add() sets: @next of the last sample,
 *		or @first
 * @nr:		number of samples
 */
struct held_list {
	struct held *first;
	struct held **last;
	u32	nr;
};

void held_list_init(struct held_list *list);
void held_list_add(struct held_list *list, struct held *held);
struct held *held_list_take(struct held_list *list);
void held_list_free(struct held_list *list);

/**
 * struct new_chain - a call chain made of two parts
 * @keep:	first words of the present chain
 * @rest:	words to add to them
 */
struct new_chain {
	u64	keep;
	struct words rest;
};

bool held_find_cookie(const struct layout *layout, const struct sample *sample, u64 *cookie);
struct held *held_make(const struct record *record, const struct sample *sample);
bool held_has_room(const struct record *record, const struct words *chain,
		   const struct new_chain *made);
struct held *held_with_chain(const struct record *record, const struct words *chain,
			     const struct new_chain *made);

#endif /* TPROF_HELD_H */
