// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the right to execute RDPMC, which a mapped count page gives
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/count_page.h"
#include "harness/hog.h"
#include "harness/test.h"

#define PROBE		"TPROF_RDPMC_PROBE"

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

FIXTURE(page_right) {
	struct count_page	own;
	long			rdpmc;
	bool			faults;
};

FIXTURE_SETUP(page_right)
{
	self->rdpmc = file_number(rdpmc_path());
	ASSERT_EQ(0, count_page_open(&self->own));
	if (self->own.why_not)
		SKIP(return, "%s", self->own.why_not);
	self->faults = rdpmc_faults();
}

FIXTURE_TEARDOWN(page_right)
{
	count_page_close(&self->own);
	if (self->rdpmc == 1)
		file_write(rdpmc_path(), "1");
}

TEST_F(page_right, unmapping_takes_the_right_back)
{
	if (!self->faults)
		SKIP(return, "any process may execute RDPMC");
	ASSERT_EQ(0, count_page_begin(&self->own));
	EXPECT_FALSE(rdpmc_faults());
	tprof_lx_counter_unmap(&self->own.counter);
	EXPECT_TRUE(rdpmc_faults());
	ASSERT_EQ(0, tprof_lx_counter_map(&self->own.counter, self->own.fd, 0));
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
}

/* An open mapping keeps the session. */
TEST_F(page_right, closed_session_can_be_read_until_it_is_unmapped)
{
	int left = sessions_left();

	ASSERT_EQ(0, count_page_begin(&self->own));
	close(self->own.fd);
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
	tprof_lx_counter_unmap(&self->own.counter);
	self->own.fd = -1;
	EXPECT_TRUE(wait_until(sessions_left() == left - 1, 2000));
	EXPECT_EQ(self->faults, rdpmc_faults());
}

TEST_F(page_right, moved_mapping_keeps_the_right)
{
	void *place = mmap(NULL, PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, place);
	ASSERT_EQ(0, count_page_begin(&self->own));
	self->own.counter.page = mremap((void *)self->own.counter.page, PAGE_BYTES, PAGE_BYTES,
					MREMAP_MAYMOVE | MREMAP_FIXED, place);
	ASSERT_EQ(place, (void *)self->own.counter.page);
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
	tprof_lx_counter_unmap(&self->own.counter);
	EXPECT_EQ(self->faults, rdpmc_faults());
}

TEST_F(page_right, child_may_not_execute_rdpmc)
{
	if (!self->faults)
		SKIP(return, "any process may execute RDPMC");
	ASSERT_EQ(0, count_page_begin(&self->own));
	EXPECT_EQ(-1, madvise((void *)self->own.counter.page, PAGE_BYTES, MADV_DOFORK));
	EXPECT_TRUE(rdpmc_faults_in_child());
	EXPECT_FALSE(rdpmc_faults());
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
}

TEST_F(page_right, executed_program_may_not_execute_rdpmc)
{
	pid_t pid;

	if (!self->faults)
		SKIP(return, "any process may execute RDPMC");
	pid = fork();
	if (!pid) {
		if (count_page_begin(&self->own) || rdpmc_faults() || setenv(PROBE, "1", 1))
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
TEST_F(page_right, right_holds_on_cpus_that_run_the_process_already)
{
	pthread_t thread;
	int turn = 0;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, pthread_create(&thread, NULL, try_rdpmc, &turn));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, count_page_begin(&self->own));
	__atomic_store_n(&turn, 1, __ATOMIC_RELEASE);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(2, turn);
}

/* The reader could move to a CPU where it has no right. */
TEST_F(page_right, mapping_fails_if_a_cpu_cannot_get_the_right)
{
	struct hog hog;

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, count_page_begin(&self->own));
	tprof_lx_counter_unmap(&self->own.counter);
	if (hog_start(&hog))
		SKIP(return, "needs two CPUs, and real-time tasks without limit");
	EXPECT_EQ(-EBUSY, tprof_lx_counter_map(&self->own.counter, self->own.fd, 0));
	EXPECT_TRUE(hog_is_running(&hog));
	hog_end(&hog);
	EXPECT_EQ(self->faults, rdpmc_faults());
	ASSERT_EQ(0, tprof_lx_counter_map(&self->own.counter, self->own.fd, 0));
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
}

static void *map_from_other_thread(void *arg)
{
	struct tprof_lx_counter *counter = arg, other;

	return (void *)(long)tprof_lx_counter_map(&other, counter->fd, counter->event);
}

TEST_F(page_right, another_thread_cannot_map_it)
{
	pthread_t thread;
	void *err;

	ASSERT_EQ(0, count_page_begin(&self->own));
	ASSERT_EQ(0, pthread_create(&thread, NULL, map_from_other_thread, &self->own.counter));
	ASSERT_EQ(0, pthread_join(thread, &err));
	EXPECT_EQ(-EPERM, (long)err);
}

static int map_errno(int fd, size_t bytes, int prot, int flags, __u64 offset)
{
	return mmap(NULL, bytes, prot, flags, fd, offset) == MAP_FAILED ? errno : 0;
}

TEST_F(page_right, mapping_can_only_be_read)
{
	__u64 at = TPROF_LX_PAGE_OFFSET(0);
	int fd;

	ASSERT_EQ(0, count_page_begin(&self->own));
	fd = self->own.fd;
	EXPECT_EQ(EPERM, map_errno(fd, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, at));
	EXPECT_EQ(EPERM, map_errno(fd, PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, at));
	EXPECT_EQ(EINVAL, map_errno(fd, PAGE_BYTES, PROT_READ, MAP_PRIVATE, at));
	EXPECT_EQ(EINVAL, map_errno(fd, 2 * PAGE_BYTES, PROT_READ, MAP_SHARED, at));
	EXPECT_EQ(-1, mprotect((void *)self->own.counter.page, PAGE_BYTES, PROT_READ | PROT_WRITE));
	for (__u32 index = 1; index < TPROF_LX_MAX_EVENTS + 2; index++)
		EXPECT_EQ(ENXIO, map_errno(self->own.fd, PAGE_BYTES, PROT_READ, MAP_SHARED,
					   TPROF_LX_PAGE_OFFSET(index)));
}

TEST_F(page_right, sysfs_can_forbid_rdpmc)
{
	if (self->rdpmc != 1 || file_write(rdpmc_path(), "0"))
		SKIP(return, "no file rdpmc");
	ASSERT_EQ(0, count_page_begin(&self->own));
	EXPECT_TRUE(rdpmc_faults());
	EXPECT_EQ(0, (int)self->own.counter.page->cap_user_rdpmc);
	EXPECT_EQ(0, self->own.counter.page->index);
	EXPECT_LE(INSNS, count_page_work(&self->own.counter, LOOPS));
	EXPECT_GT(INSNS + 10000, count_page_work(&self->own.counter, LOOPS));
	/* The next mapping finds the new value. */
	ASSERT_EQ(0, file_write(rdpmc_path(), "1"));
	tprof_lx_counter_unmap(&self->own.counter);
	ASSERT_EQ(0, tprof_lx_counter_map(&self->own.counter, self->own.fd, 0));
	EXPECT_EQ(1, (int)self->own.counter.page->cap_user_rdpmc);
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
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
	EXPECT_EQ(-EOPNOTSUPP, event_add_with(fd, "tsc", &attr, PAGE_FLAGS, &event));
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	EXPECT_EQ(-EOPNOTSUPP, event_add_with(fd, "soft", &attr, PAGE_FLAGS, &event));
	EXPECT_EQ(ENXIO, map_errno(fd, PAGE_BYTES, PROT_READ, MAP_SHARED,
				   TPROF_LX_PAGE_OFFSET(0)));
	close(fd);
}

TEST_HARNESS_MAIN
