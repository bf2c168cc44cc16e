// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the parts of a record that has a copy of the stack, and the record without it
 */
#include <stddef.h>
#include <string.h>

#include "base/load.h"
#include "perfdata/layout.h"
#include "session/stack_record.h"

/* Return the event of a sample, by its identifier. Only a sole event needs none. */
static const struct perfdata_event *event_of(const u8 *data, const struct perfdata_event *events,
					     u32 nr_events)
{
	u64 id = load_u64(data + sizeof(struct perf_event_header));
	u32 i;

	if (nr_events == 1)
		return events;
	for (i = 0; i < nr_events; i++) {
		if (events[i].id == id)
			return &events[i];
	}
	return NULL;
}

static bool read_sample(struct stack_record *record, const struct perfdata_event *event)
{
	struct sample sample;
	struct layout layout;

	if (!event || !(event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return false;
	layout_init(&layout, &event->attr);
	if (layout_sample(&layout, record->data, &sample))
		return false;
	record->chain = sample.chain.at - record->data - sizeof(u64);
	record->nr = sample.chain.nr;
	record->copy = sample.end - record->data;
	record->rest = record->header.size;
	record->pid = sample.pid;
	record->time = sample.time;
	return true;
}

static bool read_deferred(struct stack_record *record, const struct perfdata_event *first)
{
	const size_t chain = sizeof(struct perf_event_header) +
			     offsetof(struct tprof_lx_chain, nr);
	struct sample trailer;
	struct layout layout;

	layout_init(&layout, &first->attr);
	if (record->header.size < chain + sizeof(u64) + layout.trailer ||
	    layout_trailer(&layout, record->data, &trailer))
		return false;
	record->chain = chain;
	record->nr = load_u64(record->data + chain);
	record->rest = record->header.size - layout.trailer;
	if (record->nr > (record->rest - chain - sizeof(u64)) / sizeof(u64))
		return false;
	record->copy = chain + sizeof(u64) * (1 + record->nr);
	record->pid = trailer.pid;
	record->time = trailer.time;
	return true;
}

/* Read the end of the copy, which must be all between the fields and the rest of the record. */
static bool read_copy(struct stack_record *record)
{
	size_t bytes = record->rest - record->copy;

	if (bytes < sizeof(record->stack))
		return false;
	bytes -= sizeof(record->stack);
	memcpy(&record->stack, record->data + record->copy + bytes, sizeof(record->stack));
	return record->stack.bytes == bytes && record->stack.low <= bytes &&
	       record->stack.present <= record->stack.low;
}

static bool read_fields(struct stack_record *record, const struct perfdata_event *events,
			u32 nr_events)
{
	switch (record->header.type) {
	case PERF_RECORD_SAMPLE:
		return read_sample(record, event_of(record->data, events, nr_events));
	case PERF_RECORD_CGROUP:
		return read_deferred(record, events);
	default:
		return false;
	}
}

/* Find the parts of the record at @data. Return false if its fields are malformed. */
bool stack_record_read(struct stack_record *record, const u8 *data,
		       const struct perfdata_event *events, u32 nr_events)
{
	*record = (struct stack_record){ .data = data };
	memcpy(&record->header, data, sizeof(record->header));
	if (!read_fields(record, events, nr_events))
		return false;
	record->has_copy = read_copy(record);
	return true;
}

static u64 word_at(const struct stack_record *record, u64 i)
{
	return load_u64(record->data + record->chain + sizeof(u64) * (1 + i));
}

/* Return how many words the kernel part of the chain has, and set @frames to its addresses. */
static u64 kernel_words(const struct stack_record *record, u32 *frames)
{
	u64 i;

	*frames = 0;
	for (i = 0; i < record->nr && word_at(record, i) != PERF_CONTEXT_USER; i++)
		*frames += word_at(record, i) < PERF_CONTEXT_MAX;
	return i;
}

/* Walk through the copy, which @record must have, by the mappings @maps. */
void stack_record_walk(const struct stack_record *record, const struct walk_map *maps, u32 nr,
		       struct stack_chain *chain)
{
	u32 frames = record->stack.frames, in_kernel;

	kernel_words(record, &in_kernel);
	stack_walk(maps, nr, &record->stack, record->data + record->copy,
		   frames > in_kernel ? frames - in_kernel : 0, chain);
}

/* Append the record with the user part @words of its chain, and without the copy. */
static void append(const struct stack_record *record, u64 nr_kept, const u64 *words, u32 nr,
		   struct bytes *out)
{
	size_t after = record->chain + sizeof(u64) * (1 + record->nr);
	struct perf_event_header header = record->header;

	header.misc &= ~TPROF_LX_MISC_STACK;
	header.size = record->chain + sizeof(u64) * (1 + nr_kept + nr) + record->copy - after +
		      record->header.size - record->rest;
	bytes_add(out, &header, sizeof(header));
	bytes_add(out, record->data + sizeof(header), record->chain - sizeof(header));
	bytes_add_u64(out, nr_kept + nr);
	bytes_add(out, record->data + record->chain + sizeof(u64), sizeof(u64) * nr_kept);
	bytes_add(out, words, sizeof(u64) * nr);
	bytes_add(out, record->data + after, record->copy - after);
	bytes_add(out, record->data + record->rest, record->header.size - record->rest);
}

/* Append the record with the user part that was found by a walk. */
void stack_record_finish(const struct stack_record *record, const struct stack_chain *chain,
			 struct bytes *out)
{
	u32 in_kernel;

	append(record, kernel_words(record, &in_kernel), chain->words, chain->nr, out);
}

/* Append the record with the chain that it has, and without a copy. */
void stack_record_strip(const struct stack_record *record, struct bytes *out)
{
	append(record, record->nr, NULL, 0, out);
}
