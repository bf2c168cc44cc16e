// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - count pages: a thread reads its own counters by RDPMC
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tprof-lx/rdpmc.h"
#include "harness/counters.h"
#include "harness/hog.h"
#include "kselftest_harness.h"

#define RDPMC		"/sys/bus/event_source/devices/cpu/rdpmc"
#define PROBE		"TPROF_RDPMC_PROBE"
#define LOOPS		100000ULL
#define INSNS		(LOOPS * INSNS_PER_LOOP)
#define PAGE_BYTES	TPROF_LX_COUNT_PAGE_BYTES
#define FLAGS		(TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PAGE)

static sigjmp_buf after_fault;

static void leave_fault(int signal)
{
	siglongjmp(after_fault, signal);
}

/* Return true if RDPMC raises SIGSEGV in this thread. */
static bool rdpmc_faults(void)
{
	volatile bool faults = true;

	signal(SIGSEGV, leave_fault);
	if (!sigsetjmp(after_fault, 1)) {
		__asm__ volatile("rdpmc" : : "c"(0) : "eax", "edx");
		faults = false;
	}
	signal(SIGSEGV, SIG_DFL);
	return faults;
}

/* A program that is executed with PROBE in its environment exits with rdpmc_faults(). */
__attribute__((constructor))
static void probe_rdpmc(void)
{
	if (getenv(PROBE))
		_exit(rdpmc_faults());
}

/* Return the status with which a child exits, or -1. */
static int status_of(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool rdpmc_faults_in_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(rdpmc_faults());
	return status_of(pid) == 1;
}

FIXTURE(page) {
	struct counters		counters;
	struct perf_event_attr	attr;
	struct tprof_lx_counter	counter;
	int			fd;
	long			rdpmc;
	bool			faults;
};

FIXTURE_SETUP(page)
{
	const struct tprof_lx_config all = { .size = sizeof(all) };

	self->rdpmc = file_number(RDPMC);
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	self->fd = self->counters.fd;
	ASSERT_EQ(0, session_config(self->fd, &all));
	self->faults = rdpmc_faults();
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

FIXTURE_TEARDOWN(page)
{
	if (self->counter.page)
		tprof_lx_counter_unmap(&self->counter);
	close(self->fd);
	if (self->rdpmc == 1)
		file_write(RDPMC, "1");
	cpu_set_online(1, true);
}

static int add_with(FIXTURE_DATA(page) *self, __u32 flags)
{
	struct tprof_lx_event event;
	int err = event_add_with(self->fd, self->counters.backend.name, &self->attr, flags,
				 &event);

	return err ? err : (int)event.index;
}

/* Add an event, map its page, attach this thread and start. Return 0 or -errno. */
static int begin(FIXTURE_DATA(page) *self)
{
	int err = add_with(self, FLAGS);

	if (err >= 0)
		err = tprof_lx_counter_map(&self->counter, self->fd, err);
	if (!err)
		err = session_attach(self->fd, 0, TPROF_LX_TARGET_THREAD);
	return err ? err : session_start(self->fd, ALL_EVENTS);
}

static __u64 read_count(const struct tprof_lx_counter *counter)
{
	__u64 value;

	return tprof_lx_counter_read(counter, &value) ? ~0ULL : value;
}

/* Return true if the page and READ return the same count. */
static bool agrees_with_read(const struct tprof_lx_counter *counter)
{
	__u64 before = read_count(counter), now, after;

	now = count_sum(counter->fd, counter->event);
	after = read_count(counter);
	return before < now && now < after && after - before < 10000;
}

static __u64 count_work(const struct tprof_lx_counter *counter, __u64 loops)
{
	__u64 before = read_count(counter);

	work(loops);
	return read_count(counter) - before;
}

/* Return the instructions of LOOPS loops; all others are the same in both runs. */
static __u64 count_loops(const struct tprof_lx_counter *counter)
{
	__u64 more = count_work(counter, LOOPS + 1);

	return more - count_work(counter, 1);
}

/* If a read was interrupted, it was repeated, and the instructions for that are counted. */
static bool is_exact(const struct tprof_lx_counter *counter)
{
	__u64 insns = 0;

	for (int tries = 0; insns != INSNS && tries < 3; tries++)
		insns = count_loops(counter);
	if (insns != INSNS)
		printf("# %llu instructions instead of %llu\n", insns, INSNS);
	return insns == INSNS;
}

TEST_F(page, has_the_layout_of_perf)
{
	const volatile struct perf_event_mmap_page *page;
	__u64 enabled;

	ASSERT_EQ(0, begin(self));
	page = self->counter.page;
	EXPECT_EQ(0, page->version);
	EXPECT_EQ(0, page->compat_version);
	EXPECT_EQ(offsetof(struct perf_event_mmap_page, __reserved), page->size);
	EXPECT_EQ(0, (int)page->cap_bit0);
	EXPECT_EQ(1, (int)page->cap_bit0_is_deprecated);
	EXPECT_EQ(1, (int)page->cap_user_rdpmc);
	EXPECT_EQ(0, page->lock % 2);
	EXPECT_LT(0, page->index);
	EXPECT_LE(32, page->pmc_width);
	EXPECT_EQ(0, page->data_size);
	EXPECT_EQ(page->time_enabled, page->time_running);
	/* Each switch to this thread brings the time up to date. */
	enabled = page->time_enabled;
	EXPECT_TRUE(wait_until(enabled < page->time_enabled, 2000));
}

/* Return the nanoseconds that a reader of perf's pages computes. */
static __u64 ns_in_page(const struct perf_event_mmap_page *page)
{
	__u64 tsc = __builtin_ia32_rdtsc(), rest = tsc & ((1ULL << page->time_shift) - 1);

	return page->time_enabled + page->time_offset +
	       (tsc >> page->time_shift) * page->time_mult +
	       (rest * page->time_mult >> page->time_shift);
}

TEST_F(page, time_agrees_with_read)
{
	struct tprof_lx_count before = {}, after = {};
	__u64 ns;

	ASSERT_EQ(0, begin(self));
	/* Without a reliable TSC, the page has only the time of the last switch. */
	for (int i = 0; self->counter.page->cap_user_time && i < 100; i++) {
		ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &before));
		ns = ns_in_page(self->counter.page);
		ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &after));
		/* Both round, and multiply by different factors. */
		EXPECT_LE(before.ran_ns, ns + ns / 1000000 + 100);
		EXPECT_LE(ns, after.ran_ns + ns / 1000000 + 100);
	}
	for (int i = 0; i < 10; i++) {
		usleep(1000);
		cpu_pin(i % cpus_online());
	}
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &after));
	EXPECT_LT(0, after.ran_ns);
	EXPECT_EQ(0, (int)self->counter.page->cap_user_time);
	EXPECT_GE(100, llabs((long long)(after.ran_ns - self->counter.page->time_enabled)));
}

TEST_F(page, count_is_exact)
{
	ASSERT_EQ(0, begin(self));
	for (int i = 0; i < 10; i++) {
		EXPECT_TRUE(is_exact(&self->counter));
		EXPECT_TRUE(agrees_with_read(&self->counter));
	}
}

TEST_F(page, two_counters_are_read_by_few_instructions)
{
	struct tprof_lx_counter branches;
	__u64 first, second, between;
	int index;

	self->attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	index = add_with(self, FLAGS);
	if (index < 0)
		SKIP(return, "no counter for branches");
	ASSERT_EQ(0, tprof_lx_counter_map(&branches, self->fd, index));
	self->attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	if (begin(self) == -EBUSY)
		SKIP(return, "needs two counters");
	/* The first reads cause page faults. */
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, tprof_lx_counter_read(&self->counter, &first));
		ASSERT_EQ(0, tprof_lx_counter_read(&branches, &between));
		ASSERT_EQ(0, tprof_lx_counter_read(&self->counter, &second));
	}
	printf("# note: %llu instructions to read two counters\n", second - first);
	EXPECT_GT(100, second - first);
	EXPECT_LT(LOOPS - 1, count_work(&branches, LOOPS));
	EXPECT_GT(LOOPS + 100, count_work(&branches, LOOPS));
	tprof_lx_counter_unmap(&branches);
}

TEST_F(page, count_follows_the_thread_to_other_cpus)
{
	__u64 count, before;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, begin(self));
	before = count_sum(self->fd, 0);
	for (int i = 0; i < 200; i++) {
		ASSERT_EQ(0, cpu_pin(i % 2));
		ASSERT_TRUE(is_exact(&self->counter));
		ASSERT_TRUE(agrees_with_read(&self->counter));
	}
	count = count_sum(self->fd, 0);
	EXPECT_LE(200 * INSNS, count - before);
	EXPECT_GT(300 * INSNS, count - before);
}

/* Each overflow changes the counter, and with it the page. It may repeat a read. */
TEST_F(page, overflows_do_not_change_the_count)
{
	attr_sample(&self->attr, 997);
	ASSERT_EQ(0, begin(self));
	for (int i = 0; i < 100; i++) {
		ASSERT_LT(INSNS - 100, count_loops(&self->counter));
		ASSERT_GT(INSNS + 100, count_loops(&self->counter));
		ASSERT_TRUE(agrees_with_read(&self->counter));
	}
	EXPECT_LT(100, session_taken(self->fd, TPROF_LX_SUM, 0));
}

TEST_F(page, other_tasks_are_not_counted)
{
	pid_t other = fork();

	while (!other)
		work(1000);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, begin(self));
	for (int i = 0; i < 100; i++) {
		sched_yield();
		ASSERT_TRUE(is_exact(&self->counter));
	}
	kill(other, SIGKILL);
	EXPECT_EQ(-1, status_of(other));
}

TEST_F(page, stopped_event_has_its_count_in_the_page)
{
	ASSERT_EQ(0, begin(self));
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	EXPECT_EQ(0, self->counter.page->index);
	EXPECT_EQ(count_sum(self->fd, 0), self->counter.page->offset);
	EXPECT_EQ(count_sum(self->fd, 0), read_count(&self->counter));
	ASSERT_EQ(0, count_write(self->fd, TPROF_LX_SUM, 0, 1000));
	EXPECT_EQ(1000, self->counter.page->offset);
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	EXPECT_TRUE(agrees_with_read(&self->counter));
	EXPECT_GT(10000, read_count(&self->counter));
	EXPECT_TRUE(is_exact(&self->counter));
}

TEST_F(page, released_event_leaves_an_idle_page)
{
	struct tprof_lx_release release = { .size = sizeof(release) };

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_RELEASE, &release));
	EXPECT_EQ(0, self->counter.page->index);
	EXPECT_FALSE(rdpmc_faults());
	tprof_lx_counter_unmap(&self->counter);
	EXPECT_EQ(-ENXIO, tprof_lx_counter_map(&self->counter, self->fd, 0));
}

TEST_F(page, unmapping_takes_the_right_back)
{
	if (!self->faults)
		SKIP(return, "any process may execute RDPMC");
	ASSERT_EQ(0, begin(self));
	EXPECT_FALSE(rdpmc_faults());
	tprof_lx_counter_unmap(&self->counter);
	EXPECT_TRUE(rdpmc_faults());
	ASSERT_EQ(0, tprof_lx_counter_map(&self->counter, self->fd, 0));
	EXPECT_TRUE(is_exact(&self->counter));
}

/* An open mapping keeps the session. */
TEST_F(page, closed_session_can_be_read_until_it_is_unmapped)
{
	int left = sessions_left();

	ASSERT_EQ(0, begin(self));
	close(self->fd);
	EXPECT_TRUE(is_exact(&self->counter));
	tprof_lx_counter_unmap(&self->counter);
	self->fd = -1;
	EXPECT_TRUE(wait_until(sessions_left() == left - 1, 2000));
	EXPECT_EQ(self->faults, rdpmc_faults());
}

TEST_F(page, moved_mapping_keeps_the_right)
{
	void *place = mmap(NULL, PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, place);
	ASSERT_EQ(0, begin(self));
	self->counter.page = mremap((void *)self->counter.page, PAGE_BYTES, PAGE_BYTES,
				    MREMAP_MAYMOVE | MREMAP_FIXED, place);
	ASSERT_EQ(place, (void *)self->counter.page);
	EXPECT_TRUE(is_exact(&self->counter));
	tprof_lx_counter_unmap(&self->counter);
	EXPECT_EQ(self->faults, rdpmc_faults());
}

TEST_F(page, child_may_not_execute_rdpmc)
{
	if (!self->faults)
		SKIP(return, "any process may execute RDPMC");
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(-1, madvise((void *)self->counter.page, PAGE_BYTES, MADV_DOFORK));
	EXPECT_TRUE(rdpmc_faults_in_child());
	EXPECT_FALSE(rdpmc_faults());
	EXPECT_TRUE(is_exact(&self->counter));
}

TEST_F(page, executed_program_may_not_execute_rdpmc)
{
	pid_t pid;

	if (!self->faults)
		SKIP(return, "any process may execute RDPMC");
	pid = fork();
	if (!pid) {
		if (begin(self) || rdpmc_faults() || setenv(PROBE, "1", 1))
			_exit(2);
		execl("/proc/self/exe", "page_test", NULL);
		_exit(3);
	}
	EXPECT_EQ(1, status_of(pid));
}

/* Let the thread of a process that had no right before execute RDPMC. */
static void *try_rdpmc(void *arg)
{
	int *turn = arg;

	while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) == 0)
		;
	if (!rdpmc_faults())
		__atomic_store_n(turn, 2, __ATOMIC_RELEASE);
	else
		__atomic_store_n(turn, 3, __ATOMIC_RELEASE);
	return NULL;
}

/* It runs on another CPU all the time, to which the reader could move. */
TEST_F(page, right_holds_on_cpus_that_run_the_process_already)
{
	pthread_t thread;
	int turn = 0;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, pthread_create(&thread, NULL, try_rdpmc, &turn));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, begin(self));
	__atomic_store_n(&turn, 1, __ATOMIC_RELEASE);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(2, turn);
}

/* The reader could move to a CPU where it has no right. */
TEST_F(page, mapping_fails_if_a_cpu_cannot_get_the_right)
{
	struct hog hog;

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, begin(self));
	tprof_lx_counter_unmap(&self->counter);
	if (hog_start(&hog))
		SKIP(return, "needs two CPUs, and real-time tasks without limit");
	EXPECT_EQ(-EBUSY, tprof_lx_counter_map(&self->counter, self->fd, 0));
	EXPECT_TRUE(hog_is_running(&hog));
	hog_end(&hog);
	EXPECT_EQ(self->faults, rdpmc_faults());
	ASSERT_EQ(0, tprof_lx_counter_map(&self->counter, self->fd, 0));
	EXPECT_TRUE(is_exact(&self->counter));
}

static void *map_from_other_thread(void *arg)
{
	struct tprof_lx_counter *counter = arg, other;

	return (void *)(long)tprof_lx_counter_map(&other, counter->fd, counter->event);
}

TEST_F(page, another_thread_cannot_map_it)
{
	pthread_t thread;
	void *err;

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, pthread_create(&thread, NULL, map_from_other_thread, &self->counter));
	ASSERT_EQ(0, pthread_join(thread, &err));
	EXPECT_EQ(-EPERM, (long)err);
}

static int map_errno(int fd, size_t bytes, int prot, int flags, __u64 offset)
{
	return mmap(NULL, bytes, prot, flags, fd, offset) == MAP_FAILED ? errno : 0;
}

TEST_F(page, mapping_can_only_be_read)
{
	__u64 at = TPROF_LX_PAGE_OFFSET(0);

	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(EPERM, map_errno(self->fd, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, at));
	EXPECT_EQ(EPERM, map_errno(self->fd, PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, at));
	EXPECT_EQ(EINVAL, map_errno(self->fd, PAGE_BYTES, PROT_READ, MAP_PRIVATE, at));
	EXPECT_EQ(EINVAL, map_errno(self->fd, 2 * PAGE_BYTES, PROT_READ, MAP_SHARED, at));
	EXPECT_EQ(-1, mprotect((void *)self->counter.page, PAGE_BYTES, PROT_READ | PROT_WRITE));
	for (__u32 index = 1; index < TPROF_LX_MAX_EVENTS + 2; index++)
		EXPECT_EQ(ENXIO, map_errno(self->fd, PAGE_BYTES, PROT_READ, MAP_SHARED,
					   TPROF_LX_PAGE_OFFSET(index)));
}

TEST_F(page, thread_is_the_only_target)
{
	pid_t other = fork();

	if (!other) {
		pause();
		_exit(0);
	}
	ASSERT_EQ(0, add_with(self, FLAGS));
	EXPECT_EQ(-ESRCH, session_start(self->fd, 1));
	EXPECT_EQ(-EBUSY, session_attach(self->fd, other, 0));
	EXPECT_EQ(-EBUSY, session_attach(self->fd, other, TPROF_LX_TARGET_THREAD));
	EXPECT_EQ(-EBUSY, session_attach(self->fd, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, other));
	EXPECT_EQ(-EINVAL, session_start(self->fd, 1));
	ASSERT_EQ(0, session_attach(self->fd, 0, TPROF_LX_TARGET_THREAD));
	EXPECT_EQ(-EINVAL, session_start(self->fd, 1));
	kill(other, SIGKILL);
	status_of(other);
	EXPECT_EQ(-EINVAL, session_start(self->fd, 1));
}

TEST_F(page, event_needs_one_thread)
{
	EXPECT_EQ(-EINVAL, add_with(self, TPROF_LX_EVENT_PAGE));
	EXPECT_EQ(-EINVAL, add_with(self, FLAGS | TPROF_LX_EVENT_THREADS));
	EXPECT_EQ(0, add_with(self, FLAGS));
}

TEST_F(page, sysfs_can_forbid_rdpmc)
{
	if (self->rdpmc != 1 || file_write(RDPMC, "0"))
		SKIP(return, "no file rdpmc");
	ASSERT_EQ(0, begin(self));
	EXPECT_TRUE(rdpmc_faults());
	EXPECT_EQ(0, (int)self->counter.page->cap_user_rdpmc);
	EXPECT_EQ(0, self->counter.page->index);
	EXPECT_LE(INSNS, count_work(&self->counter, LOOPS));
	EXPECT_GT(INSNS + 10000, count_work(&self->counter, LOOPS));
	/* The next mapping finds the new value. */
	ASSERT_EQ(0, file_write(RDPMC, "1"));
	tprof_lx_counter_unmap(&self->counter);
	ASSERT_EQ(0, tprof_lx_counter_map(&self->counter, self->fd, 0));
	EXPECT_EQ(1, (int)self->counter.page->cap_user_rdpmc);
	EXPECT_TRUE(is_exact(&self->counter));
}

TEST_F(page, count_goes_on_when_its_cpu_goes_offline)
{
	if (cpus_online() < 2 || cpu_set_online(1, true))
		SKIP(return, "needs a CPU that can go offline");
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, begin(self));
	work(LOOPS);
	ASSERT_EQ(0, cpu_set_online(1, false));
	EXPECT_TRUE(is_exact(&self->counter));
	EXPECT_TRUE(agrees_with_read(&self->counter));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, cpu_pin(1));
	EXPECT_TRUE(is_exact(&self->counter));
	EXPECT_TRUE(agrees_with_read(&self->counter));
}

/* Let perf use a counter, which it would clear when a process may execute RDPMC. */
TEST_F(page, counters_that_perf_has_used_keep_the_count)
{
	int perf[4];

	for (int i = 0; i < ARRAY_LEN(perf); i++)
		perf[i] = perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0);
	if (perf[0] < 0)
		SKIP(return, "perf has no counters here");
	work(LOOPS);
	for (int i = 0; i < ARRAY_LEN(perf); i++)
		close(perf[i]);
	ASSERT_TRUE(wait_until(begin(self) == 0, 2000));
	for (int i = 0; i < 100; i++) {
		usleep(10);
		ASSERT_TRUE(is_exact(&self->counter));
		ASSERT_TRUE(agrees_with_read(&self->counter));
	}
	EXPECT_GT(1000 * INSNS, read_count(&self->counter));
}

/* No counters are needed for these. */
TEST(clocks_have_no_page)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	struct tprof_lx_info info = {};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_info(fd, &info));
	EXPECT_TRUE(info.features & TPROF_LX_FEATURE_PAGE);
	attr_count(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	EXPECT_EQ(-EOPNOTSUPP, event_add_with(fd, "tsc", &attr, FLAGS, &event));
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	EXPECT_EQ(-EOPNOTSUPP, event_add_with(fd, "soft", &attr, FLAGS, &event));
	EXPECT_EQ(ENXIO, map_errno(fd, PAGE_BYTES, PROT_READ, MAP_SHARED,
				   TPROF_LX_PAGE_OFFSET(0)));
	close(fd);
}

TEST_HARNESS_MAIN
