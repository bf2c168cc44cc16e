// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - read a session and decode its records
 *
 * Only the layout that attr_init() requests can be decoded, with or without the CPU. A record
 * that is too short for this layout is an error.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/stream.h"

#define READ_BYTES	(1U << 20)

struct sample {
	struct perf_event_header header;
	__u64	id;
	__u64	ip;
	__u32	pid;
	__u32	tid;
	__u64	time;
	__u64	rest[];		/* the CPU, unless it is omitted, and the period */
};

struct trailer {
	__u32	pid;
	__u32	tid;
	__u64	time;
	__u64	rest[];		/* the CPU, unless it is omitted, and the id */
};

/* Return the length of @rest in a record of the stream. */
static size_t rest_bytes(const struct stream *stream)
{
	return (stream->omits_cpu ? 1 : 2) * sizeof(__u64);
}

void stream_free(struct stream *stream)
{
	free(stream->data);
	free(stream->index);
	*stream = (struct stream){ .omits_cpu = stream->omits_cpu };
}

static int make_room(struct stream *stream, size_t bytes)
{
	size_t room = 2 * stream->room + 4 * bytes;
	char *data;

	if (stream->room - stream->bytes >= bytes)
		return 0;
	data = realloc(stream->data, room);
	if (!data)
		return -ENOMEM;
	stream->data = data;
	stream->room = room;
	return 0;
}

/* Append @data, which the test has read itself. */
int stream_append(struct stream *stream, const void *data, size_t bytes)
{
	int err = make_room(stream, bytes);

	if (err)
		return err;
	memcpy(stream->data + stream->bytes, data, bytes);
	stream->bytes += bytes;
	return 0;
}

/* Call read(2) once. Return the number of bytes, 0 at the end, or -errno. */
int stream_read_some(struct stream *stream, int fd)
{
	ssize_t len;
	int err;

	err = make_room(stream, READ_BYTES);
	if (err)
		return err;
	len = read(fd, stream->data + stream->bytes, READ_BYTES);
	if (len < 0)
		return -errno;
	stream->bytes += len;
	stream->is_at_end = !len;
	return len;
}

/* Drop all previous records, call read(2) once, and decode the new records. */
int stream_read_portion(struct stream *stream, int fd)
{
	int ret;

	stream->bytes = 0;
	ret = stream_read_some(stream, fd);
	return ret > 0 && stream_index(stream) ? -EBADMSG : ret;
}

/* Read to the end and decode all records. Return -ETIMEDOUT if this takes over @ms ms. */
int stream_read_to_end(struct stream *stream, int fd, unsigned int ms)
{
	__u64 deadline = now_ns() + ms * NSEC_PER_MSEC;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int ret;

	do {
		if (now_ns() > deadline)
			return -ETIMEDOUT;
		if (poll(&poll_fd, 1, 100) <= 0)
			continue;
		ret = stream_read_some(stream, fd);
		if (ret < 0 && ret != -EAGAIN && ret != -EINTR)
			return ret;
	} while (!stream->is_at_end);
	return stream_index(stream);
}

/* Read a stopped session to its end. A session that takes more than 20 s hangs. */
int stream_read_all(struct stream *stream, int fd)
{
	return stream_read_to_end(stream, fd, 20000);
}

/*
 * Repeat FLUSH and read until FLUSH has succeeded and no record is left. At the end of the
 * last FLUSH, the rings are empty. The file has O_NONBLOCK.
 */
int stream_flush(struct stream *stream, int fd)
{
	int err;

	while ((err = session_flush(fd)) == -EAGAIN) {
		err = stream_read_some(stream, fd);
		if (err < 0)
			return err;
	}
	while (!err && stream_read_some(stream, fd) > 0)
		;
	return err;
}

/*
 * Write 3 * @ring_bytes of marks to this CPU's ring, and read and drop them. Later
 * records overwrite these marks, so a test can find stale bytes by the text of the
 * marks. The session has to be running.
 */
int stream_soil(struct stream *stream, int fd, size_t ring_bytes)
{
	char text[TPROF_LX_MARK_LEN] = "";
	int err;

	memset(text, 'x', sizeof(text) - 1);
	for (size_t bytes = 0; bytes < 3 * ring_bytes; bytes += sizeof(text)) {
		err = session_mark(fd, 0, text) ?: session_flush(fd);
		if (!err)
			err = stream_read_portion(stream, fd);
		if (err < 0)
			return err;
	}
	stream->bytes = 0;
	return 0;
}

/* Decode the CPU, if @rest has it, and set @value to the other field of @rest. */
static int decode_rest(const struct stream *stream, struct record *record, const __u64 *rest,
		       __u64 *value)
{
	*value = stream->omits_cpu ? rest[0] : rest[1];
	if (stream->omits_cpu)
		return 0;
	record->cpu = rest[0];
	return rest[0] >> 32 ? -EBADMSG : 0;
}

static int decode_sample(const struct stream *stream, struct record *record)
{
	const struct sample *sample = (const void *)record->header;
	size_t bytes = sizeof(*sample) + rest_bytes(stream);

	if (record->header->size < bytes)
		return -EBADMSG;
	record->body = (const char *)sample + bytes;
	record->body_bytes = record->header->size - bytes;
	record->id = sample->id;
	record->ip = sample->ip;
	record->pid = sample->pid;
	record->tid = sample->tid;
	record->time = sample->time;
	return decode_rest(stream, record, sample->rest, &record->period);
}

static int decode_side(const struct stream *stream, struct record *record)
{
	const struct trailer *trailer;
	size_t bytes = sizeof(*trailer) + rest_bytes(stream);

	if (record->header->size < sizeof(*record->header) + bytes)
		return -EBADMSG;
	record->body_bytes -= bytes;
	trailer = record->body + record->body_bytes;
	record->pid = trailer->pid;
	record->tid = trailer->tid;
	record->time = trailer->time;
	return decode_rest(stream, record, trailer->rest, &record->id);
}

static int decode(const struct stream *stream, const struct perf_event_header *header,
		  size_t left, struct record *record)
{
	memset(record, 0, sizeof(*record));
	record->header = header;
	if (left < sizeof(*header) || header->size < sizeof(*header) ||
	    header->size > left || header->size % sizeof(__u64))
		return -EBADMSG;
	record->body = header + 1;
	record->body_bytes = header->size - sizeof(*header);

	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		return decode_sample(stream, record);
	case RECORD_FINISHED_ROUND:
		return record->body_bytes ? -EBADMSG : 0;
	default:
		return decode_side(stream, record);
	}
}

/* Decode all records. Return -EBADMSG if the layout of a record is wrong. */
int stream_index(struct stream *stream)
{
	size_t nr_max = stream->bytes / sizeof(struct perf_event_header) + 1;
	size_t at = 0;
	int err = 0;

	free(stream->index);
	stream->nr_records = 0;
	stream->index = calloc(nr_max, sizeof(*stream->index));
	if (!stream->index)
		return -ENOMEM;
	while (at < stream->bytes && !err) {
		struct record *record = stream->index + stream->nr_records;

		err = decode(stream, (const void *)(stream->data + at),
			     stream->bytes - at, record);
		at += record->header->size;
		stream->nr_records += !err;
	}
	return err;
}

/* Compare by time. Records with equal times keep the order of the stream. */
static int compare(const void *a, const void *b)
{
	const struct record *first = a, *second = b;

	if (first->time != second->time)
		return first->time < second->time ? -1 : 1;
	return first->header < second->header ? -1 : 1;
}

/* Sort records by time. Drop FINISHED_ROUND records, which have no time. */
int stream_sort(struct stream *stream)
{
	size_t kept = 0;

	for (size_t i = 0; i < stream->nr_records; i++)
		if (stream->index[i].header->type != RECORD_FINISHED_ROUND)
			stream->index[kept++] = stream->index[i];
	stream->nr_records = kept;
	qsort(stream->index, kept, sizeof(*stream->index), compare);
	return 0;
}

/* Stop the session, read the remaining records, and sort all records by time. */
int stream_finish(struct stream *stream, int fd)
{
	int err = session_stop(fd, ALL_EVENTS);

	err = err ?: stream_read_all(stream, fd);
	return err ?: stream_sort(stream);
}

size_t stream_count(const struct stream *stream, __u32 type)
{
	const struct record *record;
	size_t count = 0;

	for_each_record_type(record, stream, type)
		count++;
	return count;
}

/* Return the first record of @type about process @pid (0: any), or NULL. */
const struct record *stream_find(const struct stream *stream, __u32 type,
				 __u32 pid)
{
	const struct record *record;

	for_each_record_type(record, stream, type)
		if (!pid || *(const __u32 *)record->body == pid)
			return record;
	return NULL;
}

static bool is_mode(const struct record *record, __u16 mode)
{
	return (record->header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == mode;
}

/*
 * Return true if @stream has exactly @count samples, at the addresses from @first_ip on, in
 * order.
 */
bool stream_has_samples(const struct stream *stream, __u64 first_ip, __u64 count)
{
	const struct record *record;
	__u64 next = 0;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE)
		if (record->ip != first_ip + next++)
			return false;
	return next == count;
}

bool record_is_user(const struct record *record)
{
	return is_mode(record, PERF_RECORD_MISC_USER);
}

bool record_is_kernel(const struct record *record)
{
	return is_mode(record, PERF_RECORD_MISC_KERNEL);
}

/* Return the call chain at the start of a sample's body, and its length in *@nr. */
const __u64 *record_chain(const struct record *record, __u64 *nr)
{
	const __u64 *chain = record->body;

	*nr = *chain;
	return chain + 1;
}

/* Return PERF_SAMPLE_RAW of a sample, which follows the call chain; ~0 if it is no __u32. */
__u32 record_raw(const struct record *record)
{
	__u64 nr;
	const __u64 *chain = record_chain(record, &nr);
	const __u32 *raw = (const __u32 *)(chain + nr);

	return raw[0] == sizeof(*raw) ? raw[1] : ~0U;
}
