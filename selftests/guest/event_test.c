// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - EVENT: its results, and a test for each errno
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>

#include "harness/common.h"
#include "harness/test.h"

FIXTURE(event) {
	int			fd;
	struct perf_event_attr	attr;
	struct tprof_lx_event	event;
};

FIXTURE_SETUP(event)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_init(&self->attr, 1000);
}

FIXTURE_TEARDOWN(event)
{
	close(self->fd);
}

static int add(FIXTURE_DATA(event) *self)
{
	return event_add_full(self->fd, "timer", &self->attr, &self->event);
}

TEST_F(event, returns_index_id_and_period)
{
	__u64 first_id;

	ASSERT_EQ(0, add(self));
	EXPECT_EQ(0, self->event.index);
	EXPECT_NE(0, self->event.id);
	EXPECT_EQ(1000000, self->event.period);
	first_id = self->event.id;

	self->attr.freq = 0;
	self->attr.sample_period = 123456;
	ASSERT_EQ(0, add(self));
	EXPECT_EQ(1, self->event.index);
	EXPECT_NE(first_id, self->event.id);
	EXPECT_EQ(123456, self->event.period);
}

TEST_F(event, ids_of_two_sessions_differ)
{
	int other = session_open(0);
	__u64 id;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, add(self));
	id = self->event.id;
	ASSERT_EQ(0, event_add_full(other, "nmi", &self->attr, &self->event));
	EXPECT_NE(id, self->event.id);
	close(other);
}

TEST_F(event, unknown_backend_is_enodev)
{
	EXPECT_EQ(-ENODEV, event_add(self->fd, "no-such", &self->attr));
	EXPECT_EQ(-ENODEV, event_add(self->fd, "", &self->attr));
	EXPECT_EQ(-ENODEV, event_add(self->fd, "time", &self->attr));
}

/* A name that fills the whole field has no terminating zero. */
TEST_F(event, unterminated_backend_is_refused)
{
	struct tprof_lx_event event = {
		.size	= sizeof(event),
		.attr	= (unsigned long)&self->attr,
	};
	int err;

	memset(event.backend, 'x', sizeof(event.backend));
	err = session_ioctl(self->fd, TPROF_LX_IOC_EVENT, &event);
	EXPECT_TRUE(err == -EINVAL || err == -ENODEV)
		TH_LOG("%d", err);
}

TEST_F(event, mismatched_events_are_einval)
{
	ASSERT_EQ(0, add(self));
	self->attr.sample_id_all = 0;
	EXPECT_EQ(-EINVAL, add(self));
	self->attr.sample_id_all = 1;
	self->attr.clockid = CLOCK_MONOTONIC_RAW;
	EXPECT_EQ(-EINVAL, add(self));
	attr_drop_clock(&self->attr);
	EXPECT_EQ(-EINVAL, add(self));
	attr_init(&self->attr, 1000);
	self->attr.sample_type &= ~PERF_SAMPLE_IDENTIFIER;
	EXPECT_EQ(-EINVAL, add(self));
	attr_init(&self->attr, 1000);
	EXPECT_EQ(0, add(self));
}

TEST_F(event, second_event_without_identifier_is_einval)
{
	self->attr.sample_type &= ~PERF_SAMPLE_IDENTIFIER;
	ASSERT_EQ(0, add(self));
	attr_init(&self->attr, 1000);
	EXPECT_EQ(-EINVAL, add(self));
}

TEST_F(event, rate_out_of_bounds_is_erange)
{
	struct tprof_lx_info info = {};

	ASSERT_EQ(0, session_info(self->fd, &info));
	self->attr.sample_freq = info.max_rate;
	EXPECT_EQ(0, event_try("timer", &self->attr));
	self->attr.sample_freq = info.max_rate + 1;
	EXPECT_EQ(-ERANGE, event_try("timer", &self->attr));
	self->attr.sample_freq = ~0ULL;
	EXPECT_EQ(-ERANGE, event_try("timer", &self->attr));

	self->attr.freq = 0;
	self->attr.sample_period = 1;
	EXPECT_EQ(-ERANGE, event_try("timer", &self->attr));
	self->attr.sample_period = NSEC_PER_SEC / info.max_rate - 1;
	EXPECT_EQ(-ERANGE, event_try("timer", &self->attr));
	self->attr.sample_period = ~0ULL >> 1;
	EXPECT_EQ(-ERANGE, event_try("timer", &self->attr));
}

TEST_F(event, period_beyond_backend_bounds_is_erange)
{
	self->attr.freq = 0;
	self->attr.sample_period = TPROF_LX_FAKE_MIN_PERIOD - 1;
	EXPECT_EQ(-ERANGE, event_add(self->fd, "fake", &self->attr));
	self->attr.sample_period = TPROF_LX_FAKE_MAX_PERIOD + 1;
	EXPECT_EQ(-ERANGE, event_add(self->fd, "fake", &self->attr));
	self->attr.sample_period = TPROF_LX_FAKE_MAX_PERIOD;
	EXPECT_EQ(0, event_add(self->fd, "fake", &self->attr));
}

TEST_F(event, thirty_third_event_is_enospc)
{
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		ASSERT_EQ(0, add(self));
		ASSERT_EQ(i, self->event.index);
	}
	EXPECT_EQ(-ENOSPC, add(self));
}

/* EVENT returns the error of event_init(). Afterwards, other events can be added. */
TEST_F(event, backend_error_is_returned)
{
	self->attr.freq = 0;
	self->attr.sample_period = 1000;
	self->attr.config = TPROF_LX_FAKE_FAIL_INIT;
	EXPECT_EQ(-EBUSY, event_add(self->fd, "fake", &self->attr));
	self->attr.config = 1;
	EXPECT_EQ(0, event_add(self->fd, "fake", &self->attr));
}

/* If EVENT cannot write its result to the caller, it removes the event again. */
TEST_F(event, event_to_read_only_memory_leaves_nothing)
{
	struct tprof_lx_event *event;

	event = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, event);
	event->size = sizeof(*event);
	strcpy(event->backend, "timer");
	event->attr = (unsigned long)&self->attr;
	ASSERT_EQ(0, mprotect(event, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, session_ioctl(self->fd, TPROF_LX_IOC_EVENT, event));
	ASSERT_EQ(0, add(self));
	EXPECT_EQ(0, self->event.index);
}

TEST_HARNESS_MAIN
