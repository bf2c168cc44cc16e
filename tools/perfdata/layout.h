/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - where the fields of an event's records are
 *
 * What a sample and the trailer of any other record hold follows from the
 * event's attr. Nothing beyond the size of a record is ever read.
 */
#ifndef TPROF_LAYOUT_H
#define TPROF_LAYOUT_H

#include <linux/perf_event.h>

#include "base/types.h"

/**
 * struct layout - of one event
 * @attr:	the event
 * @trailer:	bytes of the trailer, 0 when there is none
 * @id:		offset of the identifier in a sample, 0 when it has none
 * @time:	offset of the time in a sample, 0 when it has none
 * @ip:		offset of the address in a sample, 0 when it has none
 * @tid:	offset of process and thread, likewise
 * @cpu:	offset of the CPU, likewise
 * @period:	offset of the period, likewise
 * @chain:	offset of the call chain in a sample that has one; 0 when something
 *		of variable length comes before it, or a copy of the stack behind it
 * @trailer_id:	offset of the identifier in a trailer, or NO_FIELD
 * @trailer_time: offset of the time in a trailer, or NO_FIELD
 */
struct layout {
	struct perf_event_attr attr;
	u16	trailer;
	u16	id;
	u16	time;
	u16	ip;
	u16	tid;
	u16	cpu;
	u16	period;
	u16	chain;
	u16	trailer_id;
	u16	trailer_time;
};

#define NO_FIELD	0xffff

/**
 * struct words - an array of u64 within a record, which may be misaligned
 * @at:		where
 * @nr:		how many
 */
struct words {
	const u8 *at;
	u64	nr;
};

/**
 * struct sample - what a record says of where and when it was written
 * @fields:	which of these are there, PERF_SAMPLE_*
 * @id:		identifier, by IDENTIFIER or ID
 * @ip:		address of the code
 * @pid:	process
 * @tid:	thread
 * @time:	when
 * @addr:	address of the data
 * @stream_id:	identifier of the very event
 * @cpu:	where
 * @period:	events that the sample stands for
 * @chain:	call chain, innermost first, with context marks
 * @raw:	what a tracepoint wrote
 * @raw_size:	bytes of @raw
 * @branches:	branch stack, three words each
 * @user_abi:	what mode it was, PERF_SAMPLE_REGS_ABI_*
 * @user_regs:	registers of user mode, which the event chose
 * @stack:	copy of the user stack, from its top on
 * @stack_size:	bytes of @stack
 * @weight:	cost of the access
 * @data_src:	where the data came from
 * @transaction: why a transaction was aborted
 * @phys_addr:	physical address of the data
 * @cgroup:	its cgroup
 * @data_page_size: size of the page of @addr
 * @code_page_size: size of the page of @ip
 */
struct sample {
	u64	fields;
	u64	id;
	u64	ip;
	u32	pid;
	u32	tid;
	u64	time;
	u64	addr;
	u64	stream_id;
	u32	cpu;
	u64	period;
	struct words chain;
	const u8 *raw;
	u32	raw_size;
	struct words branches;
	u64	user_abi;
	struct words user_regs;
	const u8 *stack;
	u64	stack_size;
	u64	weight;
	u64	data_src;
	u64	transaction;
	u64	phys_addr;
	u64	cgroup;
	u64	data_page_size;
	u64	code_page_size;
};

/* The fields that layout_place() always sets. */
#define LAYOUT_PLACE	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
			 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | \
			 PERF_SAMPLE_STACK_USER)

void layout_init(struct layout *layout, const struct perf_event_attr *attr);
int layout_sample(const struct layout *layout, const u8 *record, struct sample *sample);
int layout_place(const struct layout *layout, u64 needed, const u8 *record,
		 struct sample *sample);
int layout_trailer(const struct layout *layout, const u8 *record, struct sample *sample);

#endif /* TPROF_LAYOUT_H */
