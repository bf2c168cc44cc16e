// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - print the records of a recording, one per line
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/command.h"
#include "cli/file_input.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "script/print_recording.h"

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

	if (script->nr_fields == SCRIPT_MAX_FIELDS)
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

static int print_file(struct script *script, const char *name, struct json *json)
{
	int err = print_recording(script, json);

	/* Skip errors of stdout: finish_output() reports them. */
	if (err && !ferror(stdout))
		return say_input_failed(name, err, &script->reader.msg);
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
	fd = open_input(opts.input, &script.reader);
	if (fd < 0)
		return STATUS_FAILED;
	if (chain_init(&script.chain) ||
	    world_init(&script.world, &opts.symbols, &script.reader.features))
		status = say_error("%s", strerror(ENOMEM));
	else
		status = print_file(&script, opts.input, opts.json ? &json : NULL);
	if (!status)
		status = symbol_options_check_used(&opts.symbols,
						   &script.world.objects.sources.kernel,
						   opts.input);
	world_free(&script.world);
	chain_free(&script.chain);
	close_input(opts.input, &script.reader, fd);
	return status;
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
