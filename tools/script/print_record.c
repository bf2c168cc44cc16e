// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - print a record as a line of text or JSON
 */
#include <errno.h>

#include "base/load.h"
#include "base/printable.h"
#include "perfdata/waits.h"
#include "script/print_record.h"

/* perf script prints the name of a task with this width, but not before a call chain. */
#define COMM_WIDTH	16

static void print_type(const struct line *line, const char *name)
{
	char buf[32];

	line_put_text(line, name, line_type_name(line, buf, sizeof(buf)));
}

static void print_comm(const struct line *line, const char *name)
{
	line_put_text(line, name, line->comm);
}

static void print_pid(const struct line *line, const char *name)
{
	line_put_s32(line, name, line->ids.pid);
}

static void print_tid(const struct line *line, const char *name)
{
	line_put_s32(line, name, line->ids.tid);
}

static void print_cpu(const struct line *line, const char *name)
{
	line_put_u64(line, name, line->ids.cpu);
}

/*
 * Print the time in seconds with 9 decimals. Blanks pad the part before the decimal
 * point to @width characters.
 */
static void put_seconds(const struct line *line, size_t width)
{
	text_number(line->text, line->ids.time / NSEC_PER_SEC, width, ' ');
	text_char(line->text, '.');
	text_number(line->text, line->ids.time % NSEC_PER_SEC, 9, '0');
}

static void print_time(const struct line *line, const char *name)
{
	if (line->json)
		json_u64(line->json, name, line->ids.time);
	else
		put_seconds(line, 0);
}

static void print_event(const struct line *line, const char *name)
{
	line_put_text(line, name, line->record->event->name);
}

/* Define a function that prints a numeric member of struct sample. */
#define PRINT_FIELD(field, put)                                                  \
	static void print_##field(const struct line *line, const char *name)     \
	{                                                                        \
		put(line, name, line->ids.field);                                \
	}

PRINT_FIELD(period, line_put_u64)
PRINT_FIELD(ip, line_put_hex)
PRINT_FIELD(addr, line_put_hex)
PRINT_FIELD(id, line_put_u64)
PRINT_FIELD(stream_id, line_put_u64)
PRINT_FIELD(raw_size, line_put_u64)
PRINT_FIELD(stack_size, line_put_u64)
PRINT_FIELD(weight, line_put_u64)
PRINT_FIELD(data_src, line_put_hex)
PRINT_FIELD(transaction, line_put_hex)
PRINT_FIELD(phys_addr, line_put_hex)
PRINT_FIELD(cgroup, line_put_hex)
PRINT_FIELD(data_page_size, line_put_u64)
PRINT_FIELD(code_page_size, line_put_u64)

static void print_state(const struct line *line, const char *name)
{
	line_put_text(line, name, wait_state(line->record->event, &line->ids));
}

static void print_woken(const struct line *line, const char *name)
{
	line_put_u64(line, name, wake_thread(&line->ids));
}

static void print_mode(const struct line *line, const char *name)
{
	static const char *const modes[] = { "unknown", "kernel",	"user",
					     "hypervisor", "guest_kernel", "guest_user" };
	u16 mode = line->record->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;

	line_put_text(line, name, modes[mode < ARRAY_SIZE(modes) ? mode : 0]);
}

static void print_chain(const struct line *line, const char *name)
{
	const struct words *chain = &line->ids.chain;
	u64 i;

	if (line->json)
		json_begin(line->json, name, '[');
	for (i = 0; i < chain->nr; i++) {
		if (!line->json && i)
			text_char(line->text, ';');
		line_put_hex(line, NULL, load_u64(chain->at + i * sizeof(u64)));
	}
	if (line->json)
		json_end(line->json, ']');
}

static void print_branches(const struct line *line, const char *name)
{
	line_put_u64(line, name, line->ids.branches.nr);
}

static void print_misc(const struct line *line, const char *name)
{
	line_put_hex(line, name, line->record->header.misc);
}

static void print_offset(const struct line *line, const char *name)
{
	line_put_hex(line, name, line->record->offset);
}

static void print_size(const struct line *line, const char *name)
{
	line_put_u64(line, name, line->record->header.size);
}

static const struct line_field fields[] = {
	{ "type", 0, print_type },
	{ "comm", PERF_SAMPLE_TID, print_comm },
	{ "pid", PERF_SAMPLE_TID, print_pid },
	{ "tid", PERF_SAMPLE_TID, print_tid },
	{ "cpu", PERF_SAMPLE_CPU, print_cpu },
	{ "time", PERF_SAMPLE_TIME, print_time },
	{ "period", PERF_SAMPLE_PERIOD, print_period },
	{ "event", 0, print_event },
	{ "mode", 0, print_mode },
	{ "ip", PERF_SAMPLE_IP, print_ip },
	{ "sym", PERF_SAMPLE_IP, line_print_sym },
	{ "symoff", PERF_SAMPLE_IP, line_print_symoff },
	{ "dso", PERF_SAMPLE_IP, line_print_dso },
	{ "srcline", PERF_SAMPLE_IP, line_print_srcline },
	{ "chain", PERF_SAMPLE_CALLCHAIN, print_chain },
	{ "frames", PERF_SAMPLE_CALLCHAIN, line_print_frames },
	{ "addr", PERF_SAMPLE_ADDR, print_addr },
	{ "phys_addr", PERF_SAMPLE_PHYS_ADDR, print_phys_addr },
	{ "weight", PERF_SAMPLE_WEIGHT_TYPE, print_weight },
	{ "data_src", PERF_SAMPLE_DATA_SRC, print_data_src },
	{ "transaction", PERF_SAMPLE_TRANSACTION, print_transaction },
	{ "data_page_size", PERF_SAMPLE_DATA_PAGE_SIZE, print_data_page_size },
	{ "code_page_size", PERF_SAMPLE_CODE_PAGE_SIZE, print_code_page_size },
	{ "branches", PERF_SAMPLE_BRANCH_STACK, print_branches },
	{ "stack_size", PERF_SAMPLE_STACK_USER, print_stack_size },
	{ "state", PERF_SAMPLE_RAW, print_state },
	{ "woken", PERF_SAMPLE_RAW, print_woken },
	{ "raw_size", PERF_SAMPLE_RAW, print_raw_size },
	{ "cgroup", PERF_SAMPLE_CGROUP, print_cgroup },
	{ "id", PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID, print_id },
	{ "stream_id", PERF_SAMPLE_STREAM_ID, print_stream_id },
	{ "misc", 0, print_misc },
	{ "offset", 0, print_offset },
	{ "size", 0, print_size },
	{ "detail", 0, line_print_detail },
};

/* Return field @i, or NULL after the last. */
const struct line_field *line_field_at(size_t i)
{
	return i < ARRAY_SIZE(fields) ? &fields[i] : NULL;
}

/*
 * Parse a record for printing: set record, type, body and ids in @line. Return 0, or
 * -EBADMSG if the record is too short.
 */
int line_begin(struct line *line, const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	u64 others = layout->attr.sample_type & ~LAYOUT_WORDS;
	size_t trailer = layout->trailer;
	int err;

	if (record->header.type == PERF_RECORD_SAMPLE) {
		err = layout_place(layout, line->needed | others, record->data, &line->ids);
		trailer = 0;
	} else {
		err = layout_trailer(layout, record->data, &line->ids);
	}
	if (err)
		return err;
	/* Like perf, print the fixed period of an event that has one. */
	if (record->header.type == PERF_RECORD_SAMPLE && !layout->period) {
		line->ids.period = layout_fixed_period(layout);
		line->ids.fields |= PERF_SAMPLE_PERIOD;
	}
	line->record = record;
	line->type = record_type_find(record->header.type);
	line->body = (struct record_body){ record->data, record->header.size - trailer,
					   record->header.misc };
	return 0;
}

/* Return true if the record has the field. */
static bool line_has(const struct line *line, const struct line_field *field)
{
	if (field->print == line_print_detail && line->record->header.type == PERF_RECORD_SAMPLE)
		return false;
	if (field->print == print_state && event_time(line->record->event) != TIME_OFF_CPU)
		return false;
	if (field->print == print_woken && !event_wakes(line->record->event))
		return false;
	return !field->sample || line->ids.fields & field->sample;
}

/* Print a name, padded on the left with blanks to @width characters. */
static void put_name(struct text *text, const char *name, size_t width)
{
	size_t len;

	name = printable(name);
	len = strlen(name);
	if (len < width)
		text_fill(text, ' ', width - len);
	text_add(text, name, len);
}

/* Print the task, the CPU and the time. Skip those that the record does not have. */
static void print_origin(const struct line *line)
{
	u64 has = line->ids.fields;
	struct text *text = line->text;

	/* Like perf, do not pad the task's name if a call chain follows below. */
	if (has & PERF_SAMPLE_TID) {
		put_name(text, line->comm, has & PERF_SAMPLE_CALLCHAIN ? 0 : COMM_WIDTH);
		text_char(text, ' ');
		text_signed(text, (s32)line->ids.tid, 5);
		text_char(text, ' ');
	}
	if (has & PERF_SAMPLE_CPU) {
		text_char(text, '[');
		text_number(text, line->ids.cpu, 3, '0');
		text_add(text, "] ", 2);
	}
	if (has & PERF_SAMPLE_TIME) {
		put_seconds(line, 5);
		text_add(text, ": ", 2);
	}
}

/* Print a record as `perf script` does, but with times in nanoseconds. */
static void print_default(const struct line *line)
{
	u64 has = line->ids.fields;
	struct text *text = line->text;

	print_origin(line);
	if (line->record->header.type != PERF_RECORD_SAMPLE) {
		line_print_detail(line, NULL);
		return;
	}
	if (has & PERF_SAMPLE_PERIOD) {
		text_number(text, line->ids.period, 10, ' ');
		text_char(text, ' ');
	}
	put_name(text, line->record->event->name, line->name_width);
	text_add(text, ": ", 2);
	if (has & PERF_SAMPLE_IP)
		line_print_place(line);
}

/*
 * Return true for srcline. It is left out by default, because it needs all
 * debug information.
 */
static bool is_costly(const struct line_field *field)
{
	return field->print == line_print_srcline;
}

/* Print the default fields of a record. */
void line_print(const struct line *line)
{
	size_t i;

	if (!line->json) {
		print_default(line);
		text_char(line->text, '\n');
		return;
	}
	json_begin(line->json, NULL, '{');
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!is_costly(&fields[i]) && line_has(line, &fields[i]))
			fields[i].print(line, fields[i].name);
	}
	json_end(line->json, '}');
}

/* Print the fields that --fields selected, in the order of @chosen. */
void line_print_fields(const struct line *line, const struct line_field *const *chosen, size_t nr)
{
	size_t i;

	if (line->json)
		json_begin(line->json, NULL, '{');
	for (i = 0; i < nr; i++) {
		if (!line->json && i)
			text_char(line->text, ' ');
		if (line_has(line, chosen[i]))
			chosen[i]->print(line, chosen[i]->name);
		else if (!line->json)
			text_char(line->text, '-');
	}
	if (line->json)
		json_end(line->json, '}');
	else
		text_char(line->text, '\n');
}
