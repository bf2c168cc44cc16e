// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - show where the machine spends its time now
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cli/event_help.h"
#include "cli/say.h"
#include "cli/sort_keys.h"
#include "live/ending.h"
#include "live/privileges.h"
#include "top/live_profile.h"
#include "top/own_use.h"
#include "top/sampling.h"
#include "top/top_text.h"

/* How long a table waits for the samples of its interval. */
#define PATIENCE	NSEC_PER_SEC

/**
 * struct top - the running command
 * @opts:	the command line
 * @sampling:	the session
 * @feed:	reads its records
 * @resolver:	loads symbols
 * @live:	the profiles
 * @ending:	signals that end the command
 * @before:	time of the last table
 * @cpu_before:	CPU time of this process then
 */
struct top {
	const struct top_options *opts;
	struct sampling sampling;
	struct feed feed;
	struct resolver *resolver;
	struct live_profile live;
	struct ending ending;
	u64	before;
	u64	cpu_before;
};

static ssize_t next_records(void *arg, const u8 **records)
{
	return device_queue_next(arg, records);
}

static int keep_proc(void)
{
	return privileges_drop(PRIVILEGES_PROC, false);
}

static int begin(struct top *top)
{
	struct sampling *sampling = &top->sampling;
	const struct feed_source source = {
		.next = next_records, .arg = &sampling->queue, .fd = sampling->claim.device,
		.first = sampling->synth.out.data, .first_len = sampling->synth.out.len,
		.events = sampling->events.all, .nr_events = sampling->events.nr,
		.opener = sampling->opener,
	};
	int err = ending_catch(&top->ending, false);

	if (!err)
		err = resolver_begin(&top->resolver, &top->opts->symbols, keep_proc);
	if (!err)
		err = feed_begin(&top->feed, &source, &top->opts->keys, top->opts->delay);
	if (!err)
		err = privileges_drop(PRIVILEGES_NONE, false);
	if (err)
		return say_failure(err, "cannot read the samples");
	live_profile_init(&top->live, &top->feed, top->resolver, top->opts);
	top->before = monotonic_ns();
	top->cpu_before = own_cpu_time();
	return STATUS_OK;
}

/*
 * Wait until the feed has handed over an interval, or until @until. Return false if a signal
 * has requested the end.
 */
static bool wait_for_harvest(struct top *top, u64 until)
{
	struct pollfd fds[] = {
		{ .fd = top->ending.fd, .events = POLLIN },
		{ .fd = top->feed.ready, .events = POLLIN },
	};
	u64 count;

	if (poll(fds, ARRAY_SIZE(fds), ending_timeout(until)) < 0 && errno != EINTR)
		return false;
	if (ending_is_asked(&top->ending))
		return false;
	if (fds[1].revents && read(top->feed.ready, &count, sizeof(count)) < 0)
		return errno == EAGAIN;
	return true;
}

static void describe(struct top *top, struct status *status)
{
	u64 now = monotonic_ns(), cpu = own_cpu_time();

	*status = (struct status){ .time = time(NULL), .ns = now - top->before,
				   .cpu_ns = cpu - top->cpu_before, .memory = own_memory() };
	device_stats(top->sampling.claim.device, TPROF_LX_SUM, TPROF_LX_SUM, &status->stats);
	live_profile_describe(&top->live, status);
	top->before = now;
	top->cpu_before = cpu;
}

static int show(struct top *top)
{
	struct status status;
	int err = live_profile_update(&top->live);

	if (err)
		return say_failure(err, "cannot count the samples");
	describe(top, &status);
	top_text_print(top->opts, &status, &top->live.gather);
	return fflush(stdout) ? STATUS_FAILED : STATUS_OK;
}

/* Print tables until a signal, the last table of -n or the end of the session. */
static int show_all(struct top *top)
{
	u64 nr = 0, until = top->before + top->opts->delay + PATIENCE;
	int err, ended, status = STATUS_OK;
	bool is_new;

	while (!status && (!top->opts->number || nr < top->opts->number)) {
		if (!wait_for_harvest(top, until))
			break;
		err = live_profile_take(&top->live, top->opts->zero, &is_new);
		if (err)
			return say_failure(err, "cannot count the samples");
		if (is_new || monotonic_ns() >= until) {
			status = show(top);
			until = top->before + top->opts->delay + PATIENCE;
			nr++;
		}
		if (feed_has_ended(&top->feed, &ended))
			return ended ? say_failure(ended, "cannot read the samples") : status;
	}
	return status;
}

static void end(struct top *top)
{
	live_profile_free(&top->live);
	/* A thread that waits for a file uses the binaries of the feed until the process ends. */
	if (resolver_end(&top->resolver) && top->feed.gather.options)
		feed_end(&top->feed);
	sampling_end(&top->sampling);
}

static int run(const struct command *self, int argc, char **argv)
{
	static struct top top;
	struct top_options opts;
	int status = top_options_read(&opts, self, argc, argv);

	if (status)
		return status;
	top.opts = &opts;
	status = sampling_begin(&top.sampling, &opts);
	if (!status)
		status = begin(&top);
	if (!status)
		status = show_all(&top);
	end(&top);
	return finish_output(status);
}

static void more_help(void)
{
	sort_keys_print();
	event_help();
}

const struct command top_command = {
	.name = "top",
	.summary = "show where the machine spends its time now",
	.operands = "",
	.text = "Samples all processes, or those of -p, and prints a table every -d seconds, until\n"
		"Ctrl-C. The samples of older intervals fade: each interval, they count 1/8 less.\n",
	.more_help = more_help,
	.options = top_option_rows,
	.run = run,
};
