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

TEST_HARNESS_MAIN
