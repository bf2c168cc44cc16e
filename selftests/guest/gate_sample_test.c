// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - events without counters that take samples only while a target runs
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"
#include "harness/target.h"

static int end_session(int fd, struct stream *stream, struct tprof_lx_stats *stats)
{
	int err = session_stop(fd, ALL_EVENTS);

	err = err ?: stream_read_all(stream, fd);
	return err ?: session_stats(fd, TPROF_LX_SUM, 0, stats);
}

/* The back end "fake": the test knows which samples are due. */
FIXTURE(gate_sample) {
	int			fd;
	__u32			key;
	struct perf_event_attr	attr;
	struct target		target;
	struct stream		stream;
	struct tprof_lx_stats	stats;
};

FIXTURE_SETUP(gate_sample)
{
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	/* Open the device of the back end before the target is forked. */
	ASSERT_EQ(-ENOENT, fake_emit_from(self->key, TPROF_LX_FAKE_TASK, 1));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	attr_init(&self->attr, 0);
	self->attr.config = self->key;
	self->attr.freq = 0;
	self->attr.sample_period = TPROF_LX_FAKE_MIN_PERIOD;
}

FIXTURE_TEARDOWN(gate_sample)
{
	target_end(&self->target);
	stream_free(&self->stream);
	close(self->fd);
}

static int begin(FIXTURE_DATA(gate_sample) *self)
{
	struct tprof_lx_event event;
	int err = session_target(self->fd, self->target.pid);

	err = err ?: event_add_with(self->fd, TPROF_LX_FAKE_BACKEND, &self->attr,
				    TPROF_LX_EVENT_PROCESS, &event);
	return err ?: session_start(self->fd, 1);
}

static int emit_some(struct target *target, __u64 count)
{
	return fake_emit_from(target->key, TPROF_LX_FAKE_TASK, count);
}

TEST_F(gate_sample, other_processes_take_no_samples)
{
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, emit_some(&self->target, 77));
	ASSERT_EQ(0, target_do(&self->target, emit_some, 100));
	ASSERT_EQ(0, emit_some(&self->target, 77));
	ASSERT_EQ(0, end_session(self->fd, &self->stream, &self->stats));
	EXPECT_EQ(100, self->stats.ledger.taken);
	EXPECT_EQ(100, self->stats.ledger.delivered);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/* Run this program anew as "emit_after_exec KEY". */
static int emit_and_exec(struct target *target, __u64 count)
{
	char key[16];
	int status = fake_emit_from(target->key, TPROF_LX_FAKE_TASK, count);
	pid_t pid;

	if (status)
		return status;
	snprintf(key, sizeof(key), "%u", target->key);
	pid = fork();
	if (!pid) {
		execl("/proc/self/exe", "emit_after_exec", key, NULL);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -ECHILD;
}

TEST_F(gate_sample, enable_on_exec_samples_from_the_exec)
{
	const struct record *record;
	size_t maps = 0;

	attr_track(&self->attr);
	self->attr.enable_on_exec = 1;
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, target_do(&self->target, emit_and_exec, 50));
	ASSERT_EQ(0, end_session(self->fd, &self->stream, &self->stats));
	EXPECT_EQ(10, self->stats.ledger.taken);
	EXPECT_EQ(10, self->stats.ledger.delivered);
	/* The program that is executed is mapped before the exec is complete. */
	for_each_record_type(record, &self->stream, PERF_RECORD_MMAP2)
		maps++;
	EXPECT_LT(0, maps);
}

/* The harness defines main(), so look for "emit_after_exec KEY" before it. */
static void __attribute__((constructor)) run_as_other_program(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[0], "emit_after_exec"))
		_exit(fake_emit_from(strtoul(argv[1], NULL, 0), TPROF_LX_FAKE_TASK, 10) ? 1 : 0);
}

/* The clocks. Event 1 is a task clock behind the same gate. */
FIXTURE(gate_clock) {
	int			fd;
	struct tprof_lx_event	event;
	struct target		target;
	struct stream		stream;
	struct tprof_lx_stats	stats;
};

FIXTURE_VARIANT(gate_clock) {
	const char *backend;
};

#define CLOCK(name)							\
	FIXTURE_VARIANT_ADD(gate_clock, name) {				\
		.backend	= #name,				\
	}

CLOCK(timer);
CLOCK(nmi);

#define PERIOD_MS	4
#define PERIOD		(PERIOD_MS * NSEC_PER_MSEC)

FIXTURE_SETUP(gate_clock)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = PERIOD;
	ASSERT_EQ(0, event_add_with(self->fd, variant->backend, &attr, TPROF_LX_EVENT_PROCESS,
				    &self->event));
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	ASSERT_EQ(0, event_add_with(self->fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event));
	ASSERT_EQ(0, session_start(self->fd, 3));
}

FIXTURE_TEARDOWN(gate_clock)
{
	target_end(&self->target);
	stream_free(&self->stream);
	close(self->fd);
}

/* Return the number of NMIs that this module has caused. */
static __u64 nmis(int fd)
{
	struct tprof_lx_stats stats;

	if (session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats))
		return ~0ULL;
	return stats.nmi_sampled + stats.nmi_late + stats.nmi_collapsed;
}

TEST_F(gate_clock, other_processes_get_no_samples_and_no_nmis)
{
	__u64 before = nmis(self->fd);

	spin_ms(50 * PERIOD_MS);
	EXPECT_EQ(before, nmis(self->fd));
	ASSERT_EQ(0, end_session(self->fd, &self->stream, &self->stats));
	EXPECT_EQ(0, self->stats.ledger.taken);
}

/* Spin for a twentieth of a period. */
static void *spin_shortly(void *unused)
{
	__u64 end = now_ns() + PERIOD / 20;

	while (now_ns() < end)
		;
	return unused;
}

#define NR_THREADS	1500

/* Run short threads one by one, with pauses of various lengths between them. */
static int run_short_threads(struct target *target, __u64 nr)
{
	pthread_t thread;

	(void)target;
	for (__u64 i = 0; i < nr; i++) {
		if (pthread_create(&thread, NULL, spin_shortly, NULL))
			return -EAGAIN;
		pthread_join(thread, NULL);
		usleep(i * 7 % 300);
	}
	/* A clock takes what is due when it next finds the gate open. */
	spin_ms(50 * PERIOD_MS);
	return 0;
}

TEST_F(gate_clock, periods_of_short_threads_add_up_to_their_time)
{
	__u64 periods = 0, short_ones = 0, nr = 0, clock;
	struct tprof_lx_count count;
	const struct record *record;

	ASSERT_EQ(0, target_do(&self->target, run_short_threads, NR_THREADS));
	ASSERT_EQ(0, end_session(self->fd, &self->stream, &self->stats));
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 1, &count));
	clock = count.value;
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		periods += record->period;
		short_ones += record->pid != record->tid;
		nr++;
	}
	printf("# task clock %llu us, periods %llu us, %llu samples, %llu of threads, %llu filtered\n",
	       clock / 1000, periods / 1000, nr, short_ones, self->stats.ledger.filtered);
	EXPECT_EQ(0, self->stats.ledger.lost_ring);
	periods += self->stats.ledger.filtered * PERIOD;
	/* On a busy machine, the last ticks are late. */
	EXPECT_LE(clock, periods + 10 * PERIOD + clock / 50);
	EXPECT_GE(clock + 10 * PERIOD + clock / 50, periods);
	/*
	 * Each of the threads is shorter than a period. How many ticks find them running
	 * depends on how the host runs the guest; other ticks take their time later.
	 */
	EXPECT_LT(0, short_ones);
}

TEST_HARNESS_MAIN
