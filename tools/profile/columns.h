/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - columns of a profile
 *
 * A column is a key, by which samples are grouped, or a value, which is summed for each
 * group. Option parsing, help and output use the same table of columns.
 *
 * The key of an address in no function is a number made of the address and the number of its
 * binary, since a recording may have millions of these.
 */
#ifndef TPROF_COLUMNS_H
#define TPROF_COLUMNS_H

#include "perfdata/layout.h"
#include "world/world.h"

/**
 * struct hit - a sample or a frame of its call chain, and the function found for it
 * @objects:	all binaries
 * @names:	keeps the texts of the key thread; NULL for a set of @objects
 * @sample:	the sample
 * @event:	name of the sample's event
 * @comm:	name of the sample's thread
 * @cgroup:	path of the sample's cgroup, if samples have cgroups
 * @host:	name of the sample's host
 * @parent:	the function that gather_options.parent has found
 * @spot:	binary, function and address of the sample or frame
 */
struct hit {
	struct objects *objects;
	struct interned *names;
	const struct sample *sample;
	const char *event;
	const char *comm;
	const char *cgroup;
	const char *host;
	const char *parent;
	struct spot spot;
};

/**
 * struct tally - samples that were counted
 * @period:	sum of the periods of the samples
 * @samples:	number of samples
 */
struct tally {
	u64	period;
	u64	samples;
};

static inline void tally_add(struct tally *tally, const struct tally *more)
{
	tally->period += more->period;
	tally->samples += more->samples;
}

/**
 * struct side_tally - sums of an entry beside its tallies: the parts of its periods that are time
 * off CPU (wall.h), or its periods where the tallies have latencies (latency.h)
 * @self:	sum for the samples of profile_entry.self
 * @children:	sum for the samples of profile_entry.children
 */
struct side_tally {
	u64	self;
	u64	children;
};

/**
 * struct profile_entry - an entry of a profile: a group of samples with equal keys
 * @self:	its samples
 * @children:	the same, and the samples of callees
 * @off:	the parts that are time off CPU, 0 before wall_merge()
 * @spent:	its periods after latency_merge(), else NULL
 * @keys:	its keys
 */
struct profile_entry {
	const struct tally *self;
	const struct tally *children;
	const struct side_tally *off;
	const struct side_tally *spent;
	const u64 *keys;
};

enum column_kind {
	COLUMN_TEXT,
	COLUMN_NUMBER,
	COLUMN_PERCENT,	/* a period, shown as a percentage of the profile's period */
	COLUMN_TIME,	/* a period in nanoseconds, shown as milliseconds in tables */
	COLUMN_INTERVAL,	/* the 95 % confidence interval of that percentage */
};

/* Members of struct subject that a key may depend on. */
enum {
	SUBJECT_PID	= 1 << 0,
	SUBJECT_TID	= 1 << 1,
	SUBJECT_CPU	= 1 << 2,
	SUBJECT_SLICE	= 1 << 3,
	SUBJECT_COMM	= 1 << 4,
	SUBJECT_WEIGHT	= 1 << 5,
};

/**
 * struct column - a column
 * @word:	its name in options and in JSON
 * @title:	its heading in a table
 * @kind:	how to print it
 * @sample:	for a key: mask of PERF_SAMPLE_* fields that samples must have, or NEED_PARALLELISM
 * @subject:	for a key: mask of SUBJECT_* members that it depends on
 * @is_latency:	a percentage of the latency of all samples, not of their periods
 * @key:	for a key: returns the key of a sample, a number or a pointer
 * @text:	for a text key: returns the text of a key
 * @compare:	for a text key: compares two keys, like strcmp(3)
 * @number:	for a text key: returns a number to sort the key by, in the order of
 *		@compare; ~0 if only @compare can sort the key; may be NULL
 * @mark:	for a text key: returns a prefix to print in tables; may be NULL
 * @value:	for a value: returns the value of an entry
 */
struct column {
	const char *word;
	const char *title;
	enum column_kind kind;
	u64	sample;
	u32	subject;
	bool	is_latency;
	u64	(*key)(const struct hit *hit);
	const char *(*text)(u64 key, char *buf, size_t len);
	int	(*compare)(u64 a, u64 b);
	u64	(*number)(u64 key);
	const char *(*mark)(u64 key);
	u64	(*value)(const struct profile_entry *entry);
};

#define COLUMN_TEXT_LEN	512

/* Return true if @column has percentages of the sum that is in the tallies of @entry. */
static inline bool column_leads(const struct column *column, const struct profile_entry *entry)
{
	return column->kind == COLUMN_PERCENT && (column->is_latency || !entry->spent);
}

/* The key frame_name(). No option selects this column. */
extern const struct column frame_column;

const char *column_word(size_t i);
const struct column *column_find(const char *word);
size_t columns_symbol(const struct column *const *list, size_t nr);
const char *frame_name(const struct spot *spot);
u64 symbol_key(const struct spot *spot);
const struct symbol *symbol_key_function(u64 key);
const char *symbol_key_text(u64 key, char *buf, size_t len);

#endif /* TPROF_COLUMNS_H */
