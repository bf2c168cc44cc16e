// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the dictionary of a message of OTLP
 *
 * An entry is encoded when its number is first asked for, except functions and mappings,
 * which are encoded last: more frames change the range of a mapping.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "export/otlp_dictionary.h"
#include "perfdata/buildid.h"
#include "world/chain.h"

/* Fields of opentelemetry/proto/profiles/v1development/profiles.proto. */
enum {
	TABLE_MAPPING = 1, TABLE_LOCATION, TABLE_FUNCTION, TABLE_LINK, TABLE_TEXT,
	TABLE_ATTRIBUTE, TABLE_STACK, NR_TABLES
};

enum { MAPPING_START = 1, MAPPING_END, MAPPING_OFFSET, MAPPING_FILE, MAPPING_ATTRIBUTES };
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINE, LOCATION_ATTRIBUTES };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_START_LINE };
enum { STACK_LOCATIONS = 1 };
enum { ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE };
enum { VALUE_TEXT = 1, VALUE_NUMBER = 3 };

#define PAGE		4096ULL
#define KEY_SHIFT	56	/* no value is as large */

static const char *const key_names[] = {
	[OTLP_PID]		= "process.pid",
	[OTLP_TID]		= "thread.id",
	[OTLP_THREAD_NAME]	= "thread.name",
	[OTLP_CPU]		= "cpu.logical_number",
	[OTLP_CGROUP]		= "process.linux.cgroup",
	[OTLP_FRAME_TYPE]	= "profile.frame.type",
	[OTLP_BUILD_ID]		= "process.executable.build_id.gnu",
};

static void note(struct otlp_dictionary *dictionary, int ret)
{
	if (ret < 0 && !dictionary->err)
		dictionary->err = ret;
}

static void end_entry(struct otlp_dictionary *dictionary, u32 table)
{
	protobuf_message(&dictionary->tables, table, &dictionary->part);
}

/* Make number 0 of all tables. */
void otlp_dictionary_begin(struct otlp_dictionary *dictionary)
{
	u32 table;

	for (table = TABLE_MAPPING; table < NR_TABLES; table++) {
		if (table != TABLE_TEXT)
			end_entry(dictionary, table);
	}
	otlp_text(dictionary, "");
}

/* Return the number of a text that stays valid. */
static u64 number_text(struct otlp_dictionary *dictionary, const char *text)
{
	u64 number;
	int ret = texts_number(&dictionary->texts, text, &number);

	note(dictionary, ret);
	if (ret > 0)
		protobuf_text(&dictionary->tables, TABLE_TEXT, text);
	return number;
}

/* Return the number of a text that is a constant or comes from the recording. */
u64 otlp_text(struct otlp_dictionary *dictionary, const char *text)
{
	const char *name = name_get(&dictionary->texts.names, text);

	if (name)
		return number_text(dictionary, name);
	note(dictionary, -ENOMEM);
	return 0;
}

/*
 * Set @number to the number of an attribute. If it is new, encode its key, and return true:
 * the caller encodes the value. Other entries cannot be made in between.
 */
static bool begin_attribute(struct otlp_dictionary *dictionary, enum otlp_key key, u64 value,
			    u64 *number)
{
	u64 hash = hash_number((u64)key << KEY_SHIFT | value);
	void *found = hash_table_find(&dictionary->attributes, hash, NULL, NULL);

	*number = found ? (uintptr_t)found : dictionary->attributes.nr + 1;
	if (found)
		return false;
	note(dictionary, hash_table_add(&dictionary->attributes, hash,
					(void *)(uintptr_t)*number));
	protobuf_number(&dictionary->part, ATTRIBUTE_KEY, otlp_text(dictionary, key_names[key]));
	return true;
}

static void end_attribute(struct otlp_dictionary *dictionary)
{
	protobuf_message(&dictionary->part, ATTRIBUTE_VALUE, &dictionary->inner);
	end_entry(dictionary, TABLE_ATTRIBUTE);
}

/* Return the number of an attribute with a number as value. */
u64 otlp_attribute(struct otlp_dictionary *dictionary, enum otlp_key key, u64 value)
{
	u64 number;

	if (begin_attribute(dictionary, key, value, &number)) {
		protobuf_member(&dictionary->inner, VALUE_NUMBER, value);
		end_attribute(dictionary);
	}
	return number;
}

/* Return the number of an attribute with a text as value. */
u64 otlp_text_attribute(struct otlp_dictionary *dictionary, enum otlp_key key, const char *text)
{
	const char *name = name_get(&dictionary->texts.names, text);
	u64 number;

	if (!name) {
		note(dictionary, -ENOMEM);
		return 0;
	}
	if (begin_attribute(dictionary, key, (uintptr_t)name, &number)) {
		protobuf_text(&dictionary->inner, VALUE_TEXT, name);
		end_attribute(dictionary);
	}
	return number;
}

/* Return the number of the mapping of @frame, and let it include the frame. */
static u32 number_mapping(struct otlp_dictionary *dictionary, const struct frame *frame)
{
	struct otlp_mapping *mapping;
	u32 number;
	int ret = numbering_find(&dictionary->numbers, frame->object->number, &number);

	note(dictionary, ret);
	if (ret > 0) {
		mapping = array_grow(dictionary->mappings, number - 1, &dictionary->mapping_room,
				     sizeof(*mapping));
		note(dictionary, mapping ? 0 : -ENOMEM);
		if (mapping)
			dictionary->mappings = mapping;
	}
	if (dictionary->err)
		return 0;
	mapping = &dictionary->mappings[number - 1];
	if (ret > 0)
		*mapping = (struct otlp_mapping){ frame->object, frame->addr, frame->addr };
	if (frame->addr < mapping->start)
		mapping->start = frame->addr;
	if (frame->addr > mapping->end)
		mapping->end = frame->addr;
	return number;
}

/* Functions have the numbers of the recording, plus one. */
static void add_line(struct otlp_dictionary *dictionary, const struct frame *frame)
{
	struct bytes *inner = &dictionary->inner;

	protobuf_number(inner, LINE_FUNCTION, frame->function->number + 1ULL);
	protobuf_number(inner, LINE_LINE, frame->line);
	protobuf_message(&dictionary->part, LOCATION_LINE, inner);
}

/*
 * Return the number of the location of @frame. Its lines are those of the @nr functions that
 * are inlined there, innermost first, then its own.
 */
static u32 number_location(struct otlp_dictionary *dictionary, const struct frames *frames,
			   const struct frame *frame, const u32 *inlined, size_t nr)
{
	struct bytes *part = &dictionary->part, *inner = &dictionary->inner;
	u32 number, mapping;
	u64 type;
	int ret = numbering_find(&dictionary->locations, frame->number, &number);
	size_t i;

	note(dictionary, ret);
	if (ret <= 0)
		return number;
	mapping = number_mapping(dictionary, frame);
	type = otlp_text_attribute(dictionary, OTLP_FRAME_TYPE,
				   frame->is_kernel ? "kernel" : "native");
	protobuf_number(part, LOCATION_MAPPING, mapping);
	protobuf_number(part, LOCATION_ADDRESS, frame->addr);
	for (i = 0; i < nr; i++)
		add_line(dictionary, frames->list[inlined[i]]);
	add_line(dictionary, frame);
	protobuf_varint(inner, type);
	protobuf_message(part, LOCATION_ATTRIBUTES, inner);
	end_entry(dictionary, TABLE_LOCATION);
	return number;
}

/* Return the number of the stack that has the number @stack in @frames. */
u32 otlp_stack(struct otlp_dictionary *dictionary, const struct frames *frames, u32 stack)
{
	u32 inlined[FRAMES_MAX], locations[FRAMES_MAX], number;
	int ret = numbering_find(&dictionary->stacks, stack, &number);
	size_t nr = 0, nr_inlined = 0, i;
	const struct frame *frame;

	note(dictionary, ret);
	if (ret <= 0)
		return number;
	for (; stack; stack = frames->nodes[stack].parent) {
		frame = frames->list[frames->nodes[stack].frame];
		if (frame->inlined) {
			inlined[nr_inlined++] = frame->number;
			continue;
		}
		locations[nr++] = number_location(dictionary, frames, frame, inlined,
						  nr_inlined);
		nr_inlined = 0;
	}
	for (i = 0; i < nr; i++)
		protobuf_varint(&dictionary->inner, locations[i]);
	protobuf_message(&dictionary->part, STACK_LOCATIONS, &dictionary->inner);
	end_entry(dictionary, TABLE_STACK);
	return number;
}

static void add_function(struct otlp_dictionary *dictionary, const struct function *function)
{
	struct bytes *part = &dictionary->part;
	u64 name = number_text(dictionary, function->name);

	protobuf_number(part, FUNCTION_NAME, name);
	protobuf_number(part, FUNCTION_SYSTEM_NAME, name);
	protobuf_number(part, FUNCTION_FILE, otlp_text(dictionary, function->path));
	protobuf_number(part, FUNCTION_START_LINE, function->line);
	end_entry(dictionary, TABLE_FUNCTION);
}

/*
 * Addresses in files are file offsets. A mapping at the address that is its offset
 * expresses this.
 */
static void add_mapping(struct otlp_dictionary *dictionary, const struct otlp_mapping *mapping)
{
	const struct object *object = mapping->object;
	u64 start = mapping->start & ~(PAGE - 1), end = mapping->end | (PAGE - 1), id = 0;
	struct bytes *part = &dictionary->part;
	char text[BUILD_ID_TEXT];

	if (object->build_id.size)
		id = otlp_text_attribute(dictionary, OTLP_BUILD_ID,
					 build_id_text(&object->build_id, text));
	protobuf_number(part, MAPPING_START, start);
	protobuf_number(part, MAPPING_END, end == ~0ULL ? end : end + 1);
	if (object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO)
		protobuf_number(part, MAPPING_OFFSET, start);
	protobuf_number(part, MAPPING_FILE, otlp_text(dictionary, object->name));
	if (id) {
		protobuf_varint(&dictionary->inner, id);
		protobuf_message(part, MAPPING_ATTRIBUTES, &dictionary->inner);
	}
	end_entry(dictionary, TABLE_MAPPING);
}

/* Complete the tables. Return the first error, or 0. */
int otlp_dictionary_end(struct otlp_dictionary *dictionary, const struct frames *frames)
{
	size_t i;

	if (dictionary->err)
		return dictionary->err;
	for (i = 0; i < frames->function_table.nr; i++)
		add_function(dictionary, frames->functions[i]);
	for (i = 0; i < dictionary->numbers.nr; i++)
		add_mapping(dictionary, &dictionary->mappings[i]);
	note(dictionary, bytes_err(&dictionary->tables));
	return dictionary->err;
}

void otlp_dictionary_free(struct otlp_dictionary *dictionary)
{
	bytes_free(&dictionary->tables);
	bytes_free(&dictionary->part);
	bytes_free(&dictionary->inner);
	texts_forget(&dictionary->texts);
	hash_table_free(&dictionary->attributes, NULL);
	numbering_free(&dictionary->locations);
	numbering_free(&dictionary->stacks);
	numbering_free(&dictionary->numbers);
	free(dictionary->mappings);
}
