// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - command line
 */
#include <string.h>

#include "base/printable.h"
#include "cli/filter_rows.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "diff/diff_options.h"

#define ROW(...) OPTION_ROW(struct diff_options, __VA_ARGS__)

const struct option_row diff_rows[] = {
	ROW('s', "sort", "LIST", option_text, sort, "group samples by these keys (comm,dso,sym)"),
	PARENT_ROW(struct diff_options),
	ROW(0, "normalize", "BY", option_text, by,
	    "compare shares (weight), events per second (time) or events (none)"),
	ROW(0, "fail-above", "PERCENT", option_percent, fail_above,
	    "exit with status 3 if a line grew beyond noise by more than PERCENT"),
	FILTER_ROWS(struct diff_options, gather.filter),
	ROW(0, "percent-limit", "PERCENT", option_percent, limit,
	    "leave out lines that are below PERCENT in all recordings"),
	SYMBOL_ROWS(struct diff_options),
	ROW(0, "json", NULL, option_flag, json, "print JSON"),
	ROW(0, "html", NULL, option_flag, html, "write a page for a browser"),
	ROW('o', "output", "FILE", option_text, output,
	    "write the page to FILE (tprof-diff.html), or to the standard output with -"),
	{ 0 }
};

static const char *const words[] = {
	[NORMALIZE_WEIGHT] = "weight",
	[NORMALIZE_TIME] = "time",
	[NORMALIZE_NONE] = "none",
};

const char *normalize_word(enum normalize normalize)
{
	return words[normalize];
}

static int read_normalize(struct diff_options *opts)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!opts->by || !strcmp(words[i], opts->by)) {
			opts->normalize = i;
			return STATUS_OK;
		}
	}
	return say_usage("diff: --normalize: '%s' is neither weight, time nor none",
			 printable(opts->by));
}

/* Parse the options before, between and after the recordings. */
static int read_files(struct diff_options *opts, const struct command *self, int argc, char **argv)
{
	int at = options_parse(self, opts, argc, argv);

	while (at < argc) {
		if (opts->nr_files == DIFF_MAX_FILES)
			return say_usage("diff: at most %d recordings can be compared",
					 DIFF_MAX_FILES);
		opts->files[opts->nr_files++] = argv[at];
		argv[at] = argv[0];
		argc -= at;
		argv += at;
		at = options_parse(self, opts, argc, argv);
	}
	return STATUS_OK;
}

static int check_files(const struct diff_options *opts)
{
	u32 nr_pipes = 0, i;

	if (opts->nr_files < 2)
		return say_usage("diff: give two recordings or more, the old one first");
	for (i = 0; i < opts->nr_files; i++)
		nr_pipes += !strcmp(opts->files[i], "-");
	return nr_pipes < 2 ? STATUS_OK :
	       say_usage("diff: only one recording can be the standard input");
}

/* Check the options of --html: the page compares all functions. */
static int check_page(struct diff_options *opts)
{
	if (!opts->html)
		return opts->output ? say_usage("diff: -o is for the page; give --html as well") :
				      STATUS_OK;
	if (opts->nr_files > 2)
		return say_usage("diff: --html compares two recordings; leave out the others");
	if (opts->json || opts->sort || opts->key_options.parent || opts->limit >= 0 ||
	    opts->fail_above >= 0)
		return say_usage("diff: with --html, leave out --json, --sort, --parent, --fail-above and --percent-limit");
	if (!opts->output)
		opts->output = "tprof-diff.html";
	return STATUS_OK;
}

/*
 * Parse the command line. Return STATUS_OK, or print an error and return another status.
 * If options_parse() finds a wrong option or --help, it exits instead.
 */
int diff_options_read(struct diff_options *opts, const struct command *self, int argc,
		      char **argv)
{
	int status;

	*opts = (struct diff_options){ .limit = -1, .fail_above = -1,
				       .gather.children = CHILDREN_NO };
	status = read_files(opts, self, argc, argv);
	if (!status)
		status = check_files(opts);
	if (!status)
		status = check_page(opts);
	if (!status)
		status = read_normalize(opts);
	if (!status)
		status = symbol_options_check("diff", &opts->symbols);
	if (!status)
		status = filter_read("diff", opts->time, &opts->gather.filter);
	if (!status)
		status = sort_keys_read("diff", opts->sort ?: "comm,dso,sym", &opts->key_options,
					&opts->gather);
	if (!status && sort_keys_have(&opts->gather.keys, "time"))
		status = say_usage("diff: key time is never the same in two recordings; leave it out");
	return status;
}
