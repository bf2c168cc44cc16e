// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - what calls make CPUs do, by numbers of CPUs, events, threads and sessions
 *
 * Documentation/calls.md has the table of these formulas. Guests with 2 and with 64 CPUs run the
 * tests.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/target.h"
#include "harness/test.h"
#include "harness/work.h"

#define MANY_EVENTS	4
#define MANY_SESSIONS	4
#define MANY_THREADS	32

#define EXPECT_CALL(ipis, graces, call)	EXPECT_WORK(self->meter, ipis, graces, call)

FIXTURE(calls) {
	int		meter;
	int		fd;
	__u64		cpus;
	struct target	target;
};

FIXTURE_SETUP(calls)
{
	self->cpus = cpus_online();
	self->meter = session_open(0);
	ASSERT_LE(0, self->meter);
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
}

FIXTURE_TEARDOWN(calls)
{
	if (self->target.pid)
		target_end(&self->target);
	close(self->fd);
	close(self->meter);
}

static int add_clocks(int fd, const char *backend, __u32 flags, __u32 nr)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err = 0;

	attr_init(&attr, 100);
	while (nr-- && !err)
		err = event_add_with(fd, backend, &attr, flags, &event);
	return err;
}

static int add_count(int fd, const char *backend, __u32 type, __u64 config, __u32 flags)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_count(&attr, type, config);
	return event_add_with(fd, backend, &attr, flags, &event);
}

static int open_and_close(void)
{
	int fd = session_open(0);

	return fd < 0 ? fd : close(fd);
}

static int ask_all(int fd)
{
	struct tprof_lx_stats stats;
	struct tprof_lx_config config = {};

	return read_totals(fd, &stats) ?: session_config(fd, &config) ?: session_flush(fd);
}

/*
 * INFO looks at the counters of the CPU of its caller, while no event has reserved them, unless
 * they have failed the selftest.
 */
TEST_F(calls, info_interrupts_no_other_cpu)
{
	struct tprof_lx_backend backend;
	struct tprof_lx_info info = {};
	bool looks = !counters_backend(self->fd, &backend) &&
		     !(backend.flags & TPROF_LX_BACKEND_DEGRADED);

	EXPECT_CALL(looks, 0, session_info(self->fd, &info));
}

TEST_F(calls, most_interrupt_no_cpu)
{
	EXPECT_CALL(0, 0, open_and_close());
	EXPECT_CALL(0, 0, add_clocks(self->fd, "timer", 0, 1));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_CALL(0, 0, session_mark(self->fd, 1, "mark"));
	EXPECT_CALL(0, 0, session_flush(self->fd));
	EXPECT_CALL(0, 1, session_stop(self->fd, 1));
	EXPECT_CALL(0, 0, ask_all(self->meter));
}

/* Each clock starts its timers on their CPUs. It stops them from afar. */
TEST_F(calls, clocks_are_started_on_each_cpu)
{
	static const char *const backends[] = { "timer", "nmi" };

	for (size_t i = 0; i < ARRAY_LEN(backends); i++) {
		for (__u32 nr = 1; nr <= MANY_EVENTS; nr += MANY_EVENTS - 1) {
			int fd = session_open(0);

			ASSERT_LE(0, fd);
			EXPECT_CALL(0, 0, add_clocks(fd, backends[i], 0, nr));
			EXPECT_CALL(nr * self->cpus, 0, session_start(fd, mask_of(nr)));
			EXPECT_CALL(0, 1, session_stop(fd, mask_of(nr)));
			EXPECT_CALL(0, 0, close(fd));
		}
	}
}

static int choose_one_cpu(int fd)
{
	return session_cpus(fd, 0);
}

TEST_F(calls, cpus_outside_the_set_are_not_interrupted)
{
	EXPECT_CALL(0, 0, choose_one_cpu(self->fd));
	ASSERT_EQ(0, add_clocks(self->fd, "timer", 0, 1));
	ASSERT_EQ(0, add_count(self->fd, "tsc", PERF_TYPE_HARDWARE,
			       PERF_COUNT_HW_REF_CPU_CYCLES, 0));
	EXPECT_CALL(2, 0, session_start(self->fd, mask_of(2)));
	EXPECT_CALL(1, 0, read_sum(self->fd, 1));
	EXPECT_CALL(1, 1, session_stop(self->fd, mask_of(2)));
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return NULL;
}

static int add_threads(struct target *target, __u64 nr)
{
	pthread_t thread;
	int err = 0;

	while (nr-- && !err)
		err = -pthread_create(&thread, NULL, wait_for_ever, NULL);
	return err;
}

/* All events of a session have one gate for each CPU. Threads make no difference. */
TEST_F(calls, gates_change_once_for_all_events_and_threads)
{
	for (__u32 nr = 1; nr <= MANY_EVENTS; nr += MANY_EVENTS - 1) {
		int fd = session_open(0);

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, session_target(fd, self->target.pid));
		EXPECT_CALL(0, 0, add_clocks(fd, "timer", TPROF_LX_EVENT_PROCESS, nr));
		EXPECT_CALL(self->cpus, 0, session_start(fd, mask_of(nr)));
		EXPECT_CALL(self->cpus, 2, session_stop(fd, mask_of(nr)));
		/* The target leaves the probes of forks and exits. */
		EXPECT_CALL(0, 1, close(fd));
		ASSERT_EQ(0, target_do(&self->target, add_threads, MANY_THREADS));
	}
}

/* READ asks each CPU once for the count and for how long its gate was open. */
TEST_F(calls, count_and_time_of_a_gate_are_read_together)
{
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, add_count(self->fd, "soft", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,
			       TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, add_count(self->fd, "tsc", PERF_TYPE_HARDWARE,
			       PERF_COUNT_HW_REF_CPU_CYCLES, TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, session_start(self->fd, mask_of(2)));
	for (__u32 i = 0; i < 2; i++)
		EXPECT_CALL(self->cpus, 0, read_sum(self->fd, i));
	ASSERT_EQ(0, session_stop(self->fd, mask_of(2)));
	for (__u32 i = 0; i < 2; i++)
		EXPECT_CALL(0, 0, read_sum(self->fd, i));
}

static int read_threads(int fd, __u32 event)
{
	struct tprof_lx_threads arg = {
		.size		= sizeof(arg),
		.event		= event,
		.thread_size	= sizeof(struct tprof_lx_thread),
	};

	return session_ioctl(fd, TPROF_LX_IOC_THREADS, &arg);
}

static int list_events(int fd)
{
	struct tprof_lx_listed listed[4];
	struct tprof_lx_events arg = { .size = sizeof(arg), .cpu = TPROF_LX_SUM,
				       .events = (unsigned long)listed,
				       .event_size = sizeof(listed[0]), .nr_events = 4 };

	return session_ioctl(fd, TPROF_LX_IOC_EVENTS, &arg);
}

/* READ asks each CPU for how long its gate was open, and THREADS for its last counts. */
TEST_F(calls, counts_of_a_target_are_read_at_its_gates)
{
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, add_count(self->fd, "soft", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
			       TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS));
	EXPECT_CALL(self->cpus, 0, session_start(self->fd, 1));
	EXPECT_CALL(self->cpus, 0, read_sum(self->fd, 0));
	EXPECT_CALL(self->cpus, 0, read_threads(self->fd, 0));
	EXPECT_CALL(0, 0, list_events(self->fd));
	EXPECT_CALL(self->cpus, 2, session_stop(self->fd, 1));
	EXPECT_CALL(0, 0, read_sum(self->fd, 0));
	EXPECT_CALL(0, 0, read_threads(self->fd, 0));
}

TEST_F(calls, new_targets_wait_for_the_probes_of_the_old_ones)
{
	EXPECT_CALL(0, 0, session_target(self->fd, self->target.pid));
	EXPECT_CALL(0, 1, session_target(self->fd, self->target.pid));
}

static int add_tracked_clock(int fd)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_init(&attr, 100);
	attr_track(&attr);
	return event_add_with(fd, "timer", &attr, 0, &event);
}

TEST_F(calls, side_band_records_end_with_one_more_wait)
{
	ASSERT_EQ(0, add_tracked_clock(self->fd));
	EXPECT_CALL(self->cpus, 0, session_start(self->fd, 1));
	EXPECT_CALL(0, 2, session_stop(self->fd, 1));
}

/* ATTACH and DETACH look at the gates of CPUs that have events. */
TEST_F(calls, targets_interrupt_only_cpus_with_events)
{
	int pid = self->target.pid;

	EXPECT_CALL(0, 0, session_attach(self->fd, getpid(), TPROF_LX_TARGET_ALONE));
	EXPECT_CALL(0, 0, session_attach(self->fd, pid, TPROF_LX_TARGET_ALONE));
	EXPECT_CALL(0, 0, session_detach(self->fd, pid, TPROF_LX_TARGET_ALONE));
	ASSERT_EQ(0, add_clocks(self->fd, "timer", TPROF_LX_EVENT_PROCESS, 1));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_CALL(self->cpus, 0, session_attach(self->fd, pid, TPROF_LX_TARGET_ALONE));
	EXPECT_CALL(self->cpus, 0, session_detach(self->fd, pid, TPROF_LX_TARGET_ALONE));
}

TEST_F(calls, targets_interrupt_only_cpus_of_the_set)
{
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, session_attach(self->fd, getpid(), TPROF_LX_TARGET_ALONE));
	ASSERT_EQ(0, add_clocks(self->fd, "timer", TPROF_LX_EVENT_PROCESS, 1));
	EXPECT_CALL(1, 0, session_start(self->fd, 1));
	EXPECT_CALL(1, 0, session_attach(self->fd, self->target.pid, 0));
}

/* What a session has to do does not depend on others. */
TEST_F(calls, sessions_cost_the_same_each)
{
	int fds[MANY_SESSIONS];

	for (int i = 0; i < MANY_SESSIONS; i++) {
		fds[i] = session_open(0);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, session_target(fds[i], self->target.pid));
		ASSERT_EQ(0, add_clocks(fds[i], "timer", TPROF_LX_EVENT_PROCESS, 1));
		EXPECT_CALL(self->cpus, 0, session_start(fds[i], 1));
	}
	for (int i = 0; i < MANY_SESSIONS; i++) {
		EXPECT_CALL(self->cpus, 2, session_stop(fds[i], 1));
		EXPECT_CALL(0, 1, close(fds[i]));
	}
}

/* A CPU that comes online starts the events of each session, and joins their gates. */
TEST_F(calls, hotplug_interrupts_one_cpu_only)
{
	int last = self->cpus - 1;
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	if (!last || cpu_set_online(last, false))
		SKIP(return, "the last CPU cannot be taken offline");
	ASSERT_EQ(0, cpu_set_online(last, true));
	ASSERT_EQ(0, add_clocks(fd, "timer", 0, MANY_EVENTS));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, add_clocks(self->fd, "timer", TPROF_LX_EVENT_PROCESS, MANY_EVENTS));
	ASSERT_EQ(0, session_start(fd, mask_of(MANY_EVENTS)));
	ASSERT_EQ(0, session_start(self->fd, mask_of(MANY_EVENTS)));
	EXPECT_CALL(1, 0, cpu_set_online(last, false));
	EXPECT_CALL(MANY_EVENTS + 1, 0, cpu_set_online(last, true));
	close(fd);
}

/* Hooks count what happens, and see by themselves whether an event runs. */
TEST_F(calls, software_events_interrupt_no_cpu)
{
	static const __u64 configs[] = {
		PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_CONTEXT_SWITCHES,
		PERF_COUNT_SW_CPU_MIGRATIONS,
	};

	for (__u32 i = 0; i < ARRAY_LEN(configs); i++)
		EXPECT_CALL(0, 0, add_count(self->fd, "soft", PERF_TYPE_SOFTWARE, configs[i], 0));
	EXPECT_CALL(0, 0, session_start(self->fd, mask_of(ARRAY_LEN(configs))));
	for (__u32 i = 0; i < ARRAY_LEN(configs); i++)
		EXPECT_CALL(0, 0, read_sum(self->fd, i));
	EXPECT_CALL(0, 1, session_stop(self->fd, mask_of(ARRAY_LEN(configs))));
}

static int add_switches(int fd)
{
	return add_count(fd, "soft", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 0);
}

static int release(int fd, __u32 index)
{
	struct tprof_lx_release arg = { .size = sizeof(arg), .event = index };

	return session_ioctl(fd, TPROF_LX_IOC_RELEASE, &arg);
}

/* The events of a session wait together until no hook uses them any more. */
TEST_F(calls, end_of_software_events_waits_once)
{
	for (__u32 nr = 1; nr <= MANY_EVENTS; nr += MANY_EVENTS - 1) {
		int fd = session_open(0);

		ASSERT_LE(0, fd);
		for (__u32 i = 0; i < nr; i++)
			ASSERT_EQ(0, add_switches(fd));
		EXPECT_CALL(0, 2, close(fd));
	}
}

TEST_F(calls, released_event_waits_alone)
{
	ASSERT_EQ(0, add_switches(self->fd));
	ASSERT_EQ(0, add_switches(self->fd));
	EXPECT_CALL(0, 2, release(self->fd, 0));
	EXPECT_CALL(0, 2, release(self->fd, 1));
	EXPECT_CALL(0, 0, close(self->fd));
	self->fd = session_open(0);
}

TEST_F(calls, task_clock_is_read_on_each_cpu)
{
	ASSERT_EQ(0, add_count(self->fd, "soft", PERF_TYPE_SOFTWARE,
			       PERF_COUNT_SW_TASK_CLOCK, 0));
	EXPECT_CALL(self->cpus, 0, session_start(self->fd, 1));
	EXPECT_CALL(self->cpus, 0, read_sum(self->fd, 0));
	EXPECT_CALL(self->cpus, 1, session_stop(self->fd, 1));
	EXPECT_CALL(0, 0, read_sum(self->fd, 0));
}

/* The time stamp counter is read on its CPU. */
TEST_F(calls, tsc_is_read_on_each_cpu)
{
	ASSERT_EQ(0, add_count(self->fd, "tsc", PERF_TYPE_HARDWARE,
			       PERF_COUNT_HW_REF_CPU_CYCLES, 0));
	EXPECT_CALL(self->cpus, 0, session_start(self->fd, 1));
	EXPECT_CALL(self->cpus, 0, read_sum(self->fd, 0));
	EXPECT_CALL(self->cpus, 1, session_stop(self->fd, 1));
	EXPECT_CALL(0, 0, read_sum(self->fd, 0));
}

TEST_HARNESS_MAIN
