/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - reader of perf.data: ours and perf's, files and pipes
 *
 * reader_open() reads what precedes the records, reader_next() hands out one
 * record after the other in the order of their times. Records without a time
 * come where they stand in the file. Memory is bounded whatever the file says,
 * and no size or offset in it is trusted.
 */
#ifndef TPROF_READER_H
#define TPROF_READER_H

#include "base/message.h"
#include "perfdata/feature_set.h"
#include "perfdata/input.h"
#include "perfdata/layout.h"
#include "perfdata/queue.h"
#include "perfdata/unpack.h"

#define READER_MAX_EVENTS	4096

/**
 * struct reader_event - an event of the file
 * @layout:	where the fields of its records are
 * @name:	what it is called
 */
struct reader_event {
	struct layout layout;
	char	name[64];
};

/**
 * struct reader_id - which event an identifier belongs to
 * @id:		the identifier
 * @event:	number of the event
 */
struct reader_id {
	u64	id;
	u32	event;
};

/**
 * struct reader - a perf.data being read
 * @pool:	where its bytes are kept
 * @input:	its bytes
 * @unpack:	the records in those that are compressed
 * @queue:	records that wait for their turn
 * @events:	its events
 * @nr_events:	how many
 * @ids:	all identifiers, sorted when @ids_sorted
 * @nr_ids:	how many
 * @ids_sorted:	see @ids
 * @features:	facts beside the records; in a pipe they come as it is read
 * @pipe:	it is of the pipe form
 * @unfinished:	it has more than it says, or does not say, as whoever wrote it was ended
 * @size:	of the file, 0 for a pipe
 * @held:	record handed out last
 * @holding:	there is one
 * @ended:	all records are read
 * @failed:	why reading ended early, told when the queue is empty
 * @damaged:	what is wrong with the things beside the records, told at the end
 * @damage:	more about that
 * @nr_unknown:	records of types that nobody here knows
 * @unknown_type: the first of those types
 * @nr_orphans:	samples of no event
 * @msg:	more about the last failure
 */
struct reader {
	struct chunk_pool pool;
	struct input input;
	struct unpack unpack;
	struct queue queue;
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
	bool	ended;
	int	failed;
	int	damaged;
	struct message damage;
	u64	nr_unknown;
	u32	unknown_type;
	u64	nr_orphans;
	struct message msg;
};

/**
 * struct record - one record
 * @header:	a copy of its header
 * @data:	the record, header included; valid until the next call
 * @time:	when it was written, 0 when it does not say
 * @offset:	of it in the file
 * @event:	its event, NULL for records that tools write
 */
struct record {
	struct perf_event_header header;
	const u8 *data;
	u64	time;
	u64	offset;
	const struct reader_event *event;
};

int reader_open(struct reader *reader, int fd);
int reader_next(struct reader *reader, struct record *record);
void reader_close(struct reader *reader);

int reader_add_event(struct reader *reader, const void *attr, size_t size);
int reader_add_id(struct reader *reader, u64 id, u32 event);
const struct reader_event *reader_find_event(struct reader *reader, u64 id);
int reader_header(struct reader *reader);
int reader_pipe_record(struct reader *reader, const struct input_record *record);
void reader_name_events(struct reader *reader);

#endif /* TPROF_READER_H */
