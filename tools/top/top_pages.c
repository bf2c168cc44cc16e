// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - pages that show the samples of one moment
 *
 * The samples that a table shows are counted again: by address, as stacks have addresses, or by
 * call path. The addresses are kept only until the page of instructions is made.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "annotate/annotate_page.h"
#include "base/printable.h"
#include "screen/terminal.h"
#include "top/top_pages.h"

#define NO_KERNEL_MEMORY	"top has given up root's rights; press w, then run annotate; or give -k"

/* Append the time of day to a title. */
static void add_time(char *title, size_t len)
{
	size_t used = strlen(title);
	time_t now = time(NULL);
	struct tm tm;

	strftime(title + used, len - used, ", samples shown at %H:%M:%S", localtime_r(&now, &tm));
}

/* Make the page of a function. Return as annotate_page_make() does. */
static int make_text(struct top *top, struct text_view *text, const struct symbol *symbol,
		     struct message *message)
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
		annotated.annotation.denied = NO_KERNEL_MEMORY;
		if (!err)
			err = annotate_page_make(text, &annotated, symbol, NULL, message);
		annotated_free(&annotated);
	}
	gather_free(&gather);
	if (!err)
		add_time(text->title, sizeof(text->title));
	return err;
}

/*
 * Show the instructions of the row with the cursor, or say why not. Return false if symbols are
 * being loaded, so that the caller must try again later.
 */
bool top_annotate(struct top *top, struct browser *browser, const struct table_view *view,
		  struct text_view *text)
{
	const struct symbol *symbol = row_function(view, &browser->message);
	int err;

	if (!symbol)
		return true;
	if (!resolver_borrow(top->resolver)) {
		message_set(&browser->message, 0,
			    "waiting until symbols are loaded; any key ends this");
		return false;
	}
	terminal_work(true);
	err = make_text(top, text, symbol, &browser->message);
	terminal_work(false);
	resolver_give_back(top->resolver);
	annotate_page_open(text, browser, symbol, err);
	return true;
}

static int make_flames(struct top *top, struct top_flames *flames, u32 event)
{
	struct profile *profile;
	int err;

	flames->options = (struct gather_options){
		.keys = top->opts->keys, .paths = true, .children = CHILDREN_NO,
		.find = resolver_find, .arg = top->resolver,
	};
	flames->is_set = true;
	err = live_profile_count(&top->live, &flames->gather, &flames->options);
	if (err)
		return err;
	profile = flames->gather.profiles[event];
	call_tree_sort(&profile->paths);
	err = flame_view_init(&flames->view, &profile->paths);
	snprintf(flames->view.title, sizeof(flames->view.title),
		 "Call paths of event '%s'", printable(profile->event));
	add_time(flames->view.title, sizeof(flames->view.title));
	return err;
}

/* Show the call paths of all samples of an event, or say why not. */
void top_show_flames(struct top *top, struct browser *browser, u32 event,
		     struct top_flames *flames)
{
	if (!top->opts->chains) {
		message_set(&browser->message, 0,
			    "no call chains here; start top with -g to have them");
		return;
	}
	top_flames_free(flames);
	if (make_flames(top, flames, event) || !browser_open(browser, &flames->view.page))
		message_set(&browser->message, 0, "there is no room for the call paths");
}

void top_flames_free(struct top_flames *flames)
{
	flame_view_free(&flames->view);
	if (flames->is_set)
		gather_free(&flames->gather);
	flames->is_set = false;
}
