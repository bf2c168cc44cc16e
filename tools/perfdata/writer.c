// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - perf.data writer, for files and pipes
 *
 * Records are written unchanged. writer_checkpoint(), called from time to time, rewrites
 * the header, so that the records so far can be read if the recorder is killed.
 * Disk space for the features is reserved before records are written, so that the file
 * can be completed even if the disk is full.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "perfdata/record_types.h"
#include "perfdata/writer.h"

/* Reserve disk space in steps: one fallocate(2) per write costs too much. */
#define ALLOCATION_STEP		(4U << 20)
/* On a full disk, do not try to write fewer bytes than this. */
#define SMALLEST_WRITE		4096

/* Longest wait for a full pipe after the end of the recording was requested. */
#define PATIENCE_MS		3000

/*
 * Wait until the pipe can be written to. Return 0; -ETIMEDOUT if the pipe is full for
 * PATIENCE_MS after the end of the recording was requested.
 */
static int wait_writable(struct writer *writer)
{
	const struct write_hurry *hurry = &writer->hurry;
	struct pollfd fds[] = {
		{ .fd = writer->fd, .events = POLLOUT },
		{ .fd = hurry->is_asked ? hurry->fd : -1, .events = POLLIN },
	};
	bool is_hurried;
	int n;

	do {
		is_hurried = hurry->is_asked && hurry->is_asked(hurry->arg);
		n = poll(fds, ARRAY_SIZE(fds), is_hurried ? PATIENCE_MS : -1);
		if (n == 0)
			return -ETIMEDOUT;
	} while (n < 0 || !fds[0].revents);
	return 0;
}

/* Write at most PIPE_BUF bytes after poll(2), so that write(2) never blocks. */
static ssize_t write_pipe(struct writer *writer, const void *data, size_t len)
{
	ssize_t n;

	if (!writer->pipe_err)
		writer->pipe_err = wait_writable(writer);
	if (!writer->pipe_err) {
		n = write(writer->fd, data, len < PIPE_BUF ? len : PIPE_BUF);
		if (n >= 0 || errno == EINTR || errno == EAGAIN)
			return n;
		writer->pipe_err = -errno;
	}
	errno = -writer->pipe_err;
	return -1;
}

/*
 * Write @len bytes to a file at @offset, or to a pipe. Even on failure, set *@written to
 * the number of bytes written.
 */
static int write_all(struct writer *writer, const void *data, size_t len,
		     u64 offset, size_t *written)
{
	ssize_t n;

	*written = 0;
	while (*written < len) {
		const char *rest = (const char *)data + *written;

		if (writer->pipe)
			n = write_pipe(writer, rest, len - *written);
		else
			n = pwrite(writer->fd, rest, len - *written, offset + *written);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n == 0)
			return -EIO;
		if (n > 0)
			*written += n;
	}
	return 0;
}

static int put(struct writer *writer, const void *data, size_t len, u64 offset)
{
	size_t written;

	return write_all(writer, data, len, offset, &written);
}

static int put_next(struct writer *writer, const void *data, size_t len)
{
	int err = put(writer, data, len, writer->end);

	if (!err)
		writer->end += len;
	return err;
}

static int put_bytes(struct writer *writer, struct bytes *buf)
{
	int err = bytes_err(buf);

	if (!err)
		err = put_next(writer, buf->data, buf->len);
	bytes_free(buf);
	return err;
}

/*
 * Write the header of a file with records up to @end. The caller has written everything that
 * the header points to.
 */
static int put_header(struct writer *writer, u64 end, u64 features)
{
	u64 attr_size = PERFDATA_ATTR_SIZE + sizeof(struct perfdata_section);
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC,
		.size = sizeof(header),
		.attr_size = attr_size,
		.attrs = { writer->attrs, writer->nr_events * attr_size },
		.data = { writer->data, end - writer->data },
		.features = { (u32)features },
	};

	header.features[PERFDATA_TPROF_BIT / 64] |= features >> PERFDATA_TPROF_FIRST
						    << PERFDATA_TPROF_BIT % 64;
	return put(writer, &header, sizeof(header), 0);
}

static void add_ids(struct bytes *buf, const struct perfdata_event *event)
{
	bytes_add_u64(buf, event->id);
	bytes_add(buf, event->more_ids, event->nr_more_ids * sizeof(u64));
}

static int begin_file(struct writer *writer, const struct perfdata_event *events, u32 nr)
{
	struct perfdata_section ids = { .offset = sizeof(struct perfdata_header) };
	struct bytes buf = { 0 };
	int err;
	u32 i;

	writer->end = sizeof(struct perfdata_header);
	for (i = 0; i < nr; i++)
		add_ids(&buf, &events[i]);
	writer->attrs = writer->end + buf.len;
	for (i = 0; i < nr; i++, ids.offset += ids.size) {
		ids.size = (1 + events[i].nr_more_ids) * sizeof(u64);
		bytes_add(&buf, &events[i].attr, PERFDATA_ATTR_SIZE);
		bytes_add(&buf, &ids, sizeof(ids));
	}
	err = put_bytes(writer, &buf);
	writer->data = writer->end;
	writer->last = writer->end;
	return err ? err : put_header(writer, writer->end, 0);
}

static void add_attr_record(struct bytes *buf, const struct perfdata_event *event)
{
	struct perf_event_header header = {
		.type = PERFDATA_HEADER_ATTR,
		.size = sizeof(header) + PERFDATA_ATTR_SIZE +
			(1 + event->nr_more_ids) * sizeof(u64),
	};

	bytes_add(buf, &header, sizeof(header));
	bytes_add(buf, &event->attr, PERFDATA_ATTR_SIZE);
	add_ids(buf, event);
}

/* Append a HEADER_FEATURE record, unless the feature is too large for a record. */
static void add_feature_record(struct bytes *buf, u32 bit, const struct bytes *section)
{
	size_t len = sizeof(struct perf_event_header) + sizeof(u64) + section->len;
	size_t padded = ALIGN_UP(len, 8);
	struct perf_event_header header = { .type = PERFDATA_HEADER_FEATURE, .size = padded };

	if (padded > PERFDATA_RECORD_LIMIT)
		return;
	bytes_add(buf, &header, sizeof(header));
	bytes_add_u64(buf, bit);
	bytes_add(buf, section->data, section->len);
	bytes_extend(buf, padded - len);
}

static int send_features(struct writer *writer, const struct feature_set *features)
{
	const struct bytes *section;
	struct bytes buf = { 0 };
	u32 bit;

	/*
	 * Omit features from PERFDATA_TPROF_FIRST on: recording_embed() makes them from a
	 * complete file.
	 */
	for (bit = 0; bit < PERFDATA_TPROF_FIRST; bit++) {
		section = &features->section[bit];
		if (!section->len || writer->sent & 1U << bit)
			continue;
		if (bit == PERFDATA_BUILD_ID)
			bytes_add(&buf, section->data, section->len);
		else
			add_feature_record(&buf, bit, section);
		writer->sent |= 1U << bit;
	}
	return put_bytes(writer, &buf);
}

static int begin_pipe(struct writer *writer, const struct perfdata_event *events,
		      u32 nr, const struct feature_set *features)
{
	struct perfdata_pipe_header header = { PERFDATA_MAGIC, sizeof(header) };
	struct bytes buf = { 0 };
	int err;
	u32 i;

	bytes_add(&buf, &header, sizeof(header));
	for (i = 0; i < nr; i++)
		add_attr_record(&buf, &events[i]);
	err = put_bytes(writer, &buf);
	return err ? err : send_features(writer, features);
}

/*
 * Write the header and the events to @fd, a pipe or an empty file. To a pipe, also write
 * the features that @features has so far; writer_end() writes all others.
 */
int writer_begin(struct writer *writer, int fd, bool pipe,
		 const struct perfdata_event *events, u32 nr,
		 const struct feature_set *features)
{
	struct rlimit limit = { .rlim_cur = RLIM_INFINITY };

	getrlimit(RLIMIT_FSIZE, &limit);
	*writer = (struct writer){
		.fd = fd,
		.pipe = pipe,
		.nr_events = nr,
		.limit = limit.rlim_cur,
		.can_allocate = !pipe,
	};
	if (pipe)
		return begin_pipe(writer, events, nr, features);
	return begin_file(writer, events, nr);
}

/* Reserve disk space up to @end, unless the file system does not support it. */
static int allocate(struct writer *writer, u64 end)
{
	if (fallocate(writer->fd, FALLOC_FL_KEEP_SIZE, writer->allocated,
		      end - writer->allocated) == 0) {
		writer->allocated = end;
		return 0;
	}
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO)
		return -errno;
	writer->can_allocate = false;
	return 0;
}

static int make_room(struct writer *writer, size_t len)
{
	u64 end = writer->end + len + writer->tail;

	if (!writer->can_allocate)
		return 0;
	/*
	 * Check RLIMIT_FSIZE here: fallocate(2) with KEEP_SIZE ignores it, but
	 * write(2) would fail.
	 */
	if (end > writer->limit)
		return -EFBIG;
	if (end <= writer->allocated)
		return 0;
	if (allocate(writer, end + ALLOCATION_STEP) == 0)
		return 0;
	return allocate(writer, end);
}

/*
 * Write records. Set @written to the size of the whole records that were written, which
 * is less than @len only on failure. Return 0 or -errno. After a failure, writer_end()
 * can still complete a file, but nothing more is written to a pipe.
 */
int writer_append(struct writer *writer, const void *records, size_t len,
		  size_t *written)
{
	int full = make_room(writer, len);
	size_t fits = len;
	int err;

	writer->last = writer->end;
	while (fits && make_room(writer, fits))
		fits = fits < SMALLEST_WRITE ? 0 : record_whole_bytes(records, fits / 2);
	err = write_all(writer, records, fits, writer->end, written);
	if (err)
		*written = record_whole_bytes(records, *written);
	writer->end += *written;
	return err ? err : full;
}

/*
 * Update the header, so that the records so far can be read if the recorder is killed. Leave
 * out those that were appended last: a file that is longer than its header says was never
 * finished, and reader.c reads it to its end.
 */
int writer_checkpoint(struct writer *writer)
{
	return writer->pipe ? 0 : put_header(writer, writer->last, 0);
}

/*
 * Truncate the file at @end, to free the reserved space. Ignore EINVAL: @fd may be a
 * device.
 */
static int cut(struct writer *writer, u64 end)
{
	while (ftruncate(writer->fd, end)) {
		if (errno == EINVAL)
			return 0;
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int end_file(struct writer *writer, const struct feature_set *features)
{
	struct bytes table = { 0 }, contents = { 0 };
	struct perfdata_section place = { 0 };
	const struct bytes *section;
	u64 end, bits = 0;
	int err, header_err, cut_err;
	u32 bit;

	place.offset = writer->end + features_size(features);
	for (bit = 0; bit < PERFDATA_NR_FEATURES; bit++)
		place.offset -= features->section[bit].len;
	for (bit = 0; bit < PERFDATA_NR_FEATURES; bit++) {
		section = &features->section[bit];
		if (!section->len)
			continue;
		bits |= 1ULL << bit;
		place.size = section->len;
		bytes_add(&table, &place, sizeof(place));
		bytes_add(&contents, section->data, section->len);
		place.offset += section->len;
	}
	bytes_add(&table, contents.data, contents.len);
	err = bytes_err(&contents) ? -ENOMEM : bytes_err(&table);
	/*
	 * First clear the feature bits: an earlier writer_end() may have set bits that
	 * do not match the new table.
	 */
	if (!err)
		err = put_header(writer, writer->end, 0);
	if (!err)
		err = put(writer, table.data, table.len, writer->end);
	end = writer->end + table.len;
	bytes_free(&contents);
	bytes_free(&table);

	/* If the features could not be written, the file ends after its records. */
	header_err = put_header(writer, writer->end, err ? 0 : bits);
	if (!err)
		err = header_err;
	cut_err = cut(writer, err ? writer->end : end);
	return err ? err : cut_err;
}

/* Write the features and, in a file, the final header. */
int writer_end(struct writer *writer, const struct feature_set *features)
{
	int err = features_err(features);

	if (err)
		return err;
	return writer->pipe ? send_features(writer, features) : end_file(writer, features);
}
