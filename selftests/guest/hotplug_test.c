// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - CPUs that go offline and online while sessions run
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "fuzz/faults.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(hotplug) {
	int		fd;
	__u32		key;
	struct stream	stream;
};

FIXTURE_SETUP(hotplug)
{
	self->key = getpid();
	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		SKIP(return, "CPU 1 cannot be taken offline");
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(hotplug)
{
	faults_of_all(false);
	cpu_set_online(1, true);
	stream_free(&self->stream);
	close(self->fd);
}

static __u64 nr_taken(int fd, __u32 cpu)
{
	return session_taken(fd, cpu, TPROF_LX_SUM);
}

static __u64 nr_sampled_by_nmi(int fd, __u32 cpu)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, cpu, TPROF_LX_SUM, &stats) ?
	       0 : stats.nmi_sampled;
}

/* When a CPU goes offline, the samples in its ring can still be read. */
TEST_F(hotplug, offline_cpu_loses_no_samples)
{
	struct tprof_lx_config config = { .flush_ms = 10000 };
	struct tprof_lx_stats stats;
	const struct record *record;
	size_t nr = 0;

	ASSERT_EQ(0, session_config(self->fd, &config));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, fake_emit_from(self->key, TPROF_LX_FAKE_TASK, 1000));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, fake_emit_from(self->key, TPROF_LX_FAKE_TASK, 10));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE)
		nr += record->cpu == 1;
	EXPECT_EQ(1000, nr);
	ASSERT_EQ(0, session_stats(self->fd, 1, 0, &stats));
	EXPECT_EQ(1000, stats.ledger.delivered);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(hotplug, online_cpu_is_sampled)
{
	static const char *const backends[] = { "nmi", "timer" };

	for (size_t i = 0; i < ARRAY_LEN(backends); i++) {
		__u64 before;
		int fd = session_open(O_NONBLOCK);

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, event_clock(fd, backends[i], 1000));
		ASSERT_EQ(0, session_start(fd, 1));
		EXPECT_TRUE(wait_until(nr_taken(fd, 1) > 10, 5000))
			TH_LOG("%s: CPU 1 not sampled", backends[i]);
		ASSERT_EQ(0, cpu_set_online(1, false));
		before = nr_taken(fd, 1);
		spin_ms(100);
		EXPECT_EQ(before, nr_taken(fd, 1))
			TH_LOG("%s: CPU 1 sampled while offline", backends[i]);
		before = nr_taken(fd, 0);
		EXPECT_TRUE(wait_until(nr_taken(fd, 0) > before + 10, 5000))
			TH_LOG("%s: CPU 0 not sampled alone", backends[i]);
		ASSERT_EQ(0, cpu_set_online(1, true));
		before = nr_taken(fd, 1);
		EXPECT_TRUE(wait_until(nr_taken(fd, 1) > before + 10, 5000))
			TH_LOG("%s: CPU 1 not sampled again", backends[i]);
		ASSERT_EQ(0, session_stop(fd, 1));
		self->stream.is_at_end = false;
		ASSERT_EQ(0, stream_read_all(&self->stream, fd));
		EXPECT_TRUE(ledgers_add_up(fd, 1));
		close(fd);
	}
}

/*
 * Take CPU 1 offline and start a session, so that the module allocates the ring of
 * CPU 1 only when CPU 1 goes online. The rings are small, so that only few
 * allocations can fail.
 */
static int start_without_one(int fd)
{
	struct tprof_lx_info info = {};

	return cpu_set_online(1, false) ?:
	       session_info(fd, &info) ?:
	       session_small(fd, info.ring_min, info.fifo_min) ?:
	       event_clock(fd, "timer", 1000) ?:
	       session_start(fd, 1);
}

/* For N = 1, 2, ..., inject the Nth possible failure while CPU 1 goes online. */
TEST_F(hotplug, online_cpu_is_sampled_after_one_failure)
{
	unsigned long nr_failed;
	struct faults faults;
	unsigned int nth = 0;

	if (!faults_are_possible())
		SKIP(return, "this kernel has no fault injection");
	ASSERT_EQ(0, faults_setup());
	ASSERT_EQ(0, faults_of_module());
	faults_init(&faults);
	do {
		int fd = session_open(O_NONBLOCK);

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, start_without_one(fd));
		nr_failed = faults.nr_failed;
		faults_begin(&faults, ++nth);
		EXPECT_EQ(0, cpu_set_online(1, true));
		faults_end(&faults);
		EXPECT_TRUE(wait_until(nr_taken(fd, 1) > 10, 5000))
			TH_LOG("CPU 1 not sampled after failure %u", nth);
		ASSERT_EQ(0, session_stop(fd, 1));
		self->stream.is_at_end = false;
		ASSERT_EQ(0, stream_read_all(&self->stream, fd));
		EXPECT_TRUE(ledgers_add_up(fd, 1));
		close(fd);
	} while (faults.nr_failed > nr_failed);
	EXPECT_LT(0, faults.nr_failed);
	printf("# note: %lu failures injected\n", faults.nr_failed);
	faults_free(&faults);
}

/*
 * If CPU 1 goes online while all allocations fail, the module logs this, and only
 * other CPUs are sampled. When CPU 1 goes online again and allocations succeed, it
 * is sampled.
 */
TEST_F(hotplug, cpu_without_memory_is_not_sampled)
{
	__u64 before;

	if (!faults_are_possible())
		SKIP(return, "this kernel has no fault injection");
	expect_dmesg("CPU 1 is online but cannot be sampled");
	ASSERT_EQ(0, faults_setup());
	ASSERT_EQ(0, faults_of_module());
	ASSERT_EQ(0, start_without_one(self->fd));
	ASSERT_EQ(0, faults_of_all(true));
	EXPECT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, faults_of_all(false));
	before = nr_taken(self->fd, 0);
	EXPECT_TRUE(wait_until(nr_taken(self->fd, 0) > before + 50, 5000));
	EXPECT_EQ(0, nr_taken(self->fd, 1));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_TRUE(wait_until(nr_taken(self->fd, 1) > 10, 5000));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/* Start a session while CPU 1 is offline. CPU 1 must be sampled once it is online. */
TEST_F(hotplug, cpu_that_was_offline_at_start_is_sampled)
{
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 1000));
	ASSERT_EQ(1, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_TRUE(wait_until(nr_taken(self->fd, 1) > 10, 5000));
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, fake_emit_from(self->key, TPROF_LX_FAKE_TASK, 100));
	ASSERT_EQ(0, session_stop(self->fd, 3));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
}

TEST_F(hotplug, single_cpu_degrades_nmi_and_reports_it)
{
	struct tprof_lx_stats before, after;
	__u64 nr_nmis;
	__u32 degraded;

	if (cpus_online() != 2)
		SKIP(return, "needs exactly two CPUs");
	ASSERT_EQ(0, event_clock(self->fd, "nmi", 1000));
	ASSERT_EQ(1, event_clock(self->fd, "timer", 1000));
	ASSERT_EQ(0, session_start_degraded(self->fd, 3, &degraded));
	EXPECT_EQ(0, degraded);
	ASSERT_EQ(0, session_stop(self->fd, 3));

	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, session_start_degraded(self->fd, 3, &degraded));
	EXPECT_EQ(1, degraded);
	nr_nmis = nr_sampled_by_nmi(self->fd, 0);
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &before));
	do {
		ASSERT_EQ(0, session_stats(self->fd, 0, 0, &after));
	} while (after.ledger.taken < before.ledger.taken + 10);
	EXPECT_EQ(nr_nmis, nr_sampled_by_nmi(self->fd, 0));

	/* With a second CPU online, the back end "nmi" uses NMIs again. */
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_TRUE(wait_until(nr_sampled_by_nmi(self->fd, 0) > nr_nmis + 10,
			       10000));
	ASSERT_EQ(0, session_stop(self->fd, 3));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
}

TEST_F(hotplug, cpu_toggles_while_sessions_run)
{
	struct perf_event_attr attr;
	int other = session_open(0);

	attr_init(&attr, 5000);
	attr_track(&attr);
	attr.context_switch = 1;
	ASSERT_LE(0, other);
	ASSERT_EQ(0, event_add(self->fd, "nmi", &attr));
	ASSERT_EQ(1, event_clock(self->fd, "timer", 3000));
	ASSERT_EQ(0, event_clock(other, "nmi", 2000));
	ASSERT_EQ(0, session_start(self->fd, 3));
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, cpu_set_online(1, false));
		ASSERT_EQ(0, i % 2 ? session_stop(other, 1) :
				     session_start(other, 1));
		spin_ms(20);
		ASSERT_EQ(0, cpu_set_online(1, true));
		spin_ms(20);
	}
	ASSERT_EQ(0, session_stop(other, 1));
	ASSERT_EQ(0, session_stop(self->fd, 3));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
	self->stream.is_at_end = false;
	ASSERT_EQ(0, stream_read_all(&self->stream, other));
	EXPECT_TRUE(ledgers_add_up(other, 1));
	close(other);
}

static void *emit_on_cpu1(void *arg)
{
	static struct tprof_lx_fake_emit emit;

	emit = *(struct tprof_lx_fake_emit *)arg;
	cpu_pin(1);
	fake_emit(&emit);
	return &emit;
}

/* Take a CPU offline while it is sampled. */
TEST_F(hotplug, offline_while_sampled_keeps_the_ledger_exact)
{
	struct tprof_lx_fake_emit emit = {
		.key	= self->key,
		.batch	= 50,
		.period	= 1000,
	};
	struct tprof_lx_fake_emit *done;
	struct tprof_lx_stats stats;
	pthread_t thread;
	void *ret;

	for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++)
		emit.count[i] = 10000000;
	ASSERT_EQ(0, session_small(self->fd, 64 << 10, 64 << 10));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, emit_on_cpu1, &emit));
	ASSERT_TRUE(wait_until(nr_taken(self->fd, 1) > 10000, 10000));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, pthread_join(thread, &ret));
	done = ret;
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_stats(self->fd, 1, 0, &stats));
	EXPECT_EQ(fake_emitted(done), stats.ledger.taken);
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_HARNESS_MAIN
