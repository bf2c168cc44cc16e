// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - RELEASE: an event leaves a session
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/stream.h"
#include "harness/test.h"

FIXTURE(release) {
	int		fd;
	__u32		key;
	struct stream	stream;
};

FIXTURE_SETUP(release)
{
	self->key = getpid();
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
}

FIXTURE_TEARDOWN(release)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int release(int fd, __u32 event)
{
	struct tprof_lx_release arg = { .size = sizeof(arg), .event = event };

	return session_ioctl(fd, TPROF_LX_IOC_RELEASE, &arg);
}

static int add_count(int fd, __u32 key)
{
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	return event_add(fd, TPROF_LX_FAKE_COUNTER, &attr);
}

TEST_F(release, released_event_does_not_exist)
{
	struct tprof_lx_count count;

	EXPECT_EQ(-ENOENT, release(self->fd, 0));
	EXPECT_EQ(-ENOENT, release(self->fd, TPROF_LX_SUM));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, release(self->fd, 0));
	/* The back end has no such event any more. */
	EXPECT_EQ(-ENOENT, fake_count(self->key, 1, NULL));
	EXPECT_EQ(-ENOENT, release(self->fd, 0));
	EXPECT_EQ(-ENOENT, session_start(self->fd, ALL_EVENTS));
	EXPECT_EQ(-ENOENT, count_read(self->fd, TPROF_LX_SUM, 0, &count));
	EXPECT_EQ(-ENOENT, count_write(self->fd, TPROF_LX_SUM, 0, 1));
	EXPECT_EQ(TPROF_LX_STATE_IDLE, session_state(self->fd));
}

TEST_F(release, other_events_go_on)
{
	__u32 running;

	for (int i = 0; i < 3; i++)
		ASSERT_EQ(i, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, release(self->fd, 1));
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(5, running);
	ASSERT_EQ(0, fake_count(self->key, 10, NULL));
	EXPECT_EQ(11, count_sum(self->fd, 0));
	EXPECT_EQ(11, count_sum(self->fd, 2));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(5, running);
}

TEST_F(release, release_of_the_last_event_ends_the_stream)
{
	struct pollfd pfd = { .fd = self->fd };

	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, release(self->fd, 0));
	ASSERT_EQ(1, poll(&pfd, 1, 10000));
	EXPECT_TRUE(pfd.revents & POLLHUP);
}

/* Take @count samples. Release the event while it runs, and read all records. */
static int sample_and_release(FIXTURE_DATA(release) *self, __u64 count)
{
	int err = fake_emit_from(self->key, TPROF_LX_FAKE_TASK, count);

	err = err ?: release(self->fd, 0);
	err = err ?: stream_read_to_end(&self->stream, self->fd, 10000);
	return err ?: stream_finish(&self->stream, self->fd);
}

TEST_F(release, samples_of_a_released_event_can_be_read)
{
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, sample_and_release(self, 100));
	EXPECT_EQ(100, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(100, stats.ledger.delivered);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

#define MANY	100000

/* The last record of losses is written by the worker, after the event was released. */
TEST_F(release, losses_of_a_released_event_are_reported)
{
	const struct record *record;
	struct tprof_lx_info info = {};
	struct tprof_lx_stats stats;
	__u64 lost = 0;

	ASSERT_EQ(0, session_info(self->fd, &info));
	ASSERT_EQ(0, session_small(self->fd, info.ring_min, info.fifo_min));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, sample_and_release(self, MANY));
	for_each_record_type(record, &self->stream, PERF_RECORD_LOST_SAMPLES)
		lost += *(const __u64 *)record->body;
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats));
	EXPECT_LT(0, lost);
	EXPECT_EQ(stats.ledger.lost_ring, lost);
	EXPECT_EQ(MANY, lost + stream_count(&self->stream, PERF_RECORD_SAMPLE));
}

TEST_F(release, index_is_used_again_with_another_id)
{
	struct tprof_lx_event events[TPROF_LX_MAX_EVENTS], again;
	struct tprof_lx_stats stats;
	struct perf_event_attr attr;

	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = TPROF_LX_FAKE_MIN_PERIOD;
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		attr.config = self->key + i;
		ASSERT_EQ(0, event_add_full(self->fd, TPROF_LX_FAKE_BACKEND, &attr, &events[i]));
	}
	ASSERT_EQ(0, session_start(self->fd, 1U << 5));
	ASSERT_EQ(0, fake_emit_from(self->key + 5, TPROF_LX_FAKE_TASK, 10));
	EXPECT_EQ(0, release(self->fd, 5));
	/* Unread samples have the id of the released event. */
	EXPECT_EQ(-EBUSY, event_add_full(self->fd, TPROF_LX_FAKE_BACKEND, &attr, &again));
	ASSERT_EQ(0, stream_read_to_end(&self->stream, self->fd, 10000));
	ASSERT_EQ(0, event_add_full(self->fd, TPROF_LX_FAKE_BACKEND, &attr, &again));
	EXPECT_EQ(5, again.index);
	EXPECT_EQ(5, again.id % TPROF_LX_MAX_EVENTS);
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++)
		EXPECT_NE(events[i].id, again.id);
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 5, &stats));
	EXPECT_EQ(0, stats.ledger.taken);
	EXPECT_EQ(-ENOSPC, event_add_full(self->fd, TPROF_LX_FAKE_BACKEND, &attr, &again));
}

/* Marks have the id of an event that samples. */
TEST_F(release, marks_move_to_another_event)
{
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(1, event_fake(self->fd, self->key));
	ASSERT_EQ(2, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, release(self->fd, 0));
	EXPECT_EQ(0, session_mark(self->fd, 1, "second event"));
	ASSERT_EQ(0, release(self->fd, 1));
	EXPECT_EQ(-ENOENT, session_mark(self->fd, 1, "no event that samples"));
}

TEST_HARNESS_MAIN
