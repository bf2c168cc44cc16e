// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - hardware counters that count only while a target runs
 *
 * Both the target and another process run a loop of known length on CPU 0.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/counters.h"
#include "harness/target.h"
#include "kselftest_harness.h"

#define LOOPS	1000000ULL
#define INSNS	(LOOPS * INSNS_PER_LOOP)

FIXTURE(pmu_gate) {
	struct counters		counters;
	struct perf_event_attr	attr;
	struct target		target;
	int			fd;
	pid_t			other;
};

/* Run until the process is killed. */
static pid_t spin_beside(void)
{
	pid_t pid = fork();

	while (!pid)
		work(1000);
	return pid;
}

FIXTURE_SETUP(pmu_gate)
{
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	self->fd = self->counters.fd;
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	self->other = spin_beside();
	ASSERT_LT(0, self->other);
}

FIXTURE_TEARDOWN(pmu_gate)
{
	if (!self->counters.why_not) {
		kill(self->other, SIGKILL);
		waitpid(self->other, NULL, 0);
		target_end(&self->target);
	}
	close(self->fd);
}

static int add(FIXTURE_DATA(pmu_gate) *self)
{
	struct tprof_lx_event event;
	int err = event_add_with(self->fd, self->counters.backend.name, &self->attr,
				 TPROF_LX_EVENT_PROCESS, &event);

	return err ? err : (int)event.index;
}

/*
 * Limit the session to CPU 0 and the target. counters_open() has set only the
 * CPU.
 */
static int limit(FIXTURE_DATA(pmu_gate) *self)
{
	struct tprof_lx_config config = {
		.size		= sizeof(config),
		.nr_targets	= 1,
		.targets	= (unsigned long)&self->target.pid,
	};
	__u8 cpus = 1;

	config.cpus = (unsigned long)&cpus;
	config.cpus_bytes = sizeof(cpus);
	return session_config(self->fd, &config);
}

static int run_work(struct target *target, __u64 loops)
{
	(void)target;
	work(loops);
	return 0;
}

/* Return how much event @index counts while the target runs work(@loops). */
static __u64 count_of_target(FIXTURE_DATA(pmu_gate) *self, __u32 index, __u64 loops)
{
	__u64 before = count_sum(self->fd, index);

	if (target_do(&self->target, run_work, loops))
		return ~0ULL;
	return count_sum(self->fd, index) - before;
}

/*
 * Return how much event @index counts in @loops loops of the target: the
 * difference between two runs. The other instructions of both runs are the
 * same.
 */
static __u64 count_per_loops(FIXTURE_DATA(pmu_gate) *self, __u32 index, __u64 loops)
{
	count_of_target(self, index, 1);
	return count_of_target(self, index, loops + 1) - count_of_target(self, index, 1);
}

TEST_F(pmu_gate, user_instructions_of_the_target_are_exact)
{
	ASSERT_EQ(0, limit(self));
	ASSERT_EQ(0, add(self));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (__u64 loops = 1000; loops <= LOOPS; loops *= 10)
		EXPECT_EQ(loops * INSNS_PER_LOOP, count_per_loops(self, 0, loops));
}

TEST_F(pmu_gate, events_of_one_gate_count_the_same_time)
{
	ASSERT_EQ(0, limit(self));
	ASSERT_EQ(0, add(self));
	ASSERT_EQ(1, add(self));
	self->attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	ASSERT_EQ(2, add(self));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, target_do(&self->target, run_work, LOOPS));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	EXPECT_LE(INSNS, count_sum(self->fd, 0));
	/*
	 * The target executes a few more instructions. The other process executes
	 * millions.
	 */
	EXPECT_GT(INSNS + INSNS / 10, count_sum(self->fd, 0));
	EXPECT_EQ(count_sum(self->fd, 0), count_sum(self->fd, 1));
	EXPECT_LE(LOOPS, count_sum(self->fd, 2));
	EXPECT_GT(INSNS, count_sum(self->fd, 2));
}

/*
 * While the gate is closed, an event of another session counts the other
 * process.
 */
TEST_F(pmu_gate, gate_does_not_stop_events_of_other_sessions)
{
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_cpus(fd, 0));
	ASSERT_EQ(0, event_add(fd, self->counters.backend.name, &self->attr));
	ASSERT_EQ(0, session_start(fd, 1));
	ASSERT_EQ(0, limit(self));
	ASSERT_EQ(0, add(self));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int i = 0; i < 100; i++)
		ASSERT_EQ(0, target_do(&self->target, run_work, 1000));
	spin_ms(20);
	EXPECT_LE(100 * 1000 * INSNS_PER_LOOP, count_sum(self->fd, 0));
	EXPECT_GT(2 * 100 * 1000 * INSNS_PER_LOOP, count_sum(self->fd, 0));
	EXPECT_LT(2 * count_sum(self->fd, 0), count_sum(fd, 0));
	close(fd);
}

TEST_HARNESS_MAIN
