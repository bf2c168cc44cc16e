/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a record as a line of text or of JSON
 */
#ifndef TPROF_PRINT_RECORD_H
#define TPROF_PRINT_RECORD_H

#include "base/json.h"
#include "perfdata/layout.h"
#include "perfdata/reader.h"
#include "perfdata/record_types.h"
#include "world/chain.h"

/**
 * struct line - what can be said of one record
 * @record:	the record
 * @type:	its description, or NULL for an unknown type
 * @body:	what the description is about
 * @ids:	the sample, or the trailer of any other record
 * @comm:	name of the thread
 * @world:	tasks, mappings, binaries, as of then
 * @chain:	room for its call chain
 * @name_width:	of the longest name of an event
 * @json:	the document, when it is JSON
 */
struct line {
	const struct record *record;
	const struct record_type *type;
	struct record_body body;
	struct sample ids;
	const char *comm;
	struct world *world;
	struct chain *chain;
	int	name_width;
	struct json *json;
};

/**
 * struct line_field - something that can be said of a record
 * @name:	what people select it by
 * @sample:	the PERF_SAMPLE_* that it takes, 0 for none
 * @print:	print it, as text or as JSON
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

/* What fields are printed by. */
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
