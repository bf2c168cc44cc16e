// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - write a recording as a page for a browser
 */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include "cli/file_input.h"
#include "cli/filter_rows.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "html/page.h"

#define DEFAULT_PAGE	"tprof.html"

/**
 * struct html_options - the parsed command line
 * @input:	-i
 * @output:	-o
 * @time:	--time, or NULL
 * @open:	--open
 * @filter:	which samples to take
 * @symbols:	sources of symbols
 */
struct html_options {
	const char *input;
	const char *output;
	const char *time;
	bool	open;
	struct gather_filter filter;
	struct symbol_options symbols;
};

#define ROW(...) OPTION_ROW(struct html_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW('i', "input", "FILE", option_text, input, "read FILE (tprof.data), or a pipe with -"),
	ROW('o', "output", "FILE", option_text, output,
	    "write FILE (tprof.html), or the standard output with -"),
	ROW(0, "open", NULL, option_flag, open, "open the page by xdg-open"),
	FILTER_ROWS(struct html_options, filter),
	SYMBOL_ROWS(struct html_options),
	{ 0 }
};

static int check(struct html_options *opts)
{
	int status = symbol_options_check("html", &opts->symbols);

	if (opts->open && !strcmp(opts->output, "-"))
		status = say_usage("html: --open needs a file; leave out -o -");
	return status ? status : filter_read_time("html", opts->time, &opts->filter);
}

/* xdg-open may run as long as the browser does, so do not wait for it. */
static int open_page(const char *path)
{
	char *argv[] = { (char *)"xdg-open", (char *)path, NULL };
	int err = posix_spawnp(NULL, argv[0], NULL, NULL, argv, environ);

	if (err)
		return say_error("cannot run xdg-open: %s; open %s in a browser", strerror(err),
				 path);
	return STATUS_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct html_options opts = { .input = DEFAULT_INPUT, .output = DEFAULT_PAGE };
	struct export_options from;
	int status;

	status = no_operands(argc, argv, options_parse(self, &opts, argc, argv));
	if (!status)
		status = check(&opts);
	if (status)
		return status;
	from = (struct export_options){ .input = opts.input, .output = opts.output,
					.gather.filter = opts.filter,
					.symbols = opts.symbols };
	status = export_file(&from, page_write);
	return status || !opts.open ? status : open_page(opts.output);
}

const struct command html_command = {
	.name = "html",
	.summary = "write a recording as a page for a browser",
	.operands = "",
	.text = "The page is one file, which needs no network and no other file.\n"
		"All filters drop samples: --comm, --dso and --sym test the sampled function.\n",
	.options = rows,
	.run = run,
};
