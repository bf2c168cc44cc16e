// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - events for one kind of the cores of a hybrid processor
 *
 * A target runs a loop of known length on performance and on efficient cores. In the lab's
 * hybrid modes, CPUs 0 and 1 are performance cores, CPUs 2 and 3 efficient cores.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "harness/counters.h"
#include "harness/tally.h"
#include "harness/target.h"
#include "harness/test.h"

#define LOOPS	20000ULL
#define INSNS	(LOOPS * INSNS_PER_LOOP)
#define LARGE	0
#define SMALL	2

/* perf's code for the topdown slots, which only fixed counter 3 counts. */
#define RAW_SLOTS	0x400

FIXTURE(pmu_hybrid) {
	struct counters		counters;
	struct perf_event_attr	attr;
	struct target		target;
	int			fd;
};

FIXTURE_SETUP(pmu_hybrid)
{
	self->target.pid = 0;
	self->fd = -1;
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
}

FIXTURE_TEARDOWN(pmu_hybrid)
{
	if (self->target.pid)
		target_end(&self->target);
	close(self->fd);
	close(self->counters.fd);
}

static bool is_hybrid(void)
{
	const char *mode = lab_mode();

	return mode && (!strcmp(mode, "alder-lake") || !strcmp(mode, "lunar-lake"));
}

/* Add an event of the target for CPUs of the kind @cores. Return its index, or -errno. */
static int add(FIXTURE_DATA(pmu_hybrid) *self, __u32 cores, __u32 flags)
{
	struct tprof_lx_event event;
	int err = event_add_with(self->fd, self->counters.backend.name, &self->attr,
				 TPROF_LX_EVENT_PROCESS | flags | cores, &event);

	return err ? err : (int)event.index;
}

static int move_to(struct target *target, __u64 cpu)
{
	(void)target;
	return cpu_pin(cpu);
}

static int run_work(struct target *target, __u64 loops)
{
	(void)target;
	work(loops);
	return 0;
}

/* Move between the kinds of cores, and run the loop on each. */
static int wander(struct target *target, __u64 rounds)
{
	int err = 0;

	(void)target;
	while (rounds-- && !err) {
		work(LOOPS);
		err = cpu_pin(rounds & 1 ? SMALL + (rounds >> 1 & 1) : LARGE + (rounds >> 1 & 1));
	}
	return err;
}

static struct tprof_lx_count read_count(FIXTURE_DATA(pmu_hybrid) *self, __u32 index)
{
	struct tprof_lx_count count = { .size = sizeof(count), .cpu = TPROF_LX_SUM,
					.event = index };

	if (session_ioctl(self->fd, TPROF_LX_IOC_READ, &count))
		count.value = ~0ULL;
	return count;
}

/* Return how much an event counts in LOOPS more of the loop, on one CPU. */
static __u64 count_on(FIXTURE_DATA(pmu_hybrid) *self, __u32 index, int cpu)
{
	__u64 before, half;

	if (target_do(&self->target, move_to, cpu))
		return ~0ULL;
	before = read_count(self, index).value;
	if (target_do(&self->target, run_work, LOOPS))
		return ~0ULL;
	half = read_count(self, index).value;
	if (target_do(&self->target, run_work, 2 * LOOPS))
		return ~0ULL;
	return read_count(self, index).value - half - (half - before);
}

TEST_F(pmu_hybrid, kinds_are_refused_without_such_cores)
{
	struct tprof_lx_event event;

	EXPECT_EQ(-EINVAL, add(self, TPROF_LX_EVENT_CPU_CORE | TPROF_LX_EVENT_CPU_ATOM, 0));
	attr_count(&self->attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	EXPECT_EQ(-EOPNOTSUPP, event_add_with(self->fd, "soft", &self->attr,
					      TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_CPU_CORE,
					      &event));
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	if (is_hybrid())
		return;
	EXPECT_EQ(-EOPNOTSUPP, add(self, TPROF_LX_EVENT_CPU_CORE, 0));
	EXPECT_EQ(-EOPNOTSUPP, add(self, TPROF_LX_EVENT_CPU_ATOM, 0));
}

TEST_F(pmu_hybrid, event_counts_on_its_kind_only)
{
	if (!is_hybrid())
		SKIP(return, "only in the lab's hybrid modes");
	ASSERT_EQ(0, add(self, TPROF_LX_EVENT_CPU_CORE, 0));
	ASSERT_EQ(1, add(self, TPROF_LX_EVENT_CPU_ATOM, 0));
	ASSERT_EQ(2, add(self, 0, 0));
	ASSERT_EQ(0, session_start(self->fd, 7));
	EXPECT_EQ(INSNS, count_on(self, 0, LARGE));
	EXPECT_EQ(0, count_on(self, 0, SMALL));
	EXPECT_EQ(0, count_on(self, 1, LARGE + 1));
	EXPECT_EQ(INSNS, count_on(self, 1, SMALL + 1));
	EXPECT_EQ(INSNS, count_on(self, 2, LARGE));
	EXPECT_EQ(INSNS, count_on(self, 2, SMALL));
}

TEST_F(pmu_hybrid, kinds_add_up_while_the_target_moves)
{
	struct tprof_lx_count large, small, all;

	if (!is_hybrid())
		SKIP(return, "only in the lab's hybrid modes");
	ASSERT_EQ(0, add(self, TPROF_LX_EVENT_CPU_CORE, 0));
	ASSERT_EQ(1, add(self, TPROF_LX_EVENT_CPU_ATOM, 0));
	ASSERT_EQ(2, add(self, 0, 0));
	ASSERT_EQ(0, session_start(self->fd, 7));
	ASSERT_EQ(0, target_do(&self->target, wander, 50));
	ASSERT_EQ(0, session_stop(self->fd, 7));
	large = read_count(self, 0);
	small = read_count(self, 1);
	all = read_count(self, 2);
	EXPECT_LE(24 * INSNS, large.value);
	EXPECT_LE(24 * INSNS, small.value);
	EXPECT_EQ(all.value, large.value + small.value);
	/* Each event has the time of the other as time in which it missed the target. */
	EXPECT_EQ(0, all.missed_ns);
	EXPECT_LT(0, large.ran_ns);
	EXPECT_LT(0, small.ran_ns);
	EXPECT_EQ(large.ran_ns, small.missed_ns);
	EXPECT_EQ(small.ran_ns, large.missed_ns);
	EXPECT_EQ(all.ran_ns, large.ran_ns + small.ran_ns);
}

TEST_F(pmu_hybrid, threads_count_on_their_kind_only)
{
	struct tally_list list;

	if (!is_hybrid())
		SKIP(return, "only in the lab's hybrid modes");
	for (__u32 i = 0; i < 3; i++)
		ASSERT_EQ(i, add(self, i == 2 ? 0 : TPROF_LX_EVENT_CPU_CORE << i,
				 TPROF_LX_EVENT_THREADS));
	ASSERT_EQ(0, session_start(self->fd, 7));
	ASSERT_EQ(0, target_do(&self->target, wander, 20));
	ASSERT_EQ(0, session_stop(self->fd, 7));
	for (__u32 i = 0; i < 3; i++) {
		ASSERT_EQ(0, tally_list(self->fd, i, &list));
		EXPECT_EQ(read_count(self, i).value, list.listed);
		EXPECT_LE((i == 2 ? 19 : 9) * INSNS, list.listed);
	}
	EXPECT_EQ(read_count(self, 2).value,
		  read_count(self, 0).value + read_count(self, 1).value);
}

/* Only the performance cores of an Alder Lake have a counter for this event. */
TEST_F(pmu_hybrid, event_that_one_kind_lacks_runs_on_the_other)
{
	if (!is_hybrid() || strcmp(lab_mode(), "alder-lake"))
		SKIP(return, "only in the lab's mode alder-lake");
	attr_user(&self->attr, PERF_TYPE_RAW, RAW_SLOTS);
	EXPECT_EQ(-EOPNOTSUPP, add(self, TPROF_LX_EVENT_CPU_ATOM, 0));
	ASSERT_EQ(0, add(self, TPROF_LX_EVENT_CPU_CORE, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, target_do(&self->target, wander, 4));
}

TEST_F(pmu_hybrid, event_that_one_kind_lacks_cannot_start_on_both)
{
	if (!is_hybrid() || strcmp(lab_mode(), "alder-lake"))
		SKIP(return, "only in the lab's mode alder-lake");
	attr_user(&self->attr, PERF_TYPE_RAW, RAW_SLOTS);
	ASSERT_EQ(0, add(self, 0, 0));
	EXPECT_EQ(-EOPNOTSUPP, session_start(self->fd, 1));
}

TEST_F(pmu_hybrid, samples_come_from_their_kind_only)
{
	const __u64 period = 1000;

	if (!is_hybrid())
		SKIP(return, "only in the lab's hybrid modes");
	attr_sample(&self->attr, period);
	ASSERT_EQ(0, add(self, TPROF_LX_EVENT_CPU_ATOM, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, wander, 20));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(0, session_taken(self->fd, LARGE, 0));
	EXPECT_EQ(0, session_taken(self->fd, LARGE + 1, 0));
	EXPECT_LE(4 * INSNS / period, session_taken(self->fd, SMALL, 0));
	EXPECT_LE(4 * INSNS / period, session_taken(self->fd, SMALL + 1, 0));
}

TEST_HARNESS_MAIN
