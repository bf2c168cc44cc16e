// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - events that count only while a target runs
 *
 * Events of the back end "fake-count" happen when a task requests them, so each test
 * knows the exact count.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/progress.h"
#include "harness/stream.h"

FIXTURE(gate) {
	int	fd;
	__u32	key;
};

FIXTURE_SETUP(gate)
{
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	/* Open the device of the back end before the target is forked. */
	ASSERT_EQ(-ENOENT, fake_count(self->key, 1, NULL));
}

FIXTURE_TEARDOWN(gate)
{
	close(self->fd);
}

static int count_some(struct target *target, __u64 nr)
{
	return fake_count(target->key, nr, NULL);
}

static int add_process_event_with(int fd, struct perf_event_attr *attr)
{
	struct tprof_lx_event event;
	int err;

	err = event_add_with(fd, TPROF_LX_FAKE_COUNTER, attr, TPROF_LX_EVENT_PROCESS, &event);
	return err ? err : (int)event.index;
}

static int add_process_event(int fd, __u32 key)
{
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	return add_process_event_with(fd, &attr);
}

/* Start a target, and a session with one event that counts it. */
static int begin(FIXTURE_DATA(gate) *self, struct target *target)
{
	int err = target_start(target, self->key, 0);

	err = err ?: session_target(self->fd, target->pid);
	err = err ?: add_process_event(self->fd, self->key);
	return err ?: session_start(self->fd, 1);
}

static __u64 count_sum(int fd)
{
	struct tprof_lx_count count = {};

	return count_read(fd, TPROF_LX_SUM, 0, &count) ? ~0ULL : count.value;
}

/* More events than any target causes. */
#define FOREIGN	1000000

/*
 * Cause FOREIGN events on each CPU in this process, which is no target. Return the count
 * of event 0, which must not include them.
 */
static __u64 count_beside(FIXTURE_DATA(gate) *self)
{
	for (int cpu = 0; cpu < cpus_online(); cpu++) {
		if (cpu_pin(cpu) || fake_count(self->key, FOREIGN, NULL))
			return ~0ULL;
	}
	return count_sum(self->fd);
}

TEST_F(gate, only_targets_are_counted)
{
	struct target target;

	ASSERT_EQ(0, begin(self, &target));
	EXPECT_EQ(0, count_beside(self));
	ASSERT_EQ(0, target_do(&target, count_some, 7));
	EXPECT_EQ(7, count_sum(self->fd));
	EXPECT_EQ(7, count_beside(self));
	target_end(&target);
}

TEST_F(gate, count_goes_on_after_stop_and_start)
{
	struct target target;

	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, target_do(&target, count_some, 1));
	EXPECT_EQ(1, count_beside(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, target_do(&target, count_some, 10));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(1, count_beside(self));
	ASSERT_EQ(0, target_do(&target, count_some, 100));
	EXPECT_EQ(101, count_beside(self));
	target_end(&target);
}

/* Fork a chain of @depth processes. The last one lets an event happen. */
static int count_below(struct target *target, __u64 depth)
{
	int status;
	pid_t pid;

	if (!depth)
		return fake_count(target->key, 1, NULL);
	pid = fork();
	if (!pid)
		_exit(-count_below(target, depth - 1));
	return waitpid(pid, &status, 0) == pid ? -WEXITSTATUS(status) : -errno;
}

TEST_F(gate, descendants_are_counted)
{
	struct target target;

	ASSERT_EQ(0, begin(self, &target));
	for (__u64 depth = 1; depth <= 5; depth++)
		ASSERT_EQ(0, target_do(&target, count_below, depth));
	EXPECT_EQ(5, count_beside(self));
	target_end(&target);
}

static void *count_in_thread(void *target)
{
	return (void *)(long)fake_count(((struct target *)target)->key, 1, NULL);
}

#define THREADS_AT_ONCE	20

/*
 * Run @nr short threads, some of them at once. The C library keeps small stacks for the
 * next threads, but unmaps most stacks of the default size.
 */
static int count_in_threads(struct target *target, __u64 nr)
{
	pthread_t threads[THREADS_AT_ONCE];
	pthread_attr_t attr;
	void *result;
	int err = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	for (; nr && !err; nr -= THREADS_AT_ONCE) {
		for (int i = 0; i < THREADS_AT_ONCE; i++)
			err = err ?: -pthread_create(&threads[i], &attr, count_in_thread, target);
		for (int i = 0; i < THREADS_AT_ONCE && !err; i++) {
			pthread_join(threads[i], &result);
			err = (long)result;
		}
	}
	pthread_attr_destroy(&attr);
	return err;
}

TEST_F_TIMEOUT(gate, short_threads_are_counted, 400)
{
	struct target target;

	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, target_do(&target, count_in_threads, 10000));
	EXPECT_EQ(10000, count_beside(self));
	target_end(&target);
}

/* Move to the next CPU before each event. */
static int count_everywhere(struct target *target, __u64 nr)
{
	int err = 0;

	for (__u64 i = 0; i < nr && !err; i++)
		err = cpu_pin(i % cpus_online()) ?: fake_count(target->key, 1, NULL);
	return err;
}

TEST_F(gate, migrating_target_is_counted_on_each_cpu)
{
	struct tprof_lx_count count;
	struct target target;

	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, target_do(&target, count_everywhere, 200 * cpus_online()));
	EXPECT_EQ(200 * cpus_online(), count_beside(self));
	for (int cpu = 0; cpu < cpus_online(); cpu++) {
		ASSERT_EQ(0, count_read(self->fd, cpu, 0, &count));
		EXPECT_EQ(200, count.value);
	}
	target_end(&target);
}

/* START and STOP open and close the gate of a target that goes on running. */
TEST_F(gate, running_target_is_counted_from_start_to_stop)
{
	__u64 before, begun, ended, after, count;
	struct target target;

	ASSERT_EQ(0, progress_share());
	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, target_ask(&target, count_until_over, cpus_online() - 1));
	ASSERT_TRUE(wait_until(progress->ended > 100, 10000));

	before = progress->ended;
	ASSERT_EQ(0, session_start(self->fd, 1));
	begun = progress->begun;
	ASSERT_TRUE(wait_until(progress->ended > begun + 100, 10000));
	ended = progress->ended;
	EXPECT_GT(FOREIGN, count_beside(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	after = progress->begun;
	count = count_sum(self->fd);
	EXPECT_LE(ended - begun, count);
	EXPECT_GE(after - before, count);

	ASSERT_TRUE(wait_until(progress->ended > after + 100, 10000));
	EXPECT_EQ(count, count_sum(self->fd));
	progress->is_over = true;
	EXPECT_EQ(0, target_wait(&target));
	target_end(&target);
}

/* Return how often the gate of the event @target->key was opened or closed on @cpu. */
static int changes_on(struct target *target, __u64 cpu)
{
	__u64 changes = 0;
	int err = cpu_pin(cpu) ?: fake_count(target->key, 0, &changes);

	return err ?: (int)changes;
}

/*
 * The target runs on CPU 0 all the time. START starts the event on CPU 0, but then fails
 * on the last CPU. The gate of CPU 0 must not open, not even for a moment.
 */
TEST_F(gate, failed_start_opens_no_gate)
{
	__u8 cpu0 = 1;
	struct tprof_lx_config config = {
		.size		= sizeof(config),
		.nr_targets	= 1,
		.cpus		= (unsigned long)&cpu0,
		.cpus_bytes	= sizeof(cpu0),
	};
	struct perf_event_attr attr;
	struct target target;

	if (cpus_online() < 2)
		SKIP(return, "one CPU");
	ASSERT_EQ(0, progress_share());
	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key | TPROF_LX_FAKE_FAIL_START);
	ASSERT_EQ(0, target_start(&target, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, target.pid));
	ASSERT_EQ(0, add_process_event_with(self->fd, &attr));
	ASSERT_EQ(0, cpu_pin(cpus_online() - 1));
	ASSERT_EQ(0, target_ask(&target, count_until_over, 0));
	ASSERT_TRUE(wait_until(progress->ended > 100, 10000));
	EXPECT_EQ(-EBUSY, session_start(self->fd, 1));
	progress->is_over = true;
	EXPECT_EQ(0, target_wait(&target));
	EXPECT_EQ(0, count_sum(self->fd));
	EXPECT_EQ(0, target_do(&target, changes_on, 0));

	/* Without the last CPU, the same event starts, and its gate opens. */
	config.targets = (unsigned long)&target.pid;
	ASSERT_TRUE(wait_until(session_config(self->fd, &config) == 0, 2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&target, count_some, 3));
	EXPECT_EQ(3, count_beside(self));
	EXPECT_LT(0, target_do(&target, changes_on, 0));
	target_end(&target);
}

TEST_F(gate, sessions_count_their_own_targets)
{
	struct target target, other;
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, target_start(&other, self->key, 0));
	ASSERT_EQ(0, session_target(fd, other.pid));
	ASSERT_EQ(0, add_process_event(fd, self->key));
	ASSERT_EQ(0, session_start(fd, 1));
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, target_do(&target, count_some, 1));
		ASSERT_EQ(0, target_do(&other, count_some, 1000));
	}
	EXPECT_EQ(100, count_sum(self->fd));
	EXPECT_EQ(100000, count_sum(fd));
	close(fd);
	target_end(&other);
	target_end(&target);
}

TEST_F(gate, last_count_is_there_when_the_target_is_gone)
{
	struct target target;

	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, target_ask(&target, count_some, 3));
	target_end(&target);
	EXPECT_EQ(3, count_sum(self->fd));
	EXPECT_EQ(3, count_beside(self));
}

static void *echo_bytes(void *pipes)
{
	int *fds = pipes;
	char byte;

	while (read(fds[0], &byte, 1) == 1 && write(fds[3], &byte, 1) == 1)
		;
	return NULL;
}

#define ROUNDS	500

/*
 * Let two threads pass a byte back and forth on one CPU. Return the number of times that the
 * gate was opened or closed there.
 */
static int count_changes(struct target *target, __u64 cpu)
{
	__u64 before = 0, after = 0;
	pthread_t thread;
	char byte = 0;
	int fds[4];
	int err = cpu_pin(cpu);

	if (err || pipe(fds) || pipe(fds + 2))
		return err ?: -errno;
	err = -pthread_create(&thread, NULL, echo_bytes, fds);
	err = err ?: fake_count(target->key, 1, &before);
	for (int i = 0; i < ROUNDS && !err; i++) {
		if (write(fds[1], &byte, 1) != 1 || read(fds[2], &byte, 1) != 1)
			err = -EPIPE;
	}
	err = err ?: fake_count(target->key, 1, &after);
	close(fds[1]);
	pthread_join(thread, NULL);
	return err ?: (int)(after - before);
}

/*
 * The gate may change if another task interrupts the two threads. But such
 * interruptions are rarer than switches between the threads.
 */
TEST_F(gate, switch_between_targets_changes_nothing)
{
	struct target target;
	int changes;

	ASSERT_EQ(0, begin(self, &target));
	changes = target_do(&target, count_changes, 0);
	EXPECT_LE(0, changes);
	EXPECT_GT(ROUNDS, changes);
	/* count_changes() causes two events. */
	EXPECT_EQ(2, count_beside(self));
	target_end(&target);
}

/* The target sleeps after each request, so CPU 0 switches to it and away from it. */
TEST_F(gate, switch_over_the_border_opens_or_closes_the_gate)
{
	struct target target;
	int before, after;

	ASSERT_EQ(0, begin(self, &target));
	before = target_do(&target, changes_on, 0);
	ASSERT_LE(0, before);
	for (int i = 0; i < 20; i++)
		ASSERT_EQ(0, target_do(&target, count_some, 1));
	after = target_do(&target, changes_on, 0);
	EXPECT_LE(before + 2 * 20, after);
	EXPECT_EQ(20, count_beside(self));
	target_end(&target);
}

TEST_F(gate, runtime_is_the_time_of_the_targets)
{
	struct tprof_lx_count before, after;
	struct target target;

	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, target_do(&target, count_some, 1));
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &before));
	EXPECT_LT(0, before.ran_ns);
	/* The target sleeps in read(2). */
	spin_ms(50);
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &after));
	EXPECT_EQ(before.ran_ns, after.ran_ns);
	target_end(&target);
}

TEST_F(gate, tsc_counts_the_time_of_the_targets)
{
	struct tprof_lx_count before, after;
	struct tprof_lx_event event;
	struct perf_event_attr attr;
	struct target target;

	attr_count(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	ASSERT_EQ(0, event_add_with(self->fd, "tsc", &attr, TPROF_LX_EVENT_PROCESS, &event));
	ASSERT_EQ(0, target_start(&target, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, target.pid));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-ENOENT, target_do(&target, count_some, 1));
	before.value = count_sum(self->fd);
	EXPECT_LT(0, before.value);
	spin_ms(50);
	EXPECT_EQ(before.value, count_sum(self->fd));
	EXPECT_EQ(-ENOENT, target_do(&target, count_some, 1));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &after));
	EXPECT_LT(before.value, after.value);
	target_end(&target);
}

TEST_F(gate, target_is_counted_on_a_cpu_that_comes_online)
{
	int last = cpus_online() - 1;
	struct target target;

	if (!last)
		SKIP(return, "one CPU");
	ASSERT_EQ(0, cpu_set_online(last, false));
	ASSERT_EQ(0, begin(self, &target));
	ASSERT_EQ(0, target_do(&target, count_everywhere, cpus_online()));
	ASSERT_EQ(0, cpu_set_online(last, true));
	EXPECT_EQ(last, count_beside(self));
	ASSERT_EQ(0, target_do(&target, count_everywhere, last + 1));
	EXPECT_EQ(last + last + 1, count_beside(self));
	ASSERT_EQ(0, cpu_set_online(last, false));
	EXPECT_EQ(last + last + 1, count_sum(self->fd));
	ASSERT_EQ(0, cpu_set_online(last, true));
	target_end(&target);
}

/*
 * Cause an event in this process. If @execs is not 0, first run a child that executes this
 * program anew as "count_after_exec KEY".
 */
static int count_and_exec(struct target *target, __u64 execs)
{
	char key[16];
	int status;
	pid_t pid;

	if (!execs)
		return fake_count(target->key, 1, NULL);
	snprintf(key, sizeof(key), "%u", target->key);
	pid = fork();
	if (!pid) {
		execl("/proc/self/exe", "count_after_exec", key, NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		return -ECHILD;
	return fake_count(target->key, 1, NULL);
}

TEST_F(gate, enable_on_exec_counts_from_the_exec)
{
	struct perf_event_attr attr;
	struct target target;

	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key);
	attr.enable_on_exec = 1;
	EXPECT_EQ(-EOPNOTSUPP, event_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr));
	ASSERT_EQ(0, target_start(&target, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, target.pid));
	ASSERT_EQ(0, add_process_event_with(self->fd, &attr));
	EXPECT_EQ(-EINVAL, add_process_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&target, count_and_exec, 0));
	EXPECT_EQ(0, count_sum(self->fd));
	/*
	 * Events of the executed program and of its child are counted. The
	 * target did not call exec, so its own event is not counted.
	 */
	ASSERT_EQ(0, target_do(&target, count_and_exec, 1));
	EXPECT_EQ(1000 + 100, count_beside(self));
	target_end(&target);
}

static int count_after_exec(const char *key)
{
	struct target self = { .key = strtoul(key, NULL, 0) };
	int status = fake_count(self.key, 1000, NULL) ? 1 : 0;
	pid_t pid = fork();

	if (!pid)
		_exit(fake_count(self.key, 100, NULL) ? 1 : 0);
	if (waitpid(pid, &pid, 0) < 0)
		return 1;
	return status | pid;
}

/* The harness defines main(), so look for "count_after_exec KEY" before it. */
static void __attribute__((constructor)) run_as_other_program(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[0], "count_after_exec"))
		_exit(count_after_exec(argv[1]));
}

TEST_F(gate, events_without_gate_or_targets_are_refused)
{
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key);
	attr.enable_on_exec = 1;
	EXPECT_EQ(-EOPNOTSUPP, event_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr));
	ASSERT_EQ(0, add_process_event(self->fd, self->key));
	EXPECT_EQ(-ESRCH, session_start(self->fd, 1));
	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key);
	ASSERT_EQ(1, event_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr));
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	EXPECT_EQ(-EINVAL, session_start(self->fd, 2));
	EXPECT_EQ(-EINVAL, session_start(self->fd, 3));
	EXPECT_EQ(0, session_start(self->fd, 1));
}

TEST_HARNESS_MAIN
