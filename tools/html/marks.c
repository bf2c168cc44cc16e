// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - marks of recordings
 */
#include <errno.h>

#include "html/marks.h"

/* Add a mark. Return 0 or -ENOMEM. */
int marks_add(struct marks *marks, u64 time, u32 run, const char *text)
{
	struct mark mark = { .time = time, .run = run, .text = name_get(&marks->texts, text) };

	if (!mark.text)
		return -ENOMEM;
	bytes_add(&marks->list, &mark, sizeof(mark));
	if (bytes_err(&marks->list))
		return -ENOMEM;
	marks->nr++;
	return 0;
}

void marks_free(struct marks *marks)
{
	bytes_free(&marks->list);
	interned_free(&marks->texts);
}
