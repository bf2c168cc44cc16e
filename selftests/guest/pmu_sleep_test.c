// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - counters across a suspend of the machine
 */
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

#include "harness/counters.h"
#include "harness/suspend.h"
#include "harness/test.h"
#include "harness/stream.h"

#define LOOPS		100000ULL
#define INSNS		(LOOPS * INSNS_PER_LOOP)

FIXTURE(pmu_sleep) {
	struct counters		counters;
	struct perf_event_attr	attr;
	struct stream		stream;
	int			fd;
};

FIXTURE_SETUP(pmu_sleep)
{
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	if (!suspend_is_possible())
		SKIP(return, NO_SUSPEND);
	self->fd = self->counters.fd;
	ASSERT_EQ(0, cpu_pin(0));
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

FIXTURE_TEARDOWN(pmu_sleep)
{
	stream_free(&self->stream);
	close(self->fd);
}

TEST_F(pmu_sleep, counting_continues_after_suspend)
{
	struct tprof_lx_count before, after;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &before));
	EXPECT_LE(INSNS, before.value);
	ASSERT_EQ(0, suspend_once());
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &after));
	EXPECT_LE(before.value + INSNS, after.value);
	ASSERT_EQ(0, session_stop(self->fd, 1));
}

TEST_F(pmu_sleep, sampling_continues_after_suspend)
{
	struct tprof_lx_stats stats;

	attr_sample(&self->attr, 10007);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, suspend_once());
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_LE(2 * INSNS / 10007 - 1, stats.ledger.taken);
}

/* The resume does not start an event that was stopped before the suspend. */
TEST_F(pmu_sleep, stopped_event_stays_stopped)
{
	struct tprof_lx_count before, after;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &before));
	ASSERT_EQ(0, suspend_once());
	work(LOOPS);
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &after));
	EXPECT_EQ(before.value, after.value);
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
}

/* The event "tsc" does not count during the suspend, which lasts a second. */
TEST_F(pmu_sleep, tsc_does_not_count_during_suspend)
{
	struct tprof_lx_count before, after;
	__u64 slept;

	attr_count(&self->attr, PERF_TYPE_HARDWARE,
		   PERF_COUNT_HW_REF_CPU_CYCLES);
	ASSERT_EQ(0, event_add(self->fd, "tsc", &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &before));
	slept = -__rdtsc();
	ASSERT_EQ(0, suspend_once());
	slept += __rdtsc();
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &after));
	EXPECT_LT(before.value, after.value);
	/* The suspend takes most of the time between the two reads. */
	EXPECT_LT(after.value - before.value, slept / 2);
	ASSERT_EQ(0, session_stop(self->fd, 1));
}

TEST_HARNESS_MAIN
