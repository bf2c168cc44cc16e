// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - write the samples that are shown as a perf.data
 *
 * The samples are known by call stack, without the addresses that the binaries had in each
 * process. So in the file, each binary has the same addresses in all processes. Processes and
 * threads have their own ids if these are keys, else a number for each name. A stack is written
 * as many times as it has samples.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/monotonic.h"
#include "perfdata/record_make.h"
#include "perfdata/writer.h"
#include "top/snapshot.h"

/* A binary has at most this many bytes of addresses in the file. */
#define BINARY_BITS	36
/* Fields of samples in the file. */
#define FIELDS		(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |   \
			 PERF_SAMPLE_CALLCHAIN)
/* A sample has at most 64 KiB. */
#define FRAMES_WRITTEN	4096

/**
 * struct saving - a file that is written
 * @snapshot:	what to write
 * @events:	its events, without the fields that the file does not have
 * @records:	the records so far
 * @tasks:	a mark for each thread that has a name in @records
 * @maps:	a mark for each binary that a process has mapped in @records
 * @time:	time of the next sample
 */
struct saving {
	const struct snapshot *snapshot;
	struct perfdata_event events[TPROF_LX_MAX_EVENTS];
	struct bytes records;
	struct hash_table tasks;
	struct hash_table maps;
	u64	time;
};

/* Return true if @number was not marked before. Mark it. */
static bool is_first(struct hash_table *marks, u64 number)
{
	static char mark;
	u64 hash = hash_number(number);

	return !hash_table_find(marks, hash, NULL, NULL) && !hash_table_add(marks, hash, &mark);
}

/* Append those of the records before the session that are about the kernel. */
static void add_kernel(struct saving *saving)
{
	const u8 *at = saving->snapshot->before;
	size_t left = saving->snapshot->before_len;
	struct perf_event_header header;

	for (; left >= sizeof(header); at += header.size, left -= header.size) {
		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) || header.size > left)
			return;
		if ((header.type == PERF_RECORD_MMAP || header.type == PERF_RECORD_MMAP2) &&
		    (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
			bytes_add(&saving->records, at, header.size);
	}
}

/* Return true if a binary has addresses of its own in the file, not those of a process. */
static bool is_moved(const struct object *object)
{
	return object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO;
}

static u64 address_of(const struct stack_frame *frame)
{
	const struct spot spot = stack_spot(frame);
	u64 place = (u64)spot.object->number << BINARY_BITS;

	if (spot.is_kernel || !is_moved(spot.object) || spot.addr >> BINARY_BITS)
		return spot.addr;
	return place | spot.addr;
}

/* Append the mapping of a frame's binary in process @pid, if that was not done yet. */
static void add_map(struct saving *saving, u32 pid, const struct stack_frame *frame)
{
	const struct spot spot = stack_spot(frame);
	struct record_trailer trailer = { .pid = pid, .tid = pid, .id = saving->events[0].id,
					  .sample_type = saving->events[0].attr.sample_type };
	struct mapping map = { .start = (u64)spot.object->number << BINARY_BITS,
			       .len = 1ULL << BINARY_BITS, .prot = 5,
			       .build_id = spot.object->build_id, .name = spot.object->name };

	if (spot.is_kernel || !is_moved(spot.object) ||
	    !is_first(&saving->maps, (u64)spot.object->number << 32 | pid))
		return;
	record_mmap2(&saving->records, &trailer, &map);
}

/* Append the name of a thread, if that was not done yet. */
static void add_name(struct saving *saving, u32 pid, u32 tid, const char *comm)
{
	struct record_trailer trailer = { .pid = pid, .tid = tid, .id = saving->events[0].id,
					  .sample_type = saving->events[0].attr.sample_type };

	if (comm && is_first(&saving->tasks, (u64)pid << 32 | tid))
		record_comm(&saving->records, &trailer, comm);
}

/* Append the call chain of a stack, with marks where the mode changes. */
static void add_chain(struct bytes *out, const struct stack *stack)
{
	size_t i, nr = stack->nr < FRAMES_WRITTEN ? stack->nr : FRAMES_WRITTEN, begun;
	bool is_kernel = false;
	u64 number = 0;

	bytes_add_u64(out, number);
	begun = out->len;
	for (i = 1; i < nr; i++) {
		if (i == 1 || is_kernel != stack_spot(&stack->frames[i]).is_kernel) {
			is_kernel = stack_spot(&stack->frames[i]).is_kernel;
			bytes_add_u64(out, is_kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
		}
		bytes_add_u64(out, address_of(&stack->frames[i]));
	}
	number = (out->len - begun) / sizeof(number);
	if (!out->failed)
		memcpy(out->data + begun - sizeof(number), &number, sizeof(number));
}

/* Append a sample of @stack with the fields of FIELDS that @event has. */
static void add_sample(struct saving *saving, const struct perfdata_event *event,
		       const struct stack *stack, u32 pid, u32 tid, u64 period)
{
	struct bytes *out = &saving->records;
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = stack_spot(stack->frames).is_kernel ? PERF_RECORD_MISC_KERNEL :
							      PERF_RECORD_MISC_USER,
	};
	u64 fields = event->attr.sample_type;
	size_t begun = out->len;

	bytes_add(out, &header, sizeof(header));
	if (fields & PERF_SAMPLE_IDENTIFIER)
		bytes_add_u64(out, event->id);
	bytes_add_u64(out, address_of(stack->frames));
	bytes_add_u32(out, pid);
	bytes_add_u32(out, tid);
	bytes_add_u64(out, saving->time++);
	if (fields & PERF_SAMPLE_CPU)
		bytes_add_u64(out, stack->subject->cpu);
	bytes_add_u64(out, period);
	if (fields & PERF_SAMPLE_CALLCHAIN)
		add_chain(out, stack);
	header.size = out->len - begun;
	if (!out->failed)
		memcpy(out->data + begun, &header, sizeof(header));
}

static const struct perfdata_event *event_of(const struct saving *saving,
					     const struct stack *stack)
{
	u32 i;

	for (i = 0; i < saving->snapshot->nr_events; i++) {
		if (saving->snapshot->tags[i] == stack->profile)
			return &saving->events[i];
	}
	return &saving->events[0];
}

static void add_stack(struct saving *saving, const struct stack *stack)
{
	const struct subject *subject = stack->subject;
	u32 pid = subject->pid ? subject->pid : subject->number + 1;
	u32 tid = subject->tid ? subject->tid : pid;
	u64 nr = (stack->samples + FADING_UNIT / 2) / FADING_UNIT, period;
	size_t i;

	add_name(saving, pid, tid, subject->comm);
	for (i = 0; i < stack->nr; i++)
		add_map(saving, pid, &stack->frames[i]);
	for (nr = nr ? nr : 1, period = stack->period / nr; nr; nr--)
		add_sample(saving, event_of(saving, stack), stack, pid, tid, period);
}

/* Make all records. Events keep only the fields of FIELDS. */
static void make_records(struct saving *saving)
{
	const struct snapshot *snapshot = saving->snapshot;
	const struct stacks *stacks = &snapshot->fading->stacks;
	size_t i;

	for (i = 0; i < snapshot->nr_events; i++) {
		saving->events[i] = snapshot->events[i];
		saving->events[i].attr.sample_type &= FIELDS;
		saving->events[i].attr.sample_type |= PERF_SAMPLE_PERIOD;
	}
	add_kernel(saving);
	for (i = 0; i < stacks->table.nr; i++)
		add_stack(saving, stacks->list[i]);
}

static int write_file(struct saving *saving, int fd)
{
	struct feature_set features = { 0 };
	struct writer writer;
	size_t written;
	int err;

	features_add_host(&features);
	features_add_events(&features, saving->events, saving->snapshot->nr_events);
	features_add_clock(&features, CLOCK_MONOTONIC);
	err = features_err(&features);
	if (!err)
		err = writer_begin(&writer, fd, false, saving->events,
				   saving->snapshot->nr_events, &features);
	if (!err)
		err = writer_append(&writer, saving->records.data, saving->records.len, &written);
	if (!err)
		err = writer_end(&writer, &features);
	features_free(&features);
	return err;
}

/* Write the file, which must be empty. Return 0 or -errno. */
int snapshot_write(const struct snapshot *snapshot, int fd)
{
	struct saving saving = { .snapshot = snapshot, .time = monotonic_ns() };
	int err;

	make_records(&saving);
	err = bytes_err(&saving.records);
	if (!err)
		err = write_file(&saving, fd);
	bytes_free(&saving.records);
	hash_table_free(&saving.tasks, NULL);
	hash_table_free(&saving.maps, NULL);
	return err;
}
