// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - pages that show the samples of one moment
 *
 * Stacks have addresses, so the samples that a table shows are counted again. The result lives
 * only until the page is made, so the memory of a page is that of its text.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "annotate/annotate_page.h"
#include "screen/terminal.h"
#include "top/top_pages.h"

/* Append the time of day to a title. */
static void add_time(char *title, size_t len)
{
	size_t used = strlen(title);
	time_t now = time(NULL);
	struct tm tm;

	strftime(title + used, len - used, ", samples shown at %H:%M:%S", localtime_r(&now, &tm));
}

/* Make the page of a function. Return as annotate_page_make() does. */
static int make_text(struct top *top, struct text_view *text, const struct row_function *function)
{
	const struct gather_options options = {
		.keys = hot_functions_keys(), .children = CHILDREN_NO,
		.find = resolver_find, .arg = top->resolver,
	};
	struct annotated annotated;
	struct gather gather;
	int err = live_profile_count(&top->live, &gather, &options);

	if (!err) {
		err = annotated_make(&annotated, &gather, &top->feed.reader,
				     &top->resolver->objects);
		if (!err)
			err = annotate_page_make(text, &annotated, function);
		annotated_free(&annotated);
	}
	gather_free(&gather);
	if (!err)
		add_time(text->title, sizeof(text->title));
	return err;
}

/* Show the instructions of the row with the cursor, or say why not. */
void top_annotate(struct top *top, struct browser *browser, const struct table_view *view,
		  struct text_view *text)
{
	struct row_function function;
	int err;

	if (!row_function_find(&function, view, &browser->message))
		return;
	if (!resolver_borrow(top->resolver)) {
		message_set(&browser->message, 0,
			    "symbols are being loaded; press a again in a moment");
		return;
	}
	terminal_work(true);
	err = make_text(top, text, &function);
	terminal_work(false);
	resolver_give_back(top->resolver);
	annotate_page_open(text, browser, &function, err);
}
