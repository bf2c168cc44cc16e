// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - hardware counters that count and sample only while a target runs
 *
 * Both the target and another process run a loop of known length on CPU 0.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/counters.h"
#include "harness/target.h"
#include "harness/test.h"

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
	if (self->counters.backend.nr_counters < 3)
		SKIP(return, "fewer than three counters");
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
	int fd;

	if (self->counters.backend.nr_counters < 2)
		SKIP(return, "fewer than two counters");
	fd = session_open(0);
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

/* Samples of event 0 while only the target runs. Event 0 is the only event. */
struct samples {
	struct sampled		sums;
	struct tprof_lx_stats	stats;
	__u64			short_ones;
};

static int begin_sampling(FIXTURE_DATA(pmu_gate) *self, __u64 period, __u64 *id)
{
	struct tprof_lx_event event;
	int err = limit(self);

	attr_sample(&self->attr, period);
	err = err ?: event_add_with(self->fd, self->counters.backend.name, &self->attr,
				    TPROF_LX_EVENT_PROCESS, &event);
	*id = event.id;
	return err ?: session_start(self->fd, 1);
}

static int end_sampling(FIXTURE_DATA(pmu_gate) *self, __u64 id, struct samples *samples)
{
	const struct record *record;
	struct stream stream = {};
	int err = session_stop(self->fd, 1);

	*samples = (struct samples){};
	err = err ?: stream_read_all(&stream, self->fd);
	err = err ?: session_stats(self->fd, TPROF_LX_SUM, 0, &samples->stats);
	if (!err) {
		samples_sum_up(self->fd, &stream, 0, id, &samples->sums);
		for_each_record_type(record, &stream, PERF_RECORD_SAMPLE)
			samples->short_ones += record->pid != record->tid;
	}
	stream_free(&stream);
	return err;
}

/*
 * If the CPU takes an interrupt right after an overflow in user mode, the NMI finds it in the
 * kernel, and the sample is filtered. 7 of 220,000 samples were, and more on slow kernels.
 */
#define MAX_FILTERED	2

/* Return the number of NMIs that this module has caused. */
static __u64 nmis(int fd)
{
	struct tprof_lx_stats stats;

	if (session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats))
		return ~0ULL;
	return stats.nmi_sampled + stats.nmi_late;
}

TEST_F(pmu_gate, other_processes_get_no_nmi)
{
	struct samples samples;
	__u64 id, before;

	ASSERT_EQ(0, begin_sampling(self, 10000, &id));
	before = nmis(self->fd);
	spin_ms(100);
	EXPECT_EQ(before, nmis(self->fd));
	ASSERT_EQ(0, target_do(&self->target, run_work, LOOPS));
	EXPECT_LT(before, nmis(self->fd));
	ASSERT_EQ(0, end_sampling(self, id, &samples));
	EXPECT_GE(MAX_FILTERED, samples.stats.ledger.filtered);
}

static void *work_shortly(void *loops)
{
	work((unsigned long)loops);
	return NULL;
}

/* Let 500 threads run work(@loops), one after the other. */
#define NR_THREADS	500
static int work_in_threads(struct target *target, __u64 loops)
{
	pthread_t thread;

	(void)target;
	for (int i = 0; i < NR_THREADS; i++) {
		if (pthread_create(&thread, NULL, work_shortly, (void *)loops))
			return -EAGAIN;
		pthread_join(thread, NULL);
	}
	return 0;
}

/*
 * Every thread is shorter than a period. If each began a period of its own, none would be
 * sampled. The process beside them has the CPU in between.
 */
TEST_F(pmu_gate, threads_shorter_than_a_period_are_sampled)
{
	const __u64 period = 50000, loops = period / 5 / INSNS_PER_LOOP;
	struct samples samples;
	__u64 id;

	ASSERT_EQ(0, begin_sampling(self, period, &id));
	ASSERT_EQ(0, target_do(&self->target, work_in_threads, loops));
	ASSERT_EQ(0, end_sampling(self, id, &samples));
	printf("# %llu events, %llu samples, %llu in short threads, %llu in work(), %llu filtered\n",
	       samples.sums.count, samples.sums.taken, samples.short_ones,
	       samples.sums.in_work, samples.stats.ledger.filtered);
	/* Samples are periodic, and so are the threads: the share varies a little. */
	EXPECT_LE(samples.sums.in_work, samples.short_ones);
	EXPECT_LE(NR_THREADS / 5 - NR_THREADS / 20, samples.sums.in_work);
	EXPECT_GE(NR_THREADS / 5 + NR_THREADS / 20, samples.sums.in_work);
	EXPECT_EQ(samples.sums.count / period, samples.sums.taken);
	EXPECT_GE(MAX_FILTERED, samples.stats.ledger.filtered);
	EXPECT_EQ(0, samples.stats.ledger.lost_ring);
}

/* The kernel's part of an event is sampled the same way, from the switch to the target. */
TEST_F(pmu_gate, samples_of_the_kernel_add_up_to_the_count)
{
	struct samples samples;
	__u64 id;

	self->attr.exclude_kernel = 0;
	ASSERT_EQ(0, begin_sampling(self, 100003, &id));
	ASSERT_EQ(0, target_do(&self->target, work_in_threads, 1000));
	ASSERT_EQ(0, end_sampling(self, id, &samples));
	printf("# %llu events, %llu samples, %llu filtered\n", samples.sums.count,
	       samples.sums.taken, samples.stats.ledger.filtered);
	/* The module may lengthen the period. Filtered samples have no records. */
	EXPECT_LE(samples.sums.periods, samples.sums.count);
	EXPECT_GT(samples.sums.periods +
		  (1 + samples.stats.ledger.filtered) * 2 * samples.sums.longest,
		  samples.sums.count);
	EXPECT_LE(samples.stats.ledger.filtered, samples.sums.taken / 4);
}

/* Run for 2 ms and then sleep for 8 ms, @nr times. */
static int run_a_fifth(struct target *target, __u64 nr)
{
	(void)target;
	for (; nr; nr--) {
		spin_ms(2);
		usleep(8000);
	}
	return 0;
}

/*
 * The time between two samples is the time for which the target ran. If it were the time
 * that passed, the period would become five times too short. It becomes longer if another
 * program of the host takes the emulated CPU, so few samples are no fault.
 */
TEST_F(pmu_gate, frequency_is_that_of_the_target)
{
	const __u64 hz = 200;
	struct tprof_lx_count count;
	struct samples samples;
	__u64 id, due;

	self->attr.freq = 1;
	ASSERT_EQ(0, begin_sampling(self, hz, &id));
	ASSERT_EQ(0, target_do(&self->target, run_a_fifth, 400));
	ASSERT_EQ(0, end_sampling(self, id, &samples));
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &count));
	due = count.ran_ns * hz / NSEC_PER_SEC;
	printf("# ran for %llu us: %llu samples, %llu due, %llu slowed\n", count.ran_ns / 1000,
	       samples.sums.taken, due, samples.stats.samples_slowed);
	EXPECT_LT(due / 5, samples.sums.taken);
	EXPECT_GT(2 * due + 20, samples.sums.taken);
}

TEST_HARNESS_MAIN
