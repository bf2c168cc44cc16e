/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx script - print a record as a line of text or JSON
 *
 * A line is built in a buffer (base/text.h), without printf().
 */
#ifndef TPROF_PRINT_RECORD_H
#define TPROF_PRINT_RECORD_H

#include "base/json.h"
#include "base/text.h"
#include "perfdata/layout.h"
#include "perfdata/reader.h"
#include "perfdata/record_types.h"
#include "script/place_texts.h"
#include "world/chain.h"

/**
 * struct line - a record to print
 * @record:	the record
 * @type:	description of its type, or NULL for an unknown type
 * @body:	the part of the record that @type describes
 * @ids:	fields of a sample; in other records, fields of the trailer
 * @needed:	PERF_SAMPLE_* fields of a sample to read into @ids; ~0 for all
 * @comm:	name of the thread
 * @world:	tasks, mappings and binaries at the time of the record
 * @chain:	buffer for the frames of the sample's call chain
 * @places:	texts of places that were printed before
 * @place:	text of the sample's place, or NULL if it must be looked up
 * @name_width:	length of the longest event name; 0 if there is a single event
 * @text:	print text here
 * @json:	print JSON here; NULL for text
 */
struct line {
	const struct record *record;
	const struct record_type *type;
	struct record_body body;
	struct sample ids;
	u64	needed;
	const char *comm;
	struct world *world;
	struct chain *chain;
	struct place_texts *places;
	const struct place_text *place;
	int	name_width;
	struct text *text;
	struct json *json;
};

/**
 * struct line_field - a field of --fields
 * @name:	its name in --fields and in JSON
 * @sample:	mask of PERF_SAMPLE_* bits, of which a record with this field has at
 *		least one; 0 if the field needs none
 * @print:	prints the field as text or JSON
 */
struct line_field {
	const char *name;
	u64	sample;
	void	(*print)(const struct line *line, const char *name);
};

const struct line_field *line_field_at(size_t i);
int line_begin(struct line *line, const struct record *record);
void line_print(const struct line *line);
void line_print_fields(const struct line *line, const struct line_field *const *fields, size_t nr);

/* line_put_*() print one value, line_print_*() a field. */
void line_put_u64(const struct line *line, const char *name, u64 value);
void line_put_s32(const struct line *line, const char *name, s32 value);
void line_put_hex(const struct line *line, const char *name, u64 value);
void line_put_text(const struct line *line, const char *name, const char *text);
const char *line_type_name(const struct line *line, char *buf, size_t len);
void line_print_detail(const struct line *line, const char *name);
void line_print_sym(const struct line *line, const char *name);
void line_print_symoff(const struct line *line, const char *name);
void line_print_dso(const struct line *line, const char *name);
void line_print_srcline(const struct line *line, const char *name);
void line_print_frames(const struct line *line, const char *name);
void line_print_place(const struct line *line);

#endif /* TPROF_PRINT_RECORD_H */
