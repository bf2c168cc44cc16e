// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - sessions that sample every CPU, however many there are
 *
 * The tests count samples and records, and no time.
 */
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>

#include "harness/common.h"
#include "harness/stream.h"
#include "harness/target.h"
#include "harness/test.h"

#define SAMPLES		10ULL
#define PAGES		4
#define SESSIONS	4

FIXTURE(every_cpu) {
	int		fd;
	int		cpus;
	__u32		key;
	struct stream	stream;
	struct target	target;
};

FIXTURE_SETUP(every_cpu)
{
	self->key = getpid();
	self->cpus = cpus_online();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(every_cpu)
{
	if (self->target.pid)
		target_end(&self->target);
	cpu_set_online(self->cpus - 1, true);
	stream_free(&self->stream);
	close(self->fd);
}

/* Take @SAMPLES samples on each CPU, by a back end that takes exactly these. */
static int emit_everywhere(FIXTURE_DATA(every_cpu) *self)
{
	int err = 0;

	for (int cpu = 0; cpu < self->cpus && !err; cpu++)
		err = cpu_pin(cpu) ?: fake_emit_from(self->key, TPROF_LX_FAKE_NMI, SAMPLES);
	return err;
}

/* Return the number of CPUs with @nr samples in the stream, and the same number in the ledger. */
static int count_cpus_with(FIXTURE_DATA(every_cpu) *self, __u64 nr)
{
	__u64 *samples = calloc(self->cpus, sizeof(*samples));
	const struct record *record;
	struct tprof_lx_stats stats;
	int sum = 0;

	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE)
		samples[record->cpu]++;
	for (int cpu = 0; cpu < self->cpus; cpu++) {
		if (!session_stats(self->fd, cpu, 0, &stats))
			sum += samples[cpu] == nr && stats.ledger.delivered == nr;
	}
	free(samples);
	return sum;
}

TEST_F(every_cpu, samples_of_all_cpus_are_delivered)
{
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, emit_everywhere(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(self->cpus, count_cpus_with(self, SAMPLES));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(every_cpu, sessions_start_and_stop_one_after_the_other)
{
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	for (int i = 0; i < SESSIONS; i++) {
		ASSERT_EQ(0, session_start(self->fd, 1));
		ASSERT_EQ(0, emit_everywhere(self));
		ASSERT_EQ(0, session_stop(self->fd, 1));
		self->stream.is_at_end = false;
		ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	}
	EXPECT_EQ(self->cpus, count_cpus_with(self, SESSIONS * SAMPLES));
}

TEST_F(every_cpu, cpu_that_returns_is_sampled_again)
{
	int last = self->cpus - 1;

	if (!last || cpu_set_online(last, false))
		SKIP(return, "the last CPU cannot be taken offline");
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_set_online(last, true));
	ASSERT_EQ(0, emit_everywhere(self));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, cpu_set_online(last, false));
	ASSERT_EQ(0, cpu_set_online(last, true));
	ASSERT_EQ(0, emit_everywhere(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(self->cpus, count_cpus_with(self, 2 * SAMPLES));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

static int fault_on(struct target *target, __u64 cpu)
{
	char *pages;
	int err = cpu_pin(cpu);

	if (err)
		return err;
	pages = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (pages == MAP_FAILED)
		return -ENOMEM;
	for (int i = 0; i < PAGES; i++)
		pages[i * 4096] = 1;
	munmap(pages, PAGES * 4096);
	return 0;
}

/* A target is sampled and counted on each CPU, and other processes on none. */
TEST_F(every_cpu, target_is_sampled_wherever_it_runs)
{
	struct tprof_lx_count count = {};
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	__u64 sum = 0;

	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			   PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	ASSERT_EQ(0, event_add_with(self->fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int cpu = 0; cpu < self->cpus; cpu++) {
		ASSERT_EQ(0, target_do(&self->target, fault_on, cpu));
		EXPECT_LE(PAGES, session_taken(self->fd, cpu, 0)) TH_LOG("CPU %d", cpu);
		ASSERT_EQ(0, count_read(self->fd, cpu, 0, &count));
		sum += count.value;
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(sum, session_taken(self->fd, TPROF_LX_SUM, 0));
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &count));
	EXPECT_EQ(sum, count.value);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_HARNESS_MAIN
