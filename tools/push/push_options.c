// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - command line
 */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/filter_rows.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "push/engines.h"

#define DEFAULT_TABLE	"samples"
#define DEFAULT_SIZE	(256U << 20)

static int set_label(void *field, const char *value)
{
	return labels_parse(field, value);
}

static const struct option_type option_label = { "a label, such as env=test", set_label };

#define ROW(...) OPTION_ROW(struct push_options, __VA_ARGS__)

const struct option_row push_rows[] = {
	ROW(0, "to", "ENGINE", option_text, to, "send to " ENGINES),
	ROW(0, "name", "NAME", option_text, name,
	    "name of the profiled service (" EXPORT_SERVICE ")"),
	ROW(0, "label", "NAME=VALUE", option_label, labels,
	    "add a label; host, boot, kernel and build are added if they are known"),
	ROW(0, "table", "NAME", option_text, table,
	    "insert into this table of ClickHouse (samples)"),
	ROW('I', "interval", "MS", option_milliseconds, interval,
	    "add up the samples of every MS milliseconds for ClickHouse (1000)"),
	ROW(0, "tenant", "ID", option_text, tenant, "send the header X-Scope-OrgID: ID"),
	ROW(0, "token-file", "FILE", option_text, token_file,
	    "send the token in the first line of FILE, which only you can read"),
	ROW(0, "user", "NAME", option_text, user,
	    "log in as NAME, with the token as the password"),
	ROW(0, "ca-file", "FILE", option_text, ca_file,
	    "trust the certificate authorities in FILE, not those of the system"),
	ROW(0, "spool", "DIR", option_text, spool,
	    "keep in DIR what is not sent yet, and send it first"),
	ROW(0, "spool-size", "SIZE", option_size, spool_size,
	    "let the spool take up to SIZE bytes (256M)"),
	ROW(0, "remove", NULL, option_flag, remove,
	    "remove each FILE when the server or the spool has it"),
	ROW(0, "retries", "N", option_number, retries,
	    "try again up to N times if the server does not take a request (4)"),
	ROW(0, "timeout", "SECONDS", option_seconds, timeout,
	    "give up an attempt after SECONDS (60)"),
	FILTER_ROWS(struct push_options, filter),
	SYMBOL_ROWS(struct push_options),
	{ .letter = 'q', .name = "quiet", .type = &option_quieter,
	  .help = "print errors only" },
	{ .letter = 'v', .name = "verbose", .type = &option_louder, .help = "print details" },
	{ 0 }
};

/* Names of services and tables need no quotes in any engine. */
static bool is_word(const char *text, const char *other)
{
	size_t len = strlen(text), i;

	if (!len || len > LABEL_VALUE_LEN || !(isalpha((unsigned char)*text) || *text == '_'))
		return false;
	for (i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr(other, text[i]))
			return false;
	}
	return true;
}

/* The value of a header has visible characters only, so it cannot add another header. */
static bool is_header(const char *text)
{
	const char *at = text;

	while (*at > ' ' && *at < 0x7f)
		at++;
	return at > text && !*at;
}

/* Refuse an option that the engine would ignore. */
static int check_use(struct push_options *opts)
{
	bool has_table = opts->engine->has_table;

	if (has_table && opts->name)
		return say_usage("push: ClickHouse has no name of a service; leave out --name");
	if (!has_table && opts->table)
		return say_usage("push: only ClickHouse has tables; leave out --table");
	opts->name = opts->name ?: EXPORT_SERVICE;
	opts->table = opts->table ?: DEFAULT_TABLE;
	return STATUS_OK;
}

static int check_names(const struct push_options *opts)
{
	if (!is_word(opts->name, "_-./"))
		return say_usage("push: --name: '%s' has other characters than letters, digits, and _-./",
				 printable(opts->name));
	if (!is_word(opts->table, "_."))
		return say_usage("push: --table: '%s' is not TABLE or DATABASE.TABLE",
				 printable(opts->table));
	if (opts->tenant && !is_header(opts->tenant))
		return say_usage("push: --tenant: give an ID of visible ASCII characters");
	if (opts->user && (!is_header(opts->user) || strchr(opts->user, ':')))
		return say_usage("push: --user: give a name of visible ASCII characters except ':'");
	if (opts->user && !opts->token_file)
		return say_usage("push: --user needs a password; give its file by --token-file");
	return STATUS_OK;
}

static int check_interval(struct push_options *opts)
{
	bool is_given = opts->interval != NOT_GIVEN;

	if (!opts->interval)
		return say_usage("push: -I needs at least 1 millisecond");
	if (!opts->engine->has_table && is_given)
		return say_usage("push: only rows for ClickHouse have intervals; leave out -I");
	if (!is_given)
		opts->interval = NSEC_PER_SEC;
	return STATUS_OK;
}

static int check_engine(struct push_options *opts)
{
	if (!opts->to)
		return say_usage("push: no engine; give --to with one of " ENGINES);
	opts->engine = engine_find(opts->to);
	if (!opts->engine)
		return say_usage("push: unknown engine '%s'; give --to with one of " ENGINES,
				 printable(opts->to));
	return check_interval(opts) ?: check_use(opts);
}

static bool has_filter(const struct push_options *opts)
{
	const struct gather_filter *filter = &opts->filter;

	return filter->events || filter->comms || filter->dsos || filter->syms || filter->pids.nr ||
	       filter->tids.nr || filter->cpus.bytes || filter->user_only ||
	       filter->kernel_only || opts->time;
}

static int check_spool(struct push_options *opts)
{
	if (opts->spool_size == NOT_GIVEN)
		opts->spool_size = DEFAULT_SIZE;
	else if (!opts->spool)
		return say_usage("push: --spool-size needs --spool; add it or leave out both");
	return STATUS_OK;
}

static int check_files(struct push_options *opts)
{
	static char *none[] = { (char *)DEFAULT_INPUT };
	int i;

	if (opts->remove && has_filter(opts))
		return say_usage("push: --remove would remove samples that a filter left out; leave out one");
	if (!opts->nr_files && !opts->spool) {
		opts->files = none;
		opts->nr_files = 1;
	}
	for (i = 0; i < opts->nr_files; i++) {
		if (opts->remove && !strcmp(opts->files[i], "-"))
			return say_usage("push: --remove needs files, but - is a pipe; leave out one");
	}
	if (opts->timeout < NSEC_PER_MSEC)
		return say_usage("push: --timeout needs at least a millisecond, as 0.001");
	if (opts->timeout / NSEC_PER_MSEC > INT_MAX)
		return say_usage("push: --timeout is out of range; give at most %d seconds",
				 INT_MAX / 1000);
	return symbol_options_check("push", &opts->symbols);
}

/* Parse the options before and after the URL, and the files. */
static int read_operands(const struct command *self, struct push_options *opts, int argc,
			 char **argv)
{
	int at = options_parse(self, opts, argc, argv);

	if (at == argc)
		return say_usage("push: no URL; give that of the server, such as https://HOST:4040");
	opts->url = argv[at];
	argv[at] = argv[0];
	argc -= at;
	argv += at;
	at = options_parse(self, opts, argc, argv);
	opts->files = argv + at;
	opts->nr_files = argc - at;
	return STATUS_OK;
}

/*
 * Parse the command line. Return STATUS_OK, or print an error and return another status.
 * If options_parse() finds a wrong option or --help, it exits instead.
 */
int push_options_read(struct push_options *opts, const struct command *self, int argc,
		      char **argv)
{
	int status;

	*opts = (struct push_options){ .spool_size = NOT_GIVEN, .retries = 4,
				       .timeout = 60 * NSEC_PER_SEC, .interval = NOT_GIVEN };
	status = read_operands(self, opts, argc, argv);
	if (!status)
		status = check_engine(opts);
	if (!status)
		status = check_names(opts);
	if (!status)
		status = check_spool(opts);
	if (!status)
		status = check_files(opts);
	return status ? status : filter_read("push", opts->time, &opts->filter);
}
