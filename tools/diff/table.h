/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - the lines of an event in all recordings
 *
 * The recordings are gathered (side.h), and the entries of each event become lines. Entries of
 * different recordings are one line if the texts of their keys are the same; binaries.h first
 * gives a binary the name that it had in the old recording, by its build-id.
 */
#ifndef TPROF_DIFF_TABLE_H
#define TPROF_DIFF_TABLE_H

#include "diff/change.h"
#include "diff/side.h"

/**
 * struct line_source - where the keys of a line come from
 * @side:	the first recording that has the line
 * @entry:	number of one of its entries there
 */
struct line_source {
	u32	side;
	u32	entry;
};

/**
 * struct table - the lines of an event
 * @opts:	the command line
 * @sides:	the recordings, the old one first
 * @event:	name of the event
 * @profiles:	its profile in each recording, NULL if it has no samples there
 * @scales:	the scale of each recording
 * @totals:	how the sum of all samples changed, for each new recording
 * @entries:	the lines by their keys in the old recording; their tallies are not used
 * @texts:	texts of these keys
 * @sources:	for each line, where its keys come from
 * @tallies:	for each line, its samples in each recording
 * @room:	number of lines that fit in @sources and @tallies
 * @changes:	for each line, its change in each new recording
 * @order:	numbers of the lines to show, in the order to show them
 * @nr_shown:	number of @order
 * @nr_grown:	number of changes that --fail-above does not permit
 */
struct table {
	const struct diff_options *opts;
	const struct side *sides;
	const char *event;
	const struct profile *profiles[DIFF_MAX_FILES];
	struct scale scales[DIFF_MAX_FILES];
	struct change totals[DIFF_MAX_FILES];
	struct entries entries;
	struct interned texts;
	struct line_source *sources;
	struct tally *tallies;
	size_t	room;
	struct change *changes;
	u32	*order;
	u32	nr_shown;
	u32	nr_grown;
};

int table_make(struct table *table, const struct diff_options *opts, const struct side *sides,
	       const char *event);
u64 table_key(const struct table *table, u32 line, size_t key);
const char *table_text(const struct table *table, u32 line, size_t key, char *buf, size_t len);
void table_free(struct table *table);

static inline u32 table_nr_new(const struct table *table)
{
	return table->opts->nr_files - 1;
}

/* Return the samples of a line in all recordings. */
static inline struct tally *table_tallies(const struct table *table, u32 line)
{
	return &table->tallies[(size_t)line * table->opts->nr_files];
}

/* Return the changes of a line in all new recordings. */
static inline struct change *table_changes(const struct table *table, u32 line)
{
	return &table->changes[(size_t)line * table_nr_new(table)];
}

#endif /* TPROF_DIFF_TABLE_H */
