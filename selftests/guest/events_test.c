// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - EVENTS: which session has which event
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/test.h"
#include "harness/unprivileged.h"

#define ROOM	64

/* Size of the first version of struct tprof_lx_listed. */
#define FIRST_LISTED_BYTES	136

/* One in so many NMIs of counters is measured, and stands for all of them. */
#define NMI_SHARE		64

/* Return the number of events, or -errno. */
static int list_on(int fd, __u32 cpu, struct tprof_lx_listed *list, __u32 room)
{
	struct tprof_lx_events arg = {
		.size		= sizeof(arg),
		.cpu		= cpu,
		.nr_events	= room,
		.event_size	= sizeof(*list),
		.events		= (unsigned long)list,
	};
	int err = session_ioctl(fd, TPROF_LX_IOC_EVENTS, &arg);

	return err ?: (int)arg.nr_events;
}

static int list_all(int fd, struct tprof_lx_listed *list)
{
	memset(list, 0, ROOM * sizeof(*list));
	return list_on(fd, TPROF_LX_SUM, list, ROOM);
}

FIXTURE(events) {
	int			fd;
	int			other;
	struct tprof_lx_listed	list[ROOM];
};

FIXTURE_SETUP(events)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	self->other = session_open(0);
	ASSERT_LE(0, self->other);
}

FIXTURE_TEARDOWN(events)
{
	close(self->fd);
	close(self->other);
}

TEST_F(events, clock_of_all_cpus_is_listed)
{
	struct tprof_lx_listed expected = {
		.pid	= getpid(),
		.comm	= "events_test",
		.backend = "timer",
		.state	= TPROF_LX_STATE_ARMED,
		.type	= PERF_TYPE_SOFTWARE,
		.config	= PERF_COUNT_SW_CPU_CLOCK,
		.period	= NSEC_PER_SEC / 500,
		.freq	= 500,
		.nr_cpus = sysconf(_SC_NPROCESSORS_CONF),
	};
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_init(&attr, 500);
	ASSERT_EQ(0, event_add_full(self->fd, "timer", &attr, &event));
	ASSERT_EQ(1, list_all(self->other, self->list));
	expected.id = event.id;
	expected.session = self->list[0].session;
	EXPECT_LT(0, expected.session);
	EXPECT_EQ(0, memcmp(&expected, &self->list[0], sizeof(expected)));
}

/* Each back end that needs no hardware, with another scope, mode and flags each. */
TEST_F(events, all_back_ends_are_listed)
{
	const __u32 tallied = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;
	struct tprof_lx_listed *mine = self->list;
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	ASSERT_EQ(0, event_clock(self->other, "nmi", 100));
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, session_attach(self->fd, getpid(), 0));
	attr_init(&attr, 1000);
	attr.exclude_user = 1;
	attr.exclude_idle = 1;
	ASSERT_EQ(0, event_add(self->fd, "nmi", &attr));
	attr_count(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	ASSERT_EQ(0, event_add_with(self->fd, "tsc", &attr, TPROF_LX_EVENT_PROCESS, &event));
	attr_count(&attr, PERF_TYPE_RAW, TPROF_LX_SOFT_TICKS);
	attr.exclude_kernel = 1;
	ASSERT_EQ(0, event_add_with(self->fd, "soft", &attr, tallied, &event));
	ASSERT_EQ(3, event_fake(self->fd, getpid()));

	/* The session that was opened first is listed first. */
	ASSERT_EQ(5, list_all(self->other, self->list));
	EXPECT_STREQ("nmi", mine[0].backend);
	EXPECT_EQ(TPROF_LX_EXCLUDE_USER | TPROF_LX_EXCLUDE_IDLE, mine[0].excludes);
	EXPECT_EQ(0, mine[0].flags);
	EXPECT_STREQ("tsc", mine[1].backend);
	EXPECT_EQ(0, mine[1].period + mine[1].freq + mine[1].excludes);
	EXPECT_EQ(TPROF_LX_EVENT_PROCESS, mine[1].flags);
	EXPECT_STREQ("soft", mine[2].backend);
	EXPECT_EQ(PERF_TYPE_RAW, mine[2].type);
	EXPECT_EQ(TPROF_LX_SOFT_TICKS, mine[2].config);
	EXPECT_EQ(tallied, mine[2].flags);
	EXPECT_EQ(TPROF_LX_EXCLUDE_KERNEL, mine[2].excludes);
	EXPECT_STREQ("fake", mine[3].backend);
	for (__u32 i = 0; i < 4; i++) {
		EXPECT_EQ(i, mine[i].index);
		EXPECT_EQ(mine[0].session, mine[i].session);
		EXPECT_EQ(TPROF_LX_SCOPE_TARGETS | TPROF_LX_SCOPE_CPUS, mine[i].scope);
		EXPECT_EQ(1, mine[i].nr_cpus);
	}
	EXPECT_EQ(0, self->list[4].scope);
	EXPECT_LT(mine[0].session, self->list[4].session);
}

TEST_F(events, state_follows_start_stop_and_release)
{
	struct tprof_lx_release release = { .size = sizeof(release), .event = 0 };

	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(1, event_clock(self->fd, "timer", 100));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(2, list_all(self->other, self->list));
	EXPECT_EQ(TPROF_LX_STATE_ARMED, self->list[0].state);
	EXPECT_EQ(0, self->list[0].ran_ns);
	EXPECT_EQ(TPROF_LX_STATE_RUNNING, self->list[1].state);
	EXPECT_LT(0, self->list[1].ran_ns);
	ASSERT_EQ(0, session_stop(self->fd, 2));
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_RELEASE, &release));
	ASSERT_EQ(1, list_all(self->other, self->list));
	EXPECT_EQ(1, self->list[0].index);
	EXPECT_EQ(TPROF_LX_STATE_ARMED, self->list[0].state);
	close(self->fd);
	EXPECT_EQ(0, list_all(self->other, self->list));
	self->fd = session_open(0);
	EXPECT_EQ(0, list_all(self->fd, self->list));
}

/* Samples are those of the CPU that the caller names. */
TEST_F(events, samples_are_listed_by_cpu)
{
	int cpus = sysconf(_SC_NPROCESSORS_CONF);
	__u64 sum = 0;

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, event_fake(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 10));
	ASSERT_EQ(1, list_on(self->other, 0, self->list, ROOM));
	EXPECT_EQ(10, self->list[0].taken);
	EXPECT_EQ(0, self->list[0].lost);
	for (int cpu = 0; cpu < cpus; cpu++) {
		ASSERT_EQ(1, list_on(self->other, cpu, self->list, ROOM));
		sum += self->list[0].taken;
	}
	EXPECT_EQ(10, sum);
	ASSERT_EQ(1, list_all(self->other, self->list));
	EXPECT_EQ(10, self->list[0].taken);
	EXPECT_EQ(-EINVAL, list_on(self->other, cpus, self->list, ROOM));
	EXPECT_EQ(-EINVAL, list_on(self->other, 0xfffffffe, self->list, ROOM));
}

/* The fake back end counts each sample as an interrupt. The totals keep it after the end. */
TEST_F(events, costs_are_listed_and_outlive_their_event)
{
	struct tprof_lx_stats before, during, after;
	struct tprof_lx_events arg = { .size = sizeof(arg), .cpu = 0 };

	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, session_stats(self->other, 0, TPROF_LX_SUM, &before));
	ASSERT_EQ(0, event_fake(self->fd, getpid()));
	ASSERT_EQ(1, list_all(self->other, self->list));
	EXPECT_EQ(0, self->list[0].interrupts + self->list[0].handler_ns + self->list[0].around_ns);
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 7));
	ASSERT_EQ(0, session_ioctl(self->other, TPROF_LX_IOC_EVENTS, &arg));
	EXPECT_LT(0, arg.around_ns);
	ASSERT_EQ(1, list_on(self->other, 0, self->list, ROOM));
	EXPECT_EQ(7, self->list[0].interrupts);
	EXPECT_LT(0, self->list[0].handler_ns);
	EXPECT_EQ(7 * arg.around_ns, self->list[0].around_ns);
	ASSERT_EQ(0, session_stats(self->other, 0, TPROF_LX_SUM, &during));
	EXPECT_EQ(before.total_interrupts + 7, during.total_interrupts);
	EXPECT_LT(before.total_handler_ns, during.total_handler_ns);
	ASSERT_EQ(1, list_on(self->other, 1, self->list, ROOM));
	EXPECT_EQ(0, self->list[0].interrupts);
	close(self->fd);
	ASSERT_EQ(0, session_stats(self->other, 0, TPROF_LX_SUM, &after));
	EXPECT_EQ(during.total_interrupts, after.total_interrupts);
	EXPECT_LE(during.total_handler_ns, after.total_handler_ns);
	self->fd = session_open(0);
}

/* Each tick of a clock is an interrupt, and a sample by NMI is one on its CPU as well. */
TEST_F(events, clocks_and_software_events_have_costs)
{
	struct tprof_lx_listed *list = self->list;
	struct perf_event_attr attr;

	ASSERT_EQ(0, event_clock(self->fd, "timer", 500));
	ASSERT_EQ(1, event_clock(self->fd, "nmi", 500));
	attr_init(&attr, 0);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr.freq = 0;
	attr.sample_period = 1;
	ASSERT_EQ(2, event_add(self->fd, "soft", &attr));
	attr_count(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	ASSERT_EQ(3, event_add(self->fd, "tsc", &attr));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	spin_ms(200);
	usleep(1000);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(4, list_all(self->other, list));
	for (int i = 0; i < 3; i++) {
		EXPECT_LT(0, list[i].taken);
		EXPECT_LT(0, list[i].handler_ns);
	}
	EXPECT_LE(list[0].taken, list[0].interrupts);
	EXPECT_LT(list[1].taken, list[1].interrupts);
	EXPECT_LT(0, list[0].around_ns);
	EXPECT_EQ(0, list[2].interrupts + list[2].around_ns);
	EXPECT_EQ(0, list[3].interrupts + list[3].handler_ns);
}

TEST_F(events, a_short_list_says_how_many_there_are)
{
	struct tprof_lx_events arg = {
		.size		= sizeof(arg),
		.cpu		= TPROF_LX_SUM,
		.nr_events	= 1,
		.event_size	= sizeof(self->list[0]),
		.events		= (unsigned long)self->list,
	};

	for (int i = 0; i < 3; i++)
		ASSERT_EQ(i, event_clock(self->fd, "timer", 100));
	memset(self->list, 0xee, sizeof(self->list));
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_EVENTS, &arg));
	EXPECT_EQ(3, arg.nr_events);
	EXPECT_EQ(0, self->list[0].index);
	EXPECT_EQ(0xee, *(__u8 *)&self->list[1]);
	arg.nr_events = ~0U;
	arg.events = 0;
	arg.event_size = 0;
	EXPECT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_EVENTS, &arg));
	EXPECT_EQ(3, arg.nr_events);
	arg.events = (unsigned long)self->list;
	arg.event_size = FIRST_LISTED_BYTES - 1;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_EVENTS, &arg));
}

TEST_F(events, counters_have_costs)
{
	struct tprof_lx_listed *event = self->list;
	struct tprof_lx_backend backend;
	struct perf_event_attr attr;
	int err;

	if (counters_backend(self->fd, &backend))
		SKIP(return, "no hardware counters");
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, cpu_pin(0));
	attr_init(&attr, 0);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.freq = 0;
	attr.sample_period = 100000;
	attr.exclude_kernel = 1;
	err = event_add(self->fd, backend.name, &attr);
	if (err == -EIO)
		SKIP(return, "the counters do not work here");
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, session_start(self->fd, 1));
	do {
		spin_ms(10);
		ASSERT_EQ(1, list_all(self->other, event));
	} while (event->taken < 10 * NMI_SHARE);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(1, list_all(self->other, event));
	EXPECT_LT(0, event->handler_ns);
	EXPECT_LT(0, event->around_ns);
	/* Each of these NMIs serves one counter. */
	EXPECT_EQ(0, event->interrupts % NMI_SHARE);
	EXPECT_LE(event->taken, event->interrupts + NMI_SHARE);
	EXPECT_LE(event->interrupts, event->taken + NMI_SHARE);
}

static bool is_over;

/* Open, start, release and close sessions of two events, until the test is over. */
static void *change_sessions(void *unused)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		struct tprof_lx_release release = { .size = sizeof(release), .event = 0 };
		int fd = session_open(0);

		event_clock(fd, "timer", 1000);
		event_clock(fd, "nmi", 1000);
		session_start(fd, ALL_EVENTS);
		session_ioctl(fd, TPROF_LX_IOC_RELEASE, &release);
		close(fd);
	}
	return unused;
}

/* Return true if the entry can be one of change_sessions(). */
static bool is_sound(const struct tprof_lx_listed *entry)
{
	if (!entry->session || entry->pid != getpid() || strcmp("events_test", entry->comm))
		return false;
	if (entry->state == TPROF_LX_STATE_BUSY)
		return !entry->id && !entry->backend[0];
	return entry->period == NSEC_PER_MSEC && entry->index < 2 &&
	       !strcmp(entry->backend, entry->index ? "nmi" : "timer") &&
	       (entry->state == TPROF_LX_STATE_RUNNING || entry->state == TPROF_LX_STATE_ARMED);
}

/* While sessions begin, run and end, each list is one that there was. */
TEST_F(events, lists_are_sound_while_sessions_change)
{
	pthread_t threads[2];

	__atomic_store_n(&is_over, false, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, change_sessions, NULL));
	for (int round = 0; round < 200; round++) {
		int nr = list_all(self->other, self->list);

		ASSERT_LE(0, nr);
		ASSERT_GE(4, nr);
		for (int i = 0; i < nr; i++) {
			EXPECT_TRUE(is_sound(&self->list[i]));
			EXPECT_TRUE(!i || self->list[i - 1].session < self->list[i].session ||
				    self->list[i - 1].index < self->list[i].index);
		}
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

FIXTURE(user) {
	struct unprivileged	user;
	struct tprof_lx_listed	list[ROOM];
};

FIXTURE_SETUP(user)
{
	ASSERT_EQ(0, unprivileged_setup(&self->user));
}

FIXTURE_TEARDOWN(user)
{
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

static int child_fd;

/* Open a session with an event in the child, which may have privileges. */
static int add_in_child(struct target *target, __u64 unused)
{
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	attr.exclude_kernel = 1;
	child_fd = session_open(0);
	return child_fd < 0 ? child_fd :
	       event_add_with(child_fd, "soft", &attr, TPROF_LX_EVENT_PROCESS,
			      &(struct tprof_lx_event){});
}

/* Return the number of events that the child lists, less @expected. */
static int count_in_child(struct target *target, __u64 expected)
{
	struct tprof_lx_listed list[ROOM];

	return list_all(child_fd, list) - (int)expected;
}

TEST_F(user, events_of_others_are_not_listed)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, target_do(&self->user.root, add_in_child, 0));
	EXPECT_EQ(0, list_all(self->user.fd, self->list));
	EXPECT_EQ(0, self->list[0].pid);
	ASSERT_EQ(0, target_do(&self->user.own, add_in_child, 0));
	ASSERT_EQ(1, list_all(self->user.fd, self->list));
	EXPECT_EQ(self->user.own.pid, self->list[0].pid);
	EXPECT_EQ(getuid(), self->list[0].uid);
	EXPECT_NE(0, self->list[0].uid);
	EXPECT_EQ(0, self->list[1].pid);
	/* A session with privileges lists both. */
	EXPECT_EQ(0, target_do(&self->user.root, count_in_child, 2));
}

TEST_HARNESS_MAIN
