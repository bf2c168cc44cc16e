// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the instructions of a table's function as a page of a browser
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "annotate/annotate_page.h"
#include "base/printable.h"
#include "symbols/object_dwarf.h"

/* Set @key to the key sym of an entry. Return false if the profile has no such key. */
static bool find_key(const struct profile *profile, u32 entry, u64 *key)
{
	size_t i;

	for (i = 0; i < profile->keys->nr; i++) {
		*key = entries_keys(&profile->entries, entry)[i];
		if (!strcmp(profile->keys->columns[i]->word, "sym"))
			return true;
	}
	return false;
}

/*
 * Return the function of the row with the cursor or, if that is inlined, the one around it.
 * Return NULL and set @message if the row has none.
 */
const struct symbol *row_function(const struct table_view *view, struct message *message)
{
	const struct item *item = table_item(view);
	const struct symbol *symbol;
	u64 key;

	if (item && item->node) {
		key = item->node->key;
	} else if (!item || !find_key(view->profile, item->entry, &key)) {
		message_set(message, 0, "no function here; start again with -s dso,sym");
		return NULL;
	}
	symbol = symbol_key_function(key);
	if (symbol)
		return symbol_around(symbol);
	message_set(message, 0, view->options.is_live ?
		    "this address is in no function; press w, then report says why" :
		    "this address is in no function; report --stdio says why");
	return NULL;
}

/*
 * Make the page of instructions of a function, in place of the page before. Return 0, -ENOENT if
 * no instruction of it has samples, or -ENOMEM. Set @message if the page lacks instructions.
 *
 * @owner: see annotated_find()
 */
int annotate_page_make(struct text_view *text, struct annotated *annotated,
		       const struct symbol *symbol, const struct object *owner,
		       struct message *message)
{
	static const char *const folds[] = { NULL, "instructions only", "source lines only" };
	const struct hot_function *hot = annotated_find(annotated, symbol, owner);
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
	disassembly_complain(&annotated->disassembly, message);
	return 0;
}

/*
 * Show the page with the cursor in the hottest line, or say why not.
 *
 * @err: result of annotated_make() or annotate_page_make()
 */
void annotate_page_open(struct text_view *text, struct browser *browser,
			const struct symbol *symbol, int err)
{
	if (err == -ENOENT)
		message_set(&browser->message, 0, "no samples in the instructions of %s",
			    printable(symbol->name));
	else if (err == -ENOTSUP)
		message_set(&browser->message, 0, DECODER_MISMATCH);
	else if (err || !browser_open(browser, &text->page))
		message_set(&browser->message, 0, "there is no room for the instructions");
	else
		scroll_to(&text->page.scroll, text->hottest);
}
