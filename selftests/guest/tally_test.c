// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - counts by thread: THREADS
 *
 * Events of the back end "fake-count" happen when a task requests them, so each test knows
 * the exact count of each thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "harness/counters.h"
#include "harness/tally.h"
#include "harness/test.h"

FIXTURE(tally) {
	int		fd;
	__u32		key;
	struct target	target;
	struct tally_list	list;
};

FIXTURE_SETUP(tally)
{
	self->key = getpid();
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	/* Open the device of the back end before the target is forked. */
	ASSERT_EQ(-ENOENT, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
}

FIXTURE_TEARDOWN(tally)
{
	target_end(&self->target);
	close(self->fd);
}

static int add_threads_event(int fd, __u32 key)
{
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	return tally_add(fd, TPROF_LX_FAKE_COUNTER, &attr,
			TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS);
}

static const struct tprof_lx_thread *find_running(const struct tally_list *list, pid_t tid)
{
	for (__u32 i = 0; i < list->arg.nr_threads; i++) {
		if (list->threads[i].tid == tid &&
		    !(list->threads[i].flags & TPROF_LX_THREAD_EXITED))
			return &list->threads[i];
	}
	return NULL;
}

static __u32 count_exited(const struct tally_list *list)
{
	__u32 nr = 0;

	for (__u32 i = 0; i < list->arg.nr_threads; i++)
		nr += list->threads[i].flags & TPROF_LX_THREAD_EXITED;
	return nr;
}

/* The threads that are parked in the target. */
static pthread_barrier_t barrier;
static __u32 parked_key;

/* Wait until the other threads are here, then until the process ends. */
static void *park(void)
{
	pthread_barrier_wait(&barrier);
	for (;;)
		pause();
	return NULL;
}

static void *count_and_park(void *nr)
{
	char name[16];

	snprintf(name, sizeof(name), "parked-%lu", (unsigned long)nr);
	pthread_setname_np(pthread_self(), name);
	fake_count(parked_key, (unsigned long)nr, NULL);
	return park();
}

/* Start @nr threads. The first causes one event, the second two, and so on. */
static int park_threads(struct target *target, __u64 nr)
{
	pthread_t thread;

	parked_key = target->key;
	pthread_barrier_init(&barrier, NULL, nr + 1);
	for (__u64 i = 1; i <= nr; i++) {
		if (pthread_create(&thread, NULL, count_and_park, (void *)(unsigned long)i))
			return -EAGAIN;
	}
	pthread_barrier_wait(&barrier);
	return 0;
}

TEST_F(tally, each_thread_has_its_count)
{
	char name[16];
	__u64 found = 0;

	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, park_threads, 100));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 7000));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	ASSERT_EQ(101, self->list.arg.nr_threads);
	EXPECT_EQ(0, self->list.arg.unattributed);
	EXPECT_EQ(0, self->list.arg.nr_gone);
	for (__u32 i = 0; i < 101; i++) {
		const struct tprof_lx_thread *thread = &self->list.threads[i];

		EXPECT_EQ(self->target.pid, thread->pid);
		EXPECT_LT(0, thread->ran_ns);
		if (thread->tid == thread->pid) {
			EXPECT_EQ(7000, thread->value);
			continue;
		}
		snprintf(name, sizeof(name), "parked-%llu", thread->value);
		EXPECT_STREQ(name, thread->comm);
		found++;
	}
	EXPECT_EQ(100, found);
	EXPECT_EQ(7000 + 5050, self->list.listed);
}

TEST_F(tally, threads_that_have_exited_are_listed)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, tally_count_in_threads, 100));
	ASSERT_TRUE(wait_until(tally_adds_up(self->fd, 0, &self->list) &&
			       count_exited(&self->list) == 100, 10000));
	ASSERT_EQ(101, self->list.arg.nr_threads);
	EXPECT_EQ(0, self->list.arg.nr_gone);
	EXPECT_EQ(100, self->list.listed);
	for (__u32 i = 0; i < self->list.arg.nr_threads; i++) {
		const struct tprof_lx_thread *thread = &self->list.threads[i];

		EXPECT_EQ(self->target.pid, thread->pid);
		EXPECT_EQ(thread->tid == thread->pid ? 0 : 1, thread->value);
		EXPECT_EQ(thread->tid == thread->pid ? 0 : TPROF_LX_THREAD_EXITED, thread->flags);
		EXPECT_STREQ("tally_test", thread->comm);
		EXPECT_LT(0, thread->started);
	}
}

#define SHORT_THREADS	10000

TEST_F_TIMEOUT(tally, some_of_many_threads_are_gone, 600)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, tally_count_in_threads, SHORT_THREADS));
	ASSERT_TRUE(wait_until(tally_adds_up(self->fd, 0, &self->list) &&
			       self->list.arg.nr_gone == SHORT_THREADS - TPROF_LX_MAX_EXITED,
			       10000));
	EXPECT_EQ(0, self->list.arg.unattributed);
	EXPECT_EQ(SHORT_THREADS - TPROF_LX_MAX_EXITED, self->list.arg.gone);
	EXPECT_EQ(TPROF_LX_MAX_EXITED, count_exited(&self->list));
	EXPECT_EQ(1 + TPROF_LX_MAX_EXITED, self->list.arg.nr_threads);
	EXPECT_EQ(TPROF_LX_MAX_EXITED, self->list.listed);
	EXPECT_LT(0, self->list.arg.gone_ns);
}

/* Threads that live at once: more than a CPU keeps free cells for. */
#define CROWD		512
#define CROWDS		20

static pthread_barrier_t crowd;

static void *count_in_crowd(void *target)
{
	long err = fake_count(((struct target *)target)->key, 1, NULL);

	pthread_barrier_wait(&crowd);
	return (void *)err;
}

/*
 * Let @nr crowds of threads live one after the other, each on another CPU. Each thread causes
 * one event.
 */
static int count_in_crowds(struct target *target, __u64 nr)
{
	pthread_t threads[CROWD];
	void *result;
	int err = 0;

	for (; nr && !err; nr--) {
		err = cpu_pin(nr % cpus_online());
		pthread_barrier_init(&crowd, NULL, CROWD);
		for (int i = 0; i < CROWD; i++)
			if (pthread_create(&threads[i], NULL, count_in_crowd, target))
				return -EAGAIN;
		for (int i = 0; i < CROWD; i++) {
			pthread_join(threads[i], &result);
			err = err ?: (long)result;
		}
	}
	return err;
}

/* Once TPROF_LX_MAX_EXITED threads are kept, the cells of others are used again on all CPUs. */
TEST_F_TIMEOUT(tally, crowds_of_threads_add_up, 600)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, count_in_crowds, CROWDS));
	ASSERT_TRUE(wait_until(tally_adds_up(self->fd, 0, &self->list), 10000));
	EXPECT_EQ(CROWDS * CROWD, count_sum(self->fd, 0));
	printf("# note: %llu of %d counts without a thread\n", self->list.arg.unattributed,
	       CROWDS * CROWD);
	EXPECT_GT(CROWDS * CROWD / 2, self->list.arg.unattributed);
}

#define HAMMERS		8
#define BLOWS		2000

static void *hammer(void *target)
{
	long err = 0;

	for (int i = 0; i < BLOWS && !err; i++) {
		err = cpu_pin(i % cpus_online());
		err = err ?: fake_count(((struct target *)target)->key, 1, NULL);
	}
	return park();
}

/* Run threads that move to another CPU before each event. */
static int hammer_affinity(struct target *target, __u64 nr)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, nr + 1);
	for (__u64 i = 0; i < nr; i++) {
		if (pthread_create(&thread, NULL, hammer, target))
			return -EAGAIN;
	}
	pthread_barrier_wait(&barrier);
	return 0;
}

TEST_F_TIMEOUT(tally, migrating_threads_are_counted_exactly, 600)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, hammer_affinity, HAMMERS));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(0, self->list.arg.unattributed);
	EXPECT_EQ(HAMMERS * BLOWS, self->list.listed);
	for (__u32 i = 0; i < self->list.arg.nr_threads; i++) {
		const struct tprof_lx_thread *thread = &self->list.threads[i];

		EXPECT_EQ(thread->tid == thread->pid ? 0 : BLOWS, thread->value);
	}
}

/*
 * Cause 5 events and execute this program anew as "count_after_exec KEY". target_end() writes
 * to its stdin.
 */
static void *count_and_exec(void *argument)
{
	struct target *target = argument;
	char key[16];

	snprintf(key, sizeof(key), "%u", target->key);
	fake_count(target->key, 5, NULL);
	dup2(target->to_child[0], 0);
	execl("/proc/self/exe", "count_after_exec", key, NULL);
	return NULL;
}

static int exec_in_thread(struct target *target, __u64 unused)
{
	pthread_t thread;

	(void)unused;
	if (fake_count(target->key, 300, NULL) ||
	    pthread_create(&thread, NULL, count_and_exec, target))
		return -EAGAIN;
	pthread_join(thread, NULL);
	return -EIO;
}

/* The harness defines main(), so look for "count_after_exec KEY" before it. */
static void __attribute__((constructor)) run_as_other_program(int argc, char **argv)
{
	char byte;

	if (argc != 2 || strcmp(argv[0], "count_after_exec"))
		return;
	fake_count(strtoul(argv[1], NULL, 0), 1000, NULL);
	_exit(read(0, &byte, 1) != 1);
}

TEST_F(tally, thread_that_calls_exec_keeps_its_count)
{
	const struct tprof_lx_thread *thread;

	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_ask(&self->target, exec_in_thread, 0));
	ASSERT_TRUE(wait_until(count_sum(self->fd, 0) == 1305 &&
			       tally_adds_up(self->fd, 0, &self->list) &&
			       count_exited(&self->list) == 1, 10000));
	ASSERT_EQ(2, self->list.arg.nr_threads);
	thread = find_running(&self->list, self->target.pid);
	ASSERT_NE(NULL, thread);
	EXPECT_EQ(1005, thread->value);
	EXPECT_EQ(1305, self->list.listed);
}

TEST_F(tally, counts_stay_over_stop_and_start)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(1, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, target_do(&self->target, park_threads, 3));
	ASSERT_EQ(0, session_stop(self->fd, 2));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 100));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 1000));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(106, self->list.listed);
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 10));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(116, self->list.listed);
	EXPECT_EQ(110, find_running(&self->list, self->target.pid)->value);
	ASSERT_TRUE(tally_adds_up(self->fd, 1, &self->list));
	EXPECT_EQ(16, self->list.listed);
	EXPECT_EQ(0, self->list.arg.unattributed);
}

/* The cells of threads that exit while the events do not run are found by THREADS. */
TEST_F(tally, threads_may_exit_between_stop_and_start)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, park_threads, 3));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	target_end(&self->target);
	ASSERT_TRUE(wait_until(tally_adds_up(self->fd, 0, &self->list) &&
			       count_exited(&self->list) == 4, 10000));
	EXPECT_EQ(4, self->list.arg.nr_threads);
	EXPECT_EQ(6, self->list.listed);
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_TRUE(wait_until(!session_target(self->fd, self->target.pid), 2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 10));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(16, self->list.listed);
	EXPECT_EQ(10, find_running(&self->list, self->target.pid)->value);
}

TEST_F(tally, written_counts_are_unattributed)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, count_write(self->fd, TPROF_LX_SUM, 0, 50));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(50, self->list.arg.unattributed);
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 10));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(10, self->list.listed);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, count_write(self->fd, 0, 0, 1));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(10, self->list.listed);
}

TEST_F(tally, new_event_makes_counts_unattributed)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 10));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_TRUE(wait_until(add_threads_event(self->fd, self->key) == 1, 2000));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(10, self->list.arg.unattributed);
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 100));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(10, self->list.arg.unattributed);
	EXPECT_EQ(100, self->list.listed);
	ASSERT_TRUE(tally_adds_up(self->fd, 1, &self->list));
	EXPECT_EQ(0, self->list.arg.unattributed);
	EXPECT_EQ(100, self->list.listed);
}

TEST_F(tally, counts_add_up_over_hotplug)
{
	int last = cpus_online() - 1;

	if (!last)
		SKIP(return, "one CPU");
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, target_do(&self->target, hammer_affinity, 1));
		ASSERT_EQ(0, cpu_set_online(last, i == 1));
		EXPECT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	}
	ASSERT_EQ(0, cpu_set_online(last, true));
	ASSERT_EQ(0, target_do(&self->target, hammer_affinity, 1));
	EXPECT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(4 * BLOWS, self->list.listed);
	EXPECT_EQ(0, self->list.arg.unattributed);
}

TEST_F(tally, detached_process_keeps_its_counts)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 10));
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 100));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(10, self->list.listed);
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, tally_count, 1000));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(1010, find_running(&self->list, self->target.pid)->value);
}

/* A sleep is no switch if its timer expires before the thread is switched out. */
static int sleep_often(struct target *target, __u64 times)
{
	struct rusage usage;
	__u64 end;

	(void)target;
	getrusage(RUSAGE_THREAD, &usage);
	end = usage.ru_nvcsw + times;
	do {
		usleep(100);
		getrusage(RUSAGE_THREAD, &usage);
	} while ((__u64)usage.ru_nvcsw < end);
	return 0;
}

TEST_F(tally, software_events_are_counted_by_thread)
{
	const __u32 flags = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;
	const struct tprof_lx_thread *thread;
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	ASSERT_EQ(0, tally_add(self->fd, "soft", &attr, flags));
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	ASSERT_EQ(1, tally_add(self->fd, "soft", &attr, flags));
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS);
	EXPECT_EQ(-EOPNOTSUPP, tally_add(self->fd, "soft", &attr, flags));
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, target_do(&self->target, sleep_often, 100));
	ASSERT_EQ(0, target_do(&self->target, park_threads, 1));
	ASSERT_EQ(0, session_stop(self->fd, 3));
	for (__u32 event = 0; event < 2; event++) {
		ASSERT_TRUE(tally_adds_up(self->fd, event, &self->list));
		ASSERT_EQ(2, self->list.arg.nr_threads);
		thread = find_running(&self->list, self->target.pid);
		EXPECT_LE(100, thread->value);
		EXPECT_GE(thread->ran_ns + thread->ran_ns / 10 + 100000, event ? thread->value : 0);
	}
}

/* The time of a thread is that for which it had a gate open. */
TEST_F(tally, waits_are_no_part_of_the_time_of_a_thread)
{
	const struct tprof_lx_thread *thread;
	struct tprof_lx_count count = {};

	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, sleep_often, 100));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &count));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	thread = find_running(&self->list, self->target.pid);
	printf("# %llu ns of %llu ns\n", thread->ran_ns, count.ran_ns);
	EXPECT_LT(0, thread->ran_ns);
	EXPECT_GE(count.ran_ns + count.ran_ns / 10 + 100000, thread->ran_ns);
}

TEST_F(tally, impossible_requests_are_refused)
{
	const __u32 process = TPROF_LX_EVENT_PROCESS, threads = TPROF_LX_EVENT_THREADS;
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key);
	EXPECT_EQ(-EINVAL, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr, threads));
	EXPECT_EQ(-EINVAL, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr,
				     process | threads | TPROF_LX_EVENT_SWITCHES));
	attr.inherit = 1;
	EXPECT_EQ(-EOPNOTSUPP, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr,
					 process | threads));
	ASSERT_EQ(1, tally_add_reads(self->fd, self->key, 0));
	EXPECT_EQ(-ENOENT, tally_list(self->fd, 5, &self->list));
	EXPECT_EQ(-EOPNOTSUPP, tally_list(self->fd, 1, &self->list));
	attr.inherit = 0;
	attr.sample_type = PERF_SAMPLE_TID;
	EXPECT_EQ(-EINVAL, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr, process));
	attr_reads(&attr, self->key);
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
	EXPECT_EQ(-EINVAL, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr,
				     process | threads));
	attr.sample_type = 0;
	attr.sample_id_all = 1;
	EXPECT_EQ(-EINVAL, tally_add(self->fd, TPROF_LX_FAKE_COUNTER, &attr,
				     process | threads));
	self->list.arg.thread_size = 8;
	self->list.arg.event = 0;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_THREADS, &self->list.arg));
}

/* An old program knows a smaller capacity than there are threads. */
TEST_F(tally, list_may_be_longer_than_its_room)
{
	ASSERT_EQ(0, add_threads_event(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, park_threads, 10));
	ASSERT_EQ(0, tally_list(self->fd, 0, &self->list));
	memset(self->list.threads, 0, sizeof(self->list.threads));
	self->list.arg.nr_threads = 3;
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_THREADS, &self->list.arg));
	EXPECT_EQ(11, self->list.arg.nr_threads);
	EXPECT_NE(0, self->list.threads[2].tid);
	EXPECT_EQ(0, self->list.threads[3].tid);
	self->list.arg.threads = 0;
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_THREADS, &self->list.arg));
	EXPECT_EQ(11, self->list.arg.nr_threads);
}

#define LOOPS	100000ULL

static void *work_and_park(void *loops)
{
	work((unsigned long)loops);
	return park();
}

/* Start @nr threads. The first runs LOOPS loops, the second twice as many, and so on. */
static int work_in_threads(struct target *target, __u64 nr)
{
	pthread_t thread;

	(void)target;
	pthread_barrier_init(&barrier, NULL, nr + 1);
	for (__u64 i = 1; i <= nr; i++) {
		if (pthread_create(&thread, NULL, work_and_park, (void *)(i * LOOPS)))
			return -EAGAIN;
	}
	pthread_barrier_wait(&barrier);
	return 0;
}

#define WORKERS	10

/* Each thread executes some more instructions to start and to wait. */
TEST_F(tally, instructions_are_counted_by_thread)
{
	struct counters counters;
	struct perf_event_attr attr;
	__u64 loops, seen = 0;

	ASSERT_EQ(0, counters_open(&counters));
	close(counters.fd);
	if (counters.why_not)
		SKIP(return, "%s", counters.why_not);
	attr_user(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	ASSERT_EQ(0, tally_add(self->fd, counters.backend.name, &attr,
			       TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, work_in_threads, WORKERS));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_TRUE(tally_adds_up(self->fd, 0, &self->list));
	EXPECT_EQ(0, self->list.arg.unattributed);
	ASSERT_EQ(1 + WORKERS, self->list.arg.nr_threads);
	for (__u32 i = 0; i < self->list.arg.nr_threads; i++) {
		loops = self->list.threads[i].value / INSNS_PER_LOOP;
		EXPECT_GT(LOOPS / 2, loops % LOOPS);
		seen |= 1ULL << loops / LOOPS;
	}
	EXPECT_EQ((1ULL << (WORKERS + 1)) - 1, seen);
}

TEST_HARNESS_MAIN
