// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - states of a session: idle, armed, running and draining
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(state) {
	int		fd;
	__u32		key;
	struct stream	stream;
};

FIXTURE_SETUP(state)
{
	self->key = getpid();
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
}

FIXTURE_TEARDOWN(state)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int emit(FIXTURE_DATA(state) *self, __u64 count)
{
	return fake_emit_from(self->key, TPROF_LX_FAKE_TASK, count);
}

static short poll_now(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) < 0 ? -1 : poll_fd.revents;
}

TEST_F(state, session_goes_through_all_states)
{
	EXPECT_EQ(TPROF_LX_STATE_IDLE, session_state(self->fd));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	EXPECT_EQ(TPROF_LX_STATE_ARMED, session_state(self->fd));
	for (int i = 0; i < 3; i++) {
		self->stream.is_at_end = false;
		ASSERT_EQ(0, session_start(self->fd, 1));
		EXPECT_EQ(TPROF_LX_STATE_RUNNING, session_state(self->fd));
		ASSERT_EQ(0, emit(self, 10));
		ASSERT_EQ(0, session_stop(self->fd, 1));
		EXPECT_EQ(TPROF_LX_STATE_DRAINING, session_state(self->fd));
		ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
		EXPECT_EQ(TPROF_LX_STATE_ARMED, session_state(self->fd));
	}
	EXPECT_EQ(30, stream_count(&self->stream, PERF_RECORD_SAMPLE));
}

TEST_F(state, session_restarts_without_draining)
{
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, session_start(self->fd, 1));
		ASSERT_EQ(0, emit(self, 10));
		ASSERT_EQ(0, session_stop(self->fd, 1));
	}
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(30, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(state, start_of_nothing_is_enoent)
{
	EXPECT_EQ(-ENOENT, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	EXPECT_EQ(-ENOENT, session_start(self->fd, 0));
	EXPECT_EQ(-ENOENT, session_start(self->fd, ~1U));
	EXPECT_EQ(TPROF_LX_STATE_ARMED, session_state(self->fd));
}

TEST_F(state, start_and_stop_are_idempotent)
{
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, emit(self, 100));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, emit(self, 100));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(200, stream_count(&self->stream, PERF_RECORD_SAMPLE));
}

TEST_F(state, mask_selects_events)
{
	struct tprof_lx_mask mask = { .size = sizeof(mask), .mask = 6 };
	__u32 running;

	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(i, event_fake(self->fd, self->key + i));
	}
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_START, &mask));
	EXPECT_EQ(6, mask.mask);
	mask.mask = 3;
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_START, &mask));
	EXPECT_EQ(7, mask.mask);
	mask.mask = 0xfffffffe;
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_STOP, &mask));
	EXPECT_EQ(1, mask.mask);
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(1, running);
	EXPECT_EQ(TPROF_LX_STATE_RUNNING, session_state(self->fd));

	/* Only event 0 runs, so only event 0 can emit samples. */
	EXPECT_EQ(-ECANCELED, fake_emit_from(self->key + 1, 0, 10));
	EXPECT_EQ(-ECANCELED, fake_emit_from(self->key + 3, 0, 10));
	EXPECT_EQ(0, fake_emit_from(self->key, 0, 10));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(10, stream_count(&self->stream, PERF_RECORD_SAMPLE));
}

/*
 * If one of three events cannot start, START starts none. Without that event, the
 * other two start.
 */
TEST_F(state, failed_start_undoes_everything)
{
	struct perf_event_attr attr;
	__u32 running = ~0U;

	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = 1000;
	attr.config = (self->key + 1) | TPROF_LX_FAKE_FAIL_START;
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(1, event_add(self->fd, "fake", &attr));
	ASSERT_EQ(2, event_clock(self->fd, "timer", 1000));

	EXPECT_EQ(-EBUSY, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(0, running);
	EXPECT_EQ(-ECANCELED, emit(self, 10));
	EXPECT_NE(TPROF_LX_STATE_RUNNING, session_state(self->fd));

	EXPECT_EQ(0, session_start(self->fd, 5));
	EXPECT_EQ(0, emit(self, 10));
	EXPECT_EQ(-EBUSY, session_start(self->fd, 2));
	/* The events that were already running still run. */
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(5, running);
	EXPECT_EQ(0, emit(self, 10));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	EXPECT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 3));
}

TEST_F(state, start_reports_degraded_events)
{
	struct perf_event_attr attr;
	__u32 degraded;

	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = 1000;
	attr.config = self->key | TPROF_LX_FAKE_DEGRADED;
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(1, event_add(self->fd, "fake", &attr));
	ASSERT_EQ(0, session_start_degraded(self->fd, 1, &degraded));
	EXPECT_EQ(0, degraded);
	ASSERT_EQ(0, session_start_degraded(self->fd, 3, &degraded));
	EXPECT_EQ(2, degraded);
	ASSERT_EQ(0, session_stop(self->fd, 3));
}

TEST_F(state, read_before_start_returns_0)
{
	char buf[4096];

	/* The session has never run, so poll(2) does not report its end yet. */
	EXPECT_EQ(0, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(0, poll_now(self->fd));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	EXPECT_EQ(0, read(self->fd, buf, sizeof(buf)));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, poll_now(self->fd));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(POLLIN | POLLHUP, poll_now(self->fd));
}

TEST_F(state, stop_waits_for_the_last_sample)
{
	struct tprof_lx_stats stats, later;

	ASSERT_LE(0, event_clock(self->fd, "nmi", 20000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	spin_ms(50);
	EXPECT_TRUE(wait_until(session_taken(self->fd, TPROF_LX_SUM, 0), 10000));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	spin_ms(50);
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &later));
	EXPECT_EQ(stats.ledger.taken, later.ledger.taken);
	EXPECT_TRUE(ledger_is_balanced(&later.ledger));
}

/* Start and stop varying sets of events while NMIs and timers take samples. */
TEST_F(state, events_toggle_while_samples_come)
{
	__u32 nr_starts = 0;
	__u64 end;

	ASSERT_EQ(0, event_clock(self->fd, "nmi", 10000));
	ASSERT_EQ(1, event_clock(self->fd, "timer", 10000));
	ASSERT_EQ(2, event_clock(self->fd, "timer", 5000));
	end = now_ns() + NSEC_PER_SEC;
	for (unsigned int i = 1; nr_starts < 2 || now_ns() < end; i++) {
		ASSERT_EQ(0, session_start(self->fd, 1 + i % 7));
		nr_starts++;
		ASSERT_EQ(0, session_stop(self->fd, 1 + (i * 5) % 7));
		stream_read_some(&self->stream, self->fd);
	}
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 3));
}

TEST_HARNESS_MAIN
