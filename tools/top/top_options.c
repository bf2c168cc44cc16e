// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - command line
 */
#include "cli/comm_option.h"
#include "cli/say.h"
#include "cli/sort_keys.h"
#include "cli/symbol_rows.h"
#include "screen/terminal.h"
#include "top/top_options.h"

#define DEFAULT_DELAY	(2 * NSEC_PER_SEC)
#define LEAST_DELAY	(100 * NSEC_PER_MSEC)
#define DEFAULT_ROWS	40

#define ROW(...) OPTION_ROW(struct top_options, __VA_ARGS__)

const struct option_row top_option_rows[] = {
	ROW('a', "all-cpus", NULL, option_flag, everything,
	    "sample all processes (default without -p, -t and --comm)"),
	ROW('C', "cpu", "LIST", option_cpus, cpus, "sample on these CPUs only, such as 0-3,8"),
	ROW('p', "pid", "LIST", option_pids, pids,
	    "sample these processes and their descendants, until all have ended"),
	ROW('t', "tid", "LIST", option_pids, tids,
	    "sample these threads only, without what they create, until all have ended"),
	ROW(0, "comm", "REGEX", option_text, comm.pattern,
	    "as -p, for the running processes with names that match REGEX"),
	ROW(0, "follow-new", NULL, option_flag, comm.follow,
	    "sample also the processes of --comm that are started later"),
	ROW('i', "no-inherit", NULL, option_flag, no_inherit,
	    "sample the processes of -p without their descendants"),
	ROW('e', "event", "EVENT", option_event, events,
	    "sample EVENT, or a comma-separated list; may be repeated (see below)"),
	ROW('F', "freq", "HZ", option_rate, rate,
	    "take HZ samples per second and CPU, or 'max' (1000)"),
	ROW(0, "count", "EVENT", option_event, counts,
	    "also count EVENT, or a list, without samples; show the counts of each interval"),
	ROW('g', "chains", NULL, option_flag, chains,
	    "sample call chains, and show a call tree below each row"),
	ROW('s', "sort", "LIST", option_text, sort, "group samples by these keys (comm,dso,sym)"),
	ROW('d', "delay", "S", option_seconds, delay, "show a table every S seconds (2)"),
	ROW('n', "number", "N", option_number, number, "end after N tables"),
	ROW('m', "buffers", "SIZE[,SIZE]", option_sizes, sizes,
	    "sizes of each CPU's ring (2 s of samples) and of the queue to the reader"),
	ROW('E', "entries", "N", option_number, rows, "print at most N rows of each event (40)"),
	ROW('z', "zero", NULL, option_flag, zero,
	    "show the last interval only, instead of letting older samples fade"),
	ROW(0, "no-fade", NULL, option_flag, no_fade,
	    "count older samples whole: show all since the start"),
	ROW(0, "show-nr-samples", NULL, option_flag, show_samples,
	    "show the number of samples as well"),
	ROW(0, "confidence", NULL, option_flag, confidence,
	    "show the 95 % confidence interval of each percentage"),
	ROW(0, "whole-names", NULL, option_flag, whole_names,
	    "do not shorten names that are too long for the terminal"),
	ROW(0, "stdio", NULL, option_flag, stdio,
	    "print one table after the other, also on a terminal"),
	ROW(0, "no-park", NULL, option_flag, no_park,
	    "do not park the NMI watchdog, even if it holds the counters"),
	SYMBOL_FILE_ROWS(struct top_options),
	{ .letter = 'q', .name = "quiet", .type = &option_quieter, .help = "print errors only" },
	{ .letter = 'v', .name = "verbose", .type = &option_louder, .help = "print details" },
	{ 0 }
};

static bool is_limited(const struct top_options *opts)
{
	return opts->pids.nr || opts->tids.nr || opts->comm.follow;
}

static int check(const struct top_options *opts)
{
	if (opts->everything && is_limited(opts))
		return say_usage("top: -a samples all processes and -%c only some; give one of them",
				 opts->tids.nr ? 't' : 'p');
	if (opts->tids.nr && (opts->pids.nr || opts->comm.follow))
		return say_usage("top: -p samples processes and -t threads; give one of them");
	if (opts->no_inherit && !is_limited(opts))
		return say_usage("top: -i leaves out descendants of processes; give -p or --comm as well");
	if (pid_list_has(&opts->pids, 0) || pid_list_has(&opts->tids, 0))
		return say_usage("top: process 0 is the idle task of each CPU; leave out -%c",
				 opts->tids.nr ? 't' : 'p');
	if (!opts->rate.hz && !opts->rate.max)
		return say_usage("top: -F 0 takes no samples; give a rate of 1 or more");
	if (opts->counts.nr && *opts->counts.all[0] >= '0' && *opts->counts.all[0] <= '9')
		return say_usage("top: --count takes an event to count; -n %s sets a number of tables",
				 opts->counts.all[0]);
	if (opts->zero && opts->no_fade)
		return say_usage("top: -z removes older samples and --no-fade keeps them; give one of them");
	if (opts->delay < LEAST_DELAY)
		return say_usage("top: -d is too short; give 0.1 or more");
	if (!opts->sizes.ring || !opts->sizes.fifo)
		return say_usage("top: -m 0 is no size; give one such as 512K");
	if (!opts->number)
		return say_usage("top: -n 0 shows nothing; give 1 or more");
	if (!opts->rows)
		return say_usage("top: -E 0 shows nothing; give 1 or more");
	return STATUS_OK;
}

/*
 * Refuse keys that a table of call stacks does not have, and keys for which a row would have to
 * wait for debug information.
 */
static int check_keys(const struct profile_keys *keys)
{
	static const char *const allowed[] = { "comm", "pid", "tid",  "thread", "cpu",
					       "dso",  "path", "sym" };
	size_t i, at;

	for (i = 0; i < keys->nr; i++) {
		for (at = 0; at < ARRAY_SIZE(allowed); at++) {
			if (keys->columns[i] == column_find(allowed[at]))
				break;
		}
		if (at == ARRAY_SIZE(allowed))
			return say_usage("top: key %s is not shown live; use record and report",
					 keys->columns[i]->word);
	}
	return STATUS_OK;
}

static void choose_columns(struct top_options *opts, bool confidence)
{
	struct top_columns *columns = &opts->columns[confidence];
	size_t i;

	if (opts->chains)
		columns->list[columns->nr++] = column_find("children");
	if (opts->chains && confidence)
		columns->list[columns->nr++] = column_find("children-interval");
	columns->list[columns->nr++] = column_find(opts->chains ? "self" : "overhead");
	if (confidence)
		columns->list[columns->nr++] = column_find("interval");
	if (opts->show_samples)
		columns->list[columns->nr++] = column_find("samples");
	for (i = 0; i < opts->keys.nr; i++)
		columns->list[columns->nr++] = opts->keys.columns[i];
}

/*
 * Parse the command line. Return STATUS_OK, or print an error and return STATUS_USAGE. If
 * options_parse() finds a wrong option or --help, it exits instead.
 */
int top_options_read(struct top_options *opts, const struct command *self, int argc, char **argv)
{
	int status;

	*opts = (struct top_options){ .rate.hz = RATE_DEFAULT_HZ, .delay = DEFAULT_DELAY,
				      .number = NOT_GIVEN, .rows = DEFAULT_ROWS,
				      .sizes = { NOT_GIVEN, NOT_GIVEN } };
	status = no_operands(argc, argv, options_parse(self, opts, argc, argv));
	if (!status)
		status = comm_option_add("top", &opts->comm, &opts->pids);
	if (!status)
		status = check(opts);
	if (!status)
		status = sort_keys_choose("top", opts->sort ?: "comm,dso,sym", &opts->keys);
	if (!status)
		status = check_keys(&opts->keys);
	if (!status)
		status = symbol_options_check("top", &opts->symbols);
	if (opts->number == NOT_GIVEN)
		opts->number = 0;
	if (opts->sizes.ring == NOT_GIVEN)
		opts->sizes.ring = 0;
	if (opts->sizes.fifo == NOT_GIVEN)
		opts->sizes.fifo = 0;
	opts->stdio |= !terminal_is_there();
	opts->everything = !is_limited(opts);
	opts->older = opts->zero ? OLDER_DROP : opts->no_fade ? OLDER_KEEP : OLDER_FADE;
	choose_columns(opts, false);
	choose_columns(opts, true);
	return status;
}
