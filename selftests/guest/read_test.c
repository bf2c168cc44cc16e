// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - read(2) returns whole records, and each record only once
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/mman.h>

#include "harness/absent_page.h"
#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

#define FIRST_IP	(1ULL << 32)

FIXTURE(read) {
	int		fd;
	__u32		key;
	struct stream	stream;
};

FIXTURE_SETUP(read)
{
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
}

FIXTURE_TEARDOWN(read)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int emit(FIXTURE_DATA(read) *self, __u64 count)
{
	return fake_emit_from(self->key, TPROF_LX_FAKE_TASK, count);
}

/* Return true if @stream contains exactly the samples 0 to @count - 1, in order. */
static bool is_complete(const struct stream *stream, __u64 count)
{
	return stream_has_samples(stream, FIRST_IP, count);
}

TEST_F(read, record_has_what_was_sampled)
{
	const struct record *record;
	__u64 before = now_ns();

	ASSERT_EQ(0, emit(self, 1));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	ASSERT_EQ(1, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	record = stream_find(&self->stream, PERF_RECORD_SAMPLE, 0);
	ASSERT_NE(NULL, record);
	EXPECT_EQ(FIRST_IP, record->ip);
	EXPECT_EQ(getpid(), record->pid);
	EXPECT_EQ(getpid(), record->tid);
	EXPECT_EQ(0, record->cpu);
	EXPECT_EQ(TPROF_LX_FAKE_MIN_PERIOD, record->period);
	EXPECT_LE(before, record->time);
	EXPECT_GE(now_ns(), record->time);
	EXPECT_TRUE(record_is_user(record));
}

TEST_F(read, returns_whole_records_only)
{
	char buf[56 * 3 + 55];
	ssize_t len;

	ASSERT_EQ(0, emit(self, 100));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	while ((len = read(self->fd, buf, sizeof(buf))) > 0) {
		ASSERT_EQ(0, stream_append(&self->stream, buf, len));
		ASSERT_EQ(0, stream_index(&self->stream));
	}
	ASSERT_EQ(0, len);
	EXPECT_TRUE(is_complete(&self->stream, 100));
}

TEST_F(read, fills_the_buffer)
{
	char buf[56 * 40 + 55];

	ASSERT_EQ(0, emit(self, 100));
	ASSERT_EQ(0, session_flush(self->fd));
	/*
	 * All records are in the fifo, so read(2) leaves less than one record (56
	 * bytes) of the buffer free.
	 */
	EXPECT_LT((ssize_t)sizeof(buf) - 56, read(self->fd, buf, sizeof(buf)));
}

TEST_F(read, too_small_buffer_is_einval_and_loses_nothing)
{
	char buf[55];

	ASSERT_EQ(0, emit(self, 20));
	ASSERT_EQ(0, session_flush(self->fd));
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(self->fd, buf, 1));
	EXPECT_EQ(EINVAL, errno);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(is_complete(&self->stream, 20));
}

TEST_F(read, bad_memory_is_efault_and_loses_nothing)
{
	struct tprof_lx_stats stats;
	char *page;

	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	ASSERT_EQ(0, emit(self, 20));
	ASSERT_EQ(0, session_flush(self->fd));

	EXPECT_EQ(-1, read(self->fd, page + 4096, 4096));
	EXPECT_EQ(EFAULT, errno);
	/* Only 30 bytes of this buffer are mapped: less than a record. */
	EXPECT_EQ(-1, read(self->fd, page + 4096 - 30, 4096));
	EXPECT_EQ(EFAULT, errno);
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(0, stats.ledger.delivered);
	EXPECT_EQ(20, stats.ledger.queued);

	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(is_complete(&self->stream, 20));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/**
 * struct read_call - a thread that calls read(2)
 * @fd:		file of the session
 * @page:	where the records go
 * @bytes:	result
 */
struct read_call {
	int			fd;
	struct absent_page	page;
	ssize_t			bytes;
};

static void *call_read(void *arg)
{
	struct read_call *call = arg;

	call->bytes = read(call->fd, call->page.page, ABSENT_BYTES);
	return NULL;
}

/* The page may be in a file system of the user, which never provides it. */
TEST_F(read, waiting_for_memory_holds_up_no_other_call)
{
	struct read_call call = { .fd = self->fd };
	struct tprof_lx_span span = { .size = sizeof(span) };
	pthread_t thread;

	if (access(USERFAULTFD, F_OK))
		SKIP(return, "this kernel has no userfaultfd");
	ASSERT_EQ(0, absent_page_make(&call.page));
	ASSERT_EQ(0, emit(self, 20));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, pthread_create(&thread, NULL, call_read, &call));
	ASSERT_EQ(0, absent_page_wait(&call.page));
	EXPECT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_ADVANCE, &span));
	EXPECT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, absent_page_provide(&call.page));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_LT(0, call.bytes);
	ASSERT_EQ(0, stream_append(&self->stream, call.page.page, call.bytes));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(is_complete(&self->stream, 20));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(read, nothing_to_read_is_eagain_when_nonblocking)
{
	char buf[4096];

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EAGAIN, errno);
	ASSERT_EQ(0, emit(self, 1));
	ASSERT_EQ(0, session_flush(self->fd));
	EXPECT_EQ(0, read(self->fd, buf, 0));
	EXPECT_LT(0, read(self->fd, buf, sizeof(buf)));
}

TEST_F(read, end_is_reported_again_and_again)
{
	char buf[4096];

	ASSERT_EQ(0, emit(self, 1));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_LT(0, read(self->fd, buf, sizeof(buf)));
	while (read(self->fd, buf, sizeof(buf)) > 0)
		;
	EXPECT_EQ(0, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(0, read(self->fd, buf, sizeof(buf)));
}

struct reader {
	int		fd;
	pthread_t	thread;
	struct stream	stream;
	int		ret;
};

static void *read_it(void *arg)
{
	struct reader *reader = arg;

	do {
		reader->ret = stream_read_some(&reader->stream, reader->fd);
	} while (reader->ret > 0);
	return NULL;
}

/*
 * Set seen[N] for each sample N. Return false if seen[N] was already set, or if N >= @nr.
 */
static bool mark_seen(struct stream *stream, bool *seen, __u64 nr)
{
	const struct record *record;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		__u64 nth = record->ip - FIRST_IP;

		if (nth >= nr || seen[nth])
			return false;
		seen[nth] = true;
	}
	return true;
}

#define TWO_READERS_SAMPLES	100000

TEST_F(read, two_threads_see_each_record_once)
{
	static bool seen[TWO_READERS_SAMPLES];
	struct reader readers[2] = {};
	__u64 sum = 0;

	for (int i = 0; i < 2; i++) {
		readers[i].fd = self->fd;
		ASSERT_EQ(0, pthread_create(&readers[i].thread, NULL, read_it,
					    &readers[i]));
	}
	/*
	 * Emit in portions that fit into the ring, and flush each, so that no
	 * sample is lost.
	 */
	for (int i = 0; i < 100; i++) {
		struct tprof_lx_fake_emit portion = {
			.key	= self->key,
			.user	= 1,
			.batch	= 100,
			.period	= TPROF_LX_FAKE_MIN_PERIOD,
			.ip	= { FIRST_IP + i * 1000 },
			.span	= 1000,
			.count	= { 1000 },
		};

		ASSERT_EQ(0, fake_emit(&portion));
		ASSERT_EQ(0, session_flush(self->fd));
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, pthread_join(readers[i].thread, NULL));
		EXPECT_EQ(0, readers[i].ret);
		ASSERT_EQ(0, stream_index(&readers[i].stream));
		sum += stream_count(&readers[i].stream, PERF_RECORD_SAMPLE);
		EXPECT_TRUE(mark_seen(&readers[i].stream, seen,
				      TWO_READERS_SAMPLES));
		stream_free(&readers[i].stream);
	}
	EXPECT_EQ(TWO_READERS_SAMPLES, sum);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/* A pass of the worker over the rings wakes the reader at most once. */
TEST_F(read, wakeups_are_far_fewer_than_samples)
{
	struct tprof_lx_stats stats;
	struct reader reader = { .fd = self->fd };

	ASSERT_EQ(0, pthread_create(&reader.thread, NULL, read_it, &reader));
	for (int i = 0; i < 20; i++) {
		ASSERT_EQ(0, emit(self, 1000));
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, pthread_join(reader.thread, NULL));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM,
				   &stats));
	EXPECT_EQ(reader.stream.bytes, stats.bytes_read);
	EXPECT_EQ(20000, stats.ledger.taken);
	EXPECT_GT(stats.ledger.taken / 10, stats.wakeups);
	stream_free(&reader.stream);
}

/* Each FLUSH is a pass, and the clock of flush_ms makes no further ones meanwhile. */
TEST_F(read, passes_are_counted)
{
	struct tprof_lx_config config = { .flush_ms = 10000 };
	struct tprof_lx_stats before, after;
	struct stream stream = {};

	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&stream, self->fd));
	ASSERT_EQ(0, session_config(self->fd, &config));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM, &before));
	for (int i = 0; i < 5; i++)
		ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM, &after));
	EXPECT_EQ(before.rounds, after.rounds);
	EXPECT_EQ(before.empty_rounds + 5, after.empty_rounds);
	ASSERT_EQ(0, emit(self, 10));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM, &after));
	EXPECT_EQ(before.rounds + 1, after.rounds);
	EXPECT_EQ(before.empty_rounds + 5, after.empty_rounds);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&stream, self->fd));
	stream_free(&stream);
}

TEST_HARNESS_MAIN
