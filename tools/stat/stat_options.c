// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx stat - command line
 */
#include <string.h>

#include "cli/comm_option.h"
#include "cli/recording_file.h"
#include "cli/say.h"
#include "stat/stat_options.h"

#define MOST_RUNS	1000000

static int set_recording(void *field, const char *value)
{
	*(const char **)field = value ? value : DEFAULT_OUTPUT;
	return 0;
}

static const struct option_type option_recording = { "a file", set_recording };

#define ROW(...) OPTION_ROW(struct stat_options, __VA_ARGS__)

const struct option_row stat_option_rows[] = {
	ROW('e', "event", "EVENT", option_event, events,
	    "count EVENT, or a comma-separated list; may be repeated (see below)"),
	ROW('a', "all-cpus", NULL, option_flag, everything,
	    "count all processes, while the command runs or until Ctrl-C"),
	ROW('C', "cpu", "LIST", option_cpus, cpus,
	    "count all processes on these CPUs only, such as 0-3,8"),
	ROW('p', "pid", "LIST", option_pids, pids,
	    "count these processes and their descendants, until all have ended"),
	ROW('t', "tid", "LIST", option_pids, tids,
	    "count these threads only, without what they create, until all have ended"),
	ROW(0, "comm", "REGEX", option_text, comm.pattern,
	    "as -p, for the running processes with names that match REGEX"),
	ROW(0, "follow-new", NULL, option_flag, comm.follow,
	    "count also the processes of --comm that are started later"),
	ROW('i', "no-inherit", NULL, option_flag, no_inherit,
	    "count the command or the processes of -p without their descendants"),
	ROW('A', "per-cpu", NULL, option_flag, per_cpu, "print a line per CPU, not the sum"),
	ROW(0, "per-thread", NULL, option_flag, per_thread,
	    "print a line per thread, the highest count of the first event first"),
	ROW(0, "per-process", NULL, option_flag, per_process,
	    "print a line per process, with the sums of its threads"),
	ROW('r', "repeat", "N", option_number, repeat,
	    "run N times, and print the mean and its standard deviation in percent"),
	ROW('I', "interval", "MS", option_milliseconds, interval,
	    "print the counts of each interval of MS milliseconds"),
	ROW(0, "cumulative", NULL, option_flag, cumulative,
	    "with -I, print the counts since the start"),
	ROW(0, "duration", "S", option_seconds, duration,
	    "stop counting after S seconds; the command runs on"),
	ROW('x', "field-separator", "SEP", option_text, separator,
	    "print CSV with SEP between the fields"),
	ROW(0, "json", NULL, option_flag, json, "print JSON, one object per line"),
	ROW('o', "output", "FILE", option_text, output,
	    "write to FILE, or to stdout with - (stderr)"),
	ROW(0, "append", NULL, option_flag, append, "append to the file of -o"),
	ROW(0, "record", "[FILE]", option_recording, record,
	    "write the counts to a recording, too (tprof.data)"),
	ROW(0, "report", "[FILE]", option_recording, report,
	    "print the counts of a recording, and count nothing (tprof.data)"),
	ROW(0, "all-user", NULL, option_flag, all_user, "count in user space only"),
	ROW(0, "all-kernel", NULL, option_flag, all_kernel, "count in the kernel only"),
	ROW(0, "no-park", NULL, option_flag, no_park,
	    "do not park the NMI watchdog, even if it holds the counters"),
	ROW(0, "as-root", NULL, option_flag, as_root,
	    "under sudo, run the command as root, not as the user who called sudo"),
	{ .letter = 'q', .name = "quiet", .type = &option_quieter,
	  .help = "print errors and counts only" },
	{ .letter = 'v', .name = "verbose", .type = &option_louder, .help = "print details" },
	{ 0 }
};

/* Return true if -p, -t, --comm or --follow-new is given. */
static bool has_tasks(const struct stat_options *opts)
{
	return opts->pids.nr || opts->tids.nr || opts->comm.follow;
}

static int check_scope(const struct stat_options *opts)
{
	char some = opts->tids.nr ? 't' : 'p';

	if (opts->everything && opts->cpus.bytes)
		return say_usage("stat: -a counts on all CPUs and -C on some; give one of them");
	if (opts->no_inherit && (opts->everything || opts->cpus.bytes))
		return say_usage("stat: -%c counts all processes and -i leaves descendants out; give one of them",
				 opts->everything ? 'a' : 'C');
	if (opts->no_inherit && !*opts->command && !has_tasks(opts))
		return say_usage("stat: -i leaves out descendants; give a command, -p or --comm as well");
	if (!has_tasks(opts))
		return STATUS_OK;
	if (opts->tids.nr && (opts->pids.nr || opts->comm.follow))
		return say_usage("stat: -p counts processes and -t threads; give one of them");
	if (pid_list_has(&opts->pids, 0) || pid_list_has(&opts->tids, 0))
		return say_usage("stat: process 0 is the idle task of each CPU; count it with -a");
	if (opts->everything || opts->cpus.bytes)
		return say_usage("stat: -%c counts all processes and -%c only some; give one of them",
				 opts->everything ? 'a' : 'C', some);
	if (*opts->command)
		return say_usage("stat: -%c counts what runs already, without a command; give one of them",
				 some);
	return STATUS_OK;
}

/* Return true if the command, or the processes or threads of -p or -t, are counted. */
static bool counts_tasks(const struct stat_options *opts)
{
	return !opts->everything && !opts->cpus.bytes && (*opts->command || has_tasks(opts));
}

static int check_threads(const struct stat_options *opts)
{
	const char *option = opts->per_process ? "--per-process" : "--per-thread";

	if (!opts->per_thread && !opts->per_process)
		return STATUS_OK;
	if (opts->per_thread && opts->per_process)
		return say_usage("stat: --per-process has the sums of --per-thread; give one of them");
	if (!opts->report && !counts_tasks(opts))
		return say_usage("stat: %s counts the threads of a command, of -p or of -t only; give one of them",
				 option);
	if (opts->per_cpu)
		return say_usage("stat: %s and -A do not go together; give one of them", option);
	if (opts->repeat > 1 || opts->interval != NOT_GIVEN)
		return say_usage("stat: %s reads the counts once, at the end; leave out -I and -r",
				 option);
	return STATUS_OK;
}

static int check(const struct stat_options *opts)
{
	if (opts->all_user && opts->all_kernel)
		return say_usage("stat: --all-user and --all-kernel leave nothing to count; give one of them");
	if (opts->separator && opts->json)
		return say_usage("stat: -x prints CSV and --json JSON; give one of them");
	if (opts->separator && !*opts->separator)
		return say_usage("stat: -x needs a separator, such as a comma");
	if (opts->append && !opts->output)
		return say_usage("stat: --append needs a file; name it with -o");
	return STATUS_OK;
}

static int check_times(const struct stat_options *opts)
{
	if (!opts->repeat || opts->repeat > MOST_RUNS)
		return say_usage("stat: -r takes 1 to %u", MOST_RUNS);
	if (!opts->interval)
		return say_usage("stat: -I 0 is no interval; give 1 or more");
	if (!opts->duration)
		return say_usage("stat: --duration 0 counts nothing; give more than 0");
	if (opts->cumulative && opts->interval == NOT_GIVEN && !opts->report)
		return say_usage("stat: --cumulative applies to intervals; give -I as well");
	if (opts->repeat > 1 && opts->interval != NOT_GIVEN)
		return say_usage("stat: -I prints intervals and -r prints means; give one of them");
	if (opts->repeat > 1 && opts->duration == NOT_GIVEN && !*opts->command)
		return say_usage("stat: -r needs an end to each run; give a command or --duration");
	if (opts->repeat > 1 && opts->duration != NOT_GIVEN && *opts->command)
		return say_usage("stat: --duration lets the command run on, so -r cannot repeat it; give one of them");
	return STATUS_OK;
}

/* perf has words for these options. @before is the word before the command. */
static int check_words(const struct stat_options *opts, const char *before)
{
	const char *word = *opts->command;

	if (!word || !strcmp(before, "--"))
		return STATUS_OK;
	if (!strcmp(word, "record") || !strcmp(word, "report"))
		return say_usage("stat: give --%s, or -- before a program of the name %s", word,
				 word);
	return STATUS_OK;
}

/* --report takes options that choose what is printed, and no others. */
static int check_recording(const struct stat_options *opts)
{
	if (opts->record && opts->repeat > 1)
		return say_usage("stat: --record writes the counts of one run; leave out -r");
	if (!opts->report)
		return STATUS_OK;
	if (opts->record)
		return say_usage("stat: --report reads a recording and --record writes one; give one of them");
	if (opts->events.nr || opts->everything || opts->cpus.bytes || has_tasks(opts) ||
	    *opts->command)
		return say_usage("stat: --report counts nothing; leave out the events and what to count");
	if (opts->repeat > 1 || opts->interval != NOT_GIVEN || opts->duration != NOT_GIVEN)
		return say_usage("stat: --report has the times of the recording; leave out -r, -I and --duration");
	if (opts->all_user || opts->all_kernel || opts->no_park || opts->as_root)
		return say_usage("stat: --report counts nothing; leave out how to count, such as --all-user");
	return STATUS_OK;
}

/* Parse the command line. Return STATUS_OK, or print an error and return STATUS_USAGE. */
int stat_options_read(struct stat_options *opts, const struct command *self, int argc,
		      char **argv)
{
	int status;

	*opts = (struct stat_options){ .repeat = 1, .interval = NOT_GIVEN,
				       .duration = NOT_GIVEN,
				       .nr_words = argc, .words = argv };
	opts->command = argv + options_parse(self, opts, argc, argv);
	status = check_words(opts, opts->command[-1]);
	if (!status)
		status = comm_option_add("stat", &opts->comm, &opts->pids);
	if (!status)
		status = check_scope(opts);
	if (!status)
		status = check(opts);
	if (!status)
		status = check_times(opts);
	if (!status)
		status = check_threads(opts);
	if (!status)
		status = check_recording(opts);
	opts->per_thread |= opts->per_process;
	if (opts->interval == NOT_GIVEN)
		opts->interval = 0;
	if (opts->duration == NOT_GIVEN)
		opts->duration = 0;
	opts->is_default = !opts->events.nr;
	opts->is_process_scope = counts_tasks(opts);
	return status;
}
