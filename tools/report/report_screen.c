// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - show the tables on a screen
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate_page.h"
#include "annotate/annotated_recording.h"
#include "base/printable.h"
#include "cli/say.h"
#include "report/report_format.h"
#include "report/report_sum.h"
#include "report/report_trees.h"
#include "screen/screen.h"
#include "screen/terminal.h"
#include "view/flame_view.h"
#include "view/table_view.h"

/**
 * struct report_screen - what the screen shows
 * @opts:	the command line
 * @browser:	the state of the screen
 * @views:	the table of each event
 * @tables:	pages of @views
 * @nr:		number of @views
 * @gather:	the recording
 * @trees:	the recording, read again for call trees
 * @has_trees:	@trees was read
 * @has_chains:	samples have call chains
 * @paths:	the recording, read again for whole call paths
 * @has_paths:	@paths was read
 * @flames:	the call paths that are shown
 * @recording:	the recording, read again for the instructions of functions
 * @is_read:	@recording was opened
 * @text:	the instructions that are shown
 */
struct report_screen {
	const struct report_options *opts;
	struct browser browser;
	struct table_view *views;
	struct page **tables;
	size_t	nr;
	const struct gather *gather;
	struct report_trees trees;
	bool	has_trees;
	bool	has_chains;
	struct report_trees paths;
	bool	has_paths;
	struct flame_view flames;
	struct annotated_recording recording;
	bool	is_read;
	struct text_view text;
};

static void say_unread(struct browser *browser)
{
	message_set(&browser->message, 0, "cannot read the recording again; quit to see why");
}

/* Show the profiles that have call trees. */
static int reload(struct report_screen *screen)
{
	const struct gather *gather = &screen->trees.gathered.gather;
	size_t nr = 0;
	u32 i;
	int err = 0;

	for (i = 0; i < gather->nr_profiles && nr < screen->nr && !err; i++) {
		if (gather->profiles[i])
			err = table_view_reload(&screen->views[nr++], gather->profiles[i]);
	}
	return err;
}

/* Read the recording again for its call trees or call paths, if that was not done yet. */
static bool read_trees(struct report_screen *screen, enum report_trees_kind kind)
{
	struct report_trees *trees = kind == REPORT_TREES ? &screen->trees : &screen->paths;
	bool *is_read = kind == REPORT_TREES ? &screen->has_trees : &screen->has_paths;

	if (*is_read)
		return true;
	screen_say(&screen->browser, kind == REPORT_TREES ? "reading the call trees ..." :
							     "reading the call paths ...");
	terminal_work(true);
	*is_read = !report_trees_read(trees, screen->opts, kind);
	terminal_work(false);
	return *is_read;
}

/* Show the call trees of all tables. */
static void get_trees(struct browser *browser, void *arg)
{
	struct report_screen *screen = arg;

	if (!screen->views[browser->table].options.trees_later)
		return;
	if (!read_trees(screen, REPORT_TREES))
		say_unread(browser);
	else if (reload(screen))
		message_set(&browser->message, 0, "the recording has changed; run report again");
}

/* Say so if the recording cannot be read again. */
static bool is_stdin(struct report_screen *screen)
{
	if (strcmp(screen->opts->input, "-"))
		return false;
	message_set(&screen->browser.message, 0,
		    "stdin cannot be read again; name the file with -i");
	return true;
}

/* Read the recording again for its instructions, if that was not done yet. */
static bool read_instructions(struct report_screen *screen)
{
	const struct report_options *opts = screen->opts;

	if (screen->is_read)
		return true;
	screen_say(&screen->browser, "reading the samples of all instructions ...");
	terminal_work(true);
	screen->is_read = !annotated_recording_open(&screen->recording, opts->input,
						    &opts->gather.filter, &opts->symbols);
	terminal_work(false);
	return screen->is_read;
}

/* Return the binary of a row's function, or NULL if the row is of no function. */
static const struct object *find_owner(const struct report_screen *screen,
				       const struct symbol *symbol)
{
	const struct object *owner = objects_owner(&screen->gather->world.objects, symbol);

	if (!owner && screen->has_trees)
		owner = objects_owner(&screen->trees.gathered.gather.world.objects, symbol);
	return owner;
}

static void annotate(struct browser *browser, void *arg)
{
	struct report_screen *screen = arg;
	const struct symbol *symbol = row_function(&screen->views[browser->table],
						   &browser->message);
	int err;

	if (!symbol || is_stdin(screen))
		return;
	if (!read_instructions(screen)) {
		say_unread(browser);
		return;
	}
	terminal_work(true);
	err = annotate_page_make(&screen->text, &screen->recording.annotated, symbol,
				 find_owner(screen, symbol), &browser->message);
	terminal_work(false);
	annotate_page_open(&screen->text, browser, symbol, err);
}

/* Return the profile with the call paths of a table, or NULL. */
static struct profile *find_paths(const struct report_screen *screen, size_t table)
{
	const struct gather *gather = &screen->paths.gathered.gather;
	u32 i;

	for (i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i] && !table--)
			return gather->profiles[i];
	}
	return NULL;
}

/* Show the call paths of all samples of an event. */
static void show_flames(struct browser *browser, void *arg)
{
	struct report_screen *screen = arg;
	struct flame_view *flames = &screen->flames;
	struct profile *profile;

	if (!screen->has_chains) {
		message_set(&browser->message, 0, "no call chains here; record with -g to have them");
		return;
	}
	if (is_stdin(screen))
		return;
	profile = read_trees(screen, REPORT_PATHS) ? find_paths(screen, browser->table) : NULL;
	if (!profile) {
		say_unread(browser);
		return;
	}
	flame_view_free(flames);
	if (flame_view_init(flames, &profile->paths) || !browser_open(browser, &flames->page))
		message_set(&browser->message, 0, "there is no room for the call paths");
	snprintf(flames->title, sizeof(flames->title), "Call paths: %llu samples of event '%s'",
		 profile->samples, printable(profile->event));
}

static void copy(void *arg, const char *name)
{
	(void)arg;
	screen_copy(name);
}

static const struct browser_calls calls = {
	.trees = get_trees,
	.annotate = annotate,
	.flames = show_flames,
	.copy = copy,
};

/* Name the times on and off CPU, as --stdio does. */
static void name_times(struct table_view *view)
{
	const struct profile *profile = view->profile;
	u64 on = profile->period - profile->off_period;

	snprintf(view->title, sizeof(view->title),
		 "Samples: %llu of event '%s', time on CPU: %.3f ms, off CPU: %.3f ms",
		 profile->samples, printable(profile->event), (double)on / NSEC_PER_MSEC,
		 (double)profile->off_period / NSEC_PER_MSEC);
}

/* Name the sums of periods and of latencies, as --stdio does. */
static void name_latency(struct table_view *view)
{
	const struct profile *profile = view->profile;

	snprintf(view->title, sizeof(view->title),
		 "Samples: %llu of event '%s', event count (approx.): %llu, latency: %llu",
		 profile->samples, printable(profile->event), profile->spent, profile->period);
}

/* Make a table for each event with samples. */
static int make_tables(struct report_screen *screen, const struct gather *gather)
{
	const struct report_options *opts = screen->opts;
	const struct table_options options = {
		.columns = opts->columns,
		.nr_columns = opts->nr_columns,
		.limit = opts->limit,
		.whole_names = opts->whole_names,
		.trees_later = gather->has_chains && !gather_keeps_trees(gather),
	};
	struct table_view *view;
	u32 i;
	int err = 0;

	screen->views = calloc(gather->nr_profiles + 1, sizeof(*screen->views));
	screen->tables = calloc(gather->nr_profiles + 1, sizeof(*screen->tables));
	if (!screen->views || !screen->tables)
		return -ENOMEM;
	for (i = 0; i < gather->nr_profiles && !err; i++) {
		if (!gather->profiles[i])
			continue;
		view = &screen->views[screen->nr];
		screen->tables[screen->nr++] = &view->page;
		err = table_view_init(view, &options, gather->profiles[i]);
		if (opts->wall)
			name_times(view);
		if (opts->gather.latency)
			name_latency(view);
	}
	return err;
}

/* Return STATUS_OK, or print a message and return STATUS_FAILED. */
static int browse(struct report_screen *screen, const struct gather *gather)
{
	char sum[REPORT_SUM_LEN];
	int status;

	browser_init(&screen->browser, screen->tables, screen->nr);
	screen->browser.calls = &calls;
	screen->browser.arg = screen;
	message_set(&screen->browser.message, 0, "%s",
		    report_sum_text(gather, sum, sizeof(sum)));
	status = screen_begin(&screen->browser);
	if (!status)
		screen_browse(&screen->browser);
	terminal_end();
	browser_free(&screen->browser);
	return status;
}

static void free_screen(struct report_screen *screen)
{
	size_t i;

	for (i = 0; i < screen->nr; i++)
		table_view_free(&screen->views[i]);
	free(screen->views);
	free(screen->tables);
	text_view_free(&screen->text);
	flame_view_free(&screen->flames);
	if (screen->has_paths)
		report_trees_free(&screen->paths);
	if (screen->has_trees)
		report_trees_free(&screen->trees);
	if (screen->is_read)
		annotated_recording_free(&screen->recording);
}

static int show_screen(const struct report_options *opts, const struct gather *gather)
{
	struct report_screen screen = { .opts = opts, .gather = gather,
					.has_chains = gather->has_chains };
	int err = make_tables(&screen, gather);

	if (!err && !screen.nr)
		err = report_text_format.print(opts, gather);
	else if (!err)
		err = browse(&screen, gather);
	free_screen(&screen);
	return err;
}

const struct report_format report_screen_format = {
	.no_pager = true,
	.has_sum = true,
	.print = show_screen,
};
