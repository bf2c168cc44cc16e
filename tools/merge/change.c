// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - append a record to the output, and change its fields
 */
#include <errno.h>
#include <string.h>

#include "base/load.h"
#include "merge/change.h"
#include "merge/merge_hosts.h"

/* Each of these changes the field at @at for the output. */

void change_pid(struct merge *merge, const struct source *source, u8 *at)
{
	put_u32(at, pids_map(&merge->pids, source->number, load_u32(at)));
}

/* 0 and ~0 stand for no time. */
void change_time(const struct source *source, u8 *at)
{
	u64 time = load_u64(at);

	if (time && time != ~0ULL)
		put_u64(at, time + source->shift);
}

/* perf gives the identifier 0 to records that it made. */
void change_id(const struct merge *merge, struct source *source, u8 *at)
{
	u64 id = load_u64(at);
	const struct reader_event *event = reader_find_event(&source->reader, id);

	if (event)
		put_u64(at, merge_id(merge, source, id,
				     source->events[event - source->reader.events].merged));
}

/*
 * Recordings have different cgroups with the same number. The kernel's numbers are below
 * 2^48; 0 is no cgroup.
 */
void change_cgroup(const struct source *source, u8 *at)
{
	u64 id = load_u64(at);

	if (id)
		put_u64(at, id ^ (u64)source->number << 48);
}

void change_addr(const struct merge *merge, struct source *source, u8 *at)
{
	u64 addr = load_u64(at);

	/* The highest numbers in a call chain are marks, not addresses. */
	if ((s64)addr < 0 && addr < PERF_CONTEXT_MAX)
		put_u64(at, kernels_address(&merge->kernels, &source->kernel, addr));
}

void change_words(struct merge *merge, struct source *source, const struct words_at *words,
		  u8 *at)
{
	if (words->tid != NO_FIELD) {
		change_pid(merge, source, at + words->tid);
		change_pid(merge, source, at + words->tid + sizeof(u32));
	}
	if (words->time != NO_FIELD)
		change_time(source, at + words->time);
	if (words->id != NO_FIELD)
		change_id(merge, source, at + words->id);
	if (words->identifier != NO_FIELD)
		change_id(merge, source, at + words->identifier);
}

/* Change the trailer of a record other than a sample, which is at the end of @merge->out. */
void change_trailer(struct merge *merge, struct source *source)
{
	const struct reader_event *event = source->record.event;
	const struct source_event *own = &source->events[event - source->reader.events];

	if (event->layout.trailer)
		change_words(merge, source, &own->trailer,
			     merge->out.data + merge->out.len - event->layout.trailer);
}

/*
 * Append the record with @head bytes of its beginning, then @name padded with zeroes, then its
 * trailer. Set *@at to the beginning. Return 0 or -errno.
 */
int change_append_named(struct merge *merge, const struct source *source, size_t head,
			const char *name, u8 **at)
{
	const struct record *record = &source->record;
	size_t trailer = record->event->layout.trailer, begin = merge->out.len;
	size_t len = ALIGN_UP(strlen(name) + 1, 8);
	u16 size = head + len + trailer;

	if (head + len + trailer > PERFDATA_RECORD_LIMIT)
		return -EBADMSG;
	bytes_add(&merge->out, record->data, head);
	bytes_add(&merge->out, name, strlen(name));
	bytes_extend(&merge->out, len - strlen(name));
	bytes_add(&merge->out, record->data + record->header.size - trailer, trailer);
	if (bytes_err(&merge->out))
		return -ENOMEM;
	*at = merge->out.data + begin;
	memcpy(*at + offsetof(struct perf_event_header, size), &size, sizeof(size));
	return 0;
}

/* Append the record as it is. Return it, or NULL if memory ran out. */
u8 *change_append(struct merge *merge, const struct source *source)
{
	size_t begin = merge->out.len;

	bytes_add(&merge->out, source->record.data, source->record.header.size);
	return bytes_err(&merge->out) ? NULL : merge->out.data + begin;
}
