/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - records with copies of stacks, a program that they are of, and its table
 */
#ifndef TPROF_UNIT_STACK_RECORDS_H
#define TPROF_UNIT_STACK_RECORDS_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "perfdata/feature_set.h"
#include "perfdata/record_make.h"
#include "unwind/table.h"

/* Functions of the program, which is mapped at CODE. A caller has called each at offset 0x10. */
#define CODE		0x400000ULL
#define CODE_BYTES	0x10000ULL
#define LEAF		(CODE + 0x1010)		/* CFA = rsp + 8 */
#define SMALL		(CODE + 0x2010)		/* CFA = rsp + 16 */
#define LARGE		(CODE + 0x3010)		/* CFA = rsp + 4096 */
#define OUTERMOST	(CODE + 0x4010)
#define BY_FRAME	(CODE + 0x5010)		/* where the frame pointer of a record leads */

#define KERNEL		0xffffffff81000000ULL
#define RSP		0x7fff0000ULL
#define SMALL_COPY	256

#define SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN)

/* The second event has a field after its chain. */
static const struct perfdata_event test_events[] = {
	{ { .sample_type = SAMPLE_TYPE, .sample_id_all = 1 }, .id = 7 },
	{ { .sample_type = SAMPLE_TYPE | PERF_SAMPLE_WEIGHT, .sample_id_all = 1 }, .id = 8 },
};

#define TEST_WEIGHT	0x5555

static const struct build_id program = { 20, { 1 } };

static inline struct unwind_table program_table(void)
{
	static const struct tprof_lx_unwind_rule rules[] = {
		{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP_SAME, 8 },
		{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP_SAME, 16 },
		{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP_SAME, 4096 },
		{ TPROF_LX_UNWIND_END, 0, 0, 0 },
	};
	struct table_builder builder = { .table.build_id = program };

	for (u32 i = 0; i < ARRAY_SIZE(rules); i++) {
		if (builder_add(&builder, 0x1000 * (i + 1), &rules[i]))
			abort();
	}
	/* There are less pages than array_grow() makes room for at first. */
	builder.table.pages[builder.table.nr_pages] = builder.table.nr_rows;
	builder_free(&builder);
	return builder.table;
}

/**
 * struct stack_made - a copy of a stack that is being made
 * @bytes:	the copy
 * @end:	its end
 */
struct stack_made {
	u8	bytes[SMALL_COPY];
	struct tprof_lx_stack end;
};

/* Put @word at offset @at from the stack pointer. */
static inline void stack_put(struct stack_made *made, u32 at, u64 word)
{
	memcpy(made->bytes + TPROF_LX_STACK_BELOW + at, &word, sizeof(word));
}

/*
 * Make the copy of a stack: the function of @ip has a return address in SMALL, and that one in
 * OUTERMOST. The frame pointer leads to BY_FRAME.
 */
static inline struct stack_made stack_of(u64 ip)
{
	struct stack_made made = {
		.end = {
			.bytes = SMALL_COPY,
			.low = SMALL_COPY,
			.present = SMALL_COPY,
			.frames = 127,
		},
	};

	made.end.regs[TPROF_LX_UNWIND_RSP] = RSP;
	made.end.regs[TPROF_LX_UNWIND_RBP] = RSP + 64;
	made.end.regs[ARRAY_SIZE(made.end.regs) - 1] = ip;
	stack_put(&made, 0, SMALL);
	stack_put(&made, 16, OUTERMOST);
	stack_put(&made, 72, BY_FRAME);
	return made;
}

static inline void set_header(struct bytes *out, size_t begin, u32 type, u16 misc)
{
	const struct perf_event_header header = { type, misc, out->len - begin };

	memcpy(out->data + begin, &header, sizeof(header));
}

static inline void add_chain(struct bytes *out, const u64 *chain, u64 nr)
{
	bytes_add_u64(out, nr);
	bytes_add(out, chain, nr * sizeof(*chain));
}

static inline u16 add_stack(struct bytes *out, const struct stack_made *made)
{
	if (!made)
		return 0;
	bytes_add(out, made->bytes, sizeof(made->bytes));
	bytes_add(out, &made->end, sizeof(made->end));
	return TPROF_LX_MISC_STACK;
}

/* Append a sample of process @pid with the chain of @nr words, and a copy, or without one. */
static inline void add_sample(struct bytes *out, u32 event, u64 time, u32 pid, const u64 *chain,
			      u64 nr, const struct stack_made *made)
{
	size_t begin = out->len;

	bytes_extend(out, sizeof(struct perf_event_header));
	bytes_add_u64(out, test_events[event].id);
	bytes_add_u64(out, LEAF);
	bytes_add_u32(out, pid);
	bytes_add_u32(out, pid);
	bytes_add_u64(out, time);
	bytes_add_u64(out, 0);
	add_chain(out, chain, nr);
	if (test_events[event].attr.sample_type & PERF_SAMPLE_WEIGHT)
		bytes_add_u64(out, TEST_WEIGHT);
	set_header(out, begin, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | add_stack(out, made));
}

static inline struct record_trailer trailer_at(u64 time, u32 pid)
{
	return (struct record_trailer){
		.pid = pid,
		.tid = pid,
		.time = time,
		.id = test_events[0].id,
		.sample_type = SAMPLE_TYPE,
	};
}

/* Append a deferred chain, with a copy or without one. */
static inline void add_deferred(struct bytes *out, u64 time, u32 pid, const u64 *chain, u64 nr,
				const struct stack_made *made)
{
	const struct record_trailer trailer = trailer_at(time, pid);
	struct tprof_lx_chain fixed = { .path = TPROF_LX_CHAIN_PATH };
	size_t begin = out->len;
	u16 misc;

	bytes_extend(out, sizeof(struct perf_event_header));
	bytes_add(out, &fixed, offsetof(struct tprof_lx_chain, nr));
	add_chain(out, chain, nr);
	misc = add_stack(out, made);
	record_add_trailer(out, &trailer);
	set_header(out, begin, PERF_RECORD_CGROUP, misc);
}

/* Append the mapping of the program. */
static inline void add_program(struct bytes *out, u64 time, u32 pid)
{
	const struct record_trailer trailer = trailer_at(time, pid);
	const struct mapping map = {
		.start = CODE,
		.len = CODE_BYTES,
		.prot = PROT_READ | PROT_EXEC,
		.build_id = program,
		.name = "/program",
	};

	record_mmap2(out, &trailer, &map);
}

static inline void add_fork(struct bytes *out, u64 time, u32 parent, u32 child)
{
	const struct record_trailer trailer = trailer_at(time, child);
	size_t begin = out->len;

	record_fork(out, &trailer, parent, parent);
	set_header(out, begin, PERF_RECORD_FORK, 0);
}

static inline void add_exec(struct bytes *out, u64 time, u32 pid)
{
	const struct record_trailer trailer = trailer_at(time, pid);
	size_t begin = out->len;

	record_comm(out, &trailer, "new");
	set_header(out, begin, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
}

#endif /* TPROF_UNIT_STACK_RECORDS_H */
