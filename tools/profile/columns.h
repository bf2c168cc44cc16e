/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the columns of a profile
 *
 * One table has them all: what samples are told apart by (keys), and what is
 * counted of those that are alike (values). Parsing, help and output walk it.
 */
#ifndef TPROF_COLUMNS_H
#define TPROF_COLUMNS_H

#include "perfdata/layout.h"
#include "world/world.h"

/**
 * struct hit - a sample, or a frame of its call chain, looked up
 * @objects:	all binaries
 * @sample:	the sample
 * @event:	name of its event
 * @comm:	name of its thread
 * @spot:	where it was
 */
struct hit {
	struct objects *objects;
	const struct sample *sample;
	const char *event;
	const char *comm;
	struct spot spot;
};

/**
 * struct tally - what is counted
 * @period:	events that samples here stand for
 * @samples:	samples here
 * @children_period: likewise, with those of all that was called from here
 * @children_samples: see @children_period
 */
struct tally {
	u64	period;
	u64	samples;
	u64	children_period;
	u64	children_samples;
};

enum column_kind {
	COLUMN_TEXT,
	COLUMN_NUMBER,
	COLUMN_PERCENT,	/* a period, shown as a share of all */
	COLUMN_INTERVAL,	/* likewise, where that share is most probably */
};

/**
 * struct column - a column
 * @word:	what people type for it
 * @title:	what stands above it
 * @kind:	of what it holds
 * @sample:	of a key: what samples have to have, PERF_SAMPLE_*
 * @key:	of a key: what tells samples apart, a number or a pointer
 * @text:	of a key that is text: what that stands for
 * @compare:	likewise: which of two comes first, as strcmp(3) does
 * @mark:	likewise: what a table has before it, or NULL
 * @value:	of a value: which one
 */
struct column {
	const char *word;
	const char *title;
	enum column_kind kind;
	u64	sample;
	u64	(*key)(const struct hit *hit);
	const char *(*text)(u64 key, char *buf, size_t len);
	int	(*compare)(u64 a, u64 b);
	const char *(*mark)(u64 key);
	u64	(*value)(const struct tally *tally);
};

#define COLUMN_TEXT_LEN	512

const char *column_word(size_t i);
const struct column *column_find(const char *word);
u64 symbol_key(const struct spot *spot);
const char *symbol_key_text(u64 key, char *buf, size_t len);

#endif /* TPROF_COLUMNS_H */
