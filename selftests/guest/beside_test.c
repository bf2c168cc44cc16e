// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - EVENT, RELEASE and CONFIG beside events that run, or unread records
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/stream.h"
#include "harness/tally.h"
#include "harness/test.h"

FIXTURE(beside) {
	int		fd;
	__u32		key;
	struct stream	stream;
	struct tally_list list;
};

FIXTURE_SETUP(beside)
{
	self->key = getpid();
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
}

FIXTURE_TEARDOWN(beside)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int emit(__u32 key, __u64 nr)
{
	return fake_emit_from(key, TPROF_LX_FAKE_TASK, nr);
}

/* Add an event that samples when the test calls emit() with @key. Return its id, or 0. */
static __u64 add_sampling(int fd, __u32 key)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_fake(&attr, key);
	return event_add_full(fd, TPROF_LX_FAKE_BACKEND, &attr, &event) ? 0 : event.id;
}

static int add_counting(int fd, __u32 key, __u32 flags)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	err = event_add_with(fd, TPROF_LX_FAKE_COUNTER, &attr, flags, &event);
	return err ?: (int)event.index;
}

static int release(int fd, __u32 event)
{
	struct tprof_lx_release arg = { .size = sizeof(arg), .event = event };

	return session_ioctl(fd, TPROF_LX_IOC_RELEASE, &arg);
}

static size_t count_samples_of(const struct stream *stream, __u64 id)
{
	size_t nr = 0;

	for (size_t i = 0; i < stream->nr_records; i++)
		nr += stream->index[i].header->type == PERF_RECORD_SAMPLE &&
		      stream->index[i].id == id;
	return nr;
}

/* Stop all events, and read their records. */
static int end_all(struct stream *stream, int fd)
{
	return session_stop(fd, ALL_EVENTS) ?: stream_read_to_end(stream, fd, 10000) ?:
	       stream_finish(stream, fd);
}

TEST_F(beside, added_event_begins_at_its_own_start)
{
	__u64 first, second;
	__u32 running;

	first = add_sampling(self->fd, self->key);
	ASSERT_NE(0, first);
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, emit(self->key, 10));
	second = add_sampling(self->fd, self->key + 1);
	ASSERT_NE(0, second);
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(1, running);
	EXPECT_EQ(-ECANCELED, emit(self->key + 1, 5));
	/* A START of all leaves the first alone. */
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, emit(self->key, 10));
	ASSERT_EQ(0, emit(self->key + 1, 7));
	ASSERT_EQ(0, end_all(&self->stream, self->fd));
	EXPECT_EQ(20, count_samples_of(&self->stream, first));
	EXPECT_EQ(7, count_samples_of(&self->stream, second));
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
}

TEST_F(beside, counts_go_on_while_an_event_is_added)
{
	ASSERT_EQ(0, add_counting(self->fd, self->key, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_count(self->key, 3, NULL));
	ASSERT_EQ(1, add_counting(self->fd, self->key, 0));
	ASSERT_EQ(0, fake_count(self->key, 10, NULL));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, fake_count(self->key, 100, NULL));
	EXPECT_EQ(113, count_sum(self->fd, 0));
	EXPECT_EQ(100, count_sum(self->fd, 1));
}

TEST_F(beside, event_is_added_while_records_are_unread)
{
	__u64 first, second;

	first = add_sampling(self->fd, self->key);
	ASSERT_NE(0, first);
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, emit(self->key, 10));
	ASSERT_EQ(0, release(self->fd, 0));
	second = add_sampling(self->fd, self->key);
	ASSERT_NE(0, second);
	EXPECT_NE(first, second);
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, emit(self->key, 5));
	ASSERT_EQ(0, end_all(&self->stream, self->fd));
	EXPECT_EQ(10, count_samples_of(&self->stream, first));
	EXPECT_EQ(5, count_samples_of(&self->stream, second));
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
}

/* The first event of the failed START may have taken samples, which are unread. */
TEST_F(beside, failed_start_does_not_keep_events_out)
{
	struct perf_event_attr attr;

	attr_fake(&attr, self->key + 1);
	attr.config |= TPROF_LX_FAKE_FAIL_START;
	ASSERT_NE(0, add_sampling(self->fd, self->key));
	ASSERT_EQ(1, event_add(self->fd, TPROF_LX_FAKE_BACKEND, &attr));
	ASSERT_EQ(-EBUSY, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, release(self->fd, 1));
	EXPECT_NE(0, add_sampling(self->fd, self->key + 2));
	EXPECT_EQ(0, session_start(self->fd, ALL_EVENTS));
}

TEST_F(beside, failed_start_leaves_the_running_events_alone)
{
	struct perf_event_attr attr;
	__u32 running;
	__u64 first;

	first = add_sampling(self->fd, self->key);
	ASSERT_NE(0, first);
	ASSERT_EQ(0, session_start(self->fd, 1));
	attr_fake(&attr, self->key + 1);
	attr.config |= TPROF_LX_FAKE_FAIL_START;
	ASSERT_EQ(1, event_add(self->fd, TPROF_LX_FAKE_BACKEND, &attr));
	EXPECT_EQ(-EBUSY, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(1, running);
	ASSERT_EQ(0, emit(self->key, 3));
	ASSERT_EQ(0, end_all(&self->stream, self->fd));
	EXPECT_EQ(3, count_samples_of(&self->stream, first));
}

/* A monitor adds and releases one event after the other, beside one that always runs. */
TEST_F(beside, indexes_are_used_again_while_an_event_runs)
{
	__u64 id, last = add_sampling(self->fd, self->key);
	__u32 running;

	ASSERT_NE(0, last);
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int i = 0; i < 3 * TPROF_LX_MAX_EVENTS; i++) {
		id = add_sampling(self->fd, self->key + 1);
		ASSERT_LT(last, id);
		last = id;
		ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
		ASSERT_EQ(0, emit(self->key + 1, 2));
		ASSERT_EQ(0, emit(self->key, 1));
		ASSERT_EQ(0, release(self->fd, id % TPROF_LX_MAX_EVENTS));
		ASSERT_EQ(0, session_flush(self->fd));
		ASSERT_LT(0, stream_read_some(&self->stream, self->fd));
	}
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(1, running);
	ASSERT_EQ(0, end_all(&self->stream, self->fd));
	EXPECT_EQ(9 * TPROF_LX_MAX_EVENTS, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_TRUE(ledgers_add_up(self->fd, TPROF_LX_MAX_EVENTS));
}

TEST_F(beside, index_with_unread_samples_is_not_used_again)
{
	ASSERT_NE(0, add_sampling(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int i = 1; i < TPROF_LX_MAX_EVENTS; i++)
		ASSERT_NE(0, add_sampling(self->fd, self->key + i));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, emit(self->key + 1, 1));
	ASSERT_EQ(0, release(self->fd, 1));
	EXPECT_EQ(-EBUSY, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_LT(0, stream_read_some(&self->stream, self->fd));
	EXPECT_EQ(1, event_fake(self->fd, self->key));
}

static int fork_once(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return waitpid(pid, NULL, 0) == pid ? 0 : -ECHILD;
}

/* The record of each fork is in the stream once, whichever event requests it. */
TEST_F(beside, side_band_records_begin_with_the_event_that_requests_them)
{
	struct perf_event_attr attr;

	ASSERT_NE(0, add_sampling(self->fd, self->key));
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fork_once());
	attr_fake(&attr, self->key + 1);
	attr.task = 1;
	ASSERT_EQ(1, event_add(self->fd, TPROF_LX_FAKE_BACKEND, &attr));
	ASSERT_EQ(0, fork_once());
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, fork_once());
	attr.comm = 1;
	ASSERT_EQ(2, event_add(self->fd, TPROF_LX_FAKE_BACKEND, &attr));
	ASSERT_EQ(0, session_start(self->fd, 4));
	ASSERT_EQ(0, fork_once());
	ASSERT_EQ(0, end_all(&self->stream, self->fd));
	EXPECT_EQ(2, stream_count(&self->stream, PERF_RECORD_FORK));
}

TEST_F(beside, event_of_a_process_is_added_beside_one_of_all)
{
	ASSERT_NE(0, add_sampling(self->fd, self->key));
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(1, add_counting(self->fd, self->key, TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, fake_count(self->key, 5, NULL));
	EXPECT_EQ(5, count_sum(self->fd, 1));
	ASSERT_EQ(0, session_stop(self->fd, 2));
	ASSERT_EQ(0, fake_count(self->key, 5, NULL));
	EXPECT_EQ(5, count_sum(self->fd, 1));
}

/* The gates of the event are made while CPU 1 is offline, and work there when it comes back. */
TEST_F(beside, added_event_of_a_process_runs_on_a_cpu_that_comes_online)
{
	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_NE(0, add_sampling(self->fd, self->key));
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_set_online(1, false));
	EXPECT_EQ(1, add_counting(self->fd, self->key, TPROF_LX_EVENT_PROCESS));
	EXPECT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, fake_count(self->key, 5, NULL));
	EXPECT_EQ(5, count_sum(self->fd, 1));
}

TEST_F(beside, clock_is_added_to_counts_by_thread)
{
	const __u32 flags = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;
	struct perf_event_attr attr;

	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, add_counting(self->fd, self->key, flags));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_count(self->key, 3, NULL));
	attr_init(&attr, 1000);
	ASSERT_EQ(1, tally_add(self->fd, "timer", &attr, TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, fake_count(self->key, 4, NULL));
	EXPECT_TRUE(wait_until(session_taken(self->fd, TPROF_LX_SUM, 1), 5000));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	EXPECT_EQ(7, count_sum(self->fd, 0));
	EXPECT_TRUE(tally_adds_up(self->fd, 0, &self->list));
}

TEST_F(beside, counts_by_thread_cannot_be_added_to_running_ones)
{
	const __u32 flags = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;

	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, add_counting(self->fd, self->key, flags));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-EBUSY, add_counting(self->fd, self->key, flags));
	EXPECT_EQ(-EBUSY, add_counting(self->fd, self->key, TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(1, add_counting(self->fd, self->key, flags));
}

/* The counts of released events do not keep others out in the next run. */
TEST_F(beside, counts_by_thread_end_with_their_run)
{
	const __u32 flags = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;

	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, add_counting(self->fd, self->key, flags));
	ASSERT_EQ(1, add_counting(self->fd, self->key, TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, release(self->fd, 0));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(2, add_counting(self->fd, self->key, TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, session_start(self->fd, 4));
	ASSERT_EQ(0, fake_count(self->key, 5, NULL));
	EXPECT_EQ(5, count_sum(self->fd, 2));
}

/* Without ids, the reader could not distinguish the samples of the two events. */
TEST_F(beside, event_that_does_not_suit_a_released_one_waits_for_the_reader)
{
	struct perf_event_attr attr;
	char buf[4096];

	attr_fake(&attr, self->key);
	attr.sample_type &= ~PERF_SAMPLE_IDENTIFIER;
	ASSERT_EQ(0, event_add(self->fd, TPROF_LX_FAKE_BACKEND, &attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, emit(self->key, 1));
	ASSERT_EQ(0, release(self->fd, 0));
	EXPECT_EQ(-EBUSY, event_fake(self->fd, self->key));
	EXPECT_TRUE(wait_until(!read(self->fd, buf, sizeof(buf)), 10000));
	EXPECT_EQ(1, event_fake(self->fd, self->key));
	/* Nothing is left of the released event, also while others run. */
	ASSERT_EQ(0, session_start(self->fd, 2));
	EXPECT_EQ(2, event_fake(self->fd, self->key));
}

static bool has_records(int fd, int ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, ms) == 1;
}

TEST_F(beside, config_changes_the_flush_time_of_events_that_run)
{
	struct tprof_lx_config slow = {
		.size = sizeof(slow),
		.flags = TPROF_LX_CONFIG_KEEP,
		.flush_ms = 10000,
	};
	struct tprof_lx_config fast = slow;

	fast.flush_ms = 10;
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_CONFIG, &slow));
	ASSERT_NE(0, add_sampling(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_flush(self->fd));
	ASSERT_EQ(0, emit(self->key, 1));
	EXPECT_FALSE(has_records(self->fd, 300));
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_CONFIG, &fast));
	EXPECT_LT(0, fast.ring_bytes);
	EXPECT_TRUE(has_records(self->fd, 5000));
	ASSERT_LT(0, stream_read_some(&self->stream, self->fd));
	ASSERT_EQ(0, emit(self->key, 1));
	EXPECT_TRUE(has_records(self->fd, 5000));
}

TEST_F(beside, config_keeps_sizes_cpus_and_targets)
{
	struct tprof_lx_config config = { .size = sizeof(config), .flags = TPROF_LX_CONFIG_KEEP };
	__s32 pid = getpid();

	config.ring_bytes = 1 << 20;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_CONFIG, &config));
	config.ring_bytes = 0;
	config.targets = (unsigned long)&pid;
	config.nr_targets = 1;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_CONFIG, &config));
	config.targets = 0;
	config.nr_targets = 0;
	config.flush_ms = 10001;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_CONFIG, &config));
	config.flush_ms = 0;
	EXPECT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_CONFIG, &config));
}

TEST_HARNESS_MAIN
