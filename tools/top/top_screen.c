// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - show the tables on a screen
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cli/say.h"
#include "screen/screen.h"
#include "screen/terminal.h"
#include "top/snapshot.h"
#include "top/top_pages.h"
#include "view/keys.h"
#include "view/table_view.h"

enum top_command {
	TOP_PAUSE = VIEW_OWN,
	TOP_ZERO,
	TOP_INTERVALS,
	TOP_WRITE,
};

/**
 * struct top_screen - what the screen shows
 * @top:	the session
 * @browser:	the state of the screen
 * @views:	the table of each event
 * @tables:	pages of @views
 * @nr:		number of @views
 * @text:	the instructions that are shown
 * @flames:	the call paths that are shown
 * @is_waiting:	instructions are shown when symbols are loaded
 * @is_paused:	the tables stay as they are
 * @older:	what happens to samples of older intervals
 * @has_intervals: the tables have confidence intervals
 * @drawn:	number of intervals that were shown
 */
struct top_screen {
	struct top *top;
	struct browser browser;
	struct table_view views[TPROF_LX_MAX_EVENTS];
	struct page *tables[TPROF_LX_MAX_EVENTS];
	u32	nr;
	struct text_view text;
	struct top_flames flames;
	bool	is_waiting;
	bool	is_paused;
	enum fading_older older;
	bool	has_intervals;
	u64	drawn;
};

static const struct key_row own_keys[] = {
	{ { 'Z' }, TOP_PAUSE, VIEW_ALL, "pause, or go on" },
	{ { 'z' }, TOP_ZERO, VIEW_TABLE, "show the last interval only, or add older samples" },
	{ { 'i' }, TOP_INTERVALS, VIEW_TABLE,
	  "show the confidence interval of each percentage, or hide it" },
	{ { 'w' }, TOP_WRITE, VIEW_TABLE, "write the samples that are shown to a file" },
	{ { 0 }, VIEW_NONE, 0, NULL },
};

/* Write the samples of all tables to a new file, and say its name. */
static void write_samples(struct top_screen *screen)
{
	const struct top *top = screen->top;
	const struct snapshot snapshot = {
		.fading = &top->live.fading, .tags = top->live.tags,
		.events = top->sampling.events.all, .nr_events = top->sampling.events.nr,
		.before = top->sampling.synth.out.data,
		.before_len = top->sampling.synth.out.len,
	};
	struct message *message = &screen->browser.message;
	time_t now = time(NULL);
	int fd, err = 0;
	struct tm tm;
	char name[64];

	strftime(name, sizeof(name), "tprof-top-%Y%m%d-%H%M%S.data", localtime_r(&now, &tm));
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		err = -errno;
	if (!err)
		err = snapshot_write(&snapshot, fd);
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	if (err)
		message_set(message, 0, "cannot write %s: %s", name, strerror(-err));
	else
		message_set(message, 0, "written: %s; show it with: tprof-lx report -i", name);
}

static struct table_options table_options(const struct top_screen *screen)
{
	const struct top_columns *columns = &screen->top->opts->columns[screen->has_intervals];

	return (struct table_options){ .columns = columns->list, .nr_columns = columns->nr,
				       .whole_names = screen->top->opts->whole_names,
				       .is_live = true };
}

static void show_intervals(struct top_screen *screen)
{
	const struct table_options options = table_options(screen);
	u32 i;

	for (i = 0; i < screen->nr; i++) {
		if (table_view_choose(&screen->views[i], &options))
			page_no_memory(&screen->browser.message);
	}
}

/* Change between the last interval only and what --no-fade chose for older samples. */
static void switch_older(struct top_screen *screen)
{
	enum fading_older kept = screen->top->opts->no_fade ? OLDER_KEEP : OLDER_FADE;

	screen->older = screen->older == OLDER_DROP ? kept : OLDER_DROP;
	message_set(&screen->browser.message, 0, screen->older == OLDER_DROP ?
		    "from now on, the last interval only" : screen->older == OLDER_FADE ?
		    "from now on, samples fade" : "from now on, samples are added up");
}

static void own(struct browser *browser, void *arg, u32 command)
{
	struct top_screen *screen = arg;

	switch (command) {
	case TOP_PAUSE:
		screen->is_paused = !screen->is_paused;
		message_set(&browser->message, 0, screen->is_paused ?
			    "paused: samples are still taken; press Z to go on" : "going on");
		break;
	case TOP_INTERVALS:
		screen->has_intervals = !screen->has_intervals;
		show_intervals(screen);
		break;
	case TOP_WRITE:
		write_samples(screen);
		break;
	case TOP_ZERO:
		switch_older(screen);
		break;
	}
}

static void annotate(struct browser *browser, void *arg)
{
	struct top_screen *screen = arg;

	screen->is_waiting = !top_annotate(screen->top, browser, &screen->views[browser->table],
					   &screen->text);
}

static void show_flames(struct browser *browser, void *arg)
{
	struct top_screen *screen = arg;

	top_show_flames(screen->top, browser, browser->table, &screen->flames);
}

static void copy(void *arg, const char *name)
{
	(void)arg;
	screen_copy(name);
}

static const struct browser_calls calls = {
	.annotate = annotate,
	.flames = show_flames,
	.copy = copy,
	.own_keys = own_keys,
	.own = own,
};

/* Say what was lost, unless the user reads another message. */
static void warn(struct browser *browser, const struct status *status)
{
	char line[STATUS_LEN];

	if (browser->message.text[0] || !status_has_losses(status))
		return;
	message_set(&browser->message, 0, "%s", status_line(status, 1, line, sizeof(line)));
}

/* Show the profiles of a new interval. The first call makes the tables. */
static int replace(struct top_screen *screen, const struct status *status)
{
	const struct gather *gather = screen->top->live.gather;
	const struct table_options options = table_options(screen);
	struct table_view *view;
	int err = 0;
	u32 i;

	for (i = 0; i < gather->nr_profiles && !err; i++) {
		view = &screen->views[i];
		err = i < screen->nr ? table_view_replace(view, gather->profiles[i]) :
				       table_view_init(view, &options, gather->profiles[i]);
		status_title(status, gather->profiles[i]->event, view->title,
			     sizeof(view->title));
		screen->tables[i] = &view->page;
	}
	screen->nr = i;
	return err;
}

/* Make the profiles of the interval, and show them. Return an exit status. */
static int show(struct top_screen *screen)
{
	struct status status;
	int err = top_describe(screen->top, &status);

	if (!err)
		err = replace(screen, &status);
	if (err)
		return say_failure(err, "cannot count the samples");
	warn(&screen->browser, &status);
	screen->drawn++;
	return STATUS_OK;
}

/* Wait for a key or for the next interval. A key is done at once. */
static void wait_for_key(struct top_screen *screen, u64 until)
{
	struct pollfd fds[] = {
		{ .fd = screen->top->ending.fd, .events = POLLIN },
		{ .fd = screen->top->feed.ready, .events = POLLIN },
	};
	u32 key = screen_key(&screen->browser, fds, ARRAY_SIZE(fds), ending_timeout(until));

	if (key != SCREEN_NO_KEY) {
		screen->is_waiting = false;
		browser_key(&screen->browser, key);
	} else if (screen->is_waiting) {
		screen->browser.message.text[0] = '\0';
		annotate(&screen->browser, screen);
	}
}

/* Show the interval if it is due. Return false at the end; see top_take(). */
static bool go_on(struct top_screen *screen, u64 until, int *status)
{
	bool is_due;

	if (screen->is_paused)
		return top_pause(screen->top, status);
	if (!top_take(screen->top, screen->older, until, &is_due, status))
		return false;
	if (is_due)
		*status = show(screen);
	return true;
}

/* Show intervals until the user quits, a signal, the last one of -n or the end of the session. */
static int browse(struct top_screen *screen)
{
	const struct top_options *opts = screen->top->opts;
	bool goes_on = true;
	int status = STATUS_OK;
	u64 until;

	while (goes_on && !status && !screen->browser.quits &&
	       (!opts->number || screen->drawn < opts->number)) {
		until = screen->top->before + opts->delay + TOP_PATIENCE;
		if (screen->is_paused)
			until = monotonic_ns() + opts->delay;
		screen_draw(&screen->browser);
		wait_for_key(screen, until);
		goes_on = go_on(screen, until, &status);
	}
	return status;
}

/* Return STATUS_OK, or print a message and return another status. */
int top_browse(struct top *top)
{
	static struct top_screen screen;
	u32 i;
	int status;

	screen = (struct top_screen){ .top = top, .older = top->opts->older,
				      .has_intervals = top->opts->confidence };
	status = show(&screen);
	screen.drawn = 0;
	browser_init(&screen.browser, screen.tables, screen.nr);
	screen.browser.calls = &calls;
	screen.browser.arg = &screen;
	if (!status)
		status = screen_begin(&screen.browser);
	if (!status)
		status = browse(&screen);
	terminal_end();
	browser_free(&screen.browser);
	text_view_free(&screen.text);
	top_flames_free(&screen.flames);
	for (i = 0; i < screen.nr; i++)
		table_view_free(&screen.views[i]);
	return status;
}
