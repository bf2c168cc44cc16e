// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - READ records of the counts by thread
 */
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "harness/stream.h"
#include "harness/tally.h"
#include "harness/test.h"

/* More records than the ring of a CPU and the fifo can hold. */
#define RING		16384
#define FIFO		65536
#define RECORD_BYTES	80
#define THREADS		(((RING + FIFO) / RECORD_BYTES / THREADS_AT_ONCE + 5) * THREADS_AT_ONCE)

FIXTURE(tally_records) {
	int		fd;
	__u32		key;
	struct target	target;
	struct tally_list list;
	struct stream	stream;
};

FIXTURE_SETUP(tally_records)
{
	self->key = getpid();
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	/* Open the device of the back end before the target is forked. */
	ASSERT_EQ(-ENOENT, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
}

FIXTURE_TEARDOWN(tally_records)
{
	target_end(&self->target);
	stream_free(&self->stream);
	close(self->fd);
}

/* A READ record, after its header. */
struct read_body {
	__u32	pid;
	__u32	tid;
	__u64	value;
	__u64	enabled;
	__u64	running;
	__u64	id;
};

/**
 * struct reported - sums over READ records
 * @nr:	number of records
 * @main:	sum of the main thread of the target
 * @others:	sum of all others
 */
struct reported {
	__u64	nr;
	__u64	main;
	__u64	others;
};

static struct reported read_reported(FIXTURE_DATA(tally_records) *self)
{
	struct reported reported = {};
	const struct record *record;
	const struct read_body *body;

	for_each_record_type(record, &self->stream, PERF_RECORD_READ) {
		body = (const void *)record->body;
		if ((pid_t)body->pid != self->target.pid || !body->value ||
		    body->enabled != body->running || body->id % TPROF_LX_MAX_EVENTS)
			return (struct reported){ .nr = ~0ULL };
		reported.nr++;
		if (body->tid == body->pid)
			reported.main += body->value;
		else
			reported.others += body->value;
	}
	return reported;
}

/* Let the main thread and 100 short threads count, and read all records. */
static int count_and_read(FIXTURE_DATA(tally_records) *self)
{
	int err = session_start(self->fd, ALL_EVENTS);

	err = err ?: target_do(&self->target, tally_count_in_threads, 100);
	for (int i = 0; i < 10; i++)
		err = err ?: target_do(&self->target, tally_count, 7);
	err = err ?: session_stop(self->fd, ALL_EVENTS);
	err = err ?: stream_read_to_end(&self->stream, self->fd, 10000);
	return err ?: stream_finish(&self->stream, self->fd);
}

TEST_F(tally_records, records_have_the_count_at_exit)
{
	struct reported reported;

	ASSERT_EQ(1, tally_add_reads(self->fd, self->key, 0));
	ASSERT_EQ(0, count_and_read(self));
	reported = read_reported(self);
	EXPECT_EQ(101, reported.nr);
	EXPECT_EQ(70, reported.main);
	EXPECT_EQ(100, reported.others);
	EXPECT_TRUE(tally_adds_up(self->fd, 0, &self->list));
}

TEST_F(tally_records, records_have_the_count_at_each_switch)
{
	struct reported reported;

	ASSERT_EQ(1, tally_add_reads(self->fd, self->key, TPROF_LX_EVENT_SWITCHES));
	ASSERT_EQ(0, count_and_read(self));
	reported = read_reported(self);
	EXPECT_LE(110, reported.nr);
	EXPECT_EQ(70, reported.main);
	EXPECT_EQ(100, reported.others);
}

/* A session without an event that samples has READ records, too. */
TEST_F(tally_records, events_that_only_count_have_records)
{
	const struct record *record;
	struct perf_event_attr attr;
	struct reported reported;

	attr_reads(&attr, self->key);
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			   PERF_SAMPLE_IDENTIFIER;
	attr.sample_id_all = 1;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	ASSERT_EQ(0, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr,
			       TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS));
	ASSERT_EQ(0, count_and_read(self));
	reported = read_reported(self);
	EXPECT_EQ(101, reported.nr);
	EXPECT_EQ(70, reported.main);
	EXPECT_EQ(100, reported.others);
	for_each_record_type(record, &self->stream, PERF_RECORD_READ) {
		EXPECT_EQ(RECORD_BYTES, record->header->size);
		EXPECT_EQ(((const struct read_body *)record->body)->id, record->id);
		EXPECT_NE(0, record->time);
	}
}

/* A clock samples beside events that count by thread, although it cannot count. */
TEST_F(tally_records, clock_samples_beside_counts_by_thread)
{
	struct perf_event_attr attr;
	struct reported reported;

	attr_reads(&attr, self->key);
	ASSERT_EQ(0, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr,
			       TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS));
	attr_init(&attr, 100);
	ASSERT_EQ(1, tally_add(self->fd, "timer", &attr, TPROF_LX_EVENT_PROCESS));
	EXPECT_EQ(-EOPNOTSUPP, tally_list(self->fd, 1, &self->list));
	ASSERT_EQ(0, count_and_read(self));
	reported = read_reported(self);
	EXPECT_EQ(101, reported.nr);
	EXPECT_EQ(170, reported.main + reported.others);
	EXPECT_TRUE(tally_adds_up(self->fd, 0, &self->list));
}

static int pin_to(struct target *target, __u64 cpu)
{
	return cpu_pin(cpu);
}

/* The records of STOP are written to the ring of the CPU that executes it. */
TEST_F(tally_records, stop_outside_the_cpu_set_writes_records)
{
	struct reported reported;

	if (cpus_online() < 2)
		SKIP(return, "there is one CPU only");
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(1, tally_add_reads(self->fd, self->key, 0));
	ASSERT_EQ(0, target_do(&self->target, pin_to, 0));
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, count_and_read(self));
	reported = read_reported(self);
	EXPECT_EQ(101, reported.nr);
	EXPECT_EQ(70, reported.main);
	EXPECT_EQ(100, reported.others);
}

TEST_F(tally_records, records_without_room_are_written_at_stop)
{
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, session_small(self->fd, RING, FIFO));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(1, tally_add_reads(self->fd, self->key, 0));
	ASSERT_EQ(0, target_do(&self->target, pin_to, 0));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, target_do(&self->target, tally_count_in_threads, THREADS));
	ASSERT_EQ(0, stream_flush(&self->stream, self->fd));
	EXPECT_GT(THREADS * RECORD_BYTES, self->stream.bytes);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	EXPECT_EQ(THREADS, read_reported(self).others);
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(0, stats.side_lost);
}

TEST_HARNESS_MAIN
