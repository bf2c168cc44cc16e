// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - count pages: a thread reads its own counters by RDPMC
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/count_page.h"
#include "harness/suspend.h"
#include "harness/test.h"

FIXTURE(page) {
	struct count_page own;
};

FIXTURE_SETUP(page)
{
	ASSERT_EQ(0, count_page_open(&self->own));
	if (self->own.why_not)
		SKIP(return, "%s", self->own.why_not);
}

FIXTURE_TEARDOWN(page)
{
	count_page_close(&self->own);
	cpu_set_online(1, true);
}

TEST_F(page, has_the_layout_of_perf)
{
	const volatile struct perf_event_mmap_page *page;
	__u64 enabled;

	ASSERT_EQ(0, count_page_begin(&self->own));
	page = self->own.counter.page;
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

	ASSERT_EQ(0, count_page_begin(&self->own));
	/* Without a reliable TSC, the page has only the time of the last switch. */
	for (int i = 0; self->own.counter.page->cap_user_time && i < 100; i++) {
		ASSERT_EQ(0, count_read(self->own.fd, TPROF_LX_SUM, 0, &before));
		ns = ns_in_page(self->own.counter.page);
		ASSERT_EQ(0, count_read(self->own.fd, TPROF_LX_SUM, 0, &after));
		/* Both round, and multiply by different factors. */
		EXPECT_LE(before.ran_ns, ns + ns / 1000000 + 100);
		EXPECT_LE(ns, after.ran_ns + ns / 1000000 + 100);
	}
	for (int i = 0; i < 10; i++) {
		usleep(1000);
		cpu_pin(i % cpus_online());
	}
	ASSERT_EQ(0, session_stop(self->own.fd, ALL_EVENTS));
	ASSERT_EQ(0, count_read(self->own.fd, TPROF_LX_SUM, 0, &after));
	EXPECT_LT(0, after.ran_ns);
	EXPECT_EQ(0, (int)self->own.counter.page->cap_user_time);
	EXPECT_GE(100, llabs((long long)(after.ran_ns - self->own.counter.page->time_enabled)));
}

TEST_F(page, count_is_exact)
{
	ASSERT_EQ(0, count_page_begin(&self->own));
	for (int i = 0; i < 10; i++) {
		EXPECT_TRUE(count_page_is_exact(&self->own.counter));
		EXPECT_TRUE(count_page_agrees(&self->own.counter));
	}
}

TEST_F(page, two_counters_are_read_by_few_instructions)
{
	struct tprof_lx_counter branches;
	__u64 first, second, between;
	int index;

	self->own.attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	index = count_page_add(&self->own, PAGE_FLAGS);
	if (index < 0)
		SKIP(return, "no counter for branches");
	ASSERT_EQ(0, tprof_lx_counter_map(&branches, self->own.fd, index));
	self->own.attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	if (count_page_begin(&self->own) == -EBUSY)
		SKIP(return, "needs two counters");
	/* The first reads cause page faults. */
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, tprof_lx_counter_read(&self->own.counter, &first));
		ASSERT_EQ(0, tprof_lx_counter_read(&branches, &between));
		ASSERT_EQ(0, tprof_lx_counter_read(&self->own.counter, &second));
	}
	printf("# note: %llu instructions to read two counters\n", second - first);
	EXPECT_GT(100, second - first);
	EXPECT_LT(LOOPS - 1, count_page_work(&branches, LOOPS));
	EXPECT_GT(LOOPS + 100, count_page_work(&branches, LOOPS));
	tprof_lx_counter_unmap(&branches);
}

TEST_F(page, count_follows_the_thread_to_other_cpus)
{
	__u64 count, before;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, count_page_begin(&self->own));
	before = count_sum(self->own.fd, 0);
	for (int i = 0; i < 200; i++) {
		ASSERT_EQ(0, cpu_pin(i % 2));
		ASSERT_TRUE(count_page_is_exact(&self->own.counter));
		ASSERT_TRUE(count_page_agrees(&self->own.counter));
	}
	count = count_sum(self->own.fd, 0);
	EXPECT_LE(200 * INSNS, count - before);
	EXPECT_GT(300 * INSNS, count - before);
}

/* Each overflow changes the counter, and with it the page. It may repeat a read. */
TEST_F(page, overflows_do_not_change_the_count)
{
	attr_sample(&self->own.attr, 997);
	ASSERT_EQ(0, count_page_begin(&self->own));
	for (int i = 0; i < 100; i++) {
		ASSERT_LT(INSNS - 100, count_page_loops(&self->own.counter));
		ASSERT_GT(INSNS + 100, count_page_loops(&self->own.counter));
		ASSERT_TRUE(count_page_agrees(&self->own.counter));
	}
	EXPECT_LT(100, session_taken(self->own.fd, TPROF_LX_SUM, 0));
}

TEST_F(page, other_tasks_are_not_counted)
{
	pid_t other = fork();

	while (!other)
		work(1000);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, count_page_begin(&self->own));
	for (int i = 0; i < 100; i++) {
		sched_yield();
		ASSERT_TRUE(count_page_is_exact(&self->own.counter));
	}
	kill(other, SIGKILL);
	EXPECT_EQ(other, waitpid(other, NULL, 0));
}

TEST_F(page, stopped_event_has_its_count_in_the_page)
{
	ASSERT_EQ(0, count_page_begin(&self->own));
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->own.fd, ALL_EVENTS));
	EXPECT_EQ(0, self->own.counter.page->index);
	EXPECT_EQ(count_sum(self->own.fd, 0), self->own.counter.page->offset);
	EXPECT_EQ(count_sum(self->own.fd, 0), count_page_value(&self->own.counter));
	ASSERT_EQ(0, count_write(self->own.fd, TPROF_LX_SUM, 0, 1000));
	EXPECT_EQ(1000, self->own.counter.page->offset);
	ASSERT_EQ(0, session_start(self->own.fd, ALL_EVENTS));
	EXPECT_TRUE(count_page_agrees(&self->own.counter));
	EXPECT_GT(10000, count_page_value(&self->own.counter));
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
}

TEST_F(page, released_event_leaves_an_idle_page)
{
	struct tprof_lx_release release = { .size = sizeof(release) };

	ASSERT_EQ(0, count_page_begin(&self->own));
	ASSERT_EQ(0, session_ioctl(self->own.fd, TPROF_LX_IOC_RELEASE, &release));
	EXPECT_EQ(0, self->own.counter.page->index);
	EXPECT_FALSE(rdpmc_faults());
	tprof_lx_counter_unmap(&self->own.counter);
	EXPECT_EQ(-ENXIO, tprof_lx_counter_map(&self->own.counter, self->own.fd, 0));
}

TEST_F(page, thread_is_the_only_target)
{
	pid_t other = fork();

	if (!other) {
		pause();
		_exit(0);
	}
	ASSERT_EQ(0, count_page_add(&self->own, PAGE_FLAGS));
	EXPECT_EQ(-ESRCH, session_start(self->own.fd, 1));
	EXPECT_EQ(-EBUSY, session_attach(self->own.fd, other, 0));
	EXPECT_EQ(-EBUSY, session_attach(self->own.fd, other, TPROF_LX_TARGET_THREAD));
	EXPECT_EQ(-EBUSY, session_attach(self->own.fd, 0, 0));
	ASSERT_EQ(0, session_target(self->own.fd, other));
	EXPECT_EQ(-EINVAL, session_start(self->own.fd, 1));
	ASSERT_EQ(0, session_attach(self->own.fd, 0, TPROF_LX_TARGET_THREAD));
	EXPECT_EQ(-EINVAL, session_start(self->own.fd, 1));
	kill(other, SIGKILL);
	EXPECT_EQ(other, waitpid(other, NULL, 0));
	EXPECT_EQ(-EINVAL, session_start(self->own.fd, 1));
}

TEST_F(page, event_needs_one_thread)
{
	EXPECT_EQ(-EINVAL, count_page_add(&self->own, TPROF_LX_EVENT_PAGE));
	EXPECT_EQ(-EINVAL, count_page_add(&self->own, PAGE_FLAGS | TPROF_LX_EVENT_THREADS));
	EXPECT_EQ(0, count_page_add(&self->own, PAGE_FLAGS));
}

TEST_F(page, count_goes_on_when_its_cpu_goes_offline)
{
	if (cpus_online() < 2 || cpu_set_online(1, true))
		SKIP(return, "needs a CPU that can go offline");
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, count_page_begin(&self->own));
	work(LOOPS);
	ASSERT_EQ(0, cpu_set_online(1, false));
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
	EXPECT_TRUE(count_page_agrees(&self->own.counter));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, cpu_pin(1));
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
	EXPECT_TRUE(count_page_agrees(&self->own.counter));
}

TEST_F(page, count_goes_on_after_suspend)
{
	if (!suspend_is_possible())
		SKIP(return, NO_SUSPEND);
	ASSERT_EQ(0, count_page_begin(&self->own));
	work(LOOPS);
	ASSERT_EQ(0, suspend_once());
	EXPECT_TRUE(count_page_is_exact(&self->own.counter));
	EXPECT_TRUE(count_page_agrees(&self->own.counter));
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
	ASSERT_TRUE(wait_until(count_page_begin(&self->own) == 0, 2000));
	for (int i = 0; i < 100; i++) {
		usleep(10);
		ASSERT_TRUE(count_page_is_exact(&self->own.counter));
		ASSERT_TRUE(count_page_agrees(&self->own.counter));
	}
	EXPECT_GT(1000 * INSNS, count_page_value(&self->own.counter));
}

TEST_HARNESS_MAIN
