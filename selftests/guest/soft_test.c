// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - software events, compared with the kernel's own counts
 *
 * Each event counts only one process, so that nothing else on the machine disturbs it.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/target.h"

#define SW	PERF_TYPE_SOFTWARE

FIXTURE(soft) {
	int		fd;
	struct target	target;
};

FIXTURE_SETUP(soft)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(soft)
{
	close(self->fd);
}

static int add_event(int fd, __u32 type, __u64 config)
{
	struct perf_event_attr attr;

	attr_count(&attr, type, config);
	return event_add(fd, "soft", &attr);
}

static int add_process_event(int fd, __u32 type, __u64 config)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err;

	attr_count(&attr, type, config);
	err = event_add_with(fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event);
	return err ? err : (int)event.index;
}

/* Start a target, and a session with one event that counts the target. */
static int begin(FIXTURE_DATA(soft) *self, __u32 type, __u64 config)
{
	int err = target_start(&self->target, 0, 0);

	err = err ?: session_target(self->fd, self->target.pid);
	err = err ?: add_process_event(self->fd, type, config);
	return err ?: session_start(self->fd, 1);
}

static __u64 count_on(int fd, __u32 cpu, __u32 event)
{
	struct tprof_lx_count count = {};

	return count_read(fd, cpu, event, &count) ? ~0ULL : count.value;
}

static __u64 count_sum(int fd)
{
	return count_on(fd, TPROF_LX_SUM, 0);
}

/* Growth of the kernel's and of the event's count while the target ran a function. */
struct counted {
	__u64	kernel;
	__u64	event;
};

/* Read a number from a line "NAME: NUMBER" of /proc/PID/FILE. */
static __u64 proc_number(pid_t pid, const char *file, const char *name)
{
	char path[64], line[256];
	__u64 value = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	in = fopen(path, "re");
	if (!in)
		return 0;
	while (fgets(line, sizeof(line), in)) {
		char *at = strchr(line, ':');

		if (at && !strncmp(line, name, strlen(name)))
			sscanf(at + 1, "%llu", &value);
	}
	fclose(in);
	return value;
}

static __u64 switches_of(pid_t pid)
{
	return proc_number(pid, "status", "voluntary_ctxt_switches") +
	       proc_number(pid, "status", "nonvoluntary_ctxt_switches");
}

/* Return the id of a thread of the kernel by its name, 0 if there is none. */
static pid_t kernel_thread(const char *wanted)
{
	char path[32], name[32];
	pid_t pid = 0;
	FILE *in;

	while (++pid < 1000) {
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		in = fopen(path, "re");
		if (!in)
			continue;
		if (!fgets(name, sizeof(name), in))
			*name = '\0';
		fclose(in);
		name[strcspn(name, "\n")] = '\0';
		if (!strcmp(name, wanted))
			return pid;
	}
	return 0;
}

/* The 10th and the 12th word of /proc/PID/stat are the numbers of faults. */
static __u64 faults_of(pid_t pid)
{
	__u64 minor = 0, major = 0;
	char path[32];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	in = fopen(path, "re");
	if (!in)
		return 0;
	if (fscanf(in, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu", &minor,
		   &major) != 2)
		minor = 0;
	fclose(in);
	return minor + major;
}

static __u64 migrations_of(pid_t pid)
{
	return proc_number(pid, "sched", "se.nr_migrations");
}

static __u64 cpu_time_of(pid_t pid)
{
	struct timespec time = {};
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return time.tv_sec * NSEC_PER_SEC + time.tv_nsec;
}

/* Let the target run @function. Store the growth of both counts in @counted. */
static int compare(FIXTURE_DATA(soft) *self, __u64 (*kernel)(pid_t pid),
		   target_function_t function, __u64 argument, struct counted *counted)
{
	pid_t pid = self->target.pid;
	__u64 event_before, kernel_before;
	int err;

	/* From here on, the target sleeps whenever the counts are read. */
	err = target_do(&self->target, function, 0);
	if (err)
		return err;
	event_before = count_sum(self->fd);
	kernel_before = kernel(pid);
	err = target_do(&self->target, function, argument);
	counted->event = count_sum(self->fd) - event_before;
	counted->kernel = kernel(pid) - kernel_before;
	return err;
}

static int sleep_often(struct target *target, __u64 nr)
{
	for (__u64 i = 0; i < nr; i++)
		nap();
	return 0;
}

TEST_F(soft, context_switches_are_those_of_proc_status)
{
	struct counted counted;

	ASSERT_EQ(0, begin(self, SW, PERF_COUNT_SW_CONTEXT_SWITCHES));
	ASSERT_EQ(0, compare(self, switches_of, sleep_often, 200, &counted));
	/* If the host stops the CPU, the time of a sleep may be over before it begins. */
	EXPECT_LE(100, counted.kernel);
	EXPECT_EQ(counted.kernel, counted.event);
	target_end(&self->target);
}

/* Touch @nr new pages: half of them in user mode, the other half by read(2). */
static int touch_pages(struct target *target, __u64 nr)
{
	size_t bytes = (nr + 1) * 4096;
	char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	int fds[2];

	if (pages == MAP_FAILED || pipe(fds))
		return -errno;
	/* EINVAL: this kernel has no huge pages. */
	if (madvise(pages, bytes, MADV_NOHUGEPAGE) && errno != EINVAL)
		return -errno;
	for (__u64 i = 0; i < nr; i++) {
		if (i % 2)
			pages[i * 4096] = 1;
		else if (write(fds[1], "x", 1) != 1 || read(fds[0], &pages[i * 4096], 1) != 1)
			return -EPIPE;
	}
	close(fds[0]);
	close(fds[1]);
	return munmap(pages, bytes) ? -errno : 0;
}

/* The thread moves a running task off its CPU. */
TEST_F(soft, kernel_thread_can_be_the_target)
{
	pid_t pid = kernel_thread("migration/0");
	__u64 before, counted;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, session_target(self->fd, pid));
	ASSERT_EQ(0, add_process_event(self->fd, PERF_TYPE_SOFTWARE,
				       PERF_COUNT_SW_CONTEXT_SWITCHES));
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, session_start(self->fd, 1));
	before = switches_of(pid);
	counted = count_sum(self->fd);
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, cpu_pin(0));
		ASSERT_EQ(0, cpu_pin(1));
	}
	EXPECT_TRUE(wait_until(count_sum(self->fd) - counted == switches_of(pid) - before, 5000));
	EXPECT_LE(10, count_sum(self->fd) - counted);
}

TEST_F(soft, page_faults_are_those_of_proc_stat)
{
	struct counted counted;

	ASSERT_EQ(0, begin(self, SW, PERF_COUNT_SW_PAGE_FAULTS));
	ASSERT_EQ(0, compare(self, faults_of, touch_pages, 1000, &counted));
	EXPECT_LE(1000, counted.kernel);
	EXPECT_EQ(counted.kernel, counted.event);
	target_end(&self->target);
}

TEST_F(soft, page_faults_of_a_mode_are_counted_alone)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	struct counted all;

	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, add_process_event(self->fd, SW, PERF_COUNT_SW_PAGE_FAULTS));
	attr_count(&attr, SW, PERF_COUNT_SW_PAGE_FAULTS);
	attr.exclude_kernel = 1;
	ASSERT_EQ(0, event_add_with(self->fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event));
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	ASSERT_EQ(0, event_add_with(self->fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, compare(self, faults_of, touch_pages, 1000, &all));
	EXPECT_LE(500, count_on(self->fd, TPROF_LX_SUM, 1));
	EXPECT_LE(500, count_on(self->fd, TPROF_LX_SUM, 2));
	EXPECT_EQ(count_sum(self->fd), count_on(self->fd, TPROF_LX_SUM, 1) +
				       count_on(self->fd, TPROF_LX_SUM, 2));
	target_end(&self->target);
}

/* Move the target to another CPU @nr times. If it runs on CPU 0, cpu_pin(0) does not move it. */
static int migrate(struct target *target, __u64 nr)
{
	int err = cpu_pin(0);

	for (__u64 i = 1; i <= nr && !err; i++)
		err = cpu_pin(i % cpus_online());
	return err;
}

TEST_F(soft, cpu_migrations_are_those_of_proc_sched)
{
	struct counted counted;

	if (cpus_online() == 1)
		SKIP(return, "one CPU");
	ASSERT_EQ(0, begin(self, SW, PERF_COUNT_SW_CPU_MIGRATIONS));
	ASSERT_EQ(0, compare(self, migrations_of, migrate, 100 * cpus_online(), &counted));
	/* /proc/PID/sched is missing without CONFIG_SCHED_DEBUG. */
	if (counted.kernel)
		EXPECT_EQ(counted.kernel, counted.event);
	EXPECT_EQ(100 * cpus_online(), counted.event);
	target_end(&self->target);
}

static int spin_for(struct target *target, __u64 ms)
{
	spin_ms(ms);
	return 0;
}

/*
 * Return true if the two counts differ by at most 1 %, 1 ms, and 5 ms for each thread that has
 * ended. The kernel adds the time of such a thread to its process before the thread's last
 * switch, up to which the event counts.
 */
static bool is_close(const struct counted *counted, __u32 nr_ended)
{
	__u64 more = counted->kernel > counted->event ? counted->kernel : counted->event;
	__u64 less = counted->kernel < counted->event ? counted->kernel : counted->event;

	return less && more - less <= less / 100 + (1 + 5 * nr_ended) * NSEC_PER_MSEC;
}

/*
 * Compare the task clock with the CPU time that the kernel has for the target. The kernel
 * reads its clock a little before the gate opens or closes. If the host stops the CPU in
 * between, the two differ, so try several times. Return true if they were close once.
 */
static bool clocks_agree(FIXTURE_DATA(soft) *self, target_function_t function, __u64 argument,
			 __u32 nr_ended)
{
	struct counted counted = {};
	bool agree = false;

	for (int i = 0; i < 20 && !agree; i++) {
		if (compare(self, cpu_time_of, function, argument, &counted))
			return false;
		agree = is_close(&counted, nr_ended);
		if (!agree)
			printf("# note: kernel %llu ns, event %llu ns\n", counted.kernel,
			       counted.event);
	}
	return agree;
}

TEST_F(soft, task_clock_is_the_cpu_time)
{
	ASSERT_EQ(0, begin(self, SW, PERF_COUNT_SW_TASK_CLOCK));
	EXPECT_TRUE(clocks_agree(self, spin_for, 100, 0));
	target_end(&self->target);
}

static void *spin_in_thread(void *argument)
{
	spin_ms(100);
	return NULL;
}

static int spin_in_threads(struct target *target, __u64 nr)
{
	pthread_t threads[8];
	int err = 0;

	for (__u64 i = 0; i < nr; i++)
		err = err ?: -pthread_create(&threads[i], NULL, spin_in_thread, NULL);
	for (__u64 i = 0; i < nr && !err; i++)
		err = -pthread_join(threads[i], NULL);
	return err;
}

TEST_F(soft, task_clock_is_the_sum_over_threads)
{
	ASSERT_EQ(0, begin(self, SW, PERF_COUNT_SW_TASK_CLOCK));
	EXPECT_TRUE(clocks_agree(self, spin_in_threads, 4, 4));
	target_end(&self->target);
}

TEST_F(soft, task_clock_of_all_is_the_time_of_the_cpus)
{
	__u64 before, after, inner;

	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, add_event(self->fd, SW, PERF_COUNT_SW_TASK_CLOCK));
	before = now_ns();
	ASSERT_EQ(0, session_start(self->fd, 1));
	inner = now_ns();
	spin_ms(50);
	inner = now_ns() - inner;
	ASSERT_EQ(0, session_stop(self->fd, 1));
	after = now_ns();
	EXPECT_LE(inner, count_sum(self->fd));
	EXPECT_GE(after - before, count_sum(self->fd));
	spin_ms(5);
	EXPECT_GE(after - before, count_sum(self->fd));
}

/*
 * Kernels have 100 to 1000 ticks per second; Debian's have 250. A CPU that the host stops
 * loses ticks, so try several times.
 */
TEST_F(soft, ticks_are_those_of_the_target)
{
	struct counted counted;
	__u64 hz = 0;

	ASSERT_EQ(0, begin(self, PERF_TYPE_RAW, TPROF_LX_SOFT_TICKS));
	for (int i = 0; i < 20 && hz < 90; i++) {
		ASSERT_EQ(0, compare(self, cpu_time_of, spin_for, 200, &counted));
		hz = counted.event * NSEC_PER_SEC / counted.kernel;
		EXPECT_GE(1100, hz);
	}
	EXPECT_LE(90, hz);
	target_end(&self->target);
}

static void *toggle_mapping(void *argument)
{
	volatile bool *is_over = argument;
	void *page;

	while (!*is_over) {
		page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page != MAP_FAILED)
			munmap(page, 4096);
	}
	return NULL;
}

/* Let two threads on two CPUs map and unmap memory, for which both take the mmap lock. */
static int contend(struct target *target, __u64 ms)
{
	volatile bool is_over = false;
	pthread_t threads[2];
	int err = 0;

	for (int i = 0; i < 2; i++)
		err = err ?: -pthread_create(&threads[i], NULL, toggle_mapping,
					     (void *)&is_over);
	spin_ms(ms);
	is_over = true;
	for (int i = 0; i < 2 && !err; i++)
		err = -pthread_join(threads[i], NULL);
	return err;
}

TEST_F(soft, contended_locks_are_counted)
{
	if (cpus_online() == 1)
		SKIP(return, "one CPU");
	ASSERT_EQ(0, begin(self, PERF_TYPE_RAW, TPROF_LX_SOFT_LOCK_CONTENTION));
	for (int i = 0; i < 20 && !count_sum(self->fd); i++)
		ASSERT_EQ(0, target_do(&self->target, contend, 200));
	EXPECT_LT(0, count_sum(self->fd));
	target_end(&self->target);
}

TEST_F(soft, other_processes_are_not_counted)
{
	static const struct {
		__u32	type;
		__u64	config;
	} all[] = {
		{ SW, PERF_COUNT_SW_TASK_CLOCK },
		{ SW, PERF_COUNT_SW_PAGE_FAULTS },
		{ SW, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ SW, PERF_COUNT_SW_CPU_MIGRATIONS },
		{ PERF_TYPE_RAW, TPROF_LX_SOFT_TICKS },
		{ PERF_TYPE_RAW, TPROF_LX_SOFT_LOCK_CONTENTION },
		{ PERF_TYPE_RAW, TPROF_LX_SOFT_OFF_CPU },
		{ PERF_TYPE_RAW, TPROF_LX_SOFT_WAKEUPS },
	};
	__u64 before[ARRAY_LEN(all)];

	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	for (int i = 0; i < ARRAY_LEN(all); i++)
		ASSERT_EQ(i, add_process_event(self->fd, all[i].type, all[i].config));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, target_do(&self->target, sleep_often, 1));
	for (int i = 0; i < ARRAY_LEN(all); i++)
		before[i] = count_on(self->fd, TPROF_LX_SUM, i);
	ASSERT_EQ(0, sleep_often(NULL, 20));
	ASSERT_EQ(0, touch_pages(NULL, 100));
	ASSERT_EQ(0, migrate(NULL, 10));
	ASSERT_EQ(0, spin_for(NULL, 50));
	for (int i = 0; i < ARRAY_LEN(all); i++)
		EXPECT_EQ(before[i], count_on(self->fd, TPROF_LX_SUM, i));
	target_end(&self->target);
}

TEST_F(soft, events_of_all_processes_are_counted_on_their_cpu)
{
	__u64 before;

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, add_event(self->fd, SW, PERF_COUNT_SW_PAGE_FAULTS));
	ASSERT_EQ(1, add_event(self->fd, SW, PERF_COUNT_SW_CONTEXT_SWITCHES));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	before = count_on(self->fd, 0, 0);
	ASSERT_EQ(0, touch_pages(NULL, 100));
	EXPECT_LE(before + 100, count_on(self->fd, 0, 0));
	before = count_on(self->fd, 0, 1);
	ASSERT_EQ(0, sleep_often(NULL, 100));
	EXPECT_LE(before + 100, count_on(self->fd, 0, 1));

	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	before = count_on(self->fd, 0, 0);
	ASSERT_EQ(0, touch_pages(NULL, 100));
	EXPECT_EQ(before, count_on(self->fd, 0, 0));
	ASSERT_EQ(0, count_write(self->fd, TPROF_LX_SUM, 0, 7));
	EXPECT_EQ(7, count_sum(self->fd));
}

/* Switches and migrations are kernel code, so these events never occur in user mode. */
TEST_F(soft, switches_in_user_mode_are_none)
{
	struct perf_event_attr attr;

	attr_count(&attr, SW, PERF_COUNT_SW_CONTEXT_SWITCHES);
	attr.exclude_kernel = 1;
	ASSERT_EQ(0, event_add(self->fd, "soft", &attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, sleep_often(NULL, 10));
	EXPECT_EQ(0, count_sum(self->fd));
}

TEST_F(soft, other_events_are_refused)
{
	EXPECT_EQ(-EOPNOTSUPP, add_event(self->fd, SW, PERF_COUNT_SW_CPU_CLOCK));
	EXPECT_EQ(-EOPNOTSUPP, add_event(self->fd, SW, PERF_COUNT_SW_PAGE_FAULTS_MIN));
	EXPECT_EQ(-EOPNOTSUPP, add_event(self->fd, PERF_TYPE_RAW, 0));
	EXPECT_EQ(-EOPNOTSUPP, add_event(self->fd, PERF_TYPE_HARDWARE, 1));
}

TEST_HARNESS_MAIN
