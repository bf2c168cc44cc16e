// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - command line
 */
#include <string.h>
#include <unistd.h>

#include "cli/file_input.h"
#include "cli/filter_rows.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "export/export.h"

static const struct export_format *const formats[] = {
	&export_folded,
	&export_speedscope,
	&export_pprof,
	&export_callgrind,
	&export_rows_format,
	&export_firefox,
	&export_autofdo,
	&export_otlp,
};

#define ROW(...) OPTION_ROW(struct export_options, __VA_ARGS__)

const struct option_row export_rows[] = {
	ROW('i', "input", "FILE", option_text, input, "read FILE (tprof.data), or a pipe with -"),
	ROW('o', "output", "FILE", option_text, output,
	    "write FILE, not the standard output; replace it only on success"),
	ROW('I', "interval", "MS", option_milliseconds, interval,
	    "add up the samples of every MS milliseconds in rows (1000)"),
	ROW('s', "sort", "LIST", option_text, sort,
	    "group samples by these keys of report as well, in pprof and rows"),
	LATENCY_ROW(struct export_options),
	PARENT_ROW(struct export_options),
	QUANTUM_ROW(struct export_options),
	FILTER_ROWS(struct export_options, gather.filter),
	SYMBOL_ROWS(struct export_options),
	{ 0 }
};

static const struct export_format *find_format(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	}
	return NULL;
}

static int check_interval(struct export_options *opts)
{
	if (opts->format->has_intervals && opts->interval == NOT_GIVEN)
		opts->interval = NSEC_PER_SEC;
	if (!opts->interval)
		return say_usage("export: -I needs at least 1 millisecond");
	if (!opts->format->has_intervals && opts->interval != NOT_GIVEN)
		return say_usage("export: only rows have intervals; leave out -I");
	return STATUS_OK;
}

/* Parse the options before and after the format, which is the only operand. */
static int read_options(const struct command *self, struct export_options *opts, int argc,
			char **argv)
{
	int at = options_parse(self, opts, argc, argv);

	if (at == argc)
		return say_usage("export: no format; give one of " EXPORT_FORMATS);
	opts->format = find_format(argv[at]);
	if (!opts->format)
		return say_usage("export: unknown format '%s'; give one of " EXPORT_FORMATS,
				 argv[at]);
	argv[at] = argv[0];
	return no_operands(argc - at, argv + at, options_parse(self, opts, argc - at, argv + at));
}

static int read_keys(struct export_options *opts)
{
	int status = sort_keys_read("export", opts->sort, &opts->key_options, &opts->gather);

	if (!status && opts->gather.keys.nr && !opts->format->has_keys)
		return say_usage("export: only pprof and rows have keys; leave out --sort and --parent");
	return status;
}

static int check(const struct export_options *opts)
{
	bool is_stdout = !opts->output || !strcmp(opts->output, "-");

	if (opts->format->is_binary && is_stdout && isatty(STDOUT_FILENO))
		return say_usage("export: %s is binary, not text for a terminal; give -o FILE",
				 opts->format->name);
	if (opts->gather.latency && opts->format == &export_autofdo)
		return say_usage("export: compilers take how often code runs, no latency; leave out --latency");
	return symbol_options_check("export", &opts->symbols);
}

/*
 * Parse the command line. Return STATUS_OK, or print an error and return another status. Call
 * sort_keys_free() in any case.
 * If options_parse() finds a wrong option or --help, it exits instead.
 */
int export_options_read(struct export_options *opts, const struct command *self, int argc,
			char **argv)
{
	int status;

	*opts = (struct export_options){ .input = DEFAULT_INPUT, .interval = NOT_GIVEN };
	status = read_options(self, opts, argc, argv);
	if (!status)
		status = check_interval(opts);
	if (!status)
		status = check(opts);
	if (!status)
		status = filter_read("export", opts->time, &opts->gather.filter);
	return status ? status : read_keys(opts);
}
