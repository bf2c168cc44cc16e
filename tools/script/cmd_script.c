// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - print the records of a recording, one per line
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/choose.h"
#include "cli/command.h"
#include "cli/file_input.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "perfdata/stitch.h"
#include "script/print_record.h"

#define FIELDS_MAX	64

/**
 * struct script_options - the parsed command line
 * @input:	-i
 * @fields:	-F, or NULL
 * @types:	-t, or NULL
 * @json:	--json
 * @symbols:	sources of symbols
 */
struct script_options {
	const char *input;
	const char *fields;
	const char *types;
	bool	json;
	struct symbol_options symbols;
};

/**
 * struct script - state of printing a file
 * @reader:	the file
 * @world:	tasks, mappings and binaries at the time of the current record
 * @chain:	frames of the current sample
 * @fields:	fields to print
 * @nr_fields:	number of @fields; 0 for the default fields
 * @types:	mask of the record types to print
 * @json:	print one JSON object per record; NULL for text
 */
struct script {
	struct reader reader;
	struct world world;
	struct chain chain;
	const struct line_field *fields[FIELDS_MAX];
	size_t	nr_fields;
	u64	types;
	struct json *json;
};

static const char *field_name(size_t i)
{
	const struct line_field *field = line_field_at(i);

	return field ? field->name : NULL;
}

static const char *type_name(size_t i)
{
	const struct record_type *type = record_type_at(i);

	return type ? type->word : NULL;
}

static int choose_field(void *arg, size_t i)
{
	struct script *script = arg;

	if (script->nr_fields == FIELDS_MAX)
		return -E2BIG;
	script->fields[script->nr_fields++] = line_field_at(i);
	return 0;
}

static int choose_type(void *arg, size_t i)
{
	struct script *script = arg;

	script->types |= 1ULL << record_type_at(i)->type;
	return 0;
}

static const struct chooser field_chooser = { "script", "--fields", "field", field_name,
					      choose_field };
static const struct chooser type_chooser = { "script", "--type", "record type", type_name,
					     choose_type };

static int choose_all(struct script *script, const struct script_options *opts)
{
	int status = STATUS_OK;

	if (opts->fields)
		status = choose(&field_chooser, opts->fields, script);
	if (!opts->types)
		script->types = 1ULL << PERF_RECORD_SAMPLE;
	else if (!strcmp(opts->types, "all"))
		script->types = ~0ULL;
	else if (!status)
		status = choose(&type_chooser, opts->types, script);
	return status;
}

/*
 * Return the length of the longest event name, or 0 if there is a single event. Call this
 * for each record: in a pipe, new events may arrive between records.
 */
static int name_width(const struct reader *reader)
{
	size_t width = 0, len;
	u32 i;

	for (i = 0; reader->nr_events > 1 && i < reader->nr_events; i++) {
		len = strlen(reader->events[i].name);
		width = len > width ? len : width;
	}
	return width;
}

static int print_one(struct script *script, const struct record *record)
{
	struct line line = { .json = script->json, .world = &script->world,
			     .chain = &script->chain,
			     .name_width = name_width(&script->reader) };
	int err = line_begin(&line, record);

	if (err)
		return message_set(&script->reader.msg, err,
				   "the record at %#llx is too short for its event",
				   record->offset);
	if (record->header.type >= 64 || !(script->types >> record->header.type & 1))
		return 0;
	line.comm = tasks_name(&script->world.tasks, line.ids.tid);
	if (script->nr_fields)
		line_print_fields(&line, script->fields, script->nr_fields);
	else
		line_print(&line);
	return ferror(stdout) ? -EPIPE : 0;
}

static int print_all(struct script *script, const char *name)
{
	struct stitch stitch;
	struct record record;
	int ret;

	stitch_init(&stitch, &script->reader);
	while ((ret = stitch_next(&stitch, &record)) > 0) {
		ret = world_update(&script->world, &record);
		if (!ret && record.event)
			ret = print_one(script, &record);
		if (ret)
			break;
	}
	stitch_free(&stitch);
	say_input_notes(name, &script->reader);
	/* Skip errors of stdout: finish_output() reports them. */
	if (ret < 0 && !ferror(stdout))
		return say_input_failed(name, ret, &script->reader.msg);
	return STATUS_OK;
}

static void print_tables(void)
{
	print_choices(&field_chooser, "fields");
	print_choices(&type_chooser, "record types");
}

#define ROW(...) OPTION_ROW(struct script_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW('i', "input", "FILE", option_text, input,
	    "read FILE (tprof.data), or a pipe with -"),
	ROW('F', "fields", "LIST", option_text, fields,
	    "print these fields in this order"),
	ROW('t', "type", "LIST", option_text, types,
	    "print records of these types, such as sample,comm, or all (sample)"),
	ROW(0, "json", NULL, option_flag, json,
	    "print JSON, one object per line"),
	SYMBOL_ROWS(struct script_options),
	{ 0 }
};

static int run(const struct command *self, int argc, char **argv)
{
	struct script_options opts = { .input = DEFAULT_INPUT };
	struct json json = { .out = stdout, .first = true };
	struct script script = { 0 };
	int fd, status;

	status = no_operands(argc, argv, options_parse(self, &opts, argc, argv));
	if (!status)
		status = choose_all(&script, &opts);
	if (!status)
		status = symbol_options_check("script", &opts.symbols);
	if (status)
		return status;
	script.json = opts.json ? &json : NULL;
	fd = open_input(opts.input, &script.reader);
	if (fd < 0)
		return STATUS_FAILED;
	if (chain_init(&script.chain) ||
	    world_init(&script.world, &opts.symbols, &script.reader.features))
		status = say_error("%s", strerror(ENOMEM));
	else
		status = print_all(&script, opts.input);
	world_free(&script.world);
	chain_free(&script.chain);
	reader_close(&script.reader);
	close(fd);
	return finish_output(status);
}

const struct command script_command = {
	.name = "script",
	.summary = "print the records of a recording, one per line",
	.operands = "",
	.text = "Reads recordings of tprof-lx record and perf record, from a file or a pipe.\n"
		"Prints records in order of time, except samples with deferred call chains.\n",
	.more_help = print_tables,
	.options = rows,
	.run = run,
};
