// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - share the counters with perf and the NMI watchdog
 *
 * perf or the watchdog may use the counters first, and CPUs may go offline and
 * online. When the last event of tprof-lx is gone, all registers must have their old
 * values.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/counters.h"
#include "harness/hog.h"
#include "harness/test.h"
#include "harness/stream.h"

#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"
#define LOOPS		100000ULL
#define INSNS		(LOOPS * INSNS_PER_LOOP)
#define MAX_REGISTERS	64
/*
 * More events than any test counts. If perf sets a counter to 0, the count grows by at
 * least this number.
 */
#define TOO_MANY	(1ULL << 30)

/**
 * struct registers - values of a CPU's registers that counting may change
 * @values:	values in the order of list_registers(), 0 if a register faults
 * @nr:		number of registers that could be read
 * @lvtpc:	LVTPC entry of the local APIC
 */
struct registers {
	__u64	values[MAX_REGISTERS];
	int	nr;
	int	lvtpc;
};

FIXTURE(pmu_share) {
	struct counters		counters;
	int			fd;
	int			perf;
	long			watchdog;
	long			rdpmc;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(pmu_share)
{
	self->perf = -1;
	self->watchdog = file_number(WATCHDOG);
	self->rdpmc = file_number(rdpmc_path());
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	self->fd = self->counters.fd;
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

FIXTURE_TEARDOWN(pmu_share)
{
	close(self->fd);
	if (self->perf >= 0)
		close(self->perf);
	if (self->watchdog == 0)
		file_write(WATCHDOG, "0");
	if (self->rdpmc == 1)
		file_write(rdpmc_path(), "1");
	cpu_set_online(1, true);
}

static bool can_hold(FIXTURE_DATA(pmu_share) *self)
{
	self->perf = perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0);
	return self->perf >= 0;
}

TEST_F(pmu_share, counters_held_by_perf_are_ebusy)
{
	if (!can_hold(self))
		SKIP(return, "perf has no counters here");
	EXPECT_EQ(-EBUSY, counters_add(&self->counters, &self->attr));
	close(self->perf);
	self->perf = -1;
	EXPECT_TRUE(wait_until(counters_add(&self->counters, &self->attr) == 0,
			       2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
}

TEST_F(pmu_share, perf_cannot_open_held_counters)
{
	if (!can_hold(self))
		SKIP(return, "perf has no counters here");
	close(self->perf);
	self->perf = -1;
	ASSERT_TRUE(wait_until(counters_add(&self->counters, &self->attr) == 0,
			       2000));
	EXPECT_EQ(-EBUSY, perf_open(PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_CPU_CYCLES, 0));
	close(self->fd);
	self->fd = -1;
	EXPECT_TRUE(can_hold(self));
}

#define TRACING		"/sys/kernel/debug/tracing/"
#define PROBE		"tprof_selftests/reserve"

/* Return how often the kernel has been asked to reserve a counter since the probe was set. */
static long nr_reservations(void)
{
	FILE *file = fopen(TRACING "kprobe_profile", "re");
	char name[64];
	long hits, found = -1;

	if (!file)
		return -1;
	while (fscanf(file, "%63s %ld %*d", name, &hits) == 2) {
		if (!strcmp(name, "reserve"))
			found = hits;
	}
	fclose(file);
	return found;
}

/* INFO needs no privilege, so it must not take a counter for a moment, which perf may need. */
TEST_F(pmu_share, info_reserves_no_counter)
{
	struct tprof_lx_backend backend;

	if (file_write(TRACING "kprobe_events", "p:" PROBE " reserve_perfctr_nmi"))
		SKIP(return, "this kernel has no probes of functions");
	ASSERT_EQ(0, file_write(TRACING "events/" PROBE "/enable", "1"));
	EXPECT_EQ(0, nr_reservations());
	EXPECT_EQ(0, counters_backend(self->fd, &backend));
	EXPECT_EQ(0, nr_reservations());
	EXPECT_EQ(0, counters_add(&self->counters, &self->attr));
	EXPECT_LT(0, nr_reservations());
	ASSERT_EQ(0, file_write(TRACING "events/" PROBE "/enable", "0"));
	EXPECT_EQ(0, file_write(TRACING "kprobe_events", "-:" PROBE));
}

TEST_F(pmu_share, info_reports_that_perf_counts)
{
	struct tprof_lx_backend backend;

	ASSERT_EQ(0, counters_backend(self->fd, &backend));
	EXPECT_EQ(0, backend.flags & TPROF_LX_BACKEND_DEGRADED);
	ASSERT_EQ(0, cpu_pin(0));
	if (!can_hold(self))
		SKIP(return, "perf has no counters here");
	ASSERT_EQ(0, counters_backend(self->fd, &backend));
	EXPECT_NE(0, backend.flags & TPROF_LX_BACKEND_DEGRADED);
	EXPECT_STREQ("counters held by perf or the NMI watchdog", backend.text);
}

/* perf can count after tprof-lx has used the counters. */
TEST_F(pmu_share, perf_counts_after_us)
{
	__u64 first, second;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	close(self->fd);
	self->fd = -1;
	if (!can_hold(self))
		SKIP(return, "perf has no counters here");
	ASSERT_EQ(sizeof(first), read(self->perf, &first, sizeof(first)));
	work(LOOPS);
	ASSERT_EQ(sizeof(second), read(self->perf, &second, sizeof(second)));
	EXPECT_LE(INSNS / 4, second - first);
}

TEST_F(pmu_share, counters_held_by_watchdog_are_ebusy)
{
	if (self->watchdog)
		SKIP(return, "the watchdog is already on, or missing");
	if (file_write(WATCHDOG, "1") || file_number(WATCHDOG) != 1)
		SKIP(return, "the watchdog cannot be enabled");
	EXPECT_EQ(-EBUSY, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, file_write(WATCHDOG, "0"));
	EXPECT_TRUE(wait_until(counters_add(&self->counters, &self->attr) == 0,
			       2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
}

/* List the counters' MSRs of all CPU models. A read faults if the CPU lacks the MSR. */
static int list_registers(__u32 *list)
{
	static const struct {
		__u32	first;
		__u32	nr;
	} ranges[] = {
		{ 0x186, 8 },		/* Intel: event selects */
		{ 0x0c1, 8 },		/* counters */
		{ 0x309, 4 },		/* fixed counters */
		{ 0x38d, 3 },		/* fixed control; global status, control */
		{ 0xc0010000, 8 },	/* AMD: K7 event selects and counters */
		{ 0xc0010200, 12 },	/* core extension */
		{ 0xc0000300, 2 },	/* global status and control */
	};
	int nr = 0;

	for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
		for (__u32 j = 0; j < ranges[i].nr; j++)
			list[nr++] = ranges[i].first + j;
	return nr;
}

static void save(int cpu, struct registers *registers)
{
	__u32 list[MAX_REGISTERS];
	int nr = list_registers(list);

	registers->nr = 0;
	for (int i = 0; i < nr; i++) {
		registers->values[i] = 0;
		registers->nr += !msr_read(cpu, list[i], &registers->values[i]);
	}
	registers->lvtpc = burn_lvtpc(cpu);
}

static void expect_same(struct __test_metadata *_metadata, int cpu,
			const struct registers *before)
{
	__u32 list[MAX_REGISTERS];
	int nr = list_registers(list);
	struct registers after;

	save(cpu, &after);
	EXPECT_EQ(before->nr, after.nr);
	EXPECT_EQ(before->lvtpc, after.lvtpc);
	for (int i = 0; i < nr; i++) {
		EXPECT_EQ(before->values[i], after.values[i])
			TH_LOG("CPU %d, register %#x", cpu, list[i]);
	}
}

/* Start two events that count and six that sample. Die from SIGKILL while they run. */
static void use_and_die(const struct counters *counters, int *nr_started)
{
	struct tprof_lx_config all = {};
	struct perf_event_attr attr;
	int fd = session_open(0);

	session_config(fd, &all);
	for (int i = 0; i < 8; i++) {
		attr_user(&attr, PERF_TYPE_HARDWARE, i % 2 ?
			  PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_CPU_CYCLES);
		attr.exclude_kernel = i % 2;
		if (i > 1)
			attr_sample(&attr, 100003 + i);
		event_add(fd, counters->backend.name, &attr);
		*nr_started += !session_start(fd, 1 << i);
	}
	work(10 * LOOPS);
	kill(getpid(), SIGKILL);
}

TEST_F(pmu_share, registers_are_restored_after_kill)
{
	struct registers before[2];
	int nr_cpus = cpus_online() < 2 ? 1 : 2;
	int status, *nr_started;

	if (access("/dev/cpu/0/msr", R_OK))
		SKIP(return, "no /dev/cpu/0/msr: the module msr is not loaded");
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		save(cpu, &before[cpu]);
		ASSERT_LT(1, before[cpu].nr);
		ASSERT_LE(0, before[cpu].lvtpc);
	}
	nr_started = mmap(NULL, sizeof(*nr_started), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, nr_started);
	if (!fork())
		use_and_die(&self->counters, nr_started);
	ASSERT_LT(0, wait(&status));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_LT(0, *nr_started);
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		expect_same(_metadata, cpu, &before[cpu]);
}

static __u64 nr_counted(int fd, int cpu)
{
	struct tprof_lx_count count;

	return count_read(fd, cpu, 0, &count) ? 0 : count.value;
}

TEST_F(pmu_share, counting_survives_cpu_hotplug)
{
	struct tprof_lx_config all = {};
	__u64 before;

	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		SKIP(return, "CPU 1 cannot be taken offline");
	ASSERT_EQ(0, session_config(self->fd, &all));
	self->attr.exclude_kernel = 0;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	attr_sample(&self->attr, 50021);
	ASSERT_EQ(1, counters_add(&self->counters, &self->attr));
	if (session_start(self->fd, ALL_EVENTS)) {
		ASSERT_EQ(0, session_start(self->fd, 1));
	}
	ASSERT_TRUE(wait_until(nr_counted(self->fd, 1) > 0, 5000));
	ASSERT_EQ(0, cpu_set_online(1, false));
	before = nr_counted(self->fd, 1);
	EXPECT_LT(0, before);
	spin_ms(20);
	EXPECT_EQ(before, nr_counted(self->fd, 1));
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_TRUE(wait_until(nr_counted(self->fd, 1) > before, 5000));
	/* CPU 0 was not disturbed. */
	before = nr_counted(self->fd, 0);
	work(LOOPS);
	EXPECT_LE(INSNS, nr_counted(self->fd, 0) - before);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
}

static __u64 nr_taken(int fd)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, 0, 0, &stats) ? 0 : stats.ledger.taken;
}

/*
 * The NMI handler calls only the sources that run on its CPU. Here, the counter
 * and the clock start and stop in all orders. If an NMI comes from a source
 * that is not called, the kernel logs the NMI, and the test fails.
 */
TEST_F(pmu_share, clock_and_counter_take_turns)
{
	int clock = session_open(0);
	__u64 counted, ticked;

	attr_sample(&self->attr, 10007);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, event_clock(clock, "nmi", 1000));
	/* Bit 0: the counter runs. Bit 1: the clock runs. */
	for (int turn = 0; turn < 16; turn++) {
		int runs = "1320132310231321"[turn] - '0';

		ASSERT_EQ(0, runs & 1 ? session_start(self->fd, 1) :
					session_stop(self->fd, 1));
		ASSERT_EQ(0, runs & 2 ? session_start(clock, 1) :
					session_stop(clock, 1));
		counted = nr_taken(self->fd);
		ticked = nr_taken(clock);
		work(LOOPS);
		if (runs & 1) {
			EXPECT_LE(INSNS / 10007, nr_taken(self->fd) - counted);
		} else {
			EXPECT_EQ(counted, nr_taken(self->fd));
		}
		if (runs & 2) {
			EXPECT_TRUE(wait_until(nr_taken(clock) > ticked, 2000));
		}
	}
	close(clock);
}

/* Even while a counter runs, the module does not claim a foreign NMI. */
TEST_F(pmu_share, foreign_nmis_are_passed_on)
{
	struct tprof_lx_stats before, after;

	/*
	 * The period is so long that the counter causes no NMI. Right after an NMI
	 * of a counter, the module may claim a foreign one.
	 */
	attr_sample(&self->attr, 1ULL << 40);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	spin_ms(500);
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &before));
	expect_dmesg("Uhhuh. NMI received for unknown reason");
	expect_dmesg("Dazed and confused");
	ASSERT_EQ(0, burn_foreign_nmi(0));
	ASSERT_TRUE(wait_until(!session_stats(self->fd, 0, 0, &after) &&
			       after.nmi_foreign > before.nmi_foreign, 2000));
	EXPECT_EQ(before.nmi_late, after.nmi_late);
}

/*
 * The module may claim a foreign NMI that arrives right after one of its own. It
 * must not claim any other foreign NMI.
 */
TEST_F(pmu_share, foreign_nmis_are_passed_on_among_ours)
{
	enum { NR = 40, LEAST = 24 };
	struct tprof_lx_stats before, after;
	int clock = session_open(0);

	if (strcmp(self->counters.backend.name, "intel"))
		SKIP(return, "on AMD, an NMI of a counter may come 100 ms late");
	expect_dmesg("NMI received for unknown reason");
	expect_dmesg("Dazed and confused");
	expect_dmesg("strange power saving");
	attr_sample(&self->attr, 1000003);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, event_clock(clock, "nmi", 1000));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, session_start(clock, ALL_EVENTS));
	spin_ms(100);
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &before));
	for (int i = 0; i < NR; i++) {
		ASSERT_EQ(0, burn_foreign_nmi(0));
		spin_ms(50);
	}
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &after));
	printf("# note: %llu of %d foreign NMIs were passed on\n",
	       after.nmi_foreign - before.nmi_foreign, NR);
	EXPECT_LE(LEAST, after.nmi_foreign - before.nmi_foreign);
	EXPECT_GE(NR, after.nmi_foreign - before.nmi_foreign);
	EXPECT_LT(before.ledger.taken, after.ledger.taken);
	close(clock);
}

/*
 * Let perf use every counter of @cpu, and close the events. The counters are dirty then:
 * perf sets them to 0 when the CPU next runs a process that may execute RDPMC.
 */
static bool dirty_counters(int cpu)
{
	enum { MOST = 16 };
	int events[MOST], nr = 0;

	while (nr < MOST && (events[nr] = perf_open(PERF_TYPE_HARDWARE,
						    nr ? PERF_COUNT_HW_INSTRUCTIONS :
							 PERF_COUNT_HW_CPU_CYCLES,
						    cpu)) >= 0)
		nr++;
	for (int i = 0; i < nr; i++)
		close(events[i]);
	return nr;
}

TEST_F(pmu_share, dirty_counters_keep_their_count)
{
	if (self->rdpmc != 1 || !dirty_counters(0))
		SKIP(return, "perf has no counters here, or no file rdpmc");
	ASSERT_TRUE(wait_until(counters_add(&self->counters, &self->attr) == 0,
			       2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	/* Now any process may execute RDPMC. */
	ASSERT_EQ(0, file_write(rdpmc_path(), "2"));
	work(LOOPS);
	EXPECT_LE(2 * INSNS, count_sum(self->fd, 0));
	EXPECT_GT(TOO_MANY, count_sum(self->fd, 0));
}

/*
 * Fork a process that may execute RDPMC: it inherits the permission of this process,
 * which has mapped @perf. The child stops at once, and exits after SIGCONT.
 */
static pid_t fork_rdpmc_process(int perf)
{
	void *page = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, perf, 0);
	int status;
	pid_t pid;

	if (page == MAP_FAILED)
		return -1;
	pid = fork();
	if (!pid) {
		close(perf);
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(pid, &status, WUNTRACED);
	munmap(page, getpagesize());
	return pid;
}

TEST_F(pmu_share, dirty_counters_keep_their_count_beside_rdpmc)
{
	int status;
	pid_t pid;

	if (self->rdpmc != 1 || !can_hold(self))
		SKIP(return, "perf has no counters here, or no file rdpmc");
	pid = fork_rdpmc_process(self->perf);
	ASSERT_LT(0, pid);
	close(self->perf);
	self->perf = -1;
	ASSERT_TRUE(dirty_counters(0));
	ASSERT_TRUE(wait_until(counters_add(&self->counters, &self->attr) == 0,
			       2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, kill(pid, SIGCONT));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	work(LOOPS);
	EXPECT_LE(2 * INSNS, count_sum(self->fd, 0));
	EXPECT_GT(TOO_MANY, count_sum(self->fd, 0));
}

TEST_F(pmu_share, dirty_counters_of_an_offline_cpu_keep_their_count)
{
	struct tprof_lx_config all = {};

	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		SKIP(return, "CPU 1 cannot be taken offline");
	if (self->rdpmc != 1 || !dirty_counters(1))
		SKIP(return, "perf has no counters here, or no file rdpmc");
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, session_config(self->fd, &all));
	self->attr.exclude_kernel = 0;
	ASSERT_TRUE(wait_until(counters_add(&self->counters, &self->attr) == 0,
			       2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_TRUE(wait_until(nr_counted(self->fd, 1) > 0, 5000));
	ASSERT_EQ(0, file_write(rdpmc_path(), "2"));
	EXPECT_LT(0, nr_counted(self->fd, 1));
	EXPECT_GT(TOO_MANY, nr_counted(self->fd, 1));
}

static void exit_after_fault(int signal)
{
	_exit(signal);
}

/* Return true if RDPMC faults in a child of this process. */
static bool rdpmc_faults(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGSEGV, exit_after_fault);
		__asm__ volatile("rdpmc" : : "c"(0) : "eax", "edx");
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == SIGSEGV;
}

static volatile sig_atomic_t nr_faults;

#define RDPMC_BYTES	2

static void skip_rdpmc(int signal, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += RDPMC_BYTES;
	nr_faults++;
}

/* A thread that executes RDPMC on CPU 1 until @stop, and returns how often it did not fault. */
static void *try_rdpmc(void *stop)
{
	const struct sigaction action = { .sa_sigaction = skip_rdpmc, .sa_flags = SA_SIGINFO };
	long nr_tries = 0;

	if (cpu_pin(1) || sigaction(SIGSEGV, &action, NULL))
		return (void *)-1L;
	while (!__atomic_load_n((bool *)stop, __ATOMIC_ACQUIRE)) {
		__asm__ volatile("rdpmc" : : "c"(0) : "eax", "edx");
		nr_tries++;
	}
	return (void *)(nr_tries - nr_faults);
}

#define CLAIMS	20

/* While EVENT lets perf clear the counters, their last counts may be those of another user. */
TEST_F(pmu_share, event_gives_no_permission_for_rdpmc)
{
	struct tprof_lx_release last = { .size = sizeof(last) };
	bool stop = false;
	pthread_t thread;
	void *allowed;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "needs two CPUs");
	if (self->rdpmc != 1 || !dirty_counters(0) || !rdpmc_faults())
		SKIP(return, "perf has no counters here, or any process may execute RDPMC");
	ASSERT_TRUE(wait_until(counters_add(&self->counters, &self->attr) == 0,
			       2000));
	ASSERT_EQ(0, pthread_create(&thread, NULL, try_rdpmc, &stop));
	for (int i = 0; i < CLAIMS; i++) {
		ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_RELEASE, &last));
		last.event++;
		ASSERT_EQ((int)last.event, counters_add(&self->counters, &self->attr));
	}
	EXPECT_EQ(0, session_start(self->fd, 1U << last.event));
	EXPECT_TRUE(rdpmc_faults());
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	ASSERT_EQ(0, pthread_join(thread, &allowed));
	EXPECT_EQ(0, (long)allowed);
}

/* EVENT must succeed even if a CPU cannot run the worker that clears dirty counters. */
TEST_F(pmu_share, busy_cpu_does_not_hold_up_events)
{
	struct hog hog;

	if (hog_start(&hog))
		SKIP(return, "needs two CPUs, and real-time tasks without limit");
	EXPECT_EQ(0, counters_add(&self->counters, &self->attr));
	EXPECT_TRUE(hog_is_running(&hog));
	hog_end(&hog);
}

TEST_HARNESS_MAIN
