/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - the dictionary of a message of OTLP
 *
 * A dictionary has tables of texts, functions, locations, stacks, mappings and attributes.
 * Profiles refer to them by number. Number 0 of each table stands for nothing.
 */
#ifndef TPROF_EXPORT_OTLP_DICTIONARY_H
#define TPROF_EXPORT_OTLP_DICTIONARY_H

#include "export/frames.h"
#include "export/numbering.h"
#include "export/protobuf.h"
#include "export/texts.h"

/* Attributes of samples, locations and mappings, named as OpenTelemetry names them. */
enum otlp_key { OTLP_PID, OTLP_TID, OTLP_THREAD_NAME, OTLP_CPU, OTLP_CGROUP, OTLP_FRAME_TYPE,
		OTLP_BUILD_ID };

/**
 * struct otlp_mapping - a binary with samples
 * @object:	the binary
 * @start:	lowest address of a frame
 * @end:	highest address of a frame
 */
struct otlp_mapping {
	const struct object *object;
	u64	start;
	u64	end;
};

/**
 * struct otlp_dictionary - a dictionary being made
 * @tables:	the fields of the dictionary so far
 * @part:	the entry that is being made
 * @inner:	a message in @part
 * @texts:	texts in @tables
 * @attributes:	numbers of attributes in @tables, by key and value
 * @locations:	numbers of locations in @tables, by frame.number
 * @stacks:	numbers of stacks in @tables, by number of the stack
 * @numbers:	numbers of @mappings, plus one, by object.number
 * @mappings:	binaries
 * @mapping_room: capacity of @mappings
 * @err:	first error
 */
struct otlp_dictionary {
	struct bytes tables;
	struct bytes part;
	struct bytes inner;
	struct texts texts;
	struct hash_table attributes;
	struct numbering locations;
	struct numbering stacks;
	struct numbering numbers;
	struct otlp_mapping *mappings;
	size_t	mapping_room;
	int	err;
};

void otlp_dictionary_begin(struct otlp_dictionary *dictionary);
u64 otlp_text(struct otlp_dictionary *dictionary, const char *text);
u64 otlp_attribute(struct otlp_dictionary *dictionary, enum otlp_key key, u64 value);
u64 otlp_text_attribute(struct otlp_dictionary *dictionary, enum otlp_key key,
			const char *text);
u32 otlp_stack(struct otlp_dictionary *dictionary, const struct frames *frames, u32 stack);
int otlp_dictionary_end(struct otlp_dictionary *dictionary, const struct frames *frames);
void otlp_dictionary_free(struct otlp_dictionary *dictionary);

#endif /* TPROF_EXPORT_OTLP_DICTIONARY_H */
