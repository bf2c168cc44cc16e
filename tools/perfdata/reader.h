/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - perf.data reader, for files and pipes of perf and tprof-lx
 *
 * reader_open() reads the header. reader_next() returns the records in order of
 * time; a record without a time is returned as soon as it is read. reader_samples()
 * returns many samples at a time, as long as the next records are samples. No size or
 * offset in the file is trusted, and the use of memory is bounded for any content.
 *
 * A call of reader_samples() ends before the next record of another type, and before a sample
 * with a deferred call chain. Records of unknown types are counted. Those that do not have the
 * form of their type (record_shape.h) are left out and counted, too; close_input() of
 * cli/file_input.h, which all commands call, says how many.
 */
#ifndef TPROF_READER_H
#define TPROF_READER_H

#include "base/message.h"
#include "perfdata/feature_set.h"
#include "perfdata/input.h"
#include "perfdata/layout.h"
#include "perfdata/queue.h"
#include "perfdata/unpack.h"

#define READER_MAX_EVENTS	4096	/* at most QUEUE_MAX_EVENTS */

/**
 * struct reader_event - an event of the file
 * @layout:	field offsets of its records
 * @name:	its name in the file; if it has none, its type and config
 * @has_parallelism: the weights of its samples are their parallelism (parallelism.h)
 */
struct reader_event {
	struct layout layout;
	char	name[64];
	bool	has_parallelism;
};

/**
 * struct reader_id - an identifier and its event
 * @id:		the identifier
 * @event:	index in reader.events
 */
struct reader_id {
	u64	id;
	u32	event;
};

/**
 * struct horizon - how old the records of the rest of a file are (reader_horizon.c)
 * @times:	for each step of the rest, the earliest time of a record from there to the end; NULL
 *		if that is not known
 * @nr:		number of @times
 * @base:	offset in the file of the first step
 * @at:		step that was reached
 * @is_tried:	the rest was looked at
 */
struct horizon {
	u64	*times;
	size_t	nr;
	u64	base;
	size_t	at;
	bool	is_tried;
};

/**
 * struct reader - a perf.data being read
 * @pool:	chunks that hold the bytes of the file
 * @input:	reads records from the file
 * @unpack:	reads records from compressed records
 * @queue:	records not returned yet
 * @horizon:	what lets records out of @queue in a file without rounds
 * @events:	events of the file
 * @nr_events:	number of @events
 * @ids:	all identifiers
 * @nr_ids:	number of @ids
 * @ids_sorted:	@ids is sorted by id
 * @features:	feature sections; in a pipe they arrive between the records
 * @pipe:	the file has the pipe format
 * @unfinished:	the recorder was killed: in the header, the size of the records is 0
 *		or too small
 * @size:	size of the file, 0 for a pipe
 * @held:	the record returned last
 * @holding:	@held is valid
 * @nr_lent:	number of records at the front of @queue that the last
 *		reader_samples() returned
 * @ended:	no more records can be read
 * @failed:	-errno that stopped the reading, returned when @queue is empty
 * @damaged:	-errno of the first damaged feature, returned at the end
 * @damage:	message for @damaged
 * @nr_unknown:	number of records of unknown types
 * @unknown_type: type of the first record of an unknown type
 * @nr_malformed: number of records that do not have the form of their type; they are
 *		dropped
 * @malformed_at: offset in the file of the first of them
 * @nr_orphans:	number of samples whose identifier belongs to no event; they are dropped
 * @defers:	an event has layout.defers
 * @msg:	message for the last failure
 */
struct reader {
	struct chunk_pool pool;
	struct input input;
	struct unpack unpack;
	struct queue queue;
	struct horizon horizon;
	struct reader_event *events;
	u32	nr_events;
	struct reader_id *ids;
	size_t	nr_ids;
	bool	ids_sorted;
	struct feature_set features;
	bool	pipe;
	bool	unfinished;
	u64	size;
	struct queued held;
	bool	holding;
	size_t	nr_lent;
	bool	ended;
	int	failed;
	int	damaged;
	struct message damage;
	u64	nr_unknown;
	u32	unknown_type;
	u64	nr_malformed;
	u64	malformed_at;
	u64	nr_orphans;
	bool	defers;
	struct message msg;
};

/**
 * struct record - a record as reader_next() returns it
 * @header:	a copy of its header
 * @data:	the record, header included; valid until the next call
 * @time:	its time, 0 when it has none
 * @offset:	its offset in the file
 * @event:	its event, NULL for records that the recording command added
 */
struct record {
	struct perf_event_header header;
	const u8 *data;
	u64	time;
	u64	offset;
	const struct reader_event *event;
};

void reader_begin(struct reader *reader, int fd);
int reader_open(struct reader *reader, int fd);
int reader_next(struct reader *reader, struct record *record);
size_t reader_samples(struct reader *reader, struct lent_sample *samples, size_t max);
u64 reader_sample_offset(const struct reader *reader, size_t nr);
struct record reader_sample_record(const struct reader *reader, const struct lent_sample *samples,
				   size_t nr);
void reader_close(struct reader *reader);

/*
 * Return the number of records that were not understood so far. They are of a newer recorder,
 * or damaged.
 */
static inline u64 reader_not_understood(const struct reader *reader)
{
	return reader->nr_unknown + reader->nr_malformed + reader->nr_orphans;
}

int reader_add_event(struct reader *reader, const void *attr, size_t size);
int reader_add_id(struct reader *reader, u64 id, u32 event);
const struct reader_event *reader_find_event(struct reader *reader, u64 id);
int reader_header(struct reader *reader);
int reader_pipe_record(struct reader *reader, const struct input_record *record);
bool reader_queue_samples(struct reader *reader);
int reader_record_event(struct reader *reader, const struct input_record *record,
			const struct reader_event **event);
u64 reader_record_time(const struct layout *layout, const struct input_record *record);
u64 reader_time(struct reader *reader, const struct input_record *record);
u64 reader_payload(const struct input_record *record);
bool reader_pass_horizon(struct reader *reader);
void reader_name_events(struct reader *reader);
int reader_unknown(struct reader *reader, const struct input_record *record);
bool reader_is_well_formed(struct reader *reader, const struct input_record *record,
			   const struct reader_event *event);

#endif /* TPROF_READER_H */
