/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx script - print the records of a recording
 */
#ifndef TPROF_PRINT_RECORDING_H
#define TPROF_PRINT_RECORDING_H

#include "script/print_record.h"

#define SCRIPT_MAX_FIELDS	64

/**
 * struct script - state of printing a file
 * @reader:	the file
 * @world:	tasks, mappings and binaries at the time of the current record
 * @chain:	frames of the current sample
 * @places:	texts of places that were printed before
 * @text:	text that is not written yet
 * @line:	the current record
 * @fields:	fields to print
 * @nr_fields:	number of @fields; 0 for the default fields
 * @types:	mask of the record types to print
 */
struct script {
	struct reader reader;
	struct world world;
	struct chain chain;
	struct place_texts places;
	struct text text;
	struct line line;
	const struct line_field *fields[SCRIPT_MAX_FIELDS];
	size_t	nr_fields;
	u64	types;
};

int print_recording(struct script *script, struct json *json);

#endif /* TPROF_PRINT_RECORDING_H */
