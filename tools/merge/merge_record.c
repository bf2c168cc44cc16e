// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - change the records of a recording for the output
 *
 * Times, identifiers, processes and kernel addresses change in place: a record keeps its
 * layout. Only names of kernels and lines of the ledger may get another length.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/load.h"
#include "merge/change.h"
#include "perfdata/held.h"
#include "perfdata/ledger.h"
#include "perfdata/record_types.h"
#include "world/world.h"

#define HEADER		sizeof(struct perf_event_header)

/* Offset of the name in MMAP and MMAP2, and of device or build-id in MMAP2. */
#define MMAP_NAME	40
#define MMAP2_NAME	72
#define MMAP2_IDENTITY	40
#define CGROUP_ID	8
#define CGROUP_PATH	16

/* Change the identifiers in the counts of a sample or of a READ record. */
static void change_counts(const struct merge *merge, struct source *source, u64 format, u8 *at,
			  const u8 *end)
{
	size_t times = read_format_times(format) * sizeof(u64);
	size_t each = read_format_words(format) * sizeof(u64);
	u64 nr = 1;

	if (!(format & PERF_FORMAT_ID))
		return;
	if (format & PERF_FORMAT_GROUP && at + sizeof(nr) <= end) {
		nr = load_u64(at);
		at += sizeof(nr);
	}
	/* The times are after the count of a single event, but before those of a group. */
	for (at += times + sizeof(u64); nr-- && at + sizeof(u64) <= end; at += each)
		change_id(merge, source, at);
}

/* Change the addresses of @words, of which each @step'th is one. */
static void change_addrs(const struct merge *merge, struct source *source, struct words words,
			 bool is_branches)
{
	u8 *at = (u8 *)(uintptr_t)words.at;
	u64 i;

	for (i = 0; i < words.nr; i++, at += sizeof(u64)) {
		change_addr(merge, source, at);
		if (!is_branches)
			continue;
		change_addr(merge, source, at + sizeof(u64));
		at += 2 * sizeof(u64);
	}
}

static int change_sample(struct merge *merge, struct source *source, u8 *at)
{
	const struct reader_event *event = source->record.event;
	const struct source_event *own = &source->events[event - source->reader.events];
	const struct layout *layout = &event->layout;
	struct sample sample;
	u64 cookie;
	int err = layout_sample(layout, at, &sample);

	if (err)
		return message_set(&source->reader.msg, err,
				   "the record at %#llx is too short for its event",
				   source->record.offset);
	change_words(merge, source, &own->sample, at);
	if (layout->ip && !is_guest_mode(source->record.header.misc))
		change_addr(merge, source, at + layout->ip);
	if (sample.fields & PERF_SAMPLE_READ)
		change_counts(merge, source, layout->attr.read_format,
			      at + layout_words_end(layout), at + source->record.header.size);
	if (held_find_cookie(layout, &sample, &cookie))
		sample.chain.nr -= 2;
	change_addrs(merge, source, sample.chain, false);
	change_addrs(merge, source, sample.branches, true);
	if (sample.cgroup_at)
		change_cgroup(source, at + (sample.cgroup_at - at));
	if (!merge->samples++)
		merge->first = source->record.time + source->shift;
	merge->last = source->record.time + source->shift;
	return 0;
}

/* Return the name of a kernel or module as the table of build-ids has it. */
static const char *part_name(const char *name)
{
	return begins_with(name, "[kernel.kallsyms]") ? "[kernel.kallsyms]" : name;
}

/*
 * Append the mapping of a kernel or module, unless the output has it. The kernel's file offset
 * is the address of a symbol, which moves with the kernel.
 */
static int add_kernel_map(struct merge *merge, struct source *source,
			  const struct map_record *map)
{
	const struct kernel_part *part;
	const char *name = part_name(map->name);
	const struct build_id *id = &map->build_id;
	size_t head = source->record.header.type == PERF_RECORD_MMAP ? MMAP_NAME : MMAP2_NAME;
	u8 *at;
	int err;

	if (!id->size)
		id = build_ids_find(&source->ids, name);
	err = kernels_add(&merge->kernels, &source->kernel, name, id, map->start, map->len,
			  &part);
	if (err || !part)
		return err;
	err = change_append_named(merge, source, head,
				  strcmp(part->new_name, name) ? part->new_name : map->name, &at);
	if (err)
		return err;
	put_u64(at + 16, part->start);
	if (part->start != map->start) {
		put_u64(at + 24, part->end - part->start);
		put_u64(at + 32, map->pgoff + part->start - map->start);
	}
	change_trailer(merge, source);
	return 0;
}

/*
 * Let a mapping have the build-id of its file: the table of the output cannot have two files
 * of one name.
 */
static void add_identity(const struct source *source, const struct map_record *map, u8 *at)
{
	const struct build_id *id = build_ids_find(&source->ids, map->name);
	u8 identity[24] = { id->size };
	u16 misc = source->record.header.misc | PERF_RECORD_MISC_MMAP_BUILD_ID;

	if (source->record.header.type != PERF_RECORD_MMAP2 || map->build_id.size || !id->size)
		return;
	memcpy(identity + 4, id->data, BUILD_ID_MAX);
	memcpy(at + MMAP2_IDENTITY, identity, sizeof(identity));
	memcpy(at + offsetof(struct perf_event_header, misc), &misc, sizeof(misc));
}

/*
 * Note a process with JIT-compiled code that has another number in the output. Symbols of such
 * code are in /tmp/perf-PID.map, which has the old number. Return 0 or -ENOMEM.
 */
static int note_jit(struct merge *merge, const struct source *source, const struct map_record *map)
{
	u32 pid = pids_map(&merge->pids, source->number, map->pid);

	if (pid == (u32)map->pid || !(map->prot & PROT_EXEC) || !world_is_anonymous(map))
		return 0;
	return hash_table_get(&merge->jits, pid, sizeof(pid)) ? 0 : -ENOMEM;
}

static int add_map(struct merge *merge, struct source *source)
{
	const struct record *record = &source->record;
	struct record_body body = { record->data,
				    record->header.size - record->event->layout.trailer,
				    record->header.misc };
	struct map_record map = { 0 };
	u8 *at;

	if (record_map(&body, record->header.type, &map))
		return -EBADMSG;
	if ((record->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		return add_kernel_map(merge, source, &map);
	at = change_append(merge, source);
	if (!at || note_jit(merge, source, &map))
		return -ENOMEM;
	change_pid(merge, source, at + 8);
	change_pid(merge, source, at + 12);
	add_identity(source, &map, at);
	change_trailer(merge, source);
	return 0;
}

/* A function that the kernel generated, such as a BPF program. */
static int add_ksymbol(struct merge *merge, struct source *source)
{
	static const struct build_id none;
	const struct record *record = &source->record;
	struct record_body body = { record->data,
				    record->header.size - record->event->layout.trailer,
				    record->header.misc };
	const struct kernel_part *part;
	struct ksymbol_record made;
	u8 *at;
	int err = record_ksymbol(&body, &made);

	if (err)
		return -EBADMSG;
	if (!made.is_gone)
		err = kernels_add(&merge->kernels, &source->kernel, made.name, &none, made.start,
				  made.len, &part);
	if (err)
		return err;
	at = change_append(merge, source);
	if (!at)
		return -ENOMEM;
	change_addr(merge, source, at + 8);
	change_trailer(merge, source);
	return 0;
}

/* Append a line of the ledger, in which the event has its number in the output. */
static int add_ledger(struct merge *merge, struct source *source, const char *line)
{
	bool has_event;
	char text[LEDGER_MAX];
	u64 event;
	u8 *at;
	int err;

	has_event = ledger_number(line, "event=", &event);
	if (has_event) {
		if (event >= source->nr_events)
			return -EBADMSG;
		event = source->events[event].merged;
		if (ledger_set_event(line, event, text, sizeof(text)))
			return -EBADMSG;
		line = text;
	}
	err = change_append_named(merge, source, CGROUP_PATH, line, &at);
	if (err)
		return err;
	if (has_event)
		put_u32(at + 12, event);
	change_trailer(merge, source);
	return 0;
}

static int add_cgroup(struct merge *merge, struct source *source)
{
	const struct record_field path = { .kind = FIELD_TEXT, .offset = CGROUP_PATH };
	const struct record *record = &source->record;
	struct record_body body = { record->data, record->header.size, record->header.misc };
	const char *text = record_text(&body, &path), *line = ledger_line(record);
	u8 *at;

	if (line)
		return add_ledger(merge, source, line);
	at = change_append(merge, source);
	if (!at)
		return -ENOMEM;
	if (text && *text == '/')
		change_cgroup(source, at + CGROUP_ID);
	change_trailer(merge, source);
	return 0;
}

/* Change the fields of a record that has no names. */
static void change_fields(struct merge *merge, struct source *source, u8 *at)
{
	const struct layout *layout = &source->record.event->layout;
	const u8 *end = at + source->record.header.size - layout->trailer;

	switch (source->record.header.type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		change_pid(merge, source, at + 16);
		change_pid(merge, source, at + 20);
		change_time(source, at + 24);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		change_time(source, at + 8);
		change_id(merge, source, at + 16);
		return;
	case PERF_RECORD_LOST:
		change_id(merge, source, at + 8);
		return;
	case PERF_RECORD_TEXT_POKE:
		change_addr(merge, source, at + 8);
		return;
	case PERF_RECORD_READ:
		change_counts(merge, source, layout->attr.read_format, at + 16, end);
		break;
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		break;
	default:
		return;
	}
	change_pid(merge, source, at + 8);
	change_pid(merge, source, at + 12);
}

/* Return the size of a record without its trailer, as far as change_fields() needs it. */
static size_t fields_end(u32 type)
{
	switch (type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return 32;
	case PERF_RECORD_LOST:
		return 24;
	case PERF_RECORD_TEXT_POKE:
	case PERF_RECORD_READ:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return 16;
	default:
		return HEADER;
	}
}

/* A deferred call chain of perf. Its addresses are in user mode, and its cookie stays. */
static int add_chain(struct merge *merge, struct source *source)
{
	const struct record *record = &source->record;
	struct record_body body = { record->data,
				    record->header.size - record->event->layout.trailer,
				    record->header.misc };
	struct chain_record chain;

	if (record_chain(&body, &chain))
		return -EBADMSG;
	if (!change_append(merge, source))
		return -ENOMEM;
	change_trailer(merge, source);
	return 0;
}

static int add_plain(struct merge *merge, struct source *source)
{
	const struct record *record = &source->record;
	u8 *at;

	if (record->header.size < fields_end(record->header.type) + record->event->layout.trailer)
		return -EBADMSG;
	at = change_append(merge, source);
	if (!at)
		return -ENOMEM;
	change_fields(merge, source, at);
	change_trailer(merge, source);
	return 0;
}

static void leave_out(struct merge *merge, u32 type)
{
	if (!merge->nr_left_out++)
		merge->left_out = type;
}

static int add_kernel_record(struct merge *merge, struct source *source)
{
	const struct record *record = &source->record;
	u8 *at;

	switch (record->header.type) {
	case PERF_RECORD_SAMPLE:
		at = change_append(merge, source);
		return at ? change_sample(merge, source, at) : -ENOMEM;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return add_map(merge, source);
	case PERF_RECORD_KSYMBOL:
		return add_ksymbol(merge, source);
	case PERF_RECORD_CGROUP:
		return add_cgroup(merge, source);
	case PERFDATA_CHAIN_DEFERRED:
		return add_chain(merge, source);
	case PERF_RECORD_AUX:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		leave_out(merge, record->header.type);
		return 0;
	default:
		return add_plain(merge, source);
	}
}

/*
 * Append the next record of @source to @merge->out. Return 0, or -errno; the reader's message
 * may have the details.
 */
int merge_add_record(struct merge *merge, struct source *source)
{
	const struct record *record = &source->record;
	int err;

	if (!record->event) {
		if (!record_is_about_file(record->header.type))
			leave_out(merge, record->header.type);
		return 0;
	}
	if (source->reader.nr_events != source->nr_events)
		return message_set(&source->reader.msg, -EBADMSG,
				   "it has further events between its records");
	losses_update(&source->losses, record);
	if (!record_type_find(record->header.type)) {
		leave_out(merge, record->header.type);
		return 0;
	}
	if (record->header.size < HEADER + record->event->layout.trailer &&
	    record->header.type != PERF_RECORD_SAMPLE)
		err = -EBADMSG;
	else
		err = add_kernel_record(merge, source);
	if (err == -E2BIG)
		return message_set(&source->reader.msg, err, "it has more than %d kernel mappings, as no kernel has; leave it out",
				   KERNELS_MAX_PARTS);
	if (err == -EBADMSG && !source->reader.msg.text[0])
		message_set(&source->reader.msg, err, "the record at %#llx is damaged",
			    record->offset);
	return err;
}
