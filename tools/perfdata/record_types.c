// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - describe and parse the kernel's records
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/interned.h"
#include "base/load.h"
#include "perfdata/record_types.h"

static const struct record_type types[] = {
	{ PERF_RECORD_MMAP, "MMAP", "mmap", {
		{ "pid", FIELD_S32, 8 }, { "tid", FIELD_S32, 12 }, { "addr", FIELD_HEX, 16 },
		{ "len", FIELD_HEX, 24 }, { "pgoff", FIELD_HEX, 32 },
		{ "filename", FIELD_TEXT, 40 } } },
	{ PERF_RECORD_LOST, "LOST", "lost", {
		{ "id", FIELD_U64, 8 }, { "lost", FIELD_U64, 16 } } },
	{ PERF_RECORD_COMM, "COMM", "comm", {
		{ "pid", FIELD_S32, 8 }, { "tid", FIELD_S32, 12 },
		{ "comm", FIELD_TEXT, 16 } } },
	{ PERF_RECORD_EXIT, "EXIT", "exit", {
		{ "pid", FIELD_S32, 8 }, { "ppid", FIELD_S32, 12 }, { "tid", FIELD_S32, 16 },
		{ "ptid", FIELD_S32, 20 }, { "at", FIELD_U64, 24 } } },
	{ PERF_RECORD_THROTTLE, "THROTTLE", "throttle", {
		{ "at", FIELD_U64, 8 }, { "id", FIELD_U64, 16 },
		{ "stream_id", FIELD_U64, 24 } } },
	{ PERF_RECORD_UNTHROTTLE, "UNTHROTTLE", "unthrottle", {
		{ "at", FIELD_U64, 8 }, { "id", FIELD_U64, 16 },
		{ "stream_id", FIELD_U64, 24 } } },
	{ PERF_RECORD_FORK, "FORK", "fork", {
		{ "pid", FIELD_S32, 8 }, { "ppid", FIELD_S32, 12 }, { "tid", FIELD_S32, 16 },
		{ "ptid", FIELD_S32, 20 }, { "at", FIELD_U64, 24 } } },
	{ PERF_RECORD_READ, "READ", "read", {
		{ "pid", FIELD_S32, 8 }, { "tid", FIELD_S32, 12 } } },
	{ PERF_RECORD_SAMPLE, "SAMPLE", "sample", { { 0 } } },
	{ PERF_RECORD_MMAP2, "MMAP2", "mmap2", {
		{ "pid", FIELD_S32, 8 }, { "tid", FIELD_S32, 12 }, { "addr", FIELD_HEX, 16 },
		{ "len", FIELD_HEX, 24 }, { "pgoff", FIELD_HEX, 32 }, { "prot", FIELD_U32, 64 },
		{ "flags", FIELD_U32, 68 }, { "filename", FIELD_TEXT, 72 } } },
	{ PERF_RECORD_AUX, "AUX", "aux", {
		{ "aux_offset", FIELD_HEX, 8 }, { "aux_size", FIELD_HEX, 16 },
		{ "flags", FIELD_HEX, 24 } } },
	{ PERF_RECORD_ITRACE_START, "ITRACE_START", "itrace_start", {
		{ "pid", FIELD_S32, 8 }, { "tid", FIELD_S32, 12 } } },
	{ PERF_RECORD_LOST_SAMPLES, "LOST_SAMPLES", "lost_samples", { { "lost", FIELD_U64, 8 } } },
	{ PERF_RECORD_SWITCH, "SWITCH", "switch", { { 0 } } },
	{ PERF_RECORD_SWITCH_CPU_WIDE, "SWITCH_CPU_WIDE", "switch_cpu_wide", {
		{ "other_pid", FIELD_S32, 8 }, { "other_tid", FIELD_S32, 12 } } },
	{ PERF_RECORD_NAMESPACES, "NAMESPACES", "namespaces", {
		{ "pid", FIELD_S32, 8 }, { "tid", FIELD_S32, 12 },
		{ "nr_namespaces", FIELD_U64, 16 } } },
	{ PERF_RECORD_KSYMBOL, "KSYMBOL", "ksymbol", {
		{ "addr", FIELD_HEX, 8 }, { "len", FIELD_U32, 16 },
		{ "ksym_type", FIELD_U16, 20 }, { "flags", FIELD_U16, 22 },
		{ "name", FIELD_TEXT, 24 } } },
	{ PERF_RECORD_BPF_EVENT, "BPF_EVENT", "bpf_event", {
		{ "bpf_type", FIELD_U16, 8 }, { "flags", FIELD_U16, 10 },
		{ "bpf_id", FIELD_U32, 12 } } },
	{ PERF_RECORD_CGROUP, "CGROUP", "cgroup", {
		{ "cgroup", FIELD_HEX, 8 }, { "path", FIELD_TEXT, 16 } } },
	{ PERF_RECORD_TEXT_POKE, "TEXT_POKE", "text_poke", {
		{ "addr", FIELD_HEX, 8 }, { "old_len", FIELD_U16, 16 },
		{ "new_len", FIELD_U16, 18 } } },
	{ PERF_RECORD_AUX_OUTPUT_HW_ID, "AUX_OUTPUT_HW_ID", "aux_output_hw_id", {
		{ "hw_id", FIELD_HEX, 8 } } },
	{ PERFDATA_CHAIN_DEFERRED, "CALLCHAIN_DEFERRED", "callchain_deferred", {
		{ "cookie", FIELD_HEX, 8 }, { "nr", FIELD_U64, 16 } } },
};

/* Return the description of a record type, or NULL for an unknown type. */
const struct record_type *record_type_find(u32 type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if (types[i].type == type)
			return &types[i];
	}
	return NULL;
}

/*
 * Return true for a record that perf and tprof-lx make about the file: a recording that is made of
 * its records has its own. Other records of theirs have data of hardware traces or of perf stat.
 */
bool record_is_about_file(u32 type)
{
	switch (type) {
	case PERFDATA_FINISHED_ROUND:
	case PERFDATA_FINISHED_INIT:
	case PERFDATA_ID_INDEX:
	case PERFDATA_THREAD_MAP:
	case PERFDATA_CPU_MAP:
	case PERFDATA_EVENT_UPDATE:
	case PERFDATA_TIME_CONV:
		return true;
	default:
		return false;
	}
}

/* Return the description with index @i, or NULL after the last. */
const struct record_type *record_type_at(size_t i)
{
	return i < ARRAY_SIZE(types) ? &types[i] : NULL;
}

static size_t field_size(enum record_field_kind kind)
{
	switch (kind) {
	case FIELD_U16:
		return sizeof(u16);
	case FIELD_U32:
	case FIELD_S32:
		return sizeof(u32);
	default:
		return sizeof(u64);
	}
}

/*
 * Read a numeric field into @value, sign-extended for FIELD_S32. Return false if the
 * field is a text or lies beyond the end of the record.
 */
bool record_number(const struct record_body *body, const struct record_field *field, u64 *value)
{
	const u8 *at = body->data + field->offset;

	if (field->kind == FIELD_TEXT || field->offset + field_size(field->kind) > body->size)
		return false;
	switch (field->kind) {
	case FIELD_U16:
		*value = load_u16(at);
		break;
	case FIELD_U32:
		*value = load_u32(at);
		break;
	case FIELD_S32:
		*value = (s32)load_u32(at);
		break;
	default:
		*value = load_u64(at);
	}
	return true;
}

/* Read a text field. Return the text, or NULL if it does not end within the record. */
const char *record_text(const struct record_body *body, const struct record_field *field)
{
	const char *text = (const char *)body->data + field->offset;

	if (field->kind != FIELD_TEXT || field->offset >= body->size)
		return NULL;
	return memchr(text, '\0', body->size - field->offset) ? text : NULL;
}

static const char *text_at(const struct record_body *body, u16 offset)
{
	struct record_field field = { .kind = FIELD_TEXT, .offset = offset };

	return record_text(body, &field);
}

/*
 * Return the path of a PERF_RECORD_CGROUP that begins with @prefix, as those of tprof-lx do, or
 * NULL.
 */
const char *record_own_path(const struct record_body *body, u32 type, const char *prefix)
{
	const char *path = type == PERF_RECORD_CGROUP ? text_at(body, 16) : NULL;

	return path && begins_with(path, prefix) ? path : NULL;
}

/*
 * Parse COMM, FORK or EXIT into @task. Its comm points into the record. Return 0, or
 * -EBADMSG if the record is too short.
 */
int record_task(const struct record_body *body, u32 type, struct task_record *task)
{
	size_t least = type == PERF_RECORD_COMM ? 17 : 24;

	*task = (struct task_record){ 0 };
	if (body->size < least)
		return -EBADMSG;
	task->pid = load_u32(body->data + 8);
	if (type == PERF_RECORD_COMM) {
		task->tid = load_u32(body->data + 12);
		task->comm = text_at(body, 16);
		task->exec = body->misc & PERF_RECORD_MISC_COMM_EXEC;
		return task->comm ? 0 : -EBADMSG;
	}
	task->ppid = load_u32(body->data + 12);
	task->tid = load_u32(body->data + 16);
	task->ptid = load_u32(body->data + 20);
	return 0;
}

static int map2(const struct record_body *body, struct map_record *map)
{
	const u8 *identity = body->data + 40;

	if (body->size < 73)
		return -EBADMSG;
	if (body->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		if (identity[0] > BUILD_ID_MAX)
			return -EBADMSG;
		map->build_id.size = identity[0];
		memcpy(map->build_id.data, identity + 4, identity[0]);
	} else {
		map->major = load_u32(identity);
		map->minor = load_u32(identity + 4);
		map->ino = load_u64(identity + 8);
		map->generation = load_u64(identity + 16);
	}
	map->prot = load_u32(body->data + 64);
	map->flags = load_u32(body->data + 68);
	map->name = text_at(body, 72);
	return map->name ? 0 : -EBADMSG;
}

/*
 * Parse MMAP or MMAP2 into @map. Its name points into the record. Return 0, or -EBADMSG
 * if the record is too short or malformed.
 */
int record_map(const struct record_body *body, u32 type, struct map_record *map)
{
	*map = (struct map_record){ 0 };
	if (body->size < 41)
		return -EBADMSG;
	map->pid = load_u32(body->data + 8);
	map->tid = load_u32(body->data + 12);
	map->start = load_u64(body->data + 16);
	map->len = load_u64(body->data + 24);
	map->pgoff = load_u64(body->data + 32);
	if (type == PERF_RECORD_MMAP2)
		return map2(body, map);
	if (!(body->misc & PERF_RECORD_MISC_MMAP_DATA))
		map->prot = PROT_EXEC;
	map->name = text_at(body, 40);
	return map->name ? 0 : -EBADMSG;
}

/*
 * Parse KSYMBOL into @ksymbol. Its name points into the record. Return 0, or -EBADMSG if
 * the record is too short or malformed.
 */
int record_ksymbol(const struct record_body *body, struct ksymbol_record *ksymbol)
{
	*ksymbol = (struct ksymbol_record){ 0 };
	if (body->size < 25)
		return -EBADMSG;
	ksymbol->start = load_u64(body->data + 8);
	ksymbol->len = load_u32(body->data + 16);
	ksymbol->is_piece = load_u16(body->data + 20) != PERF_RECORD_KSYMBOL_TYPE_UNKNOWN;
	ksymbol->is_gone = load_u16(body->data + 22) & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	ksymbol->name = text_at(body, 24);
	return ksymbol->name ? 0 : -EBADMSG;
}

/* Parse CGROUP. Return 0, or -EBADMSG if the record is malformed. */
int record_path(const struct record_body *body, struct cgroup_record *cgroup)
{
	*cgroup = (struct cgroup_record){ 0 };
	if (body->size < 17)
		return -EBADMSG;
	cgroup->id = load_u64(body->data + 8);
	cgroup->path = text_at(body, 16);
	return cgroup->path ? 0 : -EBADMSG;
}

/* Parse CALLCHAIN_DEFERRED. Return 0, or -EBADMSG if it has fewer addresses than it says. */
int record_chain(const struct record_body *body, struct chain_record *chain)
{
	*chain = (struct chain_record){ 0 };
	if (body->size < 24)
		return -EBADMSG;
	chain->cookie = load_u64(body->data + 8);
	chain->ips = (struct words){ body->data + 24, load_u64(body->data + 16) };
	return chain->ips.nr <= (body->size - 24) / sizeof(u64) ? 0 : -EBADMSG;
}

/* Return the size of the whole records in the first @limit bytes. */
size_t record_whole_bytes(const void *records, size_t limit)
{
	const char *pos = records;
	struct perf_event_header header;
	size_t len = 0;

	while (limit - len >= sizeof(header)) {
		memcpy(&header, pos + len, sizeof(header));
		if (header.size < sizeof(header) || header.size > limit - len)
			break;
		len += header.size;
	}
	return len;
}
