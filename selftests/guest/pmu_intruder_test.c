// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - programs that change the registers of counters while events run
 *
 * The module tprof-lx-rogue plays them: a driver that programs a counter of its own, a driver
 * that samples, and KVM with a mediated vPMU, which clears all registers.
 */
#include <errno.h>
#include <unistd.h>

#include "harness/counters.h"
#include "harness/rogue.h"
#include "harness/target.h"
#include "harness/test.h"

#define LOOPS	100000ULL
#define PERIOD	10000

/* Instructions in user and kernel mode; enabled, without and with an interrupt. */
#define INTRUDER_SELECT		0x4300c0
#define INTRUDER_SAMPLING	0x5300c0

FIXTURE(pmu_intruder) {
	struct counters		counters;
	int			fd;
	int			rogue;
	struct rogue_numbers	numbers;
	__u32			number;
	struct perf_event_attr	attr;
	struct target		target;
};

/* The events are of branches, which no fixed counter of the lab counts. */
FIXTURE_SETUP(pmu_intruder)
{
	self->rogue = -1;
	ASSERT_EQ(0, counters_open(&self->counters));
	self->fd = self->counters.fd;
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	if (!lab_mode())
		SKIP(return, "only in the lab");
	self->numbers = rogue_numbers(lab_mode());
	self->rogue = rogue_open();
	ASSERT_LE(0, self->rogue);
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
}

FIXTURE_TEARDOWN(pmu_intruder)
{
	close(self->fd);
	if (self->rogue < 0)
		return;
	target_end(&self->target);
	rogue_write(self->rogue, 0, self->numbers.select + self->number * self->numbers.step, 0);
	rogue_close(self->rogue);
}

/* Start the event, and find its counter. */
static int start(FIXTURE_DATA(pmu_intruder) *self)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	int err = session_start(self->fd, 1), nr;

	if (err)
		return err;
	nr = rows_read(self->fd, 0, rows);
	for (int i = 0; i < nr; i++) {
		if (rows[i].state != TPROF_LX_ROW_TAKEN || rows[i].kind != TPROF_LX_ROW_GENERAL)
			continue;
		self->number = rows[i].number;
		return 0;
	}
	return -ENOENT;
}

static __u32 select_msr(const FIXTURE_DATA(pmu_intruder) *self)
{
	return self->numbers.select + self->number * self->numbers.step;
}

static __u64 read_select(const FIXTURE_DATA(pmu_intruder) *self)
{
	__u64 value;

	return msr_read(0, select_msr(self), &value) ? ~0ULL : value;
}

static enum tprof_lx_row_state state_of_row(const FIXTURE_DATA(pmu_intruder) *self)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	int nr = rows_read(self->fd, 0, rows);

	for (int i = 0; i < nr; i++) {
		if (rows[i].kind == TPROF_LX_ROW_GENERAL && rows[i].number == self->number)
			return rows[i].state;
	}
	return -1;
}

/* The count of the event, and @yields, how often it stopped. */
static __u64 read_count(const FIXTURE_DATA(pmu_intruder) *self, __u64 *yields)
{
	struct tprof_lx_count count;

	if (count_read(self->fd, TPROF_LX_SUM, 0, &count))
		return ~0ULL;
	*yields = count.yields;
	return count.value;
}

TEST_F(pmu_intruder, driver_keeps_a_counter_that_it_has_changed)
{
	struct tprof_lx_stats stats;
	__u64 yields, before;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, start(self));
	EXPECT_LE(LOOPS, count_per_work(self->fd, 0, LOOPS));
	before = read_count(self, &yields);
	EXPECT_EQ(0, yields);
	ASSERT_EQ(0, rogue_write(self->rogue, 0, select_msr(self), INTRUDER_SELECT));
	work(LOOPS);
	EXPECT_EQ(before, read_count(self, &yields));
	EXPECT_EQ(1, yields);
	EXPECT_EQ(TPROF_LX_ROW_YIELDED, state_of_row(self));
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_EQ(1, stats.yields);
	EXPECT_LT(0, stats.yielded_ns);
	EXPECT_GT(now_ns(), stats.yielded_ns);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(INTRUDER_SELECT, read_select(self));
	if (!self->numbers.global)
		EXPECT_EQ(-EBUSY, session_start(self->fd, 1));
	/* The driver ends. What STATS says of the past stays. */
	ASSERT_EQ(0, rogue_write(self->rogue, 0, select_msr(self), 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_LE(LOOPS, count_per_work(self->fd, 0, LOOPS));
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_EQ(1, stats.yields);
}

/* Clear the registers of CPU 0, as KVM does after a guest has run. */
static int clear_registers(FIXTURE_DATA(pmu_intruder) *self)
{
	const struct rogue_numbers *numbers = &self->numbers;
	__u32 offset = self->number * numbers->step;

	return (numbers->global ? rogue_write(self->rogue, 0, numbers->global, 0) : 0) ?:
	       rogue_write(self->rogue, 0, numbers->select + offset, 0) ?:
	       rogue_write(self->rogue, 0, numbers->counter + offset, 0);
}

static int run_work(struct target *target, __u64 loops)
{
	(void)target;
	work(loops);
	return 0;
}

TEST_F(pmu_intruder, registers_that_kvm_has_cleared_are_noticed_at_a_task_switch)
{
	struct tprof_lx_event event;
	struct tprof_lx_stats stats;
	__u64 yields, before;

	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, event_add_with(self->fd, self->counters.backend.name, &self->attr,
				    TPROF_LX_EVENT_PROCESS, &event));
	ASSERT_EQ(0, start(self));
	ASSERT_EQ(0, target_do(&self->target, run_work, LOOPS));
	before = read_count(self, &yields);
	EXPECT_LE(LOOPS, before);
	ASSERT_EQ(0, clear_registers(self));
	ASSERT_EQ(0, target_do(&self->target, run_work, LOOPS));
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_EQ(1, stats.yields);
	EXPECT_EQ(before, read_count(self, &yields));
	EXPECT_EQ(0, read_select(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, run_work, LOOPS));
	EXPECT_LE(before + LOOPS, read_count(self, &yields));
	EXPECT_EQ(1, yields);
}

TEST_F(pmu_intruder, overflows_of_a_driver_are_no_samples)
{
	struct tprof_lx_stats stats;
	__u64 taken;

	attr_sample(&self->attr, PERIOD);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, start(self));
	work(LOOPS);
	taken = session_taken(self->fd, 0, 0);
	EXPECT_LE(LOOPS / PERIOD, taken);
	ASSERT_EQ(0, rogue_write(self->rogue, 0, select_msr(self), INTRUDER_SAMPLING));
	work(LOOPS);
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_EQ(1, stats.yields);
	EXPECT_EQ(taken, stats.ledger.taken);
	EXPECT_EQ(INTRUDER_SAMPLING, read_select(self));
	/* The driver stops its counter before it overflows again: it has no NMI handler. */
	ASSERT_EQ(0, rogue_write(self->rogue, 0, select_msr(self), 0));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_HARNESS_MAIN
