// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - what calls make CPUs do for hardware counters: see calls_test
 */
#include <errno.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/count_page.h"
#include "harness/counters.h"
#include "harness/target.h"
#include "harness/test.h"
#include "harness/work.h"

#define MANY_EVENTS	2

FIXTURE(pmu_calls) {
	int			meter;
	__u64			cpus;
	struct counters		counters;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(pmu_calls)
{
	self->cpus = cpus_online();
	self->meter = session_open(0);
	ASSERT_LE(0, self->meter);
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	if (self->counters.backend.nr_counters < MANY_EVENTS)
		SKIP(return, "too few counters");
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

FIXTURE_TEARDOWN(pmu_calls)
{
	close(self->counters.fd);
	close(self->meter);
}

/* Open a session of all CPUs, of process @pid if that is not 0, with @nr events. */
static int open_with(FIXTURE_DATA(pmu_calls) *self, int pid, __u32 nr)
{
	__u32 flags = pid ? TPROF_LX_EVENT_PROCESS : 0;
	struct tprof_lx_event event;
	int fd = session_open(0);
	int err = fd < 0 ? fd : 0;

	if (!err && pid)
		err = session_target(fd, pid);
	while (nr-- && !err)
		err = event_add_with(fd, self->counters.backend.name, &self->attr, flags, &event);
	return err ?: fd;
}

/* All counters of a CPU are armed in one call, and disarmed in one. */
TEST_F(pmu_calls, counters_change_on_each_cpu)
{
	for (__u32 nr = 1; nr <= MANY_EVENTS; nr++) {
		int fd = open_with(self, 0, nr);

		ASSERT_LE(0, fd);
		EXPECT_WORK(self->meter, self->cpus, 0, session_start(fd, mask_of(nr)));
		EXPECT_WORK(self->meter, self->cpus, 0, read_sum(fd, 0));
		EXPECT_WORK(self->meter, self->cpus, 1, session_stop(fd, mask_of(nr)));
		EXPECT_WORK(self->meter, 0, 0, read_sum(fd, 0));
		EXPECT_WORK(self->meter, 0, 0, close(fd));
	}
}

/* The call that arms the counters closes their gates, too. All events have one gate. */
TEST_F(pmu_calls, gates_take_one_call_for_all_events)
{
	for (__u32 nr = 1; nr <= MANY_EVENTS; nr++) {
		int fd = open_with(self, getpid(), nr);

		ASSERT_LE(0, fd);
		EXPECT_WORK(self->meter, 2 * self->cpus, 0, session_start(fd, mask_of(nr)));
		EXPECT_WORK(self->meter, self->cpus, 0, read_sum(fd, 0));
		EXPECT_WORK(self->meter, 2 * self->cpus, 2, session_stop(fd, mask_of(nr)));
		EXPECT_WORK(self->meter, 0, 1, close(fd));
	}
}

/*
 * A CPU that comes online starts each event, and changes the gate of a session once. When it goes
 * offline, it stops them in as many calls.
 */
TEST_F(pmu_calls, hotplug_interrupts_one_cpu_only)
{
	int last = self->cpus - 1, fd, gated;

	if (!last || cpu_set_online(last, false))
		SKIP(return, "the last CPU cannot be taken offline");
	ASSERT_EQ(0, cpu_set_online(last, true));
	fd = open_with(self, 0, 1);
	ASSERT_LE(0, fd);
	gated = open_with(self, getpid(), 1);
	ASSERT_LE(0, gated);
	ASSERT_EQ(0, session_start(fd, 1));
	ASSERT_EQ(0, session_start(gated, 1));
	EXPECT_WORK(self->meter, 3, 0, cpu_set_online(last, false));
	EXPECT_WORK(self->meter, 3, 0, cpu_set_online(last, true));
	EXPECT_WORK(self->meter, self->cpus, 0, read_sum(fd, 0));
	close(gated);
	close(fd);
}

/**
 * struct page_works - works that a child has made CPUs do
 * @map:	for mmap(2) of a count page
 * @again:	for a second mapping of the page
 * @unmap_one:	for munmap(2) of one of the two
 * @unmap_last:	for munmap(2) of the other one
 */
struct page_works {
	__u64	map;
	__u64	again;
	__u64	unmap_one;
	__u64	unmap_last;
};

/* Return the works since the last call. */
static __u64 works_since(int meter, __u64 *before)
{
	struct tprof_lx_stats stats;
	__u64 works;

	if (read_totals(meter, &stats))
		return ~0ULL;
	works = stats.cpu_works - *before;
	*before = stats.cpu_works;
	return works;
}

static int map_and_unmap(int meter, struct page_works *works)
{
	struct count_page page = {};
	struct tprof_lx_counter second;
	__u64 before = 0;
	int index = count_page_open(&page);

	if (!index)
		index = count_page_add(&page, PAGE_FLAGS);
	if (index < 0)
		return index;
	works_since(meter, &before);
	if (tprof_lx_counter_map(&page.counter, page.fd, index))
		return -errno;
	works->map = works_since(meter, &before);
	if (tprof_lx_counter_map(&second, page.fd, index))
		return -errno;
	works->again = works_since(meter, &before);
	tprof_lx_counter_unmap(&second);
	works->unmap_one = works_since(meter, &before);
	tprof_lx_counter_unmap(&page.counter);
	works->unmap_last = works_since(meter, &before);
	close(page.fd);
	return 0;
}

/*
 * The child is born on CPU 0 and stays there, so no other CPU has loaded its address space. The
 * first mapping gives the right to execute RDPMC, and the end of the last one takes it back.
 */
TEST_F(pmu_calls, count_page_queues_a_work_for_each_cpu_of_its_process)
{
	struct page_works *works = mmap(NULL, sizeof(*works), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = open_with(self, 0, 1), status;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, works);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(-map_and_unmap(self->meter, works));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(1, works->map);
	EXPECT_EQ(0, works->again);
	EXPECT_EQ(0, works->unmap_one);
	EXPECT_EQ(1, works->unmap_last);
	close(fd);
}

static int list_rows(FIXTURE_DATA(pmu_calls) *self)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	int nr = rows_read(self->meter, 0, rows);

	return nr < 0 ? nr : 0;
}

TEST_F(pmu_calls, rows_are_looked_at_until_they_are_reserved)
{
	int fd;

	EXPECT_WORK(self->meter, 1, 0, list_rows(self));
	fd = open_with(self, 0, 1);
	ASSERT_LE(0, fd);
	EXPECT_WORK(self->meter, 0, 0, list_rows(self));
	close(fd);
}

/*
 * The first event of the machine reserves the counters of all CPUs: it looks at them, and a
 * worker of each CPU clears what perf has left. Then workers leave the address space of init.
 */
TEST_F(pmu_calls, only_the_first_event_reserves_counters)
{
	struct tprof_lx_stats before, after;
	struct tprof_lx_event event;
	__u64 works;
	int fd;

	ASSERT_EQ(0, read_totals(self->meter, &before));
	fd = open_with(self, 0, 1);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, read_totals(self->meter, &after));
	EXPECT_EQ(self->cpus, after.ipi_calls - before.ipi_calls);
	works = after.cpu_works - before.cpu_works;
	EXPECT_LE(self->cpus, works);
	EXPECT_GE(2 * self->cpus, works);
	EXPECT_EQ(before.grace_periods, after.grace_periods);
	EXPECT_WORK(self->meter, 0, 0,
		    event_add_with(fd, self->counters.backend.name, &self->attr, 0, &event));
	EXPECT_WORK(self->meter, 0, 0, close(fd));
}

TEST_HARNESS_MAIN
