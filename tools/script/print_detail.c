// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - print the fields that depend on the record type
 */
#include <stdio.h>
#include <sys/mman.h>

#include "base/printable.h"
#include "perfdata/buildid.h"
#include "script/print_record.h"

void line_put_u64(const struct line *line, const char *name, u64 value)
{
	if (line->json)
		json_u64(line->json, name, value);
	else
		text_number(line->text, value, 0, ' ');
}

void line_put_s32(const struct line *line, const char *name, s32 value)
{
	if (line->json)
		json_s64(line->json, name, value);
	else
		text_signed(line->text, value, 0);
}

void line_put_hex(const struct line *line, const char *name, u64 value)
{
	if (line->json)
		json_hex(line->json, name, value);
	else
		text_hex(line->text, value, 0);
}

void line_put_text(const struct line *line, const char *name, const char *text)
{
	if (line->json)
		json_string(line->json, name, text);
	else
		text_put(line->text, printable(text));
}

/* Return perf's name of the record type, or UNKNOWN_N. */
const char *line_type_name(const struct line *line, char *buf, size_t len)
{
	if (line->type)
		return line->type->name;
	snprintf(buf, len, "UNKNOWN_%u", line->record->header.type);
	return buf;
}

static void print_task(const struct line *line)
{
	u32 type = line->record->header.type;
	struct task_record task;

	if (record_task(&line->body, type, &task))
		text_put(line->text, " (too short)");
	else if (type == PERF_RECORD_COMM)
		text_printf(line->text, "%s: %s:%d/%d", task.exec ? " exec" : "",
			    printable(task.comm), task.pid, task.tid);
	else
		text_printf(line->text, "(%d:%d):(%d:%d)", task.pid, task.tid, task.ppid,
			    task.ptid);
}

static void print_map_identity(const struct line *line, const struct map_record *map)
{
	char text[BUILD_ID_TEXT];

	if (map->build_id.size)
		text_printf(line->text, " <%s>", build_id_text(&map->build_id, text));
	else
		text_printf(line->text, " %02x:%02x %llu %llu", map->major, map->minor, map->ino,
			    map->generation);
}

static void print_map(const struct line *line)
{
	u32 type = line->record->header.type;
	struct map_record map;

	if (record_map(&line->body, type, &map)) {
		text_put(line->text, " (not well formed)");
		return;
	}
	text_printf(line->text, " %d/%d: [%#llx(%#llx) @ %#llx", map.pid, map.tid, map.start,
		    map.len, map.pgoff);
	if (type == PERF_RECORD_MMAP) {
		text_printf(line->text, "]: %c %s", map.prot & PROT_EXEC ? 'x' : 'r',
			    printable(map.name));
		return;
	}
	print_map_identity(line, &map);
	text_printf(line->text, "]: %c%c%c%c %s", map.prot & PROT_READ ? 'r' : '-',
		    map.prot & PROT_WRITE ? 'w' : '-', map.prot & PROT_EXEC ? 'x' : '-',
		    map.flags & MAP_SHARED ? 's' : 'p', printable(map.name));
}

static void print_member(const struct line *line, const struct record_field *field)
{
	const char *text = record_text(&line->body, field);
	u64 value = 0;

	if (!text && !record_number(&line->body, field, &value))
		return;
	if (!line->json)
		text_printf(line->text, field->kind == FIELD_HEX ? " %s=0x" : " %s=",
			    field->name);
	if (text)
		line_put_text(line, field->name, text);
	else if (field->kind == FIELD_HEX)
		line_put_hex(line, field->name, value);
	else if (field->kind == FIELD_S32)
		line_put_s32(line, field->name, value);
	else
		line_put_u64(line, field->name, value);
}

static void print_members(const struct line *line)
{
	const struct record_field *field;
	u16 misc = line->record->header.misc;
	u32 type = line->record->header.type;

	if (!line->type)
		return;
	for (field = line->type->fields; field->name; field++)
		print_member(line, field);
	if (type != PERF_RECORD_SWITCH && type != PERF_RECORD_SWITCH_CPU_WIDE)
		return;
	if (line->json)
		json_bool(line->json, "out", misc & PERF_RECORD_MISC_SWITCH_OUT);
	else
		text_put(line->text, misc & PERF_RECORD_MISC_SWITCH_OUT ? " OUT" : " IN");
}

static void print_json_detail(const struct line *line, const char *name)
{
	char text[BUILD_ID_TEXT];
	struct map_record map;
	struct task_record task;
	u32 type = line->record->header.type;

	json_begin(line->json, name, '{');
	print_members(line);
	if (type == PERF_RECORD_MMAP2 && !record_map(&line->body, type, &map) &&
	    map.build_id.size)
		json_string(line->json, "build_id", build_id_text(&map.build_id, text));
	if (type == PERF_RECORD_COMM && !record_task(&line->body, type, &task))
		json_bool(line->json, "exec", task.exec);
	json_end(line->json, '}');
}

/*
 * Print the fields of a record that is not a sample. As text, they have the format of
 * `perf script`. As JSON, they have the key @name.
 */
void line_print_detail(const struct line *line, const char *name)
{
	char buf[32];

	if (line->json) {
		print_json_detail(line, name);
		return;
	}
	text_printf(line->text, "PERF_RECORD_%s", line_type_name(line, buf, sizeof(buf)));
	switch (line->record->header.type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		print_task(line);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		print_map(line);
		break;
	default:
		print_members(line);
	}
}
