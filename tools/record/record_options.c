// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - command line
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/comm_option.h"
#include "cli/recording_file.h"
#include "cli/say.h"
#include "record/record_options.h"

#define DEFAULT_LEVEL	3
/* Highest level of zstd. */
#define MAX_LEVEL	22
#define DEFAULT_STACK	8192
#define DEFAULT_OFF_CPU	NSEC_PER_MSEC
/* A record has at most 64 KiB: leave 8 KiB for its other fields. */
#define MAX_STACK	(56U << 10)
/* Maximum of perf_event_attr.sample_max_stack (16 bits). The module's limit is lower. */
#define MAX_FRAMES	65535

static const struct {
	const char *name;
	s32 id;
} clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC },
	{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "realtime", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
};

/* Parse fp, table, dwarf or dwarf,SIZE. */
static int set_call_graph(void *field, const char *value)
{
	struct chain_spec *chains = field;
	int err = 0;

	chains->wanted = true;
	chains->stack = 0;
	chains->way = strcmp(value, "table") ? CHAIN_FP : CHAIN_TABLE;
	if (!strcmp(value, "table") || !strcmp(value, "fp"))
		return 0;
	chains->stack = DEFAULT_STACK;
	if (!strncmp(value, "dwarf,", 6))
		err = parse_size(value + 6, &chains->stack);
	else if (strcmp(value, "dwarf"))
		return -EINVAL;
	if (err || !chains->stack || chains->stack > MAX_STACK)
		return -EINVAL;
	chains->stack = (chains->stack + 7) / 8 * 8;
	return 0;
}

static int set_clock(void *field, const char *value)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcmp(clocks[i].name, value)) {
			*(s32 *)field = clocks[i].id;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_level(void *field, const char *value)
{
	u64 *level = field;
	int err = value ? parse_u64(value, level) : 0;

	if (!value)
		*level = DEFAULT_LEVEL;
	return err || *level < 1 || *level > MAX_LEVEL ? -EINVAL : 0;
}

/* Parse the optional period of --off-cpu: milliseconds, or all. */
static int set_off_cpu(void *field, const char *value)
{
	u64 *period = field;
	int err = 0;

	*period = DEFAULT_OFF_CPU;
	if (value && !strcmp(value, "all"))
		*period = 1;
	else if (value)
		err = option_milliseconds.set(field, value);
	return err || !*period ? -EINVAL : 0;
}

static const struct option_type option_call_graph = {
	"fp, table, dwarf, or dwarf with a size of at most 56K, such as dwarf,16K",
	set_call_graph
};

static const struct option_type option_clock = {
	"a clock: monotonic, monotonic_raw, realtime, boottime or tai", set_clock
};

static const struct option_type option_level = { "a level from 1 to 22", set_level };

static const struct option_type option_off_cpu = {
	"a time of 1 ms or more, in whole milliseconds, or 'all'", set_off_cpu
};

#define ROW(...) OPTION_ROW(struct record_options, __VA_ARGS__)

const struct option_row record_option_rows[] = {
	ROW('a', "all-cpus", NULL, option_flag, everything,
	    "record all processes, while the command runs or until Ctrl-C"),
	ROW('C', "cpu", "LIST", option_cpus, cpus, "record on these CPUs only, such as 0-3,8"),
	ROW('p', "pid", "LIST", option_pids, pids,
	    "record these processes and their descendants, until all have ended"),
	ROW('t', "tid", "LIST", option_pids, tids,
	    "record these threads only, without what they create, until all have ended"),
	ROW(0, "comm", "REGEX", option_text, comm.pattern,
	    "as -p, for the running processes with names that match REGEX"),
	ROW(0, "follow-new", NULL, option_flag, comm.follow,
	    "record also the processes of --comm that are started later"),
	ROW('i', "no-inherit", NULL, option_flag, no_inherit,
	    "record the command or the processes of -p without their descendants"),
	ROW('e', "event", "EVENT", option_event, events,
	    "record EVENT, or a comma-separated list; may be repeated (see below)"),
	ROW('F', "freq", "HZ", option_rate, rate,
	    "take HZ samples per second and CPU, or 'max' (1000)"),
	ROW('c', "period", "N", option_number, period,
	    "sample every N ns of a clock, or every Nth event"),
	ROW(0, "count", "EVENT", option_event, counts,
	    "also count EVENT, or a list, without samples; print the counts at the end"),
	ROW('I', "interval", "MS", option_milliseconds, interval,
	    "with --count, print the counts of each interval of MS milliseconds, too"),
	ROW(0, "per-thread", NULL, option_flag, per_thread,
	    "with --count, print a line per thread at the end, too"),
	ROW('o', "output", "FILE", option_text, output,
	    "write to FILE (tprof.data), or to a pipe with -"),
	ROW('D', "delay", "MS", option_milliseconds, delay,
	    "start recording MS milliseconds after the command"),
	ROW(0, "duration", "S", option_seconds, duration,
	    "stop recording after S seconds; the command runs on"),
	ROW('m', "buffers", "SIZE[,SIZE]", option_sizes, sizes,
	    "sizes of each CPU's ring (2 s of samples) and of the queue to the reader"),
	ROW(0, "watermark", "SIZE", option_size, watermark,
	    "flush a ring early when it holds SIZE bytes (half of it)"),
	ROW(0, "flush-ms", "MS", option_number, flush_ms,
	    "flush the rings every MS milliseconds"),
	ROW(0, "stall", NULL, option_flag, stall,
	    "stop an event while its ring is full, instead of going on and losing samples"),
	ROW(0, "all-user", NULL, option_flag, all_user, "record user space only"),
	ROW(0, "all-kernel", NULL, option_flag, all_kernel, "record the kernel only"),
	ROW(0, "switch-events", NULL, option_flag, switches, "record context switches as well"),
	ROW(0, "off-cpu", "[MS]", option_off_cpu, off_cpu,
	    "record also where threads wait: every MS milliseconds of it (1), or 'all' waits"),
	ROW(0, "wakers", NULL, option_flag, wakers,
	    "record also the tasks that end the waits of --off-cpu, for report --wakers"),
	ROW(0, "latency", NULL, option_flag, latency,
	    "record in each sample how many of the recorded threads run, for report --latency"),
	ROW('s', "stat", NULL, option_flag, stat,
	    "record what each thread has counted at its exit, for report -T"),
	ROW(0, "switch-counts", NULL, option_flag, switch_counts,
	    "as -s, and record each time a thread is switched out as well"),
	ROW('g', "chains", NULL, option_flag, chains.wanted,
	    "record call chains, those of user space by unwind tables"),
	ROW(0, "call-graph", "MODE", option_call_graph, chains,
	    "record call chains: fp, table, or dwarf[,SIZE] to keep SIZE bytes (8K) of each stack"),
	ROW(0, "max-stack", "N", option_number, chains.frames,
	    "record at most N frames per call chain (127)"),
	ROW(0, "no-deferred", NULL, option_flag, chains.no_deferred,
	    "do not complete truncated user chains on return to user mode"),
	ROW(0, "sample-cpu", NULL, option_flag, sample_cpu,
	    "record the CPU of each sample, as -a, -C and --switch-events do"),
	ROW('k', "clockid", "CLOCK", option_clock, clockid,
	    "clock of all times: monotonic (default), monotonic_raw, realtime, ..."),
	ROW('z', "compression-level", "[LEVEL]", option_level, level,
	    "compress the records, at a level from 1 to 22 (3)"),
	ROW(0, "self-contained", NULL, option_flag, self_contained,
	    "embed the symbols and the kernel's code that report and annotate need"),
	ROW(0, "as-root", NULL, option_flag, as_root,
	    "under sudo, run the command as root, not as the user who called sudo"),
	ROW(0, "no-park", NULL, option_flag, no_park,
	    "do not park the NMI watchdog, even if it holds the counters"),
	{ .letter = 'q', .name = "quiet", .type = &option_quieter,
	  .help = "print errors only" },
	{ .letter = 'v', .name = "verbose", .type = &option_louder, .help = "print details" },
	{ 0 }
};

static int check_counts(const struct record_options *opts)
{
	const char *value = opts->counts.nr ? opts->counts.all[0] : "";

	if (*value >= '0' && *value <= '9')
		return say_usage("record: --count takes an event to count; -c %s sets a period",
				 value);
	if (!opts->counts.nr && (opts->interval || opts->per_thread))
		return say_usage("record: %s prints the counts of --count; give it as well",
				 opts->interval ? "-I" : "--per-thread");
	if (opts->per_thread && opts->everything)
		return say_usage("record: --per-thread counts the threads of a command, of -p or of -t only; leave out -a");
	return STATUS_OK;
}

static int check(const struct record_options *opts)
{
	const char *some = opts->tids.nr ? "-t" : "-p";

	if (!*opts->command && !opts->everything && !record_has_tasks(opts))
		return say_usage("record: nothing to record; give a command, -a for all processes, or -p or -t for some");
	if (opts->tids.nr && (opts->pids.nr || opts->comm.follow))
		return say_usage("record: -p records processes and -t threads; give one of them");
	if (pid_list_has(&opts->pids, 0) || pid_list_has(&opts->tids, 0))
		return say_usage("record: process 0 is the idle task of each CPU; record it with -a");
	if (opts->everything && record_has_tasks(opts))
		return say_usage("record: -a records all processes and %s only some; give one of them",
				 some);
	if (opts->everything && opts->no_inherit)
		return say_usage("record: -a records all processes and -i leaves descendants out; give one of them");
	if (opts->everything && opts->stat)
		return say_usage("record: -s counts the threads of a command or of -p only; leave out -a");
	if (opts->everything && opts->latency)
		return say_usage("record: --latency counts the threads of a command, of -p or of -t only; leave out -a");
	if (opts->off_cpu && opts->latency)
		return say_usage("record: --latency is of threads that run, --off-cpu of those that wait; leave out one");
	if (opts->wakers && !opts->off_cpu)
		return say_usage("record: --wakers records what ends the waits of --off-cpu; give it as well");
	if (opts->off_cpu && opts->stat)
		return say_usage("record: -s cannot count waits by thread; leave out -s or --off-cpu");
	if (opts->all_user && opts->all_kernel)
		return say_usage("record: --all-user and --all-kernel leave nothing to record; give one of them");
	if ((opts->rate.hz || opts->rate.max) && opts->period)
		return say_usage("record: -F sets a frequency and -c a period; give one of them");
	if (opts->off_cpu && opts->all_user)
		return say_usage("record: threads wait in the kernel; give --off-cpu without --all-user");
	if (opts->chains.frames && !opts->chains.wanted)
		return say_usage("record: --max-stack limits call chains; give -g or --call-graph as well");
	if (opts->chains.no_deferred && !opts->chains.wanted)
		return say_usage("record: --no-deferred applies to call chains; give -g or --call-graph as well");
	if (opts->chains.way == CHAIN_TABLE && opts->chains.no_deferred)
		return say_usage("record: --call-graph table defers call chains; leave out --no-deferred");
	if (opts->chains.frames > MAX_FRAMES)
		return say_usage("record: --max-stack is out of range");
	if (opts->chains.stack && opts->self_contained)
		return say_usage("record: --self-contained embeds symbols, but dwarf call chains need the binaries; give -g");
	if (opts->watermark > ~0U || opts->flush_ms > ~0U)
		return say_usage("record: --watermark or --flush-ms is out of range");
	return STATUS_OK;
}

/*
 * Refuse 0 as the value of an option. Call this before forget_not_given(): after that,
 * 0 means that an option was not given.
 */
static int check_zeroes(const struct record_options *opts)
{
	if (opts->rate.hz == 0 && !opts->rate.max)
		return say_usage("record: -F 0 takes no samples; give a rate of 1 or more");
	if (opts->period == 0)
		return say_usage("record: -c 0 is no period; give 1 or more");
	if (opts->interval == 0)
		return say_usage("record: -I 0 is no interval; give 1 or more");
	if (opts->duration == 0)
		return say_usage("record: --duration 0 records nothing; give more than 0");
	if (opts->chains.frames == 0)
		return say_usage("record: --max-stack 0 leaves no frames; give 1 or more");
	if (opts->sizes.ring == 0 || opts->sizes.fifo == 0)
		return say_usage("record: -m 0 is no size; give one such as 512K");
	if (opts->watermark == 0)
		return say_usage("record: --watermark 0 flushes without end; give a size such as 64K");
	if (opts->flush_ms == 0)
		return say_usage("record: --flush-ms 0 flushes without end; give 1 or more");
	return STATUS_OK;
}

static void forget_not_given(struct record_options *opts)
{
	u64 *const fields[] = { &opts->rate.hz, &opts->period, &opts->duration, &opts->interval,
				&opts->chains.frames, &opts->sizes.ring, &opts->sizes.fifo,
				&opts->watermark, &opts->flush_ms };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (*fields[i] == NOT_GIVEN)
			*fields[i] = 0;
	}
}

/*
 * Parse the command line. Return STATUS_OK, or print an error and return STATUS_USAGE. If
 * options_parse() finds a wrong option or --help, it exits instead.
 */
int record_options_read(struct record_options *opts, const struct command *self, int argc,
			char **argv)
{
	int operand, status;

	*opts = (struct record_options){
		.output = DEFAULT_OUTPUT,
		.rate.hz = NOT_GIVEN,
		.period = NOT_GIVEN,
		.duration = NOT_GIVEN,
		.interval = NOT_GIVEN,
		.chains.frames = NOT_GIVEN,
		.sizes = { NOT_GIVEN, NOT_GIVEN },
		.watermark = NOT_GIVEN,
		.flush_ms = NOT_GIVEN,
		.clockid = CLOCK_MONOTONIC,
	};
	operand = options_parse(self, opts, argc, argv);
	opts->command = argv + operand;
	status = check_zeroes(opts);
	if (!status)
		status = comm_option_add("record", &opts->comm, &opts->pids);
	if (status)
		return status;
	forget_not_given(opts);
	/* Without a call chain, a wait is only known to be in the scheduler. */
	opts->chains.wanted |= opts->off_cpu != 0;
	opts->stat |= opts->switch_counts;
	status = check(opts);
	if (!status)
		status = check_counts(opts);
	if (!status && !opts->rate.hz && !opts->rate.max)
		opts->rate.hz = RATE_DEFAULT_HZ;
	return status;
}
