// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - counters that others use without a reservation
 *
 * The module tprof-lx-rogue plays firmware that lets a counter run.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/counters.h"
#include "harness/rogue.h"
#include "harness/test.h"

#define LOOPS	100000ULL
#define INSNS	(LOOPS * INSNS_PER_LOOP)

/* Instructions in user and kernel mode; enabled, without an interrupt. */
#define FIRMWARE_SELECT	0x4300c0
/* The same with an interrupt, as perf programs its counters. */
#define PERF_SELECT	0x5300c0

FIXTURE(pmu_foreign) {
	struct counters		counters;
	int			rogue;
	struct rogue_numbers	numbers;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(pmu_foreign)
{
	self->rogue = -1;
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	if (!lab_mode())
		SKIP(return, "only in the lab");
	self->numbers = rogue_numbers(lab_mode());
	self->rogue = rogue_open();
	ASSERT_LE(0, self->rogue);
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	expect_dmesg("firmware or another program uses counters");
}

FIXTURE_TEARDOWN(pmu_foreign)
{
	close(self->counters.fd);
	if (self->rogue < 0)
		return;
	rogue_write(self->rogue, 0, self->numbers.select, 0);
	rogue_close(self->rogue);
}

/* Let counter 0 of CPU 0 count. */
static int begin_counter(FIXTURE_DATA(pmu_foreign) *self, __u64 select)
{
	const struct rogue_numbers *numbers = &self->numbers;

	return rogue_write(self->rogue, 0, numbers->counter, 0) ?:
	       rogue_write(self->rogue, 0, numbers->select, select) ?:
	       (numbers->global ? rogue_write(self->rogue, 0, numbers->global, 1) : 0);
}

static __u64 firmware_count(FIXTURE_DATA(pmu_foreign) *self)
{
	__u64 value;

	return msr_read(0, self->numbers.counter, &value) ? 0 : value;
}

/* From perfmon version 6 on, the counter could be perf's: see kmod/x86/x86_reserve.c. */
static bool has_aliases(void)
{
	return !strcmp(lab_mode(), "lunar-lake");
}

TEST_F(pmu_foreign, counter_of_firmware_goes_on)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	__u64 before, select;

	ASSERT_EQ(0, begin_counter(self, FIRMWARE_SELECT));
	work(LOOPS);
	before = firmware_count(self);
	EXPECT_LE(INSNS, before);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->counters.fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->counters.fd, 0, LOOPS));
	ASSERT_LT(0, rows_read(self->counters.fd, 0, rows));
	EXPECT_EQ(TPROF_LX_ROW_FOREIGN, rows[0].state);
	EXPECT_LE(before + INSNS, firmware_count(self));
	ASSERT_EQ(0, session_stop(self->counters.fd, 1));
	before = firmware_count(self);
	work(LOOPS);
	EXPECT_LE(before + INSNS, firmware_count(self));
	ASSERT_EQ(0, msr_read(0, self->numbers.select, &select));
	EXPECT_EQ(FIRMWARE_SELECT, select);
}

/* INFO and ROWS report the counter before there is an event, and reserve nothing for that. */
TEST_F(pmu_foreign, counter_of_firmware_is_reported_from_the_start)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	struct tprof_lx_backend backend;

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, begin_counter(self, FIRMWARE_SELECT));
	ASSERT_EQ(0, counters_backend(self->counters.fd, &backend));
	EXPECT_FALSE(backend.flags & TPROF_LX_BACKEND_DEGRADED);
	EXPECT_TRUE(strstr(backend.text, "; 1 foreign"));
	ASSERT_LT(1, rows_read(self->counters.fd, 0, rows));
	EXPECT_EQ(TPROF_LX_ROW_FOREIGN, rows[0].state);
	EXPECT_EQ(TPROF_LX_ROW_FREE, rows[1].state);
	ASSERT_EQ(0, rogue_write(self->rogue, 0, self->numbers.select, PERF_SELECT));
	ASSERT_EQ(0, counters_backend(self->counters.fd, &backend));
	EXPECT_STREQ("counters held by perf or the NMI watchdog", backend.text);
	ASSERT_EQ(0, rogue_write(self->rogue, 0, self->numbers.select, 0));
	ASSERT_EQ(0, counters_backend(self->counters.fd, &backend));
	EXPECT_FALSE(strstr(backend.text, "foreign"));
	ASSERT_LT(1, rows_read(self->counters.fd, 0, rows));
	EXPECT_EQ(TPROF_LX_ROW_FREE, rows[0].state);
}

/* A session with events must not take a counter that has begun to run meanwhile. */
TEST_F(pmu_foreign, counter_that_began_to_run_is_ebusy)
{
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, begin_counter(self, FIRMWARE_SELECT));
	EXPECT_EQ(-EBUSY, session_start(self->counters.fd, 1));
	ASSERT_EQ(0, rogue_write(self->rogue, 0, self->numbers.select, 0));
	EXPECT_EQ(0, session_start(self->counters.fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->counters.fd, 0, LOOPS));
}

/* All events of a START begin, or none does. */
TEST_F(pmu_foreign, no_event_begins_if_one_counter_runs)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	int nr;

	for (int i = 0; i < 2; i++)
		ASSERT_EQ(i, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, begin_counter(self, FIRMWARE_SELECT));
	EXPECT_EQ(-EBUSY, session_start(self->counters.fd, 3));
	nr = rows_read(self->counters.fd, 0, rows);
	ASSERT_LT(0, nr);
	for (int i = 0; i < nr; i++)
		EXPECT_NE(TPROF_LX_ROW_TAKEN, rows[i].state);
	ASSERT_EQ(0, rogue_write(self->rogue, 0, self->numbers.select, 0));
	EXPECT_EQ(0, session_start(self->counters.fd, 3));
	EXPECT_EQ(INSNS, count_per_work(self->counters.fd, 0, LOOPS));
	EXPECT_EQ(INSNS, count_per_work(self->counters.fd, 1, LOOPS));
}

TEST_F(pmu_foreign, running_counter_that_may_be_perfs_is_ebusy)
{
	struct tprof_lx_backend backend;

	if (!has_aliases())
		SKIP(return, "the reservation keeps perf away");
	ASSERT_EQ(0, begin_counter(self, PERF_SELECT));
	EXPECT_EQ(-EBUSY, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, counters_backend(self->counters.fd, &backend));
	EXPECT_TRUE(backend.flags & TPROF_LX_BACKEND_DEGRADED);
	ASSERT_EQ(0, rogue_write(self->rogue, 0, self->numbers.select, 0));
	EXPECT_EQ(0, counters_add(&self->counters, &self->attr));
}

TEST_HARNESS_MAIN
