// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - which CPUs have rings of which size
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/storm.h"
#include "harness/target.h"
#include "harness/test.h"

#define KIB	1024ULL
#define SPARE	(128 * KIB)
#define SHARED	32
#define GROWTHS	8

FIXTURE(rings) {
	int		fd;
	int		cpus;
	__u64		full;
	struct target	target;
};

FIXTURE_SETUP(rings)
{
	struct tprof_lx_info info = {};

	self->cpus = cpus_online();
	if (self->cpus < 2)
		SKIP(return, "one CPU");
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, session_info(self->fd, &info));
	self->full = info.ring_default;
	ASSERT_LT(SPARE, self->full);
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
}

FIXTURE_TEARDOWN(rings)
{
	if (self->target.pid)
		target_end(&self->target);
	close(self->fd);
}

/* Return the size of the ring of a CPU, or of all rings. */
static __u64 ring_of(int fd, __u32 cpu)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, cpu, TPROF_LX_SUM, &stats) ? -1 : stats.rings_bytes;
}

static int pin(struct target *target, __u64 cpu)
{
	return cpu_pin(cpu);
}

static int run_anywhere(struct target *target, __u64 cpus)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (__u64 cpu = 0; cpu < cpus; cpu++)
		CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

static int restart(int fd)
{
	struct tprof_lx_stats stats;
	char buf[1 << 16];
	int err = session_stop(fd, 1);

	while (!err && read(fd, buf, sizeof(buf)) > 0)
		;
	err = err ?: session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats);
	return err ?: session_start(fd, 1);
}

TEST_F(rings, all_cpus_that_sample_have_full_rings)
{
	EXPECT_EQ(0, ring_of(self->fd, TPROF_LX_SUM));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int cpu = 0; cpu < self->cpus; cpu++)
		EXPECT_EQ(self->full, ring_of(self->fd, cpu));
	EXPECT_EQ(self->cpus * self->full, ring_of(self->fd, TPROF_LX_SUM));
}

/* Each task can fork, map a file or write a mark there. */
TEST_F(rings, cpus_outside_the_set_have_small_rings)
{
	ASSERT_EQ(0, session_cpus(self->fd, 1));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(self->full, ring_of(self->fd, 1));
	EXPECT_EQ(self->full + (self->cpus - 1) * SPARE, ring_of(self->fd, TPROF_LX_SUM));
	ASSERT_EQ(0, cpu_pin(0));
	EXPECT_EQ(0, session_mark(self->fd, 1, "from a CPU outside the set"));
}

/* The records name the tasks that the session samples elsewhere, later. */
TEST_F(rings, storm_outside_the_set_loses_no_record)
{
	struct perf_event_attr attr;
	struct tprof_lx_stats stats = {};
	struct storm storm;

	ASSERT_EQ(0, session_cpus(self->fd, 1));
	attr_init(&attr, 100);
	attr_track(&attr);
	ASSERT_EQ(0, event_add(self->fd, "timer", &attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, storm_begin(&storm));
	ASSERT_EQ(0, storm_add_on(&storm, blow_processes, 0));
	ASSERT_EQ(0, storm_add_on(&storm, blow_maps, 0));
	/* Together, they are longer than the ring. */
	for (int i = 0; i < 30000 && stats.side_pushed <= SPARE / 64; i++) {
		usleep(1000);
		ASSERT_EQ(0, session_stats(self->fd, 0, TPROF_LX_SUM, &stats));
	}
	EXPECT_EQ(0, storm_end(&storm));
	ASSERT_EQ(0, session_stats(self->fd, 0, TPROF_LX_SUM, &stats));
	EXPECT_LT(SPARE / 64, stats.side_pushed);
	EXPECT_EQ(0, stats.side_lost);
}

TEST_F(rings, cpus_without_a_target_have_small_rings)
{
	ASSERT_EQ(0, target_do(&self->target, pin, 1));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(self->full, ring_of(self->fd, 1));
	EXPECT_EQ(self->full + (self->cpus - 1) * SPARE, ring_of(self->fd, TPROF_LX_SUM));
}

TEST_F(rings, small_ring_grows_when_a_target_gets_its_cpu)
{
	ASSERT_EQ(0, target_do(&self->target, pin, 1));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(SPARE, ring_of(self->fd, 0));
	ASSERT_EQ(0, target_do(&self->target, pin, 0));
	EXPECT_EQ(SPARE, ring_of(self->fd, 0));
	ASSERT_EQ(0, restart(self->fd));
	EXPECT_EQ(self->full, ring_of(self->fd, 0));
	/* No ring shrinks. */
	EXPECT_EQ(self->full, ring_of(self->fd, 1));
	EXPECT_EQ(0, session_flush(self->fd));
	EXPECT_EQ(0, session_mark(self->fd, 1, "in the new ring"));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/* Move records of the main thread's CPU through a small ring; then let the ring grow. */
static int grow(FIXTURE_DATA(rings) *self)
{
	int err = target_do(&self->target, pin, 1);

	err = err ?: session_target(self->fd, self->target.pid);
	err = err ?: session_start(self->fd, 1);
	err = err ?: session_mark(self->fd, 1, "in the small ring");
	err = err ?: target_do(&self->target, pin, 0);
	return err ?: restart(self->fd);
}

/* Return the length of the records that can be read, or -errno. */
static int readable_bytes(int fd)
{
	struct tprof_lx_span span = { .size = sizeof(span) };

	return session_ioctl(fd, TPROF_LX_IOC_ADVANCE, &span) ?: span.bytes;
}

static bool is_over;

static void *flush_all_the_time(void *fd)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))
		session_flush(*(int *)fd);
	return NULL;
}

TEST_F(rings, flush_while_a_ring_grows_moves_nothing)
{
	pthread_t flusher;
	int bytes = 0;

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, pthread_create(&flusher, NULL, flush_all_the_time, &self->fd));
	for (int i = 0; i < GROWTHS && !bytes; i++) {
		bytes = grow(self) ?: session_flush(self->fd) ?: readable_bytes(self->fd);
		bytes = bytes ?: session_stop(self->fd, 1);
	}
	EXPECT_EQ(0, bytes);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	EXPECT_EQ(0, pthread_join(flusher, NULL));
	EXPECT_EQ(self->full, ring_of(self->fd, 0));
}

static __u64 power_below(__u64 value)
{
	return 1ULL << (63 - __builtin_clzll(value));
}

/* On machines with many CPUs, a session of processes takes no more memory than on few. */
TEST_F(rings, rings_of_processes_share_the_memory_of_a_few)
{
	__u64 share = power_below(SHARED * self->full / self->cpus);

	if (self->cpus <= SHARED)
		share = self->full;
	else if (share < SPARE)
		share = SPARE;
	ASSERT_EQ(0, target_do(&self->target, run_anywhere, self->cpus));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(share, ring_of(self->fd, 0));
	EXPECT_EQ(self->cpus * share, ring_of(self->fd, TPROF_LX_SUM));
}

TEST_HARNESS_MAIN
