// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - mmap(2) and ADVANCE: records are read in place
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/stream.h"
#include "harness/test.h"

#define FIRST_IP	(1ULL << 32)
#define SAMPLE_BYTES	56
/* See BYTES_PER_CHUNK in kmod/stream/fifo.c. */
#define BYTES_PER_CHUNK	128

FIXTURE(advance) {
	int		fd;
	__u32		key;
	size_t		bytes;
	const char	*map;
	struct stream	stream;
	struct tprof_lx_span span;
};

static const char *map_queue(int fd, size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
}

FIXTURE_SETUP(advance)
{
	struct tprof_lx_info info = {};

	self->key = getpid();
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, session_info(self->fd, &info));
	ASSERT_TRUE(info.features & TPROF_LX_FEATURE_MAPPING);
	self->bytes = info.fifo_min;
	ASSERT_EQ(0, session_small(self->fd, 1 << 20, self->bytes));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	self->map = map_queue(self->fd, 2 * self->bytes);
	ASSERT_NE(MAP_FAILED, self->map);
}

FIXTURE_TEARDOWN(advance)
{
	stream_free(&self->stream);
	munmap((void *)self->map, 2 * self->bytes);
	close(self->fd);
}

static int advance(int fd, struct tprof_lx_span *span)
{
	span->size = sizeof(*span);
	return session_ioctl(fd, TPROF_LX_IOC_ADVANCE, span);
}

static int emit(FIXTURE_DATA(advance) *self, __u64 first, __u64 count)
{
	struct tprof_lx_fake_emit samples = {
		.key	= self->key,
		.user	= 1,
		.batch	= 100,
		.period	= TPROF_LX_FAKE_MIN_PERIOD,
		.ip	= { FIRST_IP + first },
		.span	= count,
		.count	= { count },
	};

	return fake_emit(&samples);
}

static int emit_to_queue(FIXTURE_DATA(advance) *self, __u64 first, __u64 count)
{
	return emit(self, first, count) ?: session_flush(self->fd);
}

/* Append the records of @self->span to @self->stream. */
static int take(FIXTURE_DATA(advance) *self)
{
	return stream_append(&self->stream, self->map + self->span.offset, self->span.bytes);
}

/* Take records until the end of the stream. Sleep in poll(2) while there are none. */
static int take_all(FIXTURE_DATA(advance) *self)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	int err;

	for (;;) {
		err = advance(self->fd, &self->span);
		if (err < 0 || self->span.is_end)
			return err < 0 ? err : stream_index(&self->stream);
		err = take(self);
		if (err)
			return err;
		if (!self->span.bytes && poll(&pfd, 1, 10000) != 1)
			return -ETIMEDOUT;
	}
}

/* Return true if the stream contains exactly the samples 0 to @count - 1, in order. */
static bool is_complete(const struct stream *stream, __u64 count)
{
	return stream_has_samples(stream, FIRST_IP, count);
}

static __u64 delivered(int fd)
{
	struct tprof_lx_stats stats = {};

	return session_stats(fd, TPROF_LX_SUM, 0, &stats) ? ~0ULL : stats.ledger.delivered;
}

TEST_F(advance, mapping_has_what_read_returns)
{
	static char copy[1 << 16];

	ASSERT_EQ(0, emit_to_queue(self, 0, 500));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	ASSERT_LE(500 * SAMPLE_BYTES, self->span.bytes);
	EXPECT_EQ(0, self->span.is_end);
	ASSERT_EQ(self->span.bytes, read(self->fd, copy, sizeof(copy)));
	EXPECT_EQ(0, memcmp(copy, self->map + self->span.offset, self->span.bytes));
	/* read(2) has removed them. */
	EXPECT_EQ(-EINVAL, advance(self->fd, &self->span));
	self->span.bytes = 0;
	EXPECT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(0, self->span.bytes);
}

TEST_F(advance, records_at_the_end_continue_in_the_second_mapping)
{
	unsigned int nr_wraps = 0;

	for (__u64 i = 0; i < 100; i++) {
		ASSERT_EQ(0, emit_to_queue(self, i * 700, 700));
		ASSERT_EQ(0, advance(self->fd, &self->span));
		ASSERT_EQ(0, take(self));
		ASSERT_GT(self->bytes, self->span.offset);
		nr_wraps += self->span.offset + self->span.bytes > self->bytes;
		ASSERT_EQ(0, advance(self->fd, &self->span));
		ASSERT_EQ(0, self->span.bytes);
	}
	EXPECT_LT(10, nr_wraps);
	ASSERT_EQ(0, stream_index(&self->stream));
	EXPECT_TRUE(is_complete(&self->stream, 70000));
}

TEST_F(advance, records_stay_until_they_are_removed)
{
	ASSERT_EQ(0, emit_to_queue(self, 0, 100));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(0, delivered(self->fd));
	ASSERT_EQ(0, emit_to_queue(self, 100, 100));
	ASSERT_EQ(0, take(self));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(100, delivered(self->fd));
	ASSERT_EQ(0, take(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, take_all(self) ?: advance(self->fd, &self->span));
	EXPECT_EQ(200, delivered(self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(advance, part_of_a_record_removes_none)
{
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, emit_to_queue(self, 0, 10));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	self->span.bytes = 4 * SAMPLE_BYTES - 1;
	ASSERT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(3, delivered(self->fd));
	self->span.bytes = 1;
	ASSERT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(3, delivered(self->fd));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(3 * SAMPLE_BYTES, stats.bytes_read);
	EXPECT_EQ(7, stats.ledger.queued);
}

TEST_F(advance, other_records_cannot_be_removed)
{
	struct tprof_lx_span span;

	ASSERT_EQ(0, emit_to_queue(self, 0, 10));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	span = self->span;
	span.bytes++;
	EXPECT_EQ(-EINVAL, advance(self->fd, &span));
	span.bytes = ~0ULL;
	EXPECT_EQ(-EINVAL, advance(self->fd, &span));
	span = self->span;
	span.offset += SAMPLE_BYTES;
	span.bytes -= SAMPLE_BYTES;
	EXPECT_EQ(-EINVAL, advance(self->fd, &span));
	span = self->span;
	span.offset += self->bytes;
	EXPECT_EQ(-EINVAL, advance(self->fd, &span));
	EXPECT_EQ(0, delivered(self->fd));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	self->span.bytes = 0;
	ASSERT_EQ(0, take_all(self));
	EXPECT_TRUE(is_complete(&self->stream, 10));
}

TEST_F(advance, end_is_reported_again_and_again)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };

	ASSERT_EQ(0, emit(self, 0, 10));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, take_all(self));
	EXPECT_TRUE(is_complete(&self->stream, 10));
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLIN | POLLHUP, pfd.revents);
	EXPECT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(1, self->span.is_end);
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(0, self->span.is_end);
}

/* The samples take three times the size of the queue, so the worker must wait. */
TEST_F(advance, full_queue_goes_on_when_records_are_removed)
{
	__u64 nr = 3 * self->bytes / SAMPLE_BYTES;

	ASSERT_EQ(0, emit(self, 0, nr));
	EXPECT_EQ(-EAGAIN, session_flush(self->fd));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, take_all(self));
	EXPECT_TRUE(is_complete(&self->stream, nr));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/*
 * Each flush moves one sample, so the queue is full of chunks when most of its bytes are
 * free.
 */
TEST_F(advance, queue_full_of_chunks_loses_nothing)
{
	__u64 nr = 0, limit = self->bytes / BYTES_PER_CHUNK;
	int err = 0;

	while (!err && nr < limit) {
		ASSERT_EQ(0, emit(self, nr++, 1));
		err = session_flush(self->fd);
	}
	EXPECT_EQ(-EAGAIN, err);
	ASSERT_EQ(0, advance(self->fd, &self->span));
	EXPECT_GT(self->bytes / 2, self->span.bytes);
	self->span.bytes = 0;
	ASSERT_EQ(0, emit(self, nr, 100));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, take_all(self));
	EXPECT_TRUE(is_complete(&self->stream, nr + 100));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

static int map_error(int fd, size_t bytes, int prot, int flags)
{
	void *map = mmap(NULL, bytes, prot, flags, fd, 0);

	if (map == MAP_FAILED)
		return errno;
	munmap(map, bytes);
	return 0;
}

TEST_F(advance, mapping_can_only_be_read)
{
	size_t bytes = 2 * self->bytes;

	EXPECT_EQ(EPERM, map_error(self->fd, bytes, PROT_READ | PROT_WRITE, MAP_SHARED));
	EXPECT_EQ(EPERM, map_error(self->fd, bytes, PROT_READ | PROT_EXEC, MAP_SHARED));
	EXPECT_EQ(EINVAL, map_error(self->fd, bytes, PROT_READ, MAP_PRIVATE));
	EXPECT_EQ(-1, mprotect((void *)self->map, bytes, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(-1, mprotect((void *)self->map, bytes, PROT_READ | PROT_EXEC));
	EXPECT_EQ(EACCES, errno);
}

TEST_F(advance, file_that_cannot_be_written_can_be_mapped)
{
	int fd = open(DEVICE, O_RDONLY | O_CLOEXEC);
	void *map;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_small(fd, 1 << 20, self->bytes));
	ASSERT_EQ(0, event_fake(fd, self->key + 1));
	ASSERT_EQ(0, session_start(fd, 1));
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	EXPECT_NE(MAP_FAILED, map);
	EXPECT_EQ(-1, mprotect(map, 4096, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	munmap(map, 4096);
	close(fd);
}

/* ADVANCE writes its struct. If that fails, it must not have removed records. */
TEST_F(advance, struct_that_cannot_be_written_removes_no_records)
{
	struct tprof_lx_span *span = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, span);
	ASSERT_EQ(0, emit_to_queue(self, 0, 100));
	ASSERT_EQ(0, advance(self->fd, span));
	ASSERT_LT(0, span->bytes);
	self->span = *span;
	ASSERT_EQ(0, mprotect(span, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, session_ioctl(self->fd, TPROF_LX_IOC_ADVANCE, span));
	EXPECT_EQ(0, advance(self->fd, &self->span));
	munmap(span, 4096);
}

TEST_F(advance, mapping_is_bounded_by_the_queue)
{
	size_t bytes = 2 * self->bytes;
	int idle = session_open(0);

	EXPECT_EQ(0, map_error(self->fd, 4096, PROT_READ, MAP_SHARED));
	EXPECT_EQ(ENXIO, map_error(self->fd, bytes + 4096, PROT_READ, MAP_SHARED));
	EXPECT_EQ(MAP_FAILED, mremap((void *)self->map, bytes, bytes + 4096, MREMAP_MAYMOVE));
	ASSERT_LE(0, idle);
	EXPECT_EQ(ENXIO, map_error(idle, 4096, PROT_READ, MAP_SHARED));
	close(idle);
}

TEST_F(advance, two_mappings_have_the_same_records)
{
	const char *second = map_queue(self->fd, 2 * self->bytes);

	ASSERT_NE(MAP_FAILED, second);
	ASSERT_EQ(0, emit_to_queue(self, 0, 100));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	EXPECT_EQ(0, memcmp(self->map, second, 2 * self->bytes));
	/* A part can be removed, and the rest stays. */
	ASSERT_EQ(0, munmap((void *)second, 4096));
	EXPECT_EQ(0, memcmp(self->map + 4096, second + 4096, 2 * self->bytes - 4096));
	ASSERT_EQ(0, munmap((void *)second, 2 * self->bytes));
}

TEST_F(advance, child_does_not_inherit_the_mapping)
{
	unsigned char present;
	int status;
	pid_t pid;

	EXPECT_EQ(0, mincore((void *)self->map, 4096, &present));
	pid = fork();
	if (!pid)
		_exit(mincore((void *)self->map, 4096, &present) ? errno : 0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(ENOMEM, WEXITSTATUS(status));
}

TEST_F(advance, session_ends_with_its_last_mapping)
{
	int before = sessions_left();

	ASSERT_EQ(0, emit_to_queue(self, 0, 100));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	ASSERT_EQ(0, close(self->fd));
	EXPECT_EQ(before, sessions_left());
	ASSERT_EQ(0, take(self) ?: stream_index(&self->stream));
	EXPECT_TRUE(is_complete(&self->stream, 100));
	ASSERT_EQ(0, munmap((void *)self->map, 2 * self->bytes));
	EXPECT_GT(before, sessions_left());
}

/* CONFIG frees the queue, but not the pages that are mapped. */
TEST_F(advance, old_mapping_keeps_the_old_queue)
{
	static char copy[1 << 17];
	const char *map;

	ASSERT_EQ(0, emit(self, 0, 100));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, take_all(self));
	memcpy(copy, self->map, 2 * self->bytes);
	ASSERT_EQ(0, session_small(self->fd, 1 << 20, 2 * self->bytes));
	EXPECT_EQ(ENXIO, map_error(self->fd, 4096, PROT_READ, MAP_SHARED));
	ASSERT_EQ(0, session_start(self->fd, 1));
	map = map_queue(self->fd, 4 * self->bytes);
	ASSERT_NE(MAP_FAILED, map);
	ASSERT_EQ(0, emit_to_queue(self, 100, 100));
	ASSERT_EQ(0, advance(self->fd, &self->span));
	ASSERT_LE(100 * SAMPLE_BYTES, self->span.bytes);
	EXPECT_NE(0, memcmp(map + self->span.offset, self->map, 100 * SAMPLE_BYTES));
	EXPECT_EQ(0, memcmp(copy, self->map, 2 * self->bytes));
	ASSERT_EQ(0, munmap((void *)map, 4 * self->bytes));
}

TEST_HARNESS_MAIN
