// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - how much a user without privileges may have at the same time
 */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/target.h"
#include "harness/unprivileged.h"
#include "harness/test.h"

#define RATE		"/sys/module/tprof_lx/parameters/unprivileged_rate"
#define COUNTERS	"/sys/module/tprof_lx/parameters/unprivileged_counters"

FIXTURE(quota) {
	struct unprivileged	user;
};

FIXTURE_SETUP(quota)
{
	ASSERT_EQ(0, unprivileged_setup(&self->user));
}

FIXTURE_TEARDOWN(quota)
{
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

static int open_and_close(struct target *target, __u64 unused)
{
	int fd = session_open(0);

	return fd < 0 ? fd : close(fd) ? -errno : 0;
}

TEST_F(quota, user_has_a_limited_number_of_sessions)
{
	int fds[TPROF_LX_MAX_USER_SESSIONS];

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	for (int i = 1; i < TPROF_LX_MAX_USER_SESSIONS; i++) {
		fds[i] = session_open(0);
		ASSERT_LE(0, fds[i]);
	}
	EXPECT_EQ(-EUSERS, session_open(0));
	/* Others are not affected. */
	EXPECT_EQ(0, target_do(&self->user.root, open_and_close, 0));
	close(fds[1]);
	fds[1] = session_open(0);
	EXPECT_LE(0, fds[1]);
	for (int i = 1; i < TPROF_LX_MAX_USER_SESSIONS; i++)
		close(fds[i]);
}

TEST_F(quota, buffers_are_limited_to_the_defaults)
{
	struct tprof_lx_config config = {};
	struct tprof_lx_info info = {};

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, session_info(self->user.fd, &info));
	EXPECT_EQ(info.ring_default, info.ring_max);
	EXPECT_EQ(info.fifo_default, info.fifo_max);
	config.ring_bytes = 2 * info.ring_max;
	EXPECT_EQ(-EINVAL, session_config(self->user.fd, &config));
	config.ring_bytes = 0;
	config.fifo_bytes = 2 * info.fifo_max;
	EXPECT_EQ(-EINVAL, session_config(self->user.fd, &config));
	config.fifo_bytes = info.fifo_max;
	EXPECT_EQ(0, session_config(self->user.fd, &config));
}

TEST_F(quota, user_has_a_limited_number_of_counters)
{
	struct tprof_lx_backend backend;
	int fd, err;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	if (counters_backend(self->user.fd, &backend))
		SKIP(return, "no counters");
	err = unprivileged_add_counter(self->user.fd, RAW_INSNS);
	if (err == -EIO)
		SKIP(return, "the counters do not work here");
	ASSERT_EQ(0, err);
	fd = session_open(0);
	ASSERT_LE(0, fd);
	for (int i = 1; i < file_number(COUNTERS); i++)
		ASSERT_EQ(0, unprivileged_add_counter(i & 1 ? fd : self->user.fd, RAW_INSNS));
	EXPECT_EQ(-EDQUOT, unprivileged_add_counter(self->user.fd, RAW_INSNS));
	close(fd);
	for (int i = 0; i < file_number(COUNTERS) / 2; i++)
		EXPECT_EQ(0, unprivileged_add_counter(self->user.fd, RAW_INSNS));
	EXPECT_EQ(-EDQUOT, unprivileged_add_counter(self->user.fd, RAW_INSNS));
}

TEST_F(quota, clocks_of_a_user_have_a_limited_rate)
{
	__u64 limit = file_number(RATE);
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int fd;

	ASSERT_LT(1000, limit);
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	fd = session_open(0);
	ASSERT_LE(0, fd);
	attr_init(&attr, limit - 1000);
	attr.exclude_kernel = 1;
	ASSERT_EQ(0, event_add_with(fd, "timer", &attr, TPROF_LX_EVENT_PROCESS, &event));
	attr.sample_freq = 2000;
	EXPECT_EQ(-EDQUOT, event_add_with(self->user.fd, "nmi", &attr, TPROF_LX_EVENT_PROCESS,
					  &event));
	attr.sample_freq = 100;
	EXPECT_EQ(0, event_add_with(self->user.fd, "nmi", &attr, TPROF_LX_EVENT_PROCESS, &event));
	/* WRITE of a shorter period counts as well. */
	EXPECT_EQ(-EDQUOT, period_write(self->user.fd, TPROF_LX_SUM, 0, NSEC_PER_SEC / 2000));
	EXPECT_EQ(0, period_write(self->user.fd, TPROF_LX_SUM, 0, NSEC_PER_SEC / 500));
	close(fd);
	EXPECT_EQ(0, period_write(self->user.fd, TPROF_LX_SUM, 0, NSEC_PER_SEC / 2000));
}

static int add_page_faults(int fd)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_user(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	return event_add_with(fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event);
}

TEST_F(quota, user_has_a_limited_number_of_events)
{
	int fd, third;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	fd = session_open(0);
	third = session_open(0);
	ASSERT_LE(0, fd);
	ASSERT_LE(0, third);
	for (int i = 0; i < TPROF_LX_MAX_USER_EVENTS / 2; i++) {
		ASSERT_EQ(0, add_page_faults(self->user.fd));
		ASSERT_EQ(0, add_page_faults(fd));
	}
	EXPECT_EQ(-EUSERS, add_page_faults(third));
	close(fd);
	EXPECT_EQ(0, add_page_faults(third));
	close(third);
}

/* The first calls, which are as many as a session needs, do not wait. */
TEST_F(quota, calls_of_a_user_have_a_limited_rate)
{
	__u64 begin = now_ns();

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	for (int i = 0; i < 256 + 50; i++)
		ASSERT_EQ(-EINVAL, session_detach(self->user.fd, self->user.own.pid, 0));
	EXPECT_LE(NSEC_PER_SEC * 9 / 10, now_ns() - begin);
	/* Another session does not help. */
	close(self->user.fd);
	self->user.fd = session_open(0);
	ASSERT_LE(0, self->user.fd);
	begin = now_ns();
	for (int i = 0; i < 5; i++)
		ASSERT_EQ(-EINVAL, session_detach(self->user.fd, self->user.own.pid, 0));
	EXPECT_LE(NSEC_PER_SEC / 20, now_ns() - begin);
}

static int list_rows(int fd)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	int nr = rows_read(fd, 0, rows);

	return nr < 0 ? nr : 0;
}

static int list_sessions(int fd)
{
	struct tprof_lx_sessions arg = { .size = sizeof(arg) };

	return session_ioctl(fd, TPROF_LX_IOC_SESSIONS, &arg);
}

/* They interrupt a CPU, hold a lock that others need, and wake a worker. */
TEST_F(quota, lists_and_flushes_of_a_user_have_a_limited_rate)
{
	static int (*const calls[])(int fd) = { list_rows, list_sessions, session_flush };
	__u64 begin;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	for (int i = 0; i < 256 + 5; i++)
		ASSERT_EQ(-EINVAL, session_detach(self->user.fd, self->user.own.pid, 0));
	for (size_t call = 0; call < ARRAY_LEN(calls); call++) {
		begin = now_ns();
		for (int i = 0; i < 200; i++)
			ASSERT_EQ(0, calls[call](self->user.fd));
		EXPECT_LE(NSEC_PER_SEC / 10, now_ns() - begin);
	}
}

/* mmap(2) has the lock of the address space, so it fails instead of waiting. */
TEST_F(quota, mappings_of_a_user_have_a_limited_rate)
{
	int err = 0;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	for (int i = 0; i < 256; i++)
		ASSERT_EQ(-EINVAL, session_detach(self->user.fd, self->user.own.pid, 0));
	for (int i = 0; i < 100000 && err != EAGAIN; i++) {
		ASSERT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->user.fd,
					   TPROF_LX_PAGE_OFFSET(0)));
		err = errno;
		ASSERT_TRUE(err == ENXIO || err == EAGAIN);
	}
	EXPECT_EQ(EAGAIN, err);
}

static void on_alarm(int sig)
{
}

/* A program with a timer calls again and again, and each call is interrupted. */
TEST_F(quota, interrupted_calls_do_not_count)
{
	const struct itimerval often = { { .tv_usec = 5000 }, { .tv_usec = 5000 } }, never = {};
	const struct sigaction action = { .sa_handler = on_alarm };
	int nr_calls = 0, err;
	__u64 begin;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	/* How many calls do not wait depends on how fast the machine is. */
	do {
		err = session_detach(self->user.fd, self->user.own.pid, 0);
	} while (err == -EINVAL && ++nr_calls < 10000);
	ASSERT_EQ(-EINTR, err);
	begin = now_ns();
	do {
		err = session_detach(self->user.fd, self->user.own.pid, 0);
	} while (err == -EINTR && now_ns() - begin < 2 * NSEC_PER_SEC);
	EXPECT_EQ(0, setitimer(ITIMER_REAL, &never, NULL));
	EXPECT_EQ(-EINVAL, err);
}

TEST_HARNESS_MAIN
