// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - command line
 */
#include <errno.h>
#include <string.h>

#include "cli/choose.h"
#include "cli/file_input.h"
#include "cli/filter_rows.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "report/report_options.h"
#include "screen/terminal.h"

#define ROW(...) OPTION_ROW(struct report_options, __VA_ARGS__)
#define FORMAT(name, chosen, line) \
	ROW(0, name, NULL, option_choice, format, line, .choice = &(chosen))

const struct option_row report_rows[] = {
	ROW('i', "input", "FILE", option_text, input, "read FILE (tprof.data), or a pipe with -"),
	ROW('s', "sort", "LIST", option_text, sort, "group samples by these keys (comm,dso,sym)"),
	PARENT_ROW(struct report_options),
	QUANTUM_ROW(struct report_options),
	ROW('F', "fields", "LIST", option_text, fields, "print these columns in this order"),
	ROW('T', "threads", NULL, option_flag, gather.threads,
	    "print the counts of each thread as well, from record -s"),
	ROW('n', "show-nr-samples", NULL, option_flag, show_samples,
	    "print the number of samples as well"),
	ROW(0, "confidence", NULL, option_flag, confidence,
	    "print the 95 % confidence interval of each percentage"),
	ROW('g', "call-graph", NULL, option_flag, call_graph, "print a call tree below each line"),
	ROW(0, "order", "ORDER", option_text, order,
	    "begin call trees with the caller (default) or the callee"),
	ROW(0, "children", NULL, option_flag, yes_children,
	    "add samples of callees to their callers (default with call chains)"),
	ROW(0, "no-children", NULL, option_flag, no_children,
	    "do not add samples of callees to their callers"),
	LATENCY_ROW(struct report_options),
	ROW(0, "wall", NULL, option_flag, wall,
	    "add up the times on and off CPU of record --off-cpu, in one table or tree"),
	ROW(0, "wakers", NULL, option_flag, gather.wakers,
	    "show what ended each wait of record --off-cpu --wakers, in call trees below it"),
	FORMAT("folded", report_folded_format,
	       "print call paths, one per line, as flame-graph tools read them"),
	FILTER_ROWS(struct report_options, gather.filter),
	ROW(0, "percent-limit", "PERCENT", option_percent, limit,
	    "leave out lines and branches below PERCENT"),
	SYMBOL_ROWS(struct report_options),
	ROW(0, "whole-names", NULL, option_flag, whole_names,
	    "do not shorten names that are too long for the terminal"),
	FORMAT("stdio", report_stdio_format, "print the table, also on a terminal"),
	FORMAT("json", report_json_format, "print JSON"),
	FORMAT("csv", report_csv_format, "print CSV"),
	{ 0 }
};

static bool has_column(const struct report_options *opts, const struct column *column)
{
	size_t i;

	for (i = 0; i < opts->nr_columns; i++) {
		if (opts->columns[i] == column)
			return true;
	}
	return false;
}

static int add_column(struct report_options *opts, const struct column *column)
{
	if (has_column(opts, column))
		return 0;
	if (opts->nr_columns == REPORT_MAX_FIELDS)
		return -E2BIG;
	opts->columns[opts->nr_columns++] = column;
	return 0;
}

static int choose_column(void *arg, size_t i)
{
	const struct column *column = column_find(column_word(i));
	struct report_options *opts = arg;
	int err = column->key ? sort_keys_add(&opts->gather.keys, column) : 0;

	return err ? err : add_column(opts, column);
}

static const struct chooser column_chooser = { "report", "--fields", "column", column_word,
					       choose_column };

/* Print the words of --sort and --fields. */
void report_print_words(void)
{
	sort_keys_print();
	print_choices(&column_chooser, "columns");
}

static int read_lists(struct report_options *opts)
{
	const char *sort = opts->sort;
	int status = STATUS_OK;

	if (opts->fields)
		status = choose(&column_chooser, opts->fields, opts);
	if (!sort && !opts->gather.keys.nr)
		sort = opts->gather.wakers ? "comm,waker" : "comm,dso,sym";
	if (!status && sort)
		status = sort_keys_choose("report", sort, &opts->gather.keys);
	if (!status)
		status = sort_keys_finish("report", &opts->key_options, &opts->gather);
	return status;
}

static int read_order(struct report_options *opts)
{
	struct gather_options *gather = &opts->gather;

	gather->trees = opts->call_graph;
	if (opts->format == &report_screen_format && gather->wakers)
		gather->trees = true;
	/* The screen reads a file again for the first tree. It cannot do so with stdin. */
	gather->chain_trees = opts->format == &report_screen_format && !strcmp(opts->input, "-");
	gather->paths = opts->format->whole_paths;
	gather->children = opts->yes_children ? CHILDREN_YES :
			   opts->no_children  ? CHILDREN_NO :
						CHILDREN_AUTO;
	gather->callers_first = true;
	if (!opts->order)
		return STATUS_OK;
	gather->callers_first = !strcmp(opts->order, "caller");
	if (gather->callers_first || !strcmp(opts->order, "callee"))
		return STATUS_OK;
	return say_usage("report: --order: '%s' is neither caller nor callee", opts->order);
}

static int check(const struct report_options *opts)
{
	const struct gather_filter *filter = &opts->gather.filter;

	if (opts->yes_children && opts->no_children)
		return say_usage("report: --children and --no-children exclude each other");
	if (opts->order && !opts->call_graph)
		return say_usage("report: --order applies to call trees; give -g as well");
	if (opts->wall && opts->gather.wakers)
		return say_usage("report: --wakers shows waits only, and --wall all of the time; leave out one");
	if (opts->gather.wakers && opts->order && strcmp(opts->order, "caller"))
		return say_usage("report: --wakers continues call trees that begin with the caller; leave out --order");
	if (opts->gather.latency && (opts->wall || opts->gather.wakers))
		return say_usage("report: --latency is of threads that run; leave out --wall and --wakers");
	if (opts->gather.latency && opts->confidence)
		return say_usage("report: --confidence counts samples, but --latency weighs them; leave out one");
	if (opts->wall && opts->confidence)
		return say_usage("report: --confidence counts samples, but --wall adds up times; leave out one");
	if (opts->gather.threads && (filter->user_only || filter->kernel_only))
		return say_usage("report: -T has the counts of all modes; leave out --user-only and --kernel-only");
	if (opts->gather.threads &&
	    (filter->cpus.bytes || opts->time || filter->dsos || filter->syms))
		return say_usage("report: -T has the counts of whole threads; leave out -C, --time, --dso and -S");
	return opts->format->check ? opts->format->check(opts) : STATUS_OK;
}

/*
 * Refuse columns of times without --wall: then, periods may not be times. Refuse those of latency
 * without --latency.
 */
static int check_columns(const struct report_options *opts)
{
	size_t i;

	if (!opts->gather.wakers && sort_keys_have(&opts->gather.keys, "waker"))
		return say_usage("report: column waker is of waits; give --wakers as well");
	if (opts->gather.latency && opts->gather.keys.nr == PROFILE_MAX_KEYS &&
	    !sort_keys_have(&opts->gather.keys, "parallelism"))
		return say_usage("report: too many keys for --latency; leave out one");
	for (i = 0; i < opts->nr_columns; i++) {
		if (opts->columns[i]->is_latency && !opts->gather.latency)
			return say_usage("report: column %s is of latency; give --latency as well",
					 opts->columns[i]->word);
		if (opts->columns[i]->kind == COLUMN_TIME && !opts->wall)
			return say_usage("report: column %s is a time; give --wall as well",
					 opts->columns[i]->word);
	}
	return STATUS_OK;
}

/* Return true if the tables can be shown on a screen. The counts of threads cannot. */
static bool has_screen(const struct report_options *opts)
{
	return !opts->gather.threads && terminal_is_there();
}

/*
 * Parse the command line. Return STATUS_OK, or print an error and return another status.
 * If options_parse() finds a wrong option or --help, it exits instead.
 */
int report_options_read(struct report_options *opts, const struct command *self, int argc,
			char **argv)
{
	int status;

	*opts = (struct report_options){ .input = DEFAULT_INPUT, .limit = -1 };
	status = no_operands(argc, argv, options_parse(self, opts, argc, argv));
	if (!opts->format)
		opts->format = has_screen(opts) ? &report_screen_format : &report_text_format;
	if (!status)
		status = check(opts);
	if (!status)
		status = symbol_options_check("report", &opts->symbols);
	if (!status)
		status = read_order(opts);
	if (!status)
		status = filter_read("report", opts->time, &opts->gather.filter);
	if (!status)
		status = read_lists(opts);
	if (!status)
		status = check_columns(opts);
	return status;
}

/* Add the default columns of times. There is room for them. */
static void add_times(struct report_options *opts, bool children)
{
	add_column(opts, column_find(children ? "children-total" : "total"));
	add_column(opts, column_find(children ? "children-on" : "on"));
	add_column(opts, column_find(children ? "children-off" : "off"));
}

/*
 * Add the default columns, the columns that options request, and the keys. @children
 * means that samples of callees are added to their callers. Return 0, or -E2BIG if there
 * are more than REPORT_MAX_FIELDS columns.
 */
int report_finish_columns(struct report_options *opts, bool children)
{
	bool has_latency = opts->gather.latency && !opts->gather.paths;
	int err = 0;
	size_t i;

	if (!opts->fields && has_latency)
		add_column(opts, column_find(children ? "children-latency" : "latency"));
	if (!opts->fields && children)
		add_column(opts, column_find("children"));
	if (!opts->fields && children && opts->confidence)
		add_column(opts, column_find("children-interval"));
	if (!opts->fields)
		add_column(opts, column_find(children ? "self" : "overhead"));
	if (!opts->fields && opts->wall)
		add_times(opts, children);
	if (opts->confidence)
		err = add_column(opts, column_find("interval"));
	if (opts->show_samples && !err)
		err = add_column(opts, column_find("samples"));
	for (i = 0; i < opts->gather.keys.nr && !err; i++)
		err = add_column(opts, opts->gather.keys.columns[i]);
	return err;
}
