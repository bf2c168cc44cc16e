/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - marks of recordings
 */
#ifndef TPROF_HTML_MARKS_H
#define TPROF_HTML_MARKS_H

#include "base/bytes.h"
#include "export/names.h"

/* Maximum number of marks of a recording. Further ones are left out. */
#define MARKS_MAX	4096

/**
 * struct mark - a mark
 * @time:	its time
 * @run:	number of the recording
 * @text:	its text, escaped
 */
struct mark {
	u64	time;
	u32	run;
	const char *text;
};

/**
 * struct marks - all marks; empty if all members are zero
 * @list:	array of struct mark
 * @nr:		number of marks
 * @texts:	their texts
 */
struct marks {
	struct bytes list;
	size_t	nr;
	struct interned texts;
};

static inline struct mark *marks_list(const struct marks *marks)
{
	return (struct mark *)marks->list.data;
}

int marks_add(struct marks *marks, u64 time, u32 run, const char *text);
void marks_free(struct marks *marks);

#endif /* TPROF_HTML_MARKS_H */
