// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - what the module has done since it was loaded
 */
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"

FIXTURE(totals) {
	int			fd;
	struct tprof_lx_stats	before;
	struct tprof_lx_stats	after;
};

FIXTURE_SETUP(totals)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(totals)
{
	close(self->fd);
}

static int read_totals(int fd, struct tprof_lx_stats *stats)
{
	return session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, stats);
}

TEST_F(totals, calls_are_counted)
{
	int other = session_open(0);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, read_totals(self->fd, &self->before));
	for (int i = 0; i < 10; i++)
		EXPECT_GT(0, session_start(other, 1));
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(0, session_info(other, &(struct tprof_lx_info){}));
	EXPECT_GT(0, session_ioctl(other, TPROF_LX_IOC_STATS | 0x7f, NULL));
	ASSERT_EQ(0, read_totals(self->fd, &self->after));
	/* The first STATS had not returned when it read the count. */
	EXPECT_EQ(self->before.calls + 1 + 16, self->after.calls);
	EXPECT_EQ(self->before.calls_failed + 11, self->after.calls_failed);
	EXPECT_EQ(self->before.buffers, self->after.buffers);
	close(other);
}

TEST_F(totals, buffers_are_counted)
{
	int cpus = cpus_online();

	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, read_totals(self->fd, &self->before));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, read_totals(self->fd, &self->after));
	/* A ring for each CPU, and the queue. */
	EXPECT_EQ(self->before.buffers + cpus + 1, self->after.buffers);
	EXPECT_EQ(self->before.buffers_failed, self->after.buffers_failed);
	ASSERT_EQ(0, session_stop(self->fd, 1));
}

/* A session that lost samples has ended: the module still has their number. */
TEST_F(totals, losses_and_passes_outlive_their_session)
{
	struct tprof_lx_stats of_session;
	int other = session_open(0);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, session_small(other, 16384, 65536));
	ASSERT_EQ(0, event_fake(other, getpid()));
	ASSERT_EQ(0, read_totals(self->fd, &self->before));
	ASSERT_EQ(0, session_start(other, 1));
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 20000));
	ASSERT_EQ(0, session_stop(other, 1));
	ASSERT_EQ(0, read_totals(other, &of_session));
	EXPECT_LT(0, of_session.ledger.lost_ring);
	EXPECT_LT(0, of_session.rounds);
	close(other);
	ASSERT_EQ(0, read_totals(self->fd, &self->after));
	EXPECT_EQ(of_session.ledger.lost_ring, self->after.total_lost - self->before.total_lost);
	EXPECT_EQ(of_session.side_lost,
		  self->after.total_side_lost - self->before.total_side_lost);
	EXPECT_LE(of_session.rounds, self->after.total_rounds - self->before.total_rounds);
	EXPECT_LE(of_session.empty_rounds,
		  self->after.total_empty_rounds - self->before.total_empty_rounds);
	EXPECT_LE(of_session.kicks, self->after.total_kicks - self->before.total_kicks);
	EXPECT_EQ(0, self->after.total_stalls - self->before.total_stalls);
}

TEST_HARNESS_MAIN
