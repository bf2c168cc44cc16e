// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - MARK and FLUSH
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(mark) {
	int		fd;
	__u32		key;
	struct stream	stream;
};

FIXTURE_SETUP(mark)
{
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
}

FIXTURE_TEARDOWN(mark)
{
	stream_free(&self->stream);
	close(self->fd);
}

TEST_F(mark, mark_is_between_its_neighbours)
{
	const struct record_cgroup *cgroup;
	const struct record *mark, *sample;
	__u64 before;

	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_emit_from(self->key, 0, 1));
	before = now_ns();
	ASSERT_EQ(0, session_mark(self->fd, 0x123456789abcdef, "half way"));
	ASSERT_EQ(0, fake_emit_from(self->key, 0, 1));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));

	mark = stream_find(&self->stream, RECORD_CGROUP, 0);
	ASSERT_NE(NULL, mark);
	cgroup = mark->body;
	EXPECT_EQ(0x123456789abcdef, cgroup->id);
	EXPECT_STREQ(TPROF_LX_MARK_PREFIX "half way", cgroup->path);
	EXPECT_EQ(getpid(), mark->pid);
	EXPECT_LE(before, mark->time);

	ASSERT_EQ(3, self->stream.nr_records);
	sample = self->stream.index;
	EXPECT_EQ(PERF_RECORD_SAMPLE, sample[0].header->type);
	EXPECT_EQ(mark, &sample[1]);
	EXPECT_EQ(PERF_RECORD_SAMPLE, sample[2].header->type);
}

TEST_F(mark, text_of_any_length_is_padded_with_zeroes)
{
	char text[TPROF_LX_MARK_LEN] = {};
	struct tprof_lx_info info = {};
	const struct record *record;
	size_t nr = 0;

	ASSERT_EQ(0, session_info(self->fd, &info));
	ASSERT_EQ(0, session_small(self->fd, info.ring_min, info.fifo_min));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, stream_soil(&self->stream, self->fd, info.ring_min));
	for (size_t len = 0; len < TPROF_LX_MARK_LEN - 1; len++) {
		ASSERT_EQ(0, session_mark(self->fd, len, text));
		ASSERT_EQ(0, session_flush(self->fd));
		text[len] = 'a' + len % 26;
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, RECORD_CGROUP) {
		const struct record_cgroup *cgroup = record->body;
		size_t len = strlen(TPROF_LX_MARK_PREFIX) + cgroup->id;

		ASSERT_EQ(nr++, cgroup->id);
		ASSERT_EQ(len, strlen(cgroup->path));
		for (size_t i = len; i < record->body_bytes - 8; i++) {
			ASSERT_EQ('\0', cgroup->path[i]);
		}
	}
	EXPECT_EQ(TPROF_LX_MARK_LEN - 1, nr);
}

TEST_F(mark, unterminated_text_is_einval)
{
	struct tprof_lx_mark mark = { .size = sizeof(mark) };

	ASSERT_EQ(0, session_start(self->fd, 1));
	memset(mark.text, 'x', sizeof(mark.text));
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_MARK, &mark));
	ASSERT_EQ(0, session_stop(self->fd, 1));
}

TEST_F(mark, mark_while_not_running_is_enoent)
{
	EXPECT_EQ(-ENOENT, session_mark(self->fd, 1, "too early"));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, session_mark(self->fd, 2, "in time"));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(-ENOENT, session_mark(self->fd, 3, "too late"));
}

/* Nothing reads the session, so first the fifo fills up, then the ring. */
TEST_F(mark, full_ring_is_enobufs)
{
	struct tprof_lx_info info = {};
	struct tprof_lx_stats stats;
	__u64 pushed = 0;
	int err;

	ASSERT_EQ(0, session_info(self->fd, &info));
	ASSERT_EQ(0, session_small(self->fd, info.ring_min, info.fifo_min));
	ASSERT_EQ(0, session_start(self->fd, 1));
	while (!(err = session_mark(self->fd, pushed, "fill")))
		pushed++;
	EXPECT_EQ(-ENOBUFS, err);
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM,
				   &stats));
	EXPECT_EQ(pushed, stats.side_pushed);
	EXPECT_EQ(1, stats.side_lost);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(pushed, stream_count(&self->stream, RECORD_CGROUP));
}

TEST_F(mark, flush_makes_everything_readable)
{
	struct tprof_lx_config config = { .flush_ms = 10000 };

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, session_config(self->fd, &config));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (size_t nr = 1; nr <= 20; nr++) {
		ASSERT_EQ(0, fake_emit_from(self->key, 0, 5));
		ASSERT_EQ(0, session_flush(self->fd));
		ASSERT_LT(0, stream_read_some(&self->stream, self->fd));
		ASSERT_EQ(0, stream_index(&self->stream));
		ASSERT_EQ(5 * nr,
			  stream_count(&self->stream, PERF_RECORD_SAMPLE));
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
}

TEST_F(mark, flush_of_nothing_returns)
{
	EXPECT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(0, session_flush(self->fd));
}

/*
 * Emit samples, and let the worker run, until the number of queued samples no longer
 * grows: then the fifo and the ring are full.
 */
static int fill(FIXTURE_DATA(mark) *self)
{
	struct tprof_lx_config config = { .flush_ms = 1 };
	struct tprof_lx_info info = {};
	struct tprof_lx_stats stats;
	__u64 queued = 0;
	int err, nr_same = 0;

	err = session_info(self->fd, &info);
	config.ring_bytes = info.ring_min;
	config.fifo_bytes = info.fifo_min;
	err = err ?: session_config(self->fd, &config);
	err = err ?: session_start(self->fd, 1);
	while (!err && nr_same < 30) {
		err = fake_emit_from(self->key, 0, 1000);
		spin_ms(10);
		err = err ?: session_stats(self->fd, TPROF_LX_SUM, 0, &stats);
		nr_same = stats.ledger.queued == queued ? nr_same + 1 : 0;
		queued = stats.ledger.queued;
	}
	return err;
}

TEST_F(mark, flush_into_full_fifo_is_eagain_when_nonblocking)
{
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, fill(self));
	EXPECT_EQ(-EAGAIN, session_flush(self->fd));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(0, session_flush(self->fd));
}

static void *flush(void *arg)
{
	FIXTURE_DATA(mark) *self = arg;

	return (void *)(long)session_flush(self->fd);
}

TEST_F(mark, flush_into_full_fifo_waits_for_the_reader)
{
	struct pollfd readable = { .fd = self->fd, .events = POLLIN };
	pthread_t thread;
	void *ret;

	ASSERT_EQ(0, fill(self));
	ASSERT_EQ(0, pthread_create(&thread, NULL, flush, self));
	ASSERT_FALSE(wait_until(!pthread_tryjoin_np(thread, &ret), 200));
	/*
	 * Poll before each read, because a read would block if FLUSH has ended and
	 * nothing is left to read.
	 */
	while (pthread_tryjoin_np(thread, &ret)) {
		if (poll(&readable, 1, 10) > 0) {
			ASSERT_LE(0, stream_read_some(&self->stream, self->fd));
		}
	}
	EXPECT_EQ(0, (long)ret);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_HARNESS_MAIN
