/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - marks of a recording and its lost samples, as markers of Firefox
 */
#ifndef TPROF_EXPORT_FIREFOX_MARKERS_H
#define TPROF_EXPORT_FIREFOX_MARKERS_H

#include "base/bytes.h"
#include "export/firefox_tables.h"
#include "perfdata/reader.h"

/* Maximum number of markers. Further ones are left out. */
#define MARKERS_MAX	(1U << 18)

/**
 * struct marker - a marker
 * @time:	its time
 * @text:	text of a mark; NULL for lost samples
 * @lost:	number of lost samples
 */
struct marker {
	u64	time;
	const char *text;
	u64	lost;
};

/**
 * struct firefox_markers - all markers; empty if all members are zero
 * @list:	array of struct marker
 * @nr:		number of markers
 * @nr_left_out: number of further markers
 * @texts:	texts of marks
 */
struct firefox_markers {
	struct bytes list;
	size_t	nr;
	size_t	nr_left_out;
	struct interned texts;
};

int firefox_markers_note(struct firefox_markers *markers, const struct record *record);
void firefox_markers_schema(struct json *json);
void firefox_markers_write(const struct firefox_markers *markers, struct firefox_tables *tables,
			   u64 first);
void firefox_markers_free(struct firefox_markers *markers);

#endif /* TPROF_EXPORT_FIREFOX_MARKERS_H */
