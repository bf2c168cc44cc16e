/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the parts of a record that has a copy of the stack, and the record without it
 */
#ifndef TPROF_STACK_RECORD_H
#define TPROF_STACK_RECORD_H

#include "base/bytes.h"
#include "perfdata/feature_set.h"
#include "walk/stack_walk.h"

/**
 * struct stack_record - a record with a copy of the stack
 * @data:	the record
 * @header:	its header
 * @chain:	offset of the number of words of its chain
 * @nr:		number of these words
 * @copy:	offset of the copy, after the fields of the record
 * @rest:	offset of what follows the copy
 * @has_copy:	the copy is as <linux/tprof_lx.h> describes it
 * @stack:	the end of the copy, if @has_copy
 * @pid:	the process
 * @time:	when the record was made
 */
struct stack_record {
	const u8 *data;
	struct perf_event_header header;
	size_t	chain;
	u64	nr;
	size_t	copy;
	size_t	rest;
	bool	has_copy;
	struct tprof_lx_stack stack;
	u32	pid;
	u64	time;
};

bool stack_record_read(struct stack_record *record, const u8 *data,
		       const struct perfdata_event *events, u32 nr_events);
void stack_record_walk(const struct stack_record *record, const struct walk_map *maps, u32 nr,
		       struct stack_chain *chain);
void stack_record_finish(const struct stack_record *record, const struct stack_chain *chain,
			 struct bytes *out);
void stack_record_strip(const struct stack_record *record, struct bytes *out);

#endif /* TPROF_STACK_RECORD_H */
