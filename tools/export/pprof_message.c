// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the messages of a pprof profile
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/pprof_message.h"
#include "perfdata/buildid.h"
#include "world/chain.h"

/* Fields of a profile, and of its messages, as in pprof's proto/profile.proto. */
enum { PROFILE_SAMPLE = 2, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER, LABEL_UNIT };
enum {
	MAPPING_ID = 1, MAPPING_START, MAPPING_END, MAPPING_OFFSET, MAPPING_FILE,
	MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS, MAPPING_HAS_FILES, MAPPING_HAS_LINES,
	MAPPING_HAS_INLINES
};

enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum {
	FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_START_LINE
};

enum { TYPE_TYPE = 1, TYPE_UNIT };

#define WRITE_BYTES	(64U << 10)
#define BITS_BYTES	(4U << 10)
#define PAGE		4096ULL

/* The first string of a profile must be empty. Return 0 or -ENOMEM. */
int pprof_message_begin(struct pprof_message *message, FILE *out)
{
	*message = (struct pprof_message){ 0 };
	message->err = gzip_begin(&message->gzip, out, GZIP_FAST);
	if (!message->err)
		pprof_string(message, "");
	return message->err;
}

static void fail(struct pprof_message *message)
{
	if (!message->err)
		message->err = -ENOMEM;
}

/* Write the fields so far, if there are many or at the end. */
static void write_fields(struct pprof_message *message, size_t limit)
{
	if (message->fields.failed)
		fail(message);
	if (message->fields.len < limit)
		return;
	gzip_add(&message->gzip, message->fields.data, message->fields.len);
	message->fields.len = 0;
}

static void end_part(struct pprof_message *message, u32 field)
{
	protobuf_message(&message->fields, field, &message->part);
	write_fields(message, WRITE_BYTES);
}

/* Return the number of a string, which is written if it is new. */
static u64 string_of(struct pprof_message *message, const char *text)
{
	u64 number;
	int ret = texts_number(&message->texts, text, &number);

	if (ret < 0)
		fail(message);
	else if (ret)
		protobuf_text(&message->fields, PROFILE_STRING, text);
	return number;
}

/* Return the number of a string that is a constant or comes from the recording. */
u64 pprof_string(struct pprof_message *message, const char *text)
{
	const char *name = name_get(&message->texts.names, text);

	if (name)
		return string_of(message, name);
	fail(message);
	return 0;
}

/* Write a type of values, as field number @field of the profile. */
void pprof_type(struct pprof_message *message, u32 field, const char *type, const char *unit)
{
	protobuf_number(&message->part, TYPE_TYPE, pprof_string(message, type));
	protobuf_number(&message->part, TYPE_UNIT, pprof_string(message, unit));
	end_part(message, field);
}

static struct pprof_mapping *mapping_of(struct pprof_message *message,
					const struct object *object)
{
	struct pprof_mapping *mappings;
	size_t nr = object->number + 1;

	if (nr > message->nr_mappings) {
		mappings = reallocarray(message->mappings, nr, sizeof(*mappings));
		if (!mappings) {
			fail(message);
			return NULL;
		}
		memset(mappings + message->nr_mappings, 0,
		       (nr - message->nr_mappings) * sizeof(*mappings));
		message->mappings = mappings;
		message->nr_mappings = nr;
	}
	return &message->mappings[object->number];
}

static void note_mapping(struct pprof_message *message, const struct frame *frame)
{
	struct pprof_mapping *mapping = mapping_of(message, frame->object);

	if (!mapping)
		return;
	if (!mapping->object || frame->addr < mapping->start)
		mapping->start = frame->addr;
	if (!mapping->object || frame->addr > mapping->end)
		mapping->end = frame->addr;
	mapping->object = frame->object;
	mapping->has_lines |= frame->line;
}

/* Return 1 the first time that it is called for the number @at. */
static bool is_first(struct pprof_message *message, size_t at)
{
	struct bytes *bits = &message->is_written;

	if (at / 8 >= bits->len && !bytes_extend(bits, BITS_BYTES + at / 8 - bits->len)) {
		fail(message);
		return false;
	}
	if (bits->data[at / 8] >> at % 8 & 1)
		return false;
	bits->data[at / 8] |= 1 << at % 8;
	return true;
}

/* Functions and locations are numbered separately. */
static u64 function_id(const struct pprof_message *message, const struct function *function)
{
	return message->next_id + function->number + 1;
}

static u64 location_id(const struct pprof_message *message, const struct frame *frame)
{
	return message->next_id + frame->number + 1;
}

static void write_function(struct pprof_message *message, const struct function *function)
{
	struct bytes *part = &message->part;
	u64 name = string_of(message, function->name);

	protobuf_number(part, FUNCTION_ID, function_id(message, function));
	protobuf_number(part, FUNCTION_NAME, name);
	protobuf_number(part, FUNCTION_SYSTEM_NAME, name);
	protobuf_number(part, FUNCTION_FILE, string_of(message, function->path));
	protobuf_number(part, FUNCTION_START_LINE, function->line);
	end_part(message, PROFILE_FUNCTION);
}

static void add_line(struct pprof_message *message, const struct frame *frame)
{
	struct bytes *inner = &message->inner;

	protobuf_number(inner, LINE_FUNCTION, function_id(message, frame->function));
	protobuf_number(inner, LINE_LINE, frame->line);
	protobuf_message(&message->part, LOCATION_LINE, inner);
}

/*
 * Write the location of @frame. Its lines are those of the @nr functions that are inlined
 * there, innermost first, then its own.
 */
static void write_location(struct pprof_message *message, const struct frames *frames,
			   const struct frame *frame, const u32 *inlined, size_t nr)
{
	struct bytes *part = &message->part;
	size_t i;

	note_mapping(message, frame);
	protobuf_number(part, LOCATION_ID, location_id(message, frame));
	protobuf_number(part, LOCATION_MAPPING, frame->object->number + 1ULL);
	protobuf_number(part, LOCATION_ADDRESS, frame->addr);
	for (i = 0; i < nr; i++)
		add_line(message, frames->list[inlined[i]]);
	add_line(message, frame);
	end_part(message, PROFILE_LOCATION);
}

/* pprof drops the number 0 if it has no unit. Without a unit, pprof uses the key as the unit. */
static void add_label(struct pprof_message *message, const char *key, u32 field, u64 value)
{
	u64 name = pprof_string(message, key);

	protobuf_number(&message->inner, LABEL_KEY, name);
	protobuf_number(&message->inner, field, value);
	if (!value)
		protobuf_number(&message->inner, LABEL_UNIT, name);
	protobuf_message(&message->part, SAMPLE_LABEL, &message->inner);
}

/*
 * Write the locations of a stack, and their ids into @ids. Return the number of ids.
 */
static size_t write_stack(struct pprof_message *message, const struct frames *frames, u32 stack,
			  u64 *ids)
{
	u32 inlined[FRAMES_MAX];
	const struct frame *frame;
	size_t nr = 0, nr_inlined = 0;

	for (; stack; stack = frames->nodes[stack].parent) {
		frame = frames->list[frames->nodes[stack].frame];
		if (frame->inlined) {
			inlined[nr_inlined++] = frame->number;
			continue;
		}
		if (is_first(message, frame->number))
			write_location(message, frames, frame, inlined, nr_inlined);
		nr_inlined = 0;
		ids[nr++] = location_id(message, frame);
	}
	return nr;
}

/* Add the labels that all profiles have. */
static void add_labels(struct pprof_message *message, const struct group *group)
{
	add_label(message, "comm", LABEL_TEXT, pprof_string(message, group->comm));
	add_label(message, "pid", LABEL_NUMBER, group->pid);
	add_label(message, "tid", LABEL_NUMBER, group->tid);
	if (group->cpu != NO_CPU)
		add_label(message, "cpu", LABEL_NUMBER, group->cpu);
	if (group->host)
		add_label(message, "host", LABEL_TEXT, pprof_string(message, group->host));
	if (group->cgroup)
		add_label(message, "cgroup", LABEL_TEXT, pprof_string(message, group->cgroup));
}

/* Return true if add_labels() adds the label named @word. */
static bool has_label(const struct group *group, const char *word)
{
	static const char *const labels[] = { "comm", "pid", "tid", "cpu", "cgroup" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(labels); i++) {
		if (!strcmp(labels[i], word))
			return true;
	}
	return group->host && !strcmp("host", word);
}

/* Add a label for each further key. */
static void add_keys(struct pprof_message *message, const struct keys *keys,
		     const struct group *group)
{
	const struct profile_keys *chosen = &keys->options->keys;
	const struct column *column;
	char buf[COLUMN_TEXT_LEN];
	size_t i;

	for (i = 0; i < chosen->nr; i++) {
		column = chosen->columns[i];
		if (has_label(group, column->word))
			continue;
		if (column->text)
			add_label(message, column->word, LABEL_TEXT,
				  pprof_string(message,
					       keys_text(keys, group->tuple, i, buf, sizeof(buf))));
		else
			add_label(message, column->word, LABEL_NUMBER,
				  keys_value(keys, group->tuple, i));
	}
}

/* Write @group, with @nr values. */
void pprof_sample(struct pprof_message *message, const struct frames *frames,
		  const struct keys *keys, const struct group *group, const u64 *values,
		  size_t nr)
{
	struct bytes *part = &message->part, *inner = &message->inner;
	u64 ids[FRAMES_MAX];
	size_t i, nr_ids = write_stack(message, frames, group->stack, ids);
	struct pprof_mapping *mapping;

	mapping = mapping_of(message, frames->list[frames->nodes[group->stack].frame]->object);
	if (mapping)
		mapping->samples++;
	for (i = 0; i < nr_ids; i++)
		protobuf_varint(inner, ids[i]);
	protobuf_message(part, SAMPLE_LOCATIONS, inner);
	for (i = 0; i < nr; i++)
		protobuf_varint(inner, values[i]);
	protobuf_message(part, SAMPLE_VALUES, inner);
	add_labels(message, group);
	add_keys(message, keys, group);
	end_part(message, PROFILE_SAMPLE);
}

/*
 * Write the functions of @frames, which the caller will remove. Further functions, frames
 * and strings get new numbers, even those that were there before.
 */
void pprof_message_forget(struct pprof_message *message, const struct frames *frames)
{
	size_t i;

	for (i = 0; i < frames->function_table.nr; i++)
		write_function(message, frames->functions[i]);
	message->next_id += frames->table.nr + frames->function_table.nr;
	bytes_free(&message->is_written);
	message->is_written = (struct bytes){ 0 };
	texts_forget(&message->texts);
}

static u64 build_id_of(struct pprof_message *message, const struct object *object)
{
	char text[BUILD_ID_TEXT];

	return pprof_string(message, build_id_text(&object->build_id, text));
}

/*
 * Addresses in files are file offsets. A mapping at the address that is its offset
 * expresses this.
 */
static void write_mapping(struct pprof_message *message, const struct pprof_mapping *mapping,
			  bool has_inlines)
{
	const struct object *object = mapping->object;
	u64 start = mapping->start & ~(PAGE - 1), end = mapping->end | (PAGE - 1);
	struct bytes *part = &message->part;

	protobuf_number(part, MAPPING_ID, object->number + 1ULL);
	protobuf_number(part, MAPPING_START, start);
	protobuf_number(part, MAPPING_END, end == ~0ULL ? end : end + 1);
	if (object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO)
		protobuf_number(part, MAPPING_OFFSET, start);
	protobuf_number(part, MAPPING_FILE, pprof_string(message, object->name));
	protobuf_number(part, MAPPING_BUILD_ID, build_id_of(message, object));
	/* pprof must not look for other names of functions. */
	protobuf_number(part, MAPPING_HAS_FUNCTIONS, true);
	protobuf_number(part, MAPPING_HAS_FILES, mapping->has_lines);
	protobuf_number(part, MAPPING_HAS_LINES, mapping->has_lines);
	protobuf_number(part, MAPPING_HAS_INLINES, has_inlines);
	end_part(message, PROFILE_MAPPING);
}

/* Return the file with the most samples, which is written first: pprof shows its name. */
static size_t main_mapping(const struct pprof_message *message)
{
	const struct pprof_mapping *mappings = message->mappings;
	size_t i, best = message->nr_mappings;

	for (i = 0; i < message->nr_mappings; i++) {
		if (!mappings[i].object || mappings[i].object->kind != OBJECT_FILE)
			continue;
		if (best == message->nr_mappings || mappings[i].samples > mappings[best].samples)
			best = i;
	}
	return best;
}

/* Complete the profile. Call this even after an error. Return the first error, or 0. */
int pprof_message_end(struct pprof_message *message, bool has_inlines)
{
	size_t i, first = main_mapping(message);

	if (first < message->nr_mappings)
		write_mapping(message, &message->mappings[first], has_inlines);
	for (i = 0; i < message->nr_mappings; i++) {
		if (i != first && message->mappings[i].object)
			write_mapping(message, &message->mappings[i], has_inlines);
	}
	write_fields(message, 0);
	gzip_end(&message->gzip);
	bytes_free(&message->fields);
	bytes_free(&message->part);
	bytes_free(&message->inner);
	bytes_free(&message->is_written);
	texts_forget(&message->texts);
	free(message->mappings);
	return message->err;
}
