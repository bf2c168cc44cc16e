// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - write a recording as a page for a browser
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/filter_rows.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/sort_keys.h"
#include "cli/symbol_rows.h"
#include "html/page.h"
#include "live/child.h"

#define DEFAULT_PAGE	"tprof.html"

/**
 * struct html_options - the parsed command line
 * @input:	-i
 * @output:	-o
 * @time:	--time, or NULL
 * @open:	--open
 * @first:	what the page shows first
 * @no_code:	--no-code
 * @sort:	-s, or NULL
 * @key_options: options of keys
 * @gather:	which samples to take, and further keys to group them by
 * @symbols:	sources of symbols
 */
struct html_options {
	const char *input;
	const char *output;
	const char *time;
	bool	open;
	struct first_view first;
	bool	no_code;
	const char *sort;
	struct key_options key_options;
	struct gather_options gather;
	struct symbol_options symbols;
};

#define ROW(...) OPTION_ROW(struct html_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW('i', "input", "FILE", option_text, input, "read FILE (tprof.data), or a pipe with -"),
	ROW('o', "output", "FILE", option_text, output,
	    "write FILE (tprof.html), or the standard output with -"),
	ROW(0, "open", NULL, option_flag, open, "open the page by xdg-open"),
	ROW(0, "function", "NAME", option_text, first.function,
	    "begin with the picture around function NAME"),
	ROW(0, "no-code", NULL, option_flag, no_code,
	    "leave out the instructions and source lines of functions"),
	ROW(0, "search", "REGEX", option_text, first.search,
	    "begin with this search for functions"),
	ROW(0, "part", "FROM,TO", option_text, first.part,
	    "begin with the part of the time from FROM to TO, in seconds as script prints them"),
	ROW('s', "sort", "LIST", option_text, sort,
	    "let the page group samples by these keys of report as well"),
	LATENCY_ROW(struct html_options),
	PARENT_ROW(struct html_options),
	QUANTUM_ROW(struct html_options),
	FILTER_ROWS(struct html_options, gather.filter),
	SYMBOL_ROWS(struct html_options),
	{ 0 }
};

static int check(struct html_options *opts)
{
	int status = symbol_options_check("html", &opts->symbols);

	if (opts->open && !strcmp(opts->output, "-"))
		status = say_usage("html: --open needs a file; leave out -o -");
	if (!status)
		status = filter_read("html", opts->time, &opts->gather.filter);
	if (!status && opts->first.part)
		status = span_read("html", "--part", opts->first.part, &opts->first.from,
				   &opts->first.to);
	return status ? status : sort_keys_read("html", opts->sort, &opts->key_options,
						&opts->gather);
}

/**
 * struct making - a page that is being made
 * @export:	the recording, and which samples to take
 * @options:	the command line
 */
struct making {
	struct export_options export;
	const struct html_options *options;
};

/* The user's browser must be able to read the page. The file was made by this process. */
static void give_to_invoker(const struct export *export)
{
	struct identity user = { 0 };
	int fd = fileno(export->out);
	struct stat st;

	identity_of_invoker(&user);
	if (!user.changed || fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	if (fchown(fd, user.uid, user.gid))
		say_note("%s still belongs to root", printable(export->options->output));
}

static int write_page(const struct export *export)
{
	const struct making *making = container_of(export->options, struct making, export);
	/* The shares of instructions would not be latencies. */
	bool has_code = !making->options->no_code && !making->options->gather.latency;
	int status = page_write(export, &making->options->first, has_code);

	if (making->options->open)
		give_to_invoker(export);
	return status;
}

/* sudo removes the variable by which programs find the session of the user. */
static void find_session(const struct identity *user)
{
	char path[64];

	snprintf(path, sizeof(path), "/run/user/%u", user->uid);
	if (!access(path, F_OK))
		setenv("XDG_RUNTIME_DIR", path, 0);
}

/*
 * Run xdg-open as the user that ran sudo; root must not run a browser. It may run as long as
 * the browser does, so do not wait for it.
 */
static int open_page(const char *path)
{
	char *argv[] = { (char *)"xdg-open", (char *)path, NULL };
	struct identity user = { 0 };
	struct child child;
	int err;

	identity_of_invoker(&user);
	if (!geteuid() && !user.changed)
		return say_error("root runs no browser; open %s as another user", printable(path));
	if (user.changed)
		find_session(&user);
	err = child_prepare(&child, argv, &user);
	if (!err)
		err = child_release(&child);
	if (err)
		return say_error("cannot run xdg-open: %s; open %s in a browser", strerror(-err),
				 printable(path));
	return STATUS_OK;
}

static int make_page(const struct html_options *opts)
{
	struct making making = {
		.export = { .input = opts->input, .output = opts->output,
			    .gather = opts->gather, .symbols = opts->symbols },
		.options = opts,
	};
	int status = export_file(&making.export, write_page);

	return status || !opts->open ? status : open_page(opts->output);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct html_options opts = { .input = DEFAULT_INPUT, .output = DEFAULT_PAGE };
	int status;

	status = no_operands(argc, argv, options_parse(self, &opts, argc, argv));
	if (!status)
		status = check(&opts);
	if (!status)
		status = make_page(&opts);
	sort_keys_free(&opts.key_options);
	return status;
}

const struct command html_command = {
	.name = "html",
	.summary = "write a recording as a page for a browser",
	.operands = "",
	.text = "The page is one file, which needs no network and no other file.\n"
		"All filters drop samples: --comm, --dso and --sym test the sampled function.\n",
	.options = rows,
	.more_help = sort_keys_print,
	.run = run,
};
