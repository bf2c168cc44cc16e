// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the number of samples is count / period, plus or minus 1
 */
#include <errno.h>
#include <unistd.h>

#include "harness/counters.h"
#include "harness/test.h"

#define LOOPS	1000000ULL

FIXTURE(pmu_period) {
	struct counters		counters;
	struct perf_event_attr	attr;
	struct stream		stream;
};

FIXTURE_VARIANT(pmu_period) {
	__u32	type;
	__u64	config;
	__u64	period;
};

#define PERIOD(name, type_, config_, period_)				\
	FIXTURE_VARIANT_ADD(pmu_period, name##_##period_) {		\
		.type	= type_,					\
		.config	= config_,					\
		.period	= period_,					\
	}

PERIOD(instructions, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 1009);
PERIOD(instructions, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 100003);
PERIOD(raw, PERF_TYPE_RAW, RAW_INSNS, 10007);
PERIOD(branches, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 10007);
PERIOD(cycles, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 3000017);

FIXTURE_SETUP(pmu_period)
{
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	attr_user(&self->attr, variant->type, variant->config);
	attr_sample(&self->attr, variant->period);
}

FIXTURE_TEARDOWN(pmu_period)
{
	stream_free(&self->stream);
	close(self->counters.fd);
}

TEST_F(pmu_period, each_period_has_one_sample)
{
	int fd = self->counters.fd;
	struct tprof_lx_event event;
	struct sampled sampled;

	ASSERT_EQ(0, event_add_full(fd, self->counters.backend.name,
				    &self->attr, &event));
	EXPECT_EQ(variant->period, event.period);
	ASSERT_EQ(0, session_start(fd, 1));
	work(3 * LOOPS);
	ASSERT_EQ(0, session_stop(fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, fd));
	ASSERT_TRUE(samples_sum_up(fd, &self->stream, 0, event.id, &sampled));
	EXPECT_LE(sampled.count / variant->period, sampled.taken + 1);
	EXPECT_GE(sampled.count / variant->period + 1, sampled.taken);
	EXPECT_LT(0, sampled.taken);
	EXPECT_EQ(variant->period, sampled.shortest);
	EXPECT_EQ(variant->period, sampled.longest);
	EXPECT_TRUE(ledgers_add_up(fd, 1));
	TH_LOG("%llu samples of %llu", sampled.taken, sampled.count);
}

TEST_HARNESS_MAIN
