// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - READ records for which the ring has no room
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/stream.h"
#include "harness/target.h"
#include "kselftest_harness.h"

/* More records than the ring of a CPU and the fifo can hold. */
#define RING		16384
#define FIFO		65536
#define RECORD_BYTES	80
#define THREADS		((RING + FIFO) / RECORD_BYTES + 100)

FIXTURE(tally_room) {
	int		fd;
	__u32		key;
	struct target	target;
	struct stream	stream;
};

/* Add an event that counts with READ records at exit, and one that samples. */
static int add_event(int fd, __u32 key)
{
	const __u32 flags = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;
	struct tprof_lx_event event;
	struct perf_event_attr attr;
	int err;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	attr.inherit = 1;
	attr.inherit_stat = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			   PERF_FORMAT_ID;
	err = event_add_with(fd, TPROF_LX_FAKE_COUNTER, &attr, flags, &event);
	return err < 0 ? err : event_fake(fd, key);
}

FIXTURE_SETUP(tally_room)
{
	self->key = getpid();
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, session_small(self->fd, RING, FIFO));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_LE(0, add_event(self->fd, self->key));
}

FIXTURE_TEARDOWN(tally_room)
{
	target_end(&self->target);
	stream_free(&self->stream);
	close(self->fd);
}

static void *count_once(void *target)
{
	return (void *)(long)fake_count(((struct target *)target)->key, 1, NULL);
}

static int count_in_threads(struct target *target, __u64 nr)
{
	pthread_t thread;
	void *result;
	int err = 0;

	for (; nr && !err; nr--) {
		err = -pthread_create(&thread, NULL, count_once, target);
		if (!err)
			pthread_join(thread, &result);
		err = err ?: (int)(long)result;
	}
	return err;
}

static __u64 count_reported(const struct stream *stream)
{
	const struct record *record;
	__u64 sum = 0;

	for_each_record_type(record, stream, PERF_RECORD_READ)
		sum += ((const __u64 *)record->body)[1];
	return sum;
}

TEST_F_TIMEOUT(tally_room, records_without_room_are_written_at_stop, 120)
{
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, target_do(&self->target, count_in_threads, THREADS));
	ASSERT_EQ(0, stream_flush(&self->stream, self->fd));
	EXPECT_GT(THREADS * RECORD_BYTES, self->stream.bytes);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	EXPECT_EQ(THREADS, count_reported(&self->stream));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(0, stats.side_lost);
}

TEST_HARNESS_MAIN
