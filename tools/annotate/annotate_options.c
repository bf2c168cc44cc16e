// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - command line
 */
#include "annotate/annotate_options.h"
#include "annotate/hot_functions.h"
#include "cli/file_input.h"
#include "cli/filter_rows.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"

/* Without SYMBOL, functions below this percentage are left out by default. */
#define LEAST_HEAT	1.0

#define ROW(...) OPTION_ROW(struct annotate_options, __VA_ARGS__)
#define FORMAT(name, chosen, line) \
	ROW(0, name, NULL, option_choice, format, line, .choice = &(chosen))

const struct option_row annotate_rows[] = {
	ROW('i', "input", "FILE", option_text, input, "read FILE (tprof.data), or a pipe with -"),
	FILTER_ROWS(struct annotate_options, gather.filter),
	ROW(0, "percent-limit", "PERCENT", option_percent, limit,
	    "leave out functions below PERCENT (1 without SYMBOL)"),
	ROW(0, "no-source", NULL, option_flag, no_source,
	    "print no source lines and no inlined functions"),
	ROW(0, "objdump", "PROGRAM", option_text, objdump,
	    "disassemble all functions by PROGRAM, an objdump"),
	SYMBOL_FILE_ROWS(struct annotate_options),
	FORMAT("stdio", annotate_stdio_format, "print text without a pager"),
	FORMAT("json", annotate_json_format, "print JSON"),
	{ 0 }
};

/* Parse the options before and after the function, which is the only operand. */
static int read_options(struct annotate_options *opts, const struct command *self, int argc,
			char **argv)
{
	int at = options_parse(self, opts, argc, argv);

	if (at == argc)
		return STATUS_OK;
	opts->symbol = argv[at];
	argv[at] = argv[0];
	return no_operands(argc - at, argv + at, options_parse(self, opts, argc - at, argv + at));
}

/*
 * Parse the command line. Return STATUS_OK, or print an error and return another status.
 * If options_parse() finds a wrong option or --help, it exits instead.
 */
int annotate_options_read(struct annotate_options *opts, const struct command *self, int argc,
			  char **argv)
{
	int status;

	*opts = (struct annotate_options){ .input = DEFAULT_INPUT, .limit = -1 };
	opts->gather.keys = hot_functions_keys();
	opts->gather.children = CHILDREN_NO;
	status = read_options(opts, self, argc, argv);
	if (!opts->format)
		opts->format = &annotate_text_format;
	if (opts->limit < 0)
		opts->limit = opts->symbol ? 0 : LEAST_HEAT;
	if (!status)
		status = symbol_options_check("annotate", &opts->symbols);
	if (!status)
		status = say_missing_program("annotate: --objdump", opts->objdump);
	if (!status)
		status = filter_read("annotate", opts->time, &opts->gather.filter);
	return status;
}
