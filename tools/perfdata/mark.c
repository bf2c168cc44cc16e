// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - marks, which a program or a user wrote into the recording
 */
#include <linux/tprof_lx.h>
#include <string.h>

#include "perfdata/mark.h"
#include "perfdata/record_types.h"

/* Return the text of a mark, or NULL if @record is none. */
const char *mark_text(const struct record *record)
{
	struct record_body body = { record->data, record->header.size, record->header.misc };
	const char *path = record_own_path(&body, record->header.type, TPROF_LX_MARK_PREFIX);

	return path ? path + strlen(TPROF_LX_MARK_PREFIX) : NULL;
}
