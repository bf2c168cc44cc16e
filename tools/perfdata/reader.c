// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read the records of a perf.data
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/parallelism.h"
#include "perfdata/reader.h"
#include "perfdata/record_shape.h"

/* Maximum number of queued records, and of chunks that hold them. */
#define MAX_WAITING	(4U << 20)
#define MAX_CHUNKS	2048

_Static_assert(READER_MAX_EVENTS <= QUEUE_MAX_EVENTS, "queued records have room for their event");

/*
 * Set up a reader of records without a header. The caller may replace @reader->input.read, adds
 * the events, and frees the reader with reader_close().
 */
void reader_begin(struct reader *reader, int fd)
{
	*reader = (struct reader){ 0 };
	input_init(&reader->input, &reader->pool, fd, 0, ~0ULL);
	unpack_init(&reader->unpack, &reader->pool);
	queue_init(&reader->queue, &reader->pool, MAX_WAITING);
}

/*
 * Open a recording and read its header.
 *
 * @reader: on success the caller closes it with reader_close()
 * @fd: a file at offset 0, or a pipe
 *
 * Return 0, or -errno; @reader->msg may have the details.
 */
int reader_open(struct reader *reader, int fd)
{
	int err;

	reader_begin(reader, fd);
	err = reader_header(reader);
	if (err)
		reader_close(reader);
	return err;
}

static int begin_unpacking(struct reader *reader, const struct input_record *record)
{
	int err;

	/* Refuse nested compression, which could expand without end. */
	if (reader->unpack.holding)
		return message_set(&reader->msg, -EBADMSG,
				   "the compressed record at %#llx contains another one",
				   record->offset);
	err = unpack_begin(&reader->unpack, record);
	if (err == -EBADMSG)
		return message_set(&reader->msg, err,
				   "the compressed record at %#llx is shorter than it says",
				   record->offset);
	return err;
}

/*
 * Handle a record that perf or tprof-lx wrote. Return 1 if reader_next() must return
 * the record now; 0 if the record needs no more handling; else -errno.
 */
static int tool_record(struct reader *reader, const struct input_record *record)
{
	int ret;

	if (!record_shape_known(record->header.type))
		return reader_unknown(reader, record);
	if (!reader_is_well_formed(reader, record, NULL))
		return 0;
	switch (record->header.type) {
	case PERFDATA_COMPRESSED_DATA:
	case PERFDATA_COMPRESSED_DATA2:
		return begin_unpacking(reader, record);
	case PERFDATA_FINISHED_ROUND:
		queue_finish_round(&reader->queue);
		break;
	}
	ret = reader_pipe_record(reader, record);
	return ret < 0 ? ret : 1;
}

/* Note that an event has parallelism if @record, which is of the event, says so. */
static void note_parallelism(struct reader_event *event, const struct input_record *record)
{
	const struct record_body body = { record->data, record->header.size, record->header.misc };

	if (parallelism_is_mark(&body, record->header.type))
		event->has_parallelism = event->layout.attr.sample_type & PERF_SAMPLE_WEIGHT;
}

/*
 * Handle a record of the kernel. Return 1 if reader_next() must return the record now;
 * 0 if the record is queued or dropped; else -errno.
 */
static int kernel_record(struct reader *reader, struct queued *next)
{
	const struct reader_event *event;

	if (!reader->nr_events)
		return message_set(&reader->msg, -EBADMSG, "the recording has records but no event");
	if (reader_record_event(reader, &next->record, &event))
		return message_set(&reader->msg, -EBADMSG,
				   "the record at %#llx belongs to no event", next->record.offset);
	if (!event) {
		reader->nr_orphans++;
		return 0;
	}
	if (!record_shape_known(next->record.header.type))
		reader_unknown(reader, &next->record);
	else if (next->record.header.type != PERF_RECORD_SAMPLE &&
		 !reader_is_well_formed(reader, &next->record, event))
		return 0;
	next->event = event - reader->events;
	if (next->record.header.type == PERF_RECORD_CGROUP)
		note_parallelism(&reader->events[next->event], &next->record);
	next->time = reader_record_time(&event->layout, &next->record);
	if (!next->time || next->time == ~0ULL)
		return 1;
	return queue_push(&reader->queue, next);
}

/*
 * Get the next record from the current compressed record. If that has no more, get it
 * from the file. Return 1; 0 at the end of the file; else -errno.
 */
static int next_record(struct reader *reader, struct input_record *record)
{
	int ret = unpack_next(&reader->unpack, record);

	if (ret)
		return ret;
	ret = input_next(&reader->input, record);
	if (ret <= 0)
		record->offset = reader->input.offset;
	if (ret)
		return ret;
	return unpack_is_within(&reader->unpack) || !input_is_whole(&reader->input) ? -ENODATA : 0;
}

static int input_failed(struct reader *reader, int err, u64 offset)
{
	switch (err) {
	case -ENODATA:
		return message_set(&reader->msg, err, "truncated within a record");
	case -EBADMSG:
		return message_set(&reader->msg, err, "the record at %#llx has an impossible size",
				   offset);
	case -EILSEQ:
		return message_set(&reader->msg, -EBADMSG,
				   "the compressed record at %#llx is damaged", offset);
	case -EUCLEAN:
		return message_set(&reader->msg, -EBADMSG,
				   "the compressed records before %#llx do not match their checksum; record again",
				   offset);
	default:
		return err;
	}
}

/*
 * Read one record. Return 1 if reader_next() must return the record now; -errno on
 * failure; else 0, as at the end of the input.
 */
static int read_one(struct reader *reader, struct queued *next)
{
	int ret = next_record(reader, &next->record);

	if (ret == 0 && reader->unfinished)
		return message_set(&reader->msg, -ENODATA,
				   "the recording was never finished; record may have been killed");
	if (ret == 0 && unpack_is_cut(&reader->unpack))
		return message_set(&reader->msg, -EBADMSG,
				   "the compressed records end before their checksum; record again");
	if (ret == 0) {
		reader->msg = reader->damage;
		reader->failed = reader->damaged;
		reader->ended = true;
		queue_finish(&reader->queue);
		return 0;
	}
	if (ret < 0)
		return input_failed(reader, ret, next->record.offset);
	if (reader->pool.nr_used > MAX_CHUNKS)
		queue_relieve(&reader->queue);
	if (next->record.header.type >= PERFDATA_USER_TYPES) {
		next->event = ~0U;
		next->time = 0;
		ret = tool_record(reader, &next->record);
	} else {
		ret = kernel_record(reader, next);
	}
	/*
	 * Keep the record until release() drops it, in the next call of
	 * reader_next().
	 */
	if (ret > 0)
		chunk_get(next->record.chunk);
	return ret;
}

/* Drop the records that reader_next() or reader_samples() returned last. */
static void release(struct reader *reader)
{
	queue_drop(&reader->queue, reader->nr_lent);
	reader->nr_lent = 0;
	if (reader->holding)
		chunk_put(&reader->pool, reader->held.record.chunk);
	reader->holding = false;
}

static void hand_out(struct reader *reader, struct record *record)
{
	const struct queued *held = &reader->held;

	reader->holding = true;
	*record = (struct record){
		.header = held->record.header,
		.data = held->record.data,
		.time = held->time,
		.offset = held->record.offset,
		.event = held->event == ~0U ? NULL : &reader->events[held->event],
	};
}

/* Free the memory of records: the caller may need more memory to print a report. */
static void free_records(struct reader *reader)
{
	release(reader);
	queue_free(&reader->queue);
	unpack_free(&reader->unpack);
	input_free(&reader->input);
	chunk_pool_free(&reader->pool);
}

/* Stop reading. reader_next() returns @err after all queued records. */
static void fail(struct reader *reader, int err)
{
	reader->failed = err;
	reader->ended = true;
	queue_finish(&reader->queue);
}

/*
 * Get the next record in order of time.
 *
 * @record: the result, valid until the next call
 *
 * Return 1; 0 at the end; else -errno. @reader->msg may then have the details.
 */
int reader_next(struct reader *reader, struct record *record)
{
	int ret = 0;

	release(reader);
	for (;;) {
		if (queue_pop(&reader->queue, &reader->held))
			break;
		if (reader->ended) {
			free_records(reader);
			return reader->failed;
		}
		if (reader_pass_horizon(reader))
			continue;
		if (reader->pool.nr_used <= MAX_CHUNKS && reader_queue_samples(reader))
			continue;
		ret = read_one(reader, &reader->held);
		if (ret > 0)
			break;
		if (ret < 0)
			fail(reader, ret);
	}
	hand_out(reader, record);
	if (ret > 0 && !record->event) {
		ret = input_skip(&reader->input, reader_payload(&reader->held.record));
		if (ret)
			fail(reader, input_failed(reader, ret, record->offset));
	}
	return 1;
}

/*
 * Fill in @samples with the samples that the next calls of reader_next() would return.
 * Stop after @max samples, or before the first record that is not a complete sample
 * (stitch.h). The samples are valid until the next call of reader_next() or
 * reader_samples().
 *
 * Return the number of samples. If it is 0, the caller must call reader_next().
 */
size_t reader_samples(struct reader *reader, struct lent_sample *samples, size_t max)
{
	release(reader);
	reader->nr_lent = queue_lend(&reader->queue, samples, max);
	return reader->nr_lent;
}

/* Return the file offset of samples[@nr] of the last reader_samples(). */
u64 reader_sample_offset(const struct reader *reader, size_t nr)
{
	return queue_offset(&reader->queue, nr);
}

/*
 * Return @samples[@nr] as a struct record, as reader_next() would. @samples is the
 * result of the last reader_samples().
 */
struct record reader_sample_record(const struct reader *reader, const struct lent_sample *samples,
				   size_t nr)
{
	struct record record = { .data = samples[nr].data, .time = samples[nr].time,
				 .offset = reader_sample_offset(reader, nr),
				 .event = &reader->events[samples[nr].event] };

	memcpy(&record.header, record.data, sizeof(record.header));
	return record;
}

/* Free the reader. The caller closes the file descriptor. */
void reader_close(struct reader *reader)
{
	free_records(reader);
	features_free(&reader->features);
	free(reader->horizon.times);
	free(reader->events);
	free(reader->ids);
	reader->horizon.times = NULL;
	reader->events = NULL;
	reader->ids = NULL;
}
