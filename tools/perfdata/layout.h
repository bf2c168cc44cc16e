/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the fields in the records of an event
 *
 * The attr of an event determines which fields its samples have. It also determines the
 * fields of the trailer, with which every other record of the event ends. No read goes
 * beyond the size of the record.
 */
#ifndef TPROF_LAYOUT_H
#define TPROF_LAYOUT_H

#include <linux/perf_event.h>

#include "base/types.h"

/**
 * struct layout - field offsets in the records of one event
 * @attr:	the event's attr
 * @trailer:	size of the trailer in bytes, 0 if records have none
 * @id:		offset of the identifier in a sample, 0 if samples have none
 * @time:	offset of the time in a sample, 0 if samples have none
 * @ip:		offset of the code address in a sample, 0 if samples have none
 * @tid:	offset of pid and tid in a sample, 0 if samples have none
 * @cpu:	offset of the CPU in a sample, 0 if samples have none
 * @period:	offset of the period in a sample, 0 if samples have none
 * @chain:	offset after the 8-byte fields of a sample, where its call chain begins if
 *		it has one; 0 if layout_place() must call layout_sample()
 * @trailer_id:	offset of the identifier in a trailer, or NO_FIELD
 * @trailer_time: offset of the time in a trailer, or NO_FIELD
 * @defers:	perf recorded the user part of call chains later (stitch.h)
 * @ends_with_weight: the last field of a sample is its weight
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
	bool	defers;
	bool	ends_with_weight;
};

#define NO_FIELD	0xffff

/**
 * struct words - an array of u64 in a record; it may be misaligned
 * @at:		first byte of the array
 * @nr:		number of u64
 */
struct words {
	const u8 *at;
	u64	nr;
};

/**
 * struct sample - the fields of a sample, or of the trailer of another record
 * @fields:	PERF_SAMPLE_* bits of the fields that the record has
 * @id:		identifier, from PERF_SAMPLE_IDENTIFIER or PERF_SAMPLE_ID
 * @ip:		code address
 * @pid:	process id
 * @tid:	thread id
 * @time:	time by the clock of the event
 * @addr:	data address
 * @stream_id:	identifier of this instance of the event
 * @cpu:	CPU
 * @period:	number of events that the sample represents
 * @chain:	call chain, innermost frame first, with PERF_CONTEXT_* marks
 * @raw:	raw data of a tracepoint, the state of a thread off CPU, or the thread that
 *		is woken
 * @raw_size:	bytes of @raw
 * @state:	wait_state(), if the reader of the sample has called it
 * @waker:	name of what ended the wait, if the reader of the sample has looked it up
 * @slice:	start of the time slice of @time, if the reader of the sample has slices
 * @branches:	branch stack, three words per entry
 * @user_abi:	PERF_SAMPLE_REGS_ABI_* of @user_regs, perhaps with PERFDATA_REGS_ABI_SIMD
 * @user_regs:	user-mode registers that sample_regs_user selects
 * @stack:	copy of the user stack, starting at the stack pointer
 * @stack_size:	bytes of @stack
 * @weight:	latency of the memory access, or another weight of the event
 * @data_src:	PERF_MEM_*: memory level and kind of the access
 * @transaction: PERF_TXN_*: why a transaction was aborted
 * @phys_addr:	physical address of the data
 * @cgroup:	cgroup id
 * @cgroup_at:	where the record has @cgroup, or NULL
 * @data_page_size: size of the page that @addr is in
 * @code_page_size: size of the page that @ip is in
 * @end:	where the fields end, if layout_sample() has read them
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
	const char *state;
	const char *waker;
	u64	slice;
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
	const u8 *cgroup_at;
	u64	data_page_size;
	u64	code_page_size;
	const u8 *end;
};

/* The fields that layout_place() always sets. */
#define LAYOUT_PLACE	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
			 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | \
			 PERF_SAMPLE_STACK_USER)

/*
 * Further fields of 8 bytes each, before the call chain. layout_place() need not read
 * them, but a sample that is too short for them is an error.
 */
#define LAYOUT_WORDS	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
			 PERF_SAMPLE_ADDR)

/*
 * A need beside the PERF_SAMPLE_* fields: the weight is parallelism (parallelism.h), which the
 * layout does not know.
 */
#define NEED_PARALLELISM	(1ULL << 62)

/* Return the needs for which layout_place() has a fast path. */
static inline u64 layout_quick(const struct layout *layout)
{
	u64 last = layout->ends_with_weight ? PERF_SAMPLE_WEIGHT | NEED_PARALLELISM : 0;

	return LAYOUT_PLACE | last;
}

void layout_init(struct layout *layout, const struct perf_event_attr *attr);
int layout_sample(const struct layout *layout, const u8 *record, struct sample *sample);
int layout_place(const struct layout *layout, u64 needed, const u8 *record,
		 struct sample *sample);
int layout_trailer(const struct layout *layout, const u8 *record, struct sample *sample);

u16 layout_sample_word(const struct layout *layout, u64 field);
u16 layout_trailer_word(const struct layout *layout, u64 field);
u16 layout_words_end(const struct layout *layout);

/* Return the period of samples that have no field for it. */
static inline u64 layout_fixed_period(const struct layout *layout)
{
	return layout->attr.freq ? 1 : layout->attr.sample_period;
}

/* Return how many words of times a counter's values begin with. @format is read_format. */
static inline u64 read_format_times(u64 format)
{
	return !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
	       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
}

/* Return how many words each value has with its identifier and its losses. */
static inline u64 read_format_words(u64 format)
{
	return 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
}

#endif /* TPROF_LAYOUT_H */
