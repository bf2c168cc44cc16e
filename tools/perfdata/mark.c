// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - marks, which a program or a user wrote into the recording
 */
#include <linux/tprof_lx.h>
#include <string.h>

#include "base/interned.h"
#include "perfdata/mark.h"
#include "perfdata/record_types.h"

/* Return the text of a mark, or NULL if @record is none. */
const char *mark_text(const struct record *record)
{
	const struct record_field path = { .kind = FIELD_TEXT, .offset = 16 };
	struct record_body body = { record->data, record->header.size, record->header.misc };
	const char *text;

	if (record->header.type != PERF_RECORD_CGROUP)
		return NULL;
	text = record_text(&body, &path);
	if (!text || !begins_with(text, TPROF_LX_MARK_PREFIX))
		return NULL;
	return text + strlen(TPROF_LX_MARK_PREFIX);
}
