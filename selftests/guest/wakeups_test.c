// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - samples of wakeups, in the task that wakes a target
 */
#include <sched.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/chains.h"
#include "harness/unprivileged.h"
#include "harness/test.h"

/* Bounds of the function that wakes the target, and of its caller. */
BOUNDS(waker);
BOUNDS(caller);

/* The pipe in which the target waits; the target inherits it. */
static int bytes[2];

FIXTURE(wakeups) {
	struct chains	own;
	struct target	target;
};

/*
 * A waker with priority on the target's CPU is never preempted with a lock held. A target
 * that waits for a lock of a real-time kernel is woken once more than it is written to.
 */
FIXTURE_SETUP(wakeups)
{
	struct sched_param least = { .sched_priority = 1 };
	struct perf_event_attr *attr = &self->own.attr;

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &least));
	ASSERT_EQ(0, pipe(bytes));
	ASSERT_EQ(0, chains_open(&self->own));
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->own.fd, self->target.pid));
	attr->type = PERF_TYPE_RAW;
	attr->config = TPROF_LX_SOFT_WAKEUPS;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_RAW;
}

FIXTURE_TEARDOWN(wakeups)
{
	target_end(&self->target);
	chains_close(&self->own);
	close(bytes[0]);
	close(bytes[1]);
}

/* Read @nr bytes one by one. */
static int read_bytes(struct target *target, __u64 nr)
{
	char byte;

	while (nr--) {
		if (read(bytes[0], &byte, 1) != 1)
			return -EPIPE;
	}
	return 0;
}

/* Call write(2) without the C library, which has no frame pointers. */
OWN_SECTION(waker) static long write_byte(void)
{
	long nr = SYS_write;

	asm volatile("" : : "r"(__builtin_frame_address(0)));
	asm volatile("syscall" : "+a"(nr) : "D"((long)bytes[1]), "S"("x"), "d"(1L)
		     : "memory", "rcx", "r11");
	return nr;
}

/*
 * Return true if all bytes have been read. A task that was woken is in state S once more,
 * before it reads its byte.
 */
static bool pipe_is_empty(void)
{
	int left;

	return !ioctl(bytes[0], FIONREAD, &left) && !left;
}

/* Write a byte @nr times, each time to a process that sleeps. Return how often that failed. */
OWN_SECTION(caller) static int wake_often(pid_t pid, int nr)
{
	int failed = 0;

	while (nr--)
		failed += !wait_until(pipe_is_empty() && process_is(pid, 'S'), 10000) ||
			  write_byte() != 1;
	return failed;
}

/* Return true if a sample's user frames begin with write_byte() and wake_often(). */
static bool is_of_waker(const struct record *record)
{
	__u64 nr, i = 1;
	const __u64 *chain = record_chain(record, &nr);

	while (i < nr && chain[i] != PERF_CONTEXT_USER)
		i++;
	return i + 2 < nr && IS_IN(waker, chain[i + 1]) && IS_IN(caller, chain[i + 2]);
}

TEST_F(wakeups, each_wakeup_of_a_target_is_sampled_in_its_waker)
{
	const struct record *record;
	int samples = 0;

	ASSERT_EQ(0, target_ask(&self->target, read_bytes, 100));
	ASSERT_TRUE(wait_until(process_is(self->target.pid, 'S'), 10000));
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	EXPECT_EQ(0, wake_often(self->target.pid, 100));
	ASSERT_EQ(0, target_wait(&self->target));
	ASSERT_EQ(0, chains_end(&self->own));

	EXPECT_EQ(100, self->own.stats.ledger.taken);
	EXPECT_EQ(0, self->own.stats.ledger.filtered);
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		samples++;
		/* The test is no target. */
		EXPECT_EQ(getpid(), record->pid);
		EXPECT_EQ(self->target.pid, record_raw(record));
		EXPECT_TRUE(record_is_kernel(record));
		EXPECT_EQ(1, record->period);
		EXPECT_TRUE(is_of_waker(record));
	}
	EXPECT_EQ(100, samples);
}

TEST_F(wakeups, wakeups_of_other_processes_are_not_counted)
{
	struct tprof_lx_count count = {};
	struct target other;

	ASSERT_EQ(0, target_start(&other, 0, 0));
	ASSERT_EQ(0, target_ask(&other, read_bytes, 20));
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	EXPECT_EQ(0, wake_often(other.pid, 20));
	ASSERT_EQ(0, target_wait(&other));
	EXPECT_EQ(0, count_read(self->own.fd, TPROF_LX_SUM, 0, &count));
	EXPECT_EQ(0, count.value);
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_EQ(0, self->own.stats.ledger.taken);
	target_end(&other);
}

/* Without them, a waker that is no target would have neither a name nor mappings. */
TEST_F(wakeups, side_band_records_are_of_all_processes)
{
	pid_t pid;

	attr_track(&self->own.attr);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	pid = fork();
	if (!pid)
		_exit(0);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_NE(NULL, stream_find(&self->own.stream, PERF_RECORD_FORK, pid));
}

static int add(int fd, struct perf_event_attr *attr, __u32 flags)
{
	return event_add_with(fd, "soft", attr, flags, &(struct tprof_lx_event){});
}

TEST_F(wakeups, count_by_thread_is_refused)
{
	EXPECT_EQ(-EOPNOTSUPP, add(self->own.fd, &self->own.attr,
				   TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS));
}

FIXTURE(unprivileged_wakeups) {
	struct unprivileged user;
};

FIXTURE_SETUP(unprivileged_wakeups)
{
	ASSERT_EQ(0, unprivileged_setup(&self->user));
}

FIXTURE_TEARDOWN(unprivileged_wakeups)
{
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

/* A sample would be of a task of another user. */
TEST_F(unprivileged_wakeups, sessions_without_privileges_have_none)
{
	struct perf_event_attr attr;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	attr_init(&attr, 1);
	attr.type = PERF_TYPE_RAW;
	attr.exclude_kernel = 1;
	attr.freq = 0;
	attr.sample_period = 1;
	for (attr.config = TPROF_LX_SOFT_TICKS; attr.config <= TPROF_LX_SOFT_WAKEUPS; attr.config++)
		EXPECT_EQ(attr.config == TPROF_LX_SOFT_WAKEUPS,
			  add(self->user.fd, &attr, TPROF_LX_EVENT_PROCESS) == -EACCES);
}

TEST_HARNESS_MAIN
