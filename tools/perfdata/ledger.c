// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - lines of the ledger, with the numbers of samples taken and lost
 */
#include <errno.h>
#include <linux/tprof_lx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interned.h"
#include "perfdata/ledger.h"
#include "perfdata/record_types.h"

/* Return the text of a line of the ledger with its prefix, or NULL if @record is none. */
const char *ledger_line(const struct record *record)
{
	struct record_body body = { record->data, record->header.size, record->header.misc };

	return record_own_path(&body, record->header.type, TPROF_LX_LEDGER_PREFIX);
}

/* Find the first member @name, such as "event=", after the prefix or a blank. */
static const char *find_member(const char *line, const char *name)
{
	const char *at = line + strlen(TPROF_LX_LEDGER_PREFIX);

	while (at && !begins_with(at, name)) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at;
}

/* Set @value to the first member @name of @line. Return false if there is none. */
bool ledger_number(const char *line, const char *name, u64 *value)
{
	const char *at = find_member(line, name);

	if (at)
		*value = strtoull(at + strlen(name), NULL, 10);
	return at;
}

/* Write @line to @text with another number of the event. Return 0, or -EBADMSG if it has none. */
int ledger_set_event(const char *line, u32 event, char *text, size_t len)
{
	const char *at = find_member(line, "event=");
	char *rest;

	if (!at)
		return -EBADMSG;
	at += strlen("event=");
	strtoull(at, &rest, 10);
	if ((size_t)snprintf(text, len, "%.*s%u%s", (int)(at - line), line, event, rest) >= len)
		return -EBADMSG;
	return 0;
}
