// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - events with CPUs of their own
 *
 * Events of the back ends "fake-count" and "fake" happen when a task requests them, so each
 * test knows the exact count.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/stream.h"
#include "harness/test.h"

FIXTURE(event_cpus) {
	int			fd;
	__u32			key;
	struct tprof_lx_event	event;
};

FIXTURE_SETUP(event_cpus)
{
	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(event_cpus)
{
	cpu_set_online(1, true);
	close(self->fd);
}

/* Add an event of the CPUs in the bitmap @cpus. Return its index, or -errno. */
static int add(FIXTURE_DATA(event_cpus) *self, const char *backend, struct perf_event_attr *attr,
	       __u32 flags, __u64 cpus)
{
	struct tprof_lx_event *event = &self->event;
	int err;

	*event = (struct tprof_lx_event){ .size = sizeof(*event), .flags = flags,
					  .attr = (unsigned long)attr,
					  .cpus = (unsigned long)&cpus,
					  .cpus_bytes = sizeof(cpus) };
	strcpy(event->backend, backend);
	err = session_ioctl(self->fd, TPROF_LX_IOC_EVENT, event);
	return err ? err : (int)event->index;
}

static int add_count(FIXTURE_DATA(event_cpus) *self, __u32 flags, __u64 cpus)
{
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key);
	return add(self, TPROF_LX_FAKE_COUNTER, &attr, flags, cpus);
}

static __u64 count_of(int fd, __u32 event, __u32 cpu)
{
	struct tprof_lx_count count = {};

	return count_read(fd, cpu, event, &count) ? ~0ULL : count.value;
}

/* Cause 10 events on CPU 0, and 7 on CPU 1. */
static int count_on_both(FIXTURE_DATA(event_cpus) *self)
{
	int err = cpu_pin(0) ?: fake_count(self->key, 10, NULL);

	return err ?: cpu_pin(1) ?: fake_count(self->key, 7, NULL);
}

TEST_F(event_cpus, each_event_counts_on_its_cpus)
{
	ASSERT_EQ(0, add_count(self, 0, 1));
	ASSERT_EQ(1, add_count(self, 0, 2));
	ASSERT_EQ(2, add_count(self, 0, 3));
	ASSERT_EQ(0, session_start(self->fd, 7));
	ASSERT_EQ(0, count_on_both(self));
	EXPECT_EQ(10, count_of(self->fd, 0, TPROF_LX_SUM));
	EXPECT_EQ(7, count_of(self->fd, 1, TPROF_LX_SUM));
	EXPECT_EQ(17, count_of(self->fd, 2, TPROF_LX_SUM));
	EXPECT_EQ(0, count_of(self->fd, 0, 1));
	ASSERT_EQ(0, session_stop(self->fd, 7));
	ASSERT_EQ(0, count_on_both(self));
	EXPECT_EQ(10, count_of(self->fd, 0, TPROF_LX_SUM));
}

TEST_F(event_cpus, each_event_of_a_process_counts_on_its_cpus)
{
	struct tprof_lx_count count = {};

	ASSERT_EQ(0, add_count(self, TPROF_LX_EVENT_PROCESS, 1));
	ASSERT_EQ(1, add_count(self, TPROF_LX_EVENT_PROCESS, 2));
	ASSERT_EQ(0, session_attach(self->fd, getpid(), TPROF_LX_TARGET_ALONE));
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, count_on_both(self));
	ASSERT_EQ(0, count_on_both(self));
	EXPECT_EQ(20, count_of(self->fd, 0, TPROF_LX_SUM));
	EXPECT_EQ(14, count_of(self->fd, 1, TPROF_LX_SUM));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, count_on_both(self));
	EXPECT_EQ(20, count_of(self->fd, 0, TPROF_LX_SUM));
	EXPECT_EQ(21, count_of(self->fd, 1, TPROF_LX_SUM));
	/* The event did not run on CPU 0, and it ran on CPU 1. */
	ASSERT_EQ(0, count_read(self->fd, 0, 1, &count));
	EXPECT_EQ(0, count.ran_ns);
	ASSERT_EQ(0, count_read(self->fd, 1, 1, &count));
	EXPECT_LT(0, count.ran_ns);
}

TEST_F(event_cpus, samples_are_of_its_cpus)
{
	struct perf_event_attr attr;
	struct stream stream = {};

	attr_fake(&attr, self->key);
	ASSERT_EQ(0, add(self, TPROF_LX_FAKE_BACKEND, &attr, 0, 2));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_pin(0));
	fake_emit_from(self->key, TPROF_LX_FAKE_TASK, 10);
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, fake_emit_from(self->key, TPROF_LX_FAKE_TASK, 7));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&stream, self->fd));
	EXPECT_EQ(7, stream_count(&stream, PERF_RECORD_SAMPLE));
	stream_free(&stream);
}

TEST_F(event_cpus, event_goes_on_when_its_cpu_comes_back)
{
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, add_count(self, 0, 2));
	if (cpu_set_online(1, false))
		SKIP(return, "CPU 1 cannot be taken offline");
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, count_on_both(self));
	EXPECT_EQ(7, count_of(self->fd, 0, TPROF_LX_SUM));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, fake_count(self->key, 10, NULL));
	EXPECT_EQ(7, count_of(self->fd, 0, TPROF_LX_SUM));
}

/* The number of CPUs is that of the event, not that of the session. */
TEST_F(event_cpus, list_of_events_has_its_cpus)
{
	struct tprof_lx_listed listed[4] = {};
	struct tprof_lx_events arg = { .size = sizeof(arg), .cpu = TPROF_LX_SUM,
				       .events = (unsigned long)listed,
				       .event_size = sizeof(listed[0]), .nr_events = 4 };

	ASSERT_EQ(0, add_count(self, 0, 2));
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_EVENTS, &arg));
	for (int i = 0; i < 4; i++) {
		if (listed[i].id != self->event.id)
			continue;
		EXPECT_EQ(1, listed[i].nr_cpus);
		EXPECT_EQ(TPROF_LX_SCOPE_CPUS, listed[i].scope);
	}
}

/* The session has CPU 0 only. */
TEST_F(event_cpus, event_may_have_no_cpu_of_the_session)
{
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, add_count(self, 0, 2));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, count_on_both(self));
	EXPECT_EQ(0, count_of(self->fd, 0, TPROF_LX_SUM));
}

TEST_F(event_cpus, bad_sets_are_refused)
{
	struct perf_event_attr attr;

	EXPECT_EQ(-EINVAL, add_count(self, 0, 0));
	EXPECT_EQ(-EINVAL, add_count(self, TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PAGE, 1));
	attr_fake(&attr, self->key);
	attr.sample_type |= PERF_SAMPLE_WEIGHT;
	EXPECT_EQ(-EINVAL, add(self, TPROF_LX_FAKE_BACKEND, &attr,
			       TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PARALLELISM, 1));
	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key);
	self->event = (struct tprof_lx_event){ .size = sizeof(self->event),
					       .backend = TPROF_LX_FAKE_COUNTER,
					       .attr = (unsigned long)&attr, .cpus_bytes = 8 };
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_EVENT, &self->event));
	self->event.cpus = 8;
	EXPECT_EQ(-EFAULT, session_ioctl(self->fd, TPROF_LX_IOC_EVENT, &self->event));
}

TEST_HARNESS_MAIN
