// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the instructions of a table's function as a page of a browser
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "annotate/annotate_page.h"
#include "base/printable.h"

/* Return the column of the key @word, and set @key to the key of an entry, or return NULL. */
static const struct column *key_column(const struct profile *profile, u32 entry, const char *word,
				       u64 *key)
{
	const struct column *column;
	size_t i;

	for (i = 0; i < profile->keys->nr; i++) {
		column = profile->keys->columns[i];
		if (strcmp(column->word, word))
			continue;
		*key = entries_keys(&profile->entries, entry)[i];
		return column;
	}
	return NULL;
}

static void set_symbol(struct row_function *function, u64 key)
{
	function->name = symbol_key_text(key, function->name_buf, sizeof(function->name_buf));
	function->start = symbol_key_addr(key);
}

/* Find the function of the row with the cursor. Return false and set @message if it has none. */
bool row_function_find(struct row_function *function, const struct table_view *view,
		       struct message *message)
{
	const struct item *item = table_item(view);
	const struct column *column;
	u64 key;

	function->name = NULL;
	function->binary = NULL;
	if (item && item->node) {
		set_symbol(function, item->node->key);
	} else if (item) {
		if (key_column(view->profile, item->entry, "sym", &key))
			set_symbol(function, key);
		column = key_column(view->profile, item->entry, "dso", &key);
		if (column)
			function->binary = column->text(key, function->binary_buf,
							sizeof(function->binary_buf));
	}
	if (!function->name)
		message_set(message, 0, "no function here; start again with -s dso,sym");
	return function->name;
}

/*
 * Make the page of instructions of a function, in place of the page before. Return 0, -ENOENT if
 * no instruction of it has samples, or -ENOMEM.
 */
int annotate_page_make(struct text_view *text, struct annotated *annotated,
		       const struct row_function *function)
{
	static const char *const folds[] = { NULL, "instructions only", "source lines only" };
	const struct hot_function *hot = annotated_find(annotated, function->name,
							function->start, function->binary);
	struct annotated_text made;
	int err;

	text_view_free(text);
	if (!hot)
		return -ENOENT;
	err = annotated_text(annotated, hot, &made);
	if (!err) {
		err = text_view_init(text, made.text, made.len);
		made.text = NULL;
	}
	if (!err)
		text_view_mark(text, &made.marks, folds, made.has_lines ? ARRAY_SIZE(folds) : 1);
	annotated_text_free(&made);
	if (err)
		return err;
	snprintf(text->title, sizeof(text->title), "%s in %s", printable(hot->symbol->name),
		 printable(hot->object->short_name));
	text->name = strdup(hot->symbol->name);
	return 0;
}

/*
 * Show the page with the cursor in the hottest line, or say why not.
 *
 * @err: result of annotated_make() or annotate_page_make()
 */
void annotate_page_open(struct text_view *text, struct browser *browser,
			const struct row_function *function, int err)
{
	if (err == -ENOENT)
		message_set(&browser->message, 0, "no samples in the instructions of %s",
			    printable(function->name));
	else if (err == -ENOTSUP)
		message_set(&browser->message, 0, DECODER_MISMATCH);
	else if (err || !browser_open(browser, &text->page))
		message_set(&browser->message, 0, "there is no room for the instructions");
	else
		scroll_to(&text->page.scroll, text->hottest);
}
