// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - compression of records in a thread
 *
 * Put random records into the packer, and write its output to a file. The reader must
 * return the same records in the same order.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "perfdata/packer.h"
#include "perfdata/reader.h"
#include "perfdata_test.h"
#include "unit.h"

static struct packer packer;
static struct writer writer;
static struct bytes plain;
static pthread_t settled_in;

static int settle(void)
{
	settled_in = pthread_self();
	return 0;
}

static int refuse(void)
{
	return -EPERM;
}

/* Append a sample that is not older than the last one. Add @extra bytes to its end. */
static void add_sample(size_t extra)
{
	static u64 time = FIRST_TIME;
	struct perf_event_header *header;
	size_t at = plain.len;
	u8 *filler;

	make_sample(&plain, 0, time += random() % 1000, 0x400000 + random() % 4096, random() % 4);
	header = (struct perf_event_header *)(plain.data + at);
	header->size += extra;
	filler = bytes_extend(&plain, extra);
	for (size_t i = 0; i < extra; i++)
		filler[i] = random() % 4;
}

/* Make about @size bytes of small samples. One sample in 300 is as large as possible. */
static void make_plain(size_t size)
{
	bytes_free(&plain);
	while (plain.len < size)
		add_sample(random() % 300 ? 8 * (random() % 20) : 65528 - 56);
}

static void write_parcel(const struct parcel *parcel)
{
	size_t len, written;
	const void *data = parcel_output(parcel, &len);

	if (writer_append(&writer, data, len, &written))
		abort();
	packer_pop(&packer);
}

static bool write_next(bool wait)
{
	const struct parcel *parcel = packer_peek(&packer, wait);

	if (parcel)
		write_parcel(parcel);
	return parcel;
}

/* Put all of @plain into the packer. With @lazy, write nothing before the parcels are full. */
static void put_all(bool lazy)
{
	for (size_t at = 0, put; at < plain.len; at += put) {
		put = packer_put(&packer, plain.data + at, plain.len - at);
		if (put ? !lazy : !write_next(true))
			while (write_next(false))
				;
	}
}

static int begin(int level)
{
	struct feature_set features = { 0 };
	int fd = open("/tmp", O_RDWR | O_TMPFILE, 0600);

	make_events();
	if (fd < 0 || writer_begin(&writer, fd, false, test_events, NR_EVENTS, &features))
		abort();
	return packer_begin(&packer, level, settle);
}

/* Read the file. Return the length in bytes of all records before the first wrong one. */
static size_t same_in_file(void)
{
	struct reader reader;
	struct record record;
	size_t at = 0;

	writer_checkpoint(&writer);
	lseek(writer.fd, 0, SEEK_SET);
	if (reader_open(&reader, writer.fd))
		return 0;
	while (reader_next(&reader, &record) > 0) {
		size_t size = record.header.size;

		if (!record.event)
			continue;
		if (at + size > plain.len || memcmp(record.data, plain.data + at, size))
			break;
		at += size;
	}
	reader_close(&reader);
	return at;
}

static void end(void)
{
	while (!packer_put_last(&packer))
		write_next(true);
	while (write_next(true))
		;
	packer_end(&packer);
}

static void test_round_trip(void)
{
	const struct packed_bytes *sums = &packer.sums;

	make_plain(8 << 20);
	unit_ok(!begin(1) && !pthread_equal(settled_in, pthread_self()),
		"the thread drops its privileges itself");
	put_all(false);
	end();
	unit_ok(same_in_file() == plain.len, "packed records are read as they were put");
	unit_ok(sums->before + sums->hurried == plain.len, "each byte is counted once");
	unit_ok(sums->after && sums->after < sums->before / 2,
		"compressed records have less than half the size");
	close(writer.fd);
}

/* Read the file to its end. Return 0 or -errno, and set *@is_same if it has all of @plain. */
static int read_to_end(int fd, bool *is_same)
{
	struct reader reader;
	struct record record;
	size_t at = 0, size;
	int ret;

	*is_same = true;
	lseek(fd, 0, SEEK_SET);
	ret = reader_open(&reader, fd);
	if (ret)
		return ret;
	while ((ret = reader_next(&reader, &record)) > 0) {
		if (!record.event)
			continue;
		size = record.header.size;
		*is_same &= at + size <= plain.len && !memcmp(record.data, plain.data + at, size);
		at += size;
	}
	*is_same &= at == plain.len;
	reader_close(&reader);
	return ret;
}

/* Call @damage for the compressed data of each record of the file. */
static size_t each_packed(int fd, size_t (*damage)(int fd, off_t from, off_t to))
{
	struct perfdata_header file;
	struct perf_event_header header;
	off_t at, end;
	size_t sum = 0;

	if (pread(fd, &file, sizeof(file), 0) != sizeof(file))
		abort();
	end = file.data.offset + file.data.size;
	for (at = file.data.offset; at < end; at += header.size) {
		if (pread(fd, &header, sizeof(header), at) != sizeof(header))
			abort();
		if (header.type == PERFDATA_COMPRESSED_DATA)
			sum += damage(fd, at + sizeof(header), at + header.size);
	}
	return sum;
}

/* Flip bits, one after the other. Return how many of them gave other records and no error. */
static size_t count_silent(int fd, off_t from, off_t to)
{
	size_t silent = 0;
	u8 byte, flipped;
	bool is_same;

	for (; from < to; from++) {
		if (pread(fd, &byte, 1, from) != 1)
			abort();
		flipped = byte ^ 1 << random() % 8;
		if (pwrite(fd, &flipped, 1, from) != 1)
			abort();
		silent += !read_to_end(fd, &is_same) && !is_same;
		if (pwrite(fd, &byte, 1, from) != 1)
			abort();
	}
	return silent;
}

static void test_damage(void)
{
	struct feature_set features = { 0 };
	bool is_same;

	bytes_free(&plain);
	for (int i = 0; i < 60; i++)
		add_sample(8 * (random() % 20));
	begin(3);
	put_all(false);
	end();
	writer_end(&writer, &features);
	unit_ok(!read_to_end(writer.fd, &is_same) && is_same,
		"a whole stream matches its checksum");
	unit_ok(!each_packed(writer.fd, count_silent),
		"no flipped bit in compressed records gives other records in silence");
	close(writer.fd);
}

/* The records written so far must be readable, as after the recorder was killed. */
static void test_part(void)
{
	make_plain(1 << 20);
	begin(3);
	put_all(false);
	while (packer.taken < 5)
		write_next(true);
	unit_ok(same_in_file() >= packer.sums.before && packer.sums.before,
		"records that were written are read before the end");
	end();
	close(writer.fd);
}

static void test_behind(void)
{
	make_plain(16 << 20);
	begin(19);
	put_all(true);
	end();
	unit_ok(packer.sums.hurried && packer.sums.before,
		"a thread that is behind leaves records uncompressed");
	unit_ok(same_in_file() == plain.len, "both kinds are read in the same order");
	close(writer.fd);
}

/* The walk over the records must end even if the bytes are no records. */
static void test_no_record(void)
{
	begin(1);
	bytes_free(&plain);
	bytes_extend(&plain, 100000);
	put_all(false);
	end();
	unit_ok(packer.sums.before + packer.sums.hurried == plain.len,
		"bytes that are no record are passed on");
	close(writer.fd);
}

static void test_failure(void)
{
	unit_ok(packer_begin(&packer, 1, refuse) == -EPERM && !packer.parcels,
		"nothing runs if privileges cannot be dropped");
}

int main(void)
{
	srandom(1);
	test_round_trip();
	test_damage();
	test_part();
	test_behind();
	test_no_record();
	test_failure();
	bytes_free(&plain);
	return unit_exit();
}
