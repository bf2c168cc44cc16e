// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the help: all keys of a kind of page
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/help.h"

#define KEYS_WIDTH	24

static void put_row(FILE *out, const struct key_row *row)
{
	char keys[128], buf[16];
	size_t used = 0, i;

	for (i = 0; i < KEYS_PER_ROW && row->keys[i]; i++)
		used += snprintf(keys + used, sizeof(keys) - used, "%s%s", i ? ", " : "",
				 view_key_name(row->keys[i], buf, sizeof(buf)));
	fprintf(out, "  %-*s  %s\n", KEYS_WIDTH, keys, row->help);
}

static void put_rows(FILE *out, const struct key_row *rows, u32 kind)
{
	for (; rows && rows->keys[0]; rows++) {
		if (rows->pages & kind)
			put_row(out, rows);
	}
}

/*
 * Make a page with the keys of pages of kind @kind. Call text_view_free() even if this fails.
 *
 * @own: keys of the program, or NULL
 */
int help_make(struct text_view *help, const struct key_row *own, u32 kind)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int err;

	*help = (struct text_view){ 0 };
	if (!out)
		return -ENOMEM;
	put_rows(out, own, kind);
	put_rows(out, view_keys, kind);
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	err = text_view_init(help, text, len);
	snprintf(help->title, sizeof(help->title), "Keys");
	return err;
}
