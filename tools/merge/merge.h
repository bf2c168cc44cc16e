/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - recordings, and the recording that they become
 *
 * The next record of all recordings, by time, is taken from their readers, changed
 * (merge_record.c) and written. It keeps its layout: times move to one clock (merge_clocks.c),
 * identifiers become those of the output (merge_events.c), and numbers of processes that
 * collide change (pids.h). An event has an identifier for each host (merge_hosts.h), and a
 * feature has the hosts of the identifiers, so that `export` keeps hosts apart
 * (perfdata/hosts.h). Kernel addresses of samples move to those that kernels.h gives. At the
 * end, merge_features.c makes build-ids and other features of those of all recordings, and
 * merge_symbols.h the symbols. Memory is that of the readers, which is bounded, and of the
 * tables of processes and binaries.
 */
#ifndef TPROF_MERGE_H
#define TPROF_MERGE_H

#include "merge/build_ids.h"
#include "merge/kernels.h"
#include "merge/pids.h"
#include "perfdata/hosts.h"
#include "perfdata/losses.h"
#include "perfdata/reader.h"
#include "perfdata/writer.h"

#define MERGE_MAX_FILES	256

/**
 * struct words_at - offsets of fields of 8 bytes, or NO_FIELD
 * @tid:	process and thread
 * @time:	time
 * @id:		PERF_SAMPLE_ID
 * @identifier:	PERF_SAMPLE_IDENTIFIER
 */
struct words_at {
	u16	tid;
	u16	time;
	u16	id;
	u16	identifier;
};

/**
 * struct source_event - an event of a recording
 * @merged:	index of the event in the output
 * @sample:	fields of its samples
 * @trailer:	fields of the trailers of its other records, from the trailer's start
 */
struct source_event {
	u32	merged;
	struct words_at sample;
	struct words_at trailer;
};

/**
 * struct source - a recording to merge
 * @name:	its file name
 * @number:	its position on the command line
 * @fd:		the file
 * @reader:	reads it
 * @events:	its events
 * @nr_events:	number of @events
 * @ids:	its table of build-ids
 * @hosts:	its hosts, if it was merged before
 * @host:	number of the host in the output, for records that have none of @hosts
 * @kernel:	the addresses of its kernel
 * @losses:	its lost samples
 * @shift:	what to add to its times
 * @record:	its next record, if @has_record
 * @has_record:	not all records were read
 */
struct source {
	const char *name;
	u32	number;
	int	fd;
	struct reader reader;
	struct source_event *events;
	u32	nr_events;
	struct build_ids ids;
	struct hosts hosts;
	u32	host;
	struct kernel_map kernel;
	struct losses losses;
	u64	shift;
	struct record record;
	bool	has_record;
};

/**
 * struct merged_id - an identifier of the output
 * @id:		the identifier
 * @event:	index of its event
 */
struct merged_id {
	u64	id;
	u32	event;
};

/* What the output has of the symbols in the recordings. */
enum merged_symbols {
	SYMBOLS_NONE,		/* there are none */
	SYMBOLS_MERGED,		/* all */
	SYMBOLS_PARTIAL,	/* none, because not all recordings have them */
	SYMBOLS_TOO_LARGE,	/* none, because a reader would not read so many */
};

/**
 * struct merge - the output
 * @sources:	the recordings
 * @nr_sources:	number of @sources
 * @source_events: the events of all recordings
 * @events:	events of the output
 * @nr_events:	number of @events
 * @hosts:	struct numbered_host, by name
 * @ids:	struct merged_id, by identifier
 * @event_ids:	the identifiers in the order of @events
 * @clock:	the recording whose clock the output has; NULL if the clocks are not aligned
 * @pids:	processes and threads of the output
 * @jits:	numbers in the output of processes that have JIT-compiled code and got new ones
 * @kernels:	kernels and modules of the output
 * @out:	records that are not written yet
 * @samples:	number of samples
 * @first:	time of the first sample
 * @last:	time of the last sample
 * @latest:	time of the latest record
 * @nr_left_out: number of records that were left out
 * @left_out:	type of the first one
 * @symbols:	what the output has of the symbols in the recordings
 */
struct merge {
	struct source *sources;
	u32	nr_sources;
	struct source_event *source_events;
	struct perfdata_event *events;
	u32	nr_events;
	struct hash_table hosts;
	struct hash_table ids;
	u64	*event_ids;
	const struct source *clock;
	struct pids pids;
	struct hash_table jits;
	struct kernels kernels;
	struct bytes out;
	u64	samples;
	u64	first;
	u64	last;
	u64	latest;
	u64	nr_left_out;
	u32	left_out;
	enum merged_symbols symbols;
};

void merge_clocks(struct merge *merge);
int merge_events(struct merge *merge);
int merge_add_record(struct merge *merge, struct source *source);
int merge_features(struct merge *merge, int argc, char **argv, struct feature_set *features);

#endif /* TPROF_MERGE_H */
