// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - the session, its threads and its profiles
 */
#include <errno.h>
#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cli/say.h"
#include "live/privileges.h"
#include "top/own_use.h"
#include "top/top.h"

static ssize_t next_records(void *arg, const u8 **records)
{
	return device_queue_next(arg, records);
}

static int keep_proc(void)
{
	return privileges_drop(PRIVILEGES_PROC, false);
}

static int begin_threads(struct top *top)
{
	struct sampling *sampling = &top->sampling;
	const struct feed_source source = {
		.next = next_records, .arg = &sampling->queue, .fd = sampling->claim.device,
		.first = sampling->synth.out.data, .first_len = sampling->synth.out.len,
		.events = sampling->events.all, .nr_events = sampling->nr_sampled,
		.opener = sampling->opener,
	};
	int err = resolver_begin(&top->resolver, &top->opts->symbols, keep_proc);

	/* A new thread has the capabilities of this one. */
	if (!err)
		err = privileges_drop(PRIVILEGES_NONE, false);
	if (err)
		return err;
	top->has_feed = true;
	return feed_begin(&top->feed, &source, &top->opts->keys, top->opts->delay);
}

/* Return STATUS_OK, or print an error and return another status. Call top_end() in any case. */
int top_begin(struct top *top, const struct top_options *opts)
{
	int err, status;

	top->opts = opts;
	/* A heap of a thread grows by one page at a time, each with a call of mprotect(2). */
	mallopt(M_ARENA_MAX, 1);
	status = sampling_begin(&top->sampling, opts);
	if (status)
		return status;
	err = ending_catch(&top->ending, false);
	if (!err)
		err = begin_threads(top);
	if (err)
		return say_failure(err, "cannot read the samples");
	live_profile_init(&top->live, &top->feed, top->resolver, opts);
	top->before = monotonic_ns();
	top->cpu_before = own_cpu_time();
	return STATUS_OK;
}

/* Return false and set @status if the session or its reader has ended. */
static bool goes_on(struct top *top, int *status)
{
	int ended;

	if (ending_is_asked(&top->ending))
		return false;
	if (!feed_has_ended(&top->feed, &ended))
		return true;
	if (ended)
		*status = say_failure(ended, "cannot read the samples");
	else
		say_note("all processes of -p have ended");
	return false;
}

/* Take back what feed.ready says, which polls would find again. */
static bool clear_ready(struct top *top)
{
	u64 count;

	return read(top->feed.ready, &count, sizeof(count)) >= 0 || errno == EAGAIN;
}

/*
 * Take what the feed has handed over. Set @is_due if there is a new interval, or if it is @until.
 * Return false at the end of the session, or when a signal has requested the end, or after an
 * error. Then set @status.
 */
bool top_take(struct top *top, enum fading_older older, u64 until, bool *is_due, int *status)
{
	int err;

	if (!clear_ready(top))
		return false;
	err = live_profile_take(&top->live, older, is_due);
	*is_due |= monotonic_ns() >= until;
	if (err) {
		*status = say_failure(err, "cannot count the samples");
		return false;
	}
	return goes_on(top, status);
}

/*
 * Leave the samples with the feed, so that those of the tables stay as they are. Only the last
 * intervals stay there: older ones are left out. Return false as top_take() does.
 */
bool top_pause(struct top *top, int *status)
{
	if (!clear_ready(top))
		return false;
	feed_make_room(&top->feed);
	return goes_on(top, status);
}

/* Make the profiles of an interval, and describe it. Return 0 or -errno. */
int top_describe(struct top *top, struct status *status)
{
	struct counting *counting = &top->sampling.counting;
	int err = live_profile_update(&top->live);
	u64 now = monotonic_ns(), cpu = own_cpu_time();

	*status = (struct status){ .time = time(NULL), .ns = now - top->before,
				   .cpu_ns = cpu - top->cpu_before, .memory = own_memory() };
	device_stats(top->sampling.claim.device, TPROF_LX_SUM, TPROF_LX_SUM, &status->stats);
	live_profile_describe(&top->live, status);
	status->counting = counting;
	if (!err)
		err = counting_read(counting);
	top->before = now;
	top->cpu_before = cpu;
	return err;
}

/* End the session and its threads, and free all. */
void top_end(struct top *top)
{
	live_profile_free(&top->live);
	/* The thread of the feed uses the queue of the session. */
	if (top->has_feed)
		feed_stop(&top->feed);
	/* A thread that waits for a file uses the binaries of the feed until the process ends. */
	if (resolver_end(&top->resolver) && top->has_feed)
		feed_end(&top->feed);
	sampling_end(&top->sampling);
}
