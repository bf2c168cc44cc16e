// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - sessions that share counters
 *
 * There are more sessions than counters of CPU 0. Each session has a process of its own, all
 * of which compete for CPU 0, so the counters change hands at most task switches.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/counters.h"
#include "harness/suspend.h"
#include "harness/target.h"
#include "harness/test.h"

#define LOOPS	200000ULL
#define INSNS	(LOOPS * INSNS_PER_LOOP)
#define PERIOD	1009

/*
 * Processes of the largest test, the memory in kB that it leaves, which must do for one more
 * session and for what the processes need later, and for how long it starts processes.
 */
#define MANY		200
#define SPARE_KB	65536
#define START_NS	20000000000ULL

/* A session with a target. */
struct seat {
	struct target	target;
	int		fd;
	__u64		before;
	__u64		count;
};

FIXTURE(seats) {
	struct counters		counters;
	struct perf_event_attr	attr;
	__u8			cpus;
	struct seat		*seats;
	int			nr;
};

static int add(int fd, const char *backend, const struct perf_event_attr *attr)
{
	struct tprof_lx_event event;

	return event_add_with(fd, backend, attr, TPROF_LX_EVENT_PROCESS, &event);
}

/* Open a session for @pid on @self->cpus, with one event that counts only it. */
static int open_for(FIXTURE_DATA(seats) *self, pid_t pid)
{
	struct tprof_lx_config config = {
		.size		= sizeof(config),
		.cpus		= (unsigned long)&self->cpus,
		.cpus_bytes	= sizeof(self->cpus),
		.targets	= (unsigned long)&pid,
		.nr_targets	= 1,
		.ring_bytes	= 65536,
		.fifo_bytes	= 65536,
	};
	int fd = session_open(0);

	if (fd < 0 || session_config(fd, &config) ||
	    add(fd, self->counters.backend.name, &self->attr))
		return -1;
	return fd;
}

static int open_seat(FIXTURE_DATA(seats) *self, struct seat *seat)
{
	if (target_start(&seat->target, 0, 0))
		return -1;
	seat->fd = open_for(self, seat->target.pid);
	return seat->fd < 0 ? -1 : 0;
}

FIXTURE_SETUP(seats)
{
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	self->cpus = 1;
	ASSERT_EQ(0, cpu_pin(0));
}

/* Open two more sessions than there are counters, so that at least two must share one. */
static int open_seats(FIXTURE_DATA(seats) *self)
{
	int nr = self->counters.backend.nr_counters + 2;

	self->seats = calloc(nr, sizeof(*self->seats));
	for (; self->seats && self->nr < nr; self->nr++)
		if (open_seat(self, &self->seats[self->nr]))
			return -1;
	return nr;
}

FIXTURE_TEARDOWN(seats)
{
	for (int i = 0; i < self->nr; i++) {
		target_end(&self->seats[i].target);
		close(self->seats[i].fd);
	}
	free(self->seats);
	close(self->counters.fd);
	cpu_set_online(1, true);
}

static int start_all(FIXTURE_DATA(seats) *self)
{
	int err = 0;

	for (int i = 0; i < self->nr && !err; i++)
		err = session_start(self->seats[i].fd, 1);
	return err;
}

static int run_work(struct target *target, __u64 loops)
{
	(void)target;
	work(loops);
	return 0;
}

static __u64 loops_of(int i, __u64 loops)
{
	return loops ? loops + i * 1000 : 0;
}

/* Let all targets work at the same time. The targets work for different numbers of loops. */
static int work_all(FIXTURE_DATA(seats) *self, __u64 loops)
{
	int err = 0;

	for (int i = 0; i < self->nr; i++) {
		self->seats[i].before = count_sum(self->seats[i].fd, 0);
		err |= target_ask(&self->seats[i].target, run_work, 1 + loops_of(i, loops));
	}
	for (int i = 0; i < self->nr; i++)
		err |= target_wait(&self->seats[i].target);
	/* The targets may not have come back from the last call yet. */
	for (int i = 0; i < self->nr; i++)
		while (!process_is(self->seats[i].target.pid, 'S'))
			nap();
	for (int i = 0; i < self->nr; i++)
		self->seats[i].count = count_sum(self->seats[i].fd, 0) - self->seats[i].before;
	return err;
}

/* Each session must count the loops of its target exactly. */
static void expect_exact(struct __test_metadata *_metadata, FIXTURE_DATA(seats) *self)
{
	__u64 overhead[self->nr];

	ASSERT_EQ(0, work_all(self, 0));
	ASSERT_EQ(0, work_all(self, 0));
	for (int i = 0; i < self->nr; i++)
		overhead[i] = self->seats[i].count;
	ASSERT_EQ(0, work_all(self, LOOPS));
	for (int i = 0; i < self->nr; i++)
		EXPECT_EQ(loops_of(i, LOOPS) * INSNS_PER_LOOP,
			  self->seats[i].count - overhead[i]);
}

TEST_F(seats, shared_counters_are_exact)
{
	ASSERT_LT(0, open_seats(self));
	ASSERT_EQ(0, start_all(self));
	expect_exact(_metadata, self);
}

TEST_F(seats, sharers_are_listed)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	int nr, seats = 0;

	ASSERT_LT(0, open_seats(self));
	ASSERT_EQ(0, start_all(self));
	nr = rows_read(self->counters.fd, 0, rows);
	for (int i = 0; i < nr; i++)
		seats += rows[i].state == TPROF_LX_ROW_TAKEN ? 1 + rows[i].sharers : 0;
	EXPECT_EQ(self->nr, seats);
}

/* Each session takes a sample per period of its target, although counters change hands. */
TEST_F(seats, shared_counters_sample)
{
	struct tprof_lx_stats stats;
	__u64 count;

	attr_sample(&self->attr, PERIOD);
	ASSERT_LT(0, open_seats(self));
	ASSERT_EQ(0, start_all(self));
	for (int i = 0; i < 5; i++)
		ASSERT_EQ(0, work_all(self, LOOPS / 10));
	for (int i = 0; i < self->nr; i++) {
		ASSERT_EQ(0, session_stop(self->seats[i].fd, 1));
		count = count_sum(self->seats[i].fd, 0);
		ASSERT_EQ(0, session_stats(self->seats[i].fd, 0, 0, &stats));
		EXPECT_GE(count / PERIOD, stats.ledger.taken);
		EXPECT_LE(count / PERIOD, stats.ledger.taken + 1);
		EXPECT_LT(5 * LOOPS / 10 * INSNS_PER_LOOP, count);
	}
}

/* Sessions stop and start again while the others go on. */
TEST_F(seats, session_leaves_others_their_counts)
{
	ASSERT_LT(0, open_seats(self));
	ASSERT_EQ(0, start_all(self));
	for (int i = 0; i < self->nr; i += 2) {
		ASSERT_EQ(0, target_ask(&self->seats[i + 1 < self->nr ? i + 1 : 0].target,
					run_work, LOOPS));
		ASSERT_EQ(0, session_stop(self->seats[i].fd, 1));
		ASSERT_EQ(0, target_wait(&self->seats[i + 1 < self->nr ? i + 1 : 0].target));
		ASSERT_EQ(0, session_start(self->seats[i].fd, 1));
	}
	expect_exact(_metadata, self);
}

/* A task would be counted by two events of one counter. */
TEST_F(seats, targets_in_common_are_ebusy)
{
	struct seat *first, *last;
	int system = session_open(0), fd;

	ASSERT_LT(0, open_seats(self));
	ASSERT_EQ(0, start_all(self));
	first = &self->seats[0];
	last = &self->seats[self->nr - 1];
	fd = open_for(self, first->target.pid);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_attach(fd, last->target.pid, TPROF_LX_TARGET_ALONE));
	for (int i = 1; i < self->nr - 1; i++)
		ASSERT_EQ(0, session_attach(fd, self->seats[i].target.pid,
					    TPROF_LX_TARGET_ALONE));
	EXPECT_EQ(-EBUSY, session_start(fd, 1));
	close(fd);

	/* The targets of all sessions are children of this process, and the last one shares. */
	EXPECT_EQ(-EBUSY, session_attach(last->fd, getpid(), 0));
	EXPECT_EQ(0, session_attach(last->fd, getpid(), TPROF_LX_TARGET_ALONE));

	ASSERT_EQ(0, session_cpus(system, 0));
	ASSERT_EQ(0, event_add(system, self->counters.backend.name, &self->attr));
	EXPECT_EQ(-EBUSY, session_start(system, 1));
	close(system);
}

/* The counters are disarmed and armed again. */
TEST_F(seats, shared_counters_survive_suspend)
{
	ASSERT_LT(0, open_seats(self));
	if (!suspend_is_possible())
		SKIP(return, NO_SUSPEND);
	ASSERT_EQ(0, start_all(self));
	ASSERT_EQ(0, work_all(self, LOOPS / 10));
	EXPECT_EQ(0, suspend_once());
	expect_exact(_metadata, self);
}

static bool has_spare_cpu(void)
{
	return !access("/sys/devices/system/cpu/cpu1/online", W_OK);
}

/* Let this process and its children run on CPUs 0 and 1. */
static int use_both_cpus(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	CPU_SET(1, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* CPU 1 goes offline and online under targets that work on both CPUs. */
TEST_F(seats, shared_counters_survive_hotplug)
{
	__u64 before[TPROF_LX_MAX_ROWS + 2];

	if (!has_spare_cpu())
		SKIP(return, "CPU 1 cannot be taken offline");
	self->cpus = 3;
	ASSERT_EQ(0, use_both_cpus());
	ASSERT_LT(0, open_seats(self));
	ASSERT_EQ(0, start_all(self));
	ASSERT_EQ(0, work_all(self, 0));
	ASSERT_EQ(0, work_all(self, 0));
	for (int i = 0; i < self->nr; i++) {
		before[i] = count_sum(self->seats[i].fd, 0) + self->seats[i].count;
		ASSERT_EQ(0, target_ask(&self->seats[i].target, run_work,
					1 + loops_of(i, 100 * LOOPS)));
	}
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(0, cpu_set_online(1, false));
		EXPECT_EQ(0, cpu_set_online(1, true));
	}
	for (int i = 0; i < self->nr; i++)
		ASSERT_EQ(0, target_wait(&self->seats[i].target));
	for (int i = 0; i < self->nr; i++) {
		while (!process_is(self->seats[i].target.pid, 'S'))
			nap();
		EXPECT_EQ(loops_of(i, 100 * LOOPS) * INSNS_PER_LOOP,
			  count_sum(self->seats[i].fd, 0) - before[i]);
	}
	expect_exact(_metadata, self);
}

/* Return the number of the counters of CPU 1 that events have. */
static int count_taken(FIXTURE_DATA(seats) *self)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	int nr = rows_read(self->counters.fd, 1, rows), taken = 0;

	for (int i = 0; i < nr; i++)
		taken += rows[i].state == TPROF_LX_ROW_TAKEN;
	return taken;
}

/*
 * When CPU 1 comes online, events of processes must not take the last counters that an event of
 * all processes can use, because only they can share.
 */
TEST_F(seats, event_of_all_processes_survives_hotplug)
{
	int system = session_open(0), nr, taken;

	if (!has_spare_cpu())
		SKIP(return, "CPU 1 cannot be taken offline");
	if (self->counters.backend.nr_counters < 2)
		SKIP(return, "fewer than two counters");
	self->cpus = 2;
	nr = open_seats(self);
	ASSERT_LT(0, nr);
	ASSERT_EQ(0, start_all(self));
	ASSERT_EQ(0, session_cpus(system, 1));
	ASSERT_EQ(0, event_add(system, self->counters.backend.name, &self->attr));
	/* Stop sessions until one counter is free, and let them share another one. */
	taken = count_taken(self);
	for (int i = 0; i < nr && count_taken(self) == taken; i++)
		ASSERT_EQ(0, session_stop(self->seats[i].fd, 1));
	ASSERT_EQ(0, session_start(system, 1));
	ASSERT_EQ(0, start_all(self));

	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, cpu_pin(1));
	EXPECT_EQ(INSNS, count_per_work(system, 0, LOOPS));
	close(system);
}

/* Take CPU 1 offline and online for some times. */
static void *toggle_cpu(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++) {
		cpu_set_online(1, false);
		cpu_set_online(1, true);
	}
	return NULL;
}

/*
 * The last session attaches the targets of all others while CPU 1, where it would share a
 * counter with one of them, comes online. ATTACH succeeds, or changes nothing.
 */
TEST_F(seats, attach_excludes_hotplug)
{
	pthread_t thread;
	struct seat *last;
	int err;

	if (!has_spare_cpu())
		SKIP(return, "CPU 1 cannot be taken offline");
	/* While ATTACH has added these targets, the session can share no counter. */
	expect_dmesg("CPU 1 is online but cannot be sampled");
	self->cpus = 2;
	ASSERT_LT(0, open_seats(self));
	ASSERT_EQ(0, start_all(self));
	last = &self->seats[self->nr - 1];
	ASSERT_EQ(0, pthread_create(&thread, NULL, toggle_cpu, NULL));
	while (pthread_tryjoin_np(thread, NULL)) {
		err = session_attach(last->fd, getpid(), 0);
		if (!err) {
			ASSERT_EQ(0, session_detach(last->fd, getpid(), 0));
			ASSERT_EQ(0, session_attach(last->fd, last->target.pid, 0));
		} else {
			ASSERT_EQ(-EBUSY, err);
		}
		ASSERT_EQ(-EEXIST, session_attach(last->fd, last->target.pid, 0));
	}
}

/* Only the lab's cycles are exact. */
static bool counts_exactly(int fd, bool has_cycles)
{
	__u64 cycles = INSNS / 10 * (lab_mode() ? lab_cycles_per_insn() : 0);

	if (count_per_work(fd, 0, LOOPS / 10) != INSNS / 10)
		return false;
	return !has_cycles || !cycles || count_per_work(fd, 1, LOOPS / 10) == cycles;
}

/*
 * Open a session for this process, which counts its instructions, and its cycles if there is a
 * counter for them.
 */
static int open_self(const struct tprof_lx_backend *backend, struct perf_event_attr *attr)
{
	int fd = session_open(0);

	if (fd < 0 || session_small(fd, 16384, 65536) || add(fd, backend->name, attr))
		return -1;
	attr->config = PERF_COUNT_HW_CPU_CYCLES;
	if (backend->nr_counters > 1 && add(fd, backend->name, attr))
		return -1;
	if (session_attach(fd, 0, 0) || session_start(fd, ALL_EVENTS))
		return -1;
	return fd;
}

/* Start to count, report that, and count when @go is closed. Return the exit status. */
static int count_self(const struct tprof_lx_backend *backend, struct perf_event_attr *attr,
		      int ready, int go)
{
	int fd = open_self(backend, attr);
	char byte = 0;

	if (write(ready, &byte, 1) != 1 || read(go, &byte, 1))
		return 2;
	return fd < 0 || !counts_exactly(fd, backend->nr_counters > 1);
}

/*
 * Many processes count themselves, on all CPUs, at the same time: as many as start in the time.
 */
TEST_F_TIMEOUT(seats, many_processes_count_themselves, 800)
{
	int ready[2], go[2], status, nr = 0;
	long room = file_number("/proc/sys/vm/min_free_kbytes");
	__u64 end = now_ns() + START_NS;
	char byte;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(go));
	for (; nr < MANY && now_ns() < end; nr++) {
		if (sysconf(_SC_AVPHYS_PAGES) * 4 <= SPARE_KB + room)
			break;
		if (!fork()) {
			close(go[1]);
			cpu_pin(nr % cpus_online());
			_exit(count_self(&self->counters.backend, &self->attr, ready[1],
					 go[0]));
		}
		ASSERT_EQ(1, read(ready[0], &byte, 1));
	}
	TH_LOG("%d processes", nr);
	EXPECT_LT(self->counters.backend.nr_counters, nr);
	close(go[1]);
	for (int i = 0; i < nr; i++) {
		ASSERT_LT(0, wait(&status));
		EXPECT_EQ(0, status);
	}
}

TEST_HARNESS_MAIN
