// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - CONFIG: defaults, rounding, and a test for each errno
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(config) {
	int			fd;
	struct tprof_lx_info	info;
	struct tprof_lx_config	config;
};

FIXTURE_SETUP(config)
{
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, session_info(self->fd, &self->info));
	self->config.size = sizeof(self->config);
}

FIXTURE_TEARDOWN(config)
{
	close(self->fd);
}

/* Call CONFIG. The module writes rounded values and defaults to @self->config. */
static int configure(FIXTURE_DATA(config) *self)
{
	return session_ioctl(self->fd, TPROF_LX_IOC_CONFIG, &self->config);
}

TEST_F(config, zero_means_default)
{
	ASSERT_EQ(0, configure(self));
	EXPECT_EQ(self->info.ring_default, self->config.ring_bytes);
	EXPECT_EQ(self->info.fifo_default, self->config.fifo_bytes);
	EXPECT_EQ(self->info.ring_default / 2, self->config.watermark);
	EXPECT_EQ(self->info.flush_ms_default, self->config.flush_ms);
}

TEST_F(config, sizes_are_rounded_up)
{
	struct tprof_lx_stats stats;

	self->config.ring_bytes = 3 * self->info.ring_min - 1;
	self->config.fifo_bytes = self->info.fifo_min + 1;
	ASSERT_EQ(0, configure(self));
	EXPECT_EQ(4 * self->info.ring_min, self->config.ring_bytes);
	EXPECT_EQ(2 * self->info.fifo_min, self->config.fifo_bytes);

	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM,
				   &stats));
	EXPECT_EQ(self->config.ring_bytes, stats.ring_bytes);
	EXPECT_EQ(self->config.fifo_bytes, stats.fifo_bytes);
}

TEST_F(config, takes_smallest_and_largest_sizes)
{
	self->config.ring_bytes = self->info.ring_min;
	self->config.fifo_bytes = self->info.fifo_min;
	EXPECT_EQ(0, configure(self));
	EXPECT_EQ(self->info.ring_min, self->config.ring_bytes);
	EXPECT_EQ(self->info.fifo_min, self->config.fifo_bytes);

	self->config.ring_bytes = self->info.ring_max;
	self->config.fifo_bytes = self->info.fifo_max;
	self->config.watermark = 0;
	EXPECT_EQ(0, configure(self));
	EXPECT_EQ(self->info.ring_max, self->config.ring_bytes);
	EXPECT_EQ(self->info.fifo_max, self->config.fifo_bytes);
}

TEST_F(config, refuses_ring_out_of_bounds)
{
	self->config.ring_bytes = self->info.ring_max + 1;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.ring_bytes = ~0ULL;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.ring_bytes = self->info.ring_min / 2;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.ring_bytes = 1;
	EXPECT_EQ(-EINVAL, configure(self));
}

TEST_F(config, refuses_fifo_out_of_bounds)
{
	self->config.fifo_bytes = self->info.fifo_max + 1;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.fifo_bytes = ~0ULL;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.fifo_bytes = self->info.fifo_min / 2;
	EXPECT_EQ(-EINVAL, configure(self));
}

TEST_F(config, refuses_watermark_above_ring)
{
	self->config.ring_bytes = self->info.ring_min;
	self->config.watermark = self->info.ring_min;
	EXPECT_EQ(0, configure(self));
	self->config.watermark = self->info.ring_min + 1;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.watermark = 0xffffffff;
	EXPECT_EQ(-EINVAL, configure(self));
}

TEST_F(config, refuses_flush_time_out_of_bounds)
{
	self->config.flush_ms = 1;
	EXPECT_EQ(0, configure(self));
	EXPECT_EQ(1, self->config.flush_ms);
	self->config.flush_ms = 10000;
	EXPECT_EQ(0, configure(self));
	EXPECT_EQ(10000, self->config.flush_ms);
	self->config.flush_ms = 10001;
	EXPECT_EQ(-EINVAL, configure(self));
}

TEST_F(config, refuses_set_without_possible_cpu)
{
	unsigned char cpus[1024] = {};

	self->config.cpus = (unsigned long)cpus;
	self->config.cpus_bytes = sizeof(cpus);
	EXPECT_EQ(-EINVAL, configure(self));
	/* Select only a CPU whose number is too large. */
	cpus[self->info.nr_cpus / 8] = 1 << self->info.nr_cpus % 8;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.cpus_bytes = 0;
	EXPECT_EQ(-EINVAL, configure(self));
}

TEST_F(config, takes_cpu_sets_of_any_length)
{
	unsigned char cpus[1024] = { 1 };

	self->config.cpus = (unsigned long)cpus;
	self->config.cpus_bytes = 1;
	EXPECT_EQ(0, configure(self));
	self->config.cpus_bytes = sizeof(cpus);
	EXPECT_EQ(0, configure(self));
}

TEST_F(config, bad_memory_is_efault)
{
	self->config.cpus = 8;
	self->config.cpus_bytes = 8;
	EXPECT_EQ(-EFAULT, configure(self));
	self->config.cpus = 0;
	self->config.cpus_bytes = 0;
	self->config.targets = 8;
	self->config.nr_targets = 1;
	EXPECT_EQ(-EFAULT, configure(self));
}

TEST_F(config, refuses_too_many_targets)
{
	static __s32 targets[TPROF_LX_MAX_TARGETS + 1];

	for (size_t i = 0; i < ARRAY_LEN(targets); i++)
		targets[i] = getpid();
	self->config.targets = (unsigned long)targets;
	self->config.nr_targets = TPROF_LX_MAX_TARGETS;
	EXPECT_EQ(0, configure(self));
	self->config.nr_targets = TPROF_LX_MAX_TARGETS + 1;
	EXPECT_EQ(-EINVAL, configure(self));
	self->config.nr_targets = 0xffffffff;
	EXPECT_EQ(-EINVAL, configure(self));
}

TEST_F(config, unknown_target_is_esrch)
{
	__s32 targets[2] = { getpid(), 0 };
	pid_t child;

	child = fork();
	if (!child)
		_exit(0);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	targets[1] = child;
	self->config.targets = (unsigned long)targets;
	self->config.nr_targets = 2;
	EXPECT_EQ(-ESRCH, configure(self));
	targets[1] = -1;
	EXPECT_EQ(-ESRCH, configure(self));
	targets[1] = 0x7fffffff;
	EXPECT_EQ(-ESRCH, configure(self));
	/* The failed CONFIG has changed nothing, so a valid one still succeeds. */
	self->config.nr_targets = 1;
	EXPECT_EQ(0, configure(self));
}

TEST_F(config, zombie_as_target_is_esrch)
{
	__s32 child = fork();
	siginfo_t info;

	if (!child)
		_exit(0);
	ASSERT_EQ(0, waitid(P_PID, child, &info, WEXITED | WNOWAIT));
	self->config.targets = (unsigned long)&child;
	self->config.nr_targets = 1;
	EXPECT_EQ(-ESRCH, configure(self));
	ASSERT_EQ(child, waitpid(child, NULL, 0));
}

TEST_F(config, running_session_is_ebusy)
{
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	EXPECT_EQ(0, configure(self));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-EBUSY, configure(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
}

TEST_F(config, draining_session_is_ebusy)
{
	struct stream stream = {};

	ASSERT_EQ(0, event_fake(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 10));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(-EBUSY, configure(self));
	ASSERT_EQ(0, stream_read_all(&stream, self->fd));
	EXPECT_EQ(0, configure(self));
	stream_free(&stream);
}

/* Above the watermark, records become readable before flush_ms is over. */
TEST_F(config, watermark_flushes_before_flush_time)
{
	struct stream stream = {};
	struct tprof_lx_stats stats;

	self->config.flush_ms = 10000;
	self->config.watermark = 1024;
	ASSERT_EQ(0, configure(self));
	ASSERT_EQ(0, event_fake(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 100));
	EXPECT_TRUE(wait_until(stream_read_some(&stream, self->fd) > 0, 5000));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM,
				   &stats));
	EXPECT_LE(1, stats.kicks);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	stream_free(&stream);
}

static int add_with_watermark(int fd, __u32 bytes)
{
	struct perf_event_attr attr;

	attr_fake(&attr, getpid());
	attr.watermark = 1;
	attr.wakeup_watermark = bytes;
	return event_add(fd, TPROF_LX_FAKE_BACKEND, &attr);
}

/* The wakeup_watermark of an event lowers the session's watermark. */
TEST_F(config, attr_lowers_watermark)
{
	struct stream stream = {};

	self->config.flush_ms = 10000;
	ASSERT_EQ(0, configure(self));
	ASSERT_EQ(0, add_with_watermark(self->fd, 1024));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 100));
	EXPECT_TRUE(wait_until(stream_read_some(&stream, self->fd) > 0, 5000));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	stream_free(&stream);
}

TEST_F(config, released_event_has_no_watermark)
{
	struct tprof_lx_release first = { .size = sizeof(first) };
	struct tprof_lx_stats stats;

	self->config.flush_ms = 10000;
	ASSERT_EQ(0, configure(self));
	ASSERT_EQ(0, add_with_watermark(self->fd, 64));
	ASSERT_EQ(1, event_fake(self->fd, getpid() + 1));
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_RELEASE, &first));
	ASSERT_EQ(0, session_stop(self->fd, 2));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, fake_emit_from(getpid() + 1, TPROF_LX_FAKE_TASK, 100));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats));
	EXPECT_EQ(0, stats.kicks);
}

/* Below the watermark, records become readable when flush_ms is over. */
TEST_F(config, flush_time_flushes_below_watermark)
{
	struct stream stream = {};
	__u64 begin;

	self->config.flush_ms = 300;
	ASSERT_EQ(0, configure(self));
	ASSERT_EQ(0, event_fake(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, cpu_pin(0));
	begin = now_ns();
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 1));
	EXPECT_TRUE(wait_until(stream_read_some(&stream, self->fd) > 0, 5000));
	EXPECT_GT(5000 * NSEC_PER_MSEC, now_ns() - begin);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	stream_free(&stream);
}

TEST_HARNESS_MAIN
