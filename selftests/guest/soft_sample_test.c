// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - samples of software events, and their call chains
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/chains.h"
#include "harness/target.h"
#include "harness/test.h"

#define SW	PERF_TYPE_SOFTWARE

/* Bounds of the functions in which the events happen, and of the caller of these. */
BOUNDS(sleeper);
BOUNDS(toucher);
BOUNDS(caller);

FIXTURE(soft_sample) {
	struct chains	own;
	struct target	target;
};

FIXTURE_SETUP(soft_sample)
{
	ASSERT_EQ(0, chains_open(&self->own));
}

FIXTURE_TEARDOWN(soft_sample)
{
	chains_close(&self->own);
}

static void ask(struct perf_event_attr *attr, __u32 type, __u64 config, __u64 period)
{
	attr->type = type;
	attr->config = config;
	attr->freq = 0;
	attr->sample_period = period;
}

static int begin(struct chains *chains, __u64 config, __u64 period)
{
	ask(&chains->attr, SW, config, period);
	return chains_begin(chains, "soft", 0);
}

/* Let gcc give a frame to a function that calls no other function. */
static inline __attribute__((always_inline)) void need_frame(void)
{
	asm volatile("" : : "r"(__builtin_frame_address(0)));
}

/* Sleep by nanosleep(2) without the C library, which has no frame pointers. */
OWN_SECTION(sleeper) static void sleep_a_little(void)
{
	static const struct timespec time = { .tv_nsec = 500000 };
	long nr = SYS_nanosleep;

	need_frame();
	asm volatile("syscall" : "+a"(nr) : "D"(&time), "S"(NULL) : "memory", "rcx", "r11");
}

OWN_SECTION(toucher) static void touch(volatile char *page)
{
	need_frame();
	*page = 1;
}

OWN_SECTION(caller) static void sleep_often(unsigned int nr)
{
	while (nr--)
		sleep_a_little();
}

static char *map_pages(size_t nr)
{
	char *pages = mmap(NULL, nr * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (pages != MAP_FAILED)
		madvise(pages, nr * 4096, MADV_NOHUGEPAGE);
	return pages;
}

OWN_SECTION(caller) static void touch_pages(char *pages, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		touch(pages + i * 4096);
}

/* Numbers of samples in a stream, and of events that they stand for. */
struct sum {
	__u64	samples;
	__u64	events;
};

static struct sum sum_of(const struct stream *stream)
{
	const struct record *record;
	struct sum sum = {};

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		sum.samples++;
		sum.events += record->period;
	}
	return sum;
}

static __u64 count_of(int fd)
{
	struct tprof_lx_count count = {};

	return count_read(fd, TPROF_LX_SUM, 0, &count) ? 0 : count.value;
}

TEST_F(soft_sample, each_period_has_a_sample)
{
	struct tprof_lx_stats *stats = &self->own.stats;
	struct sum sum;

	ASSERT_EQ(0, begin(&self->own, PERF_COUNT_SW_CONTEXT_SWITCHES, 7));
	sleep_often(700);
	ASSERT_EQ(0, chains_end(&self->own));
	sum = sum_of(&self->own.stream);
	/* The switches of all other tasks are counted, but their samples are filtered. */
	EXPECT_LT(0, sum.samples);
	EXPECT_LE(7 * sum.samples, sum.events);
	EXPECT_EQ(sum.samples, stats->ledger.taken - stats->ledger.filtered);
	EXPECT_LE(7 * stats->ledger.taken, count_of(self->own.fd));
	EXPECT_GT(7 * (stats->ledger.taken + stats->ticks_merged + cpus_online()),
		  count_of(self->own.fd));
}

TEST_F(soft_sample, each_switch_of_a_process_is_sampled_with_its_stack)
{
	const struct record *record;
	size_t whole = 0;
	struct sum sum;

	ask(&self->own.attr, SW, PERF_COUNT_SW_CONTEXT_SWITCHES, 1);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	sleep_often(300);
	ASSERT_EQ(0, chains_end(&self->own));
	sum = sum_of(&self->own.stream);
	/* If the host stops the CPU, the time of a sleep may be over before it begins. */
	EXPECT_LE(200, sum.samples);
	EXPECT_EQ(0, self->own.stats.ledger.filtered);
	EXPECT_EQ(count_of(self->own.fd), sum.events);

	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain;
		__u64 nr, i = 1;

		EXPECT_EQ(getpid(), record->pid);
		EXPECT_TRUE(record_is_kernel(record));
		chain = record_chain(record, &nr);
		ASSERT_LT(1, nr);
		EXPECT_EQ(PERF_CONTEXT_KERNEL, chain[0]);
		EXPECT_EQ(record->ip, chain[1]);
		/* No frame appears twice: the first one is that of the registers. */
		EXPECT_TRUE(nr == 2 || chain[1] != chain[2]);
		while (i < nr && chain[i] != PERF_CONTEXT_USER)
			i++;
		/* Besides the switch: at least nanosleep(2) and the entry. */
		whole += i > 5 && i + 2 < nr && IS_IN(sleeper, chain[i + 1]) &&
			 IS_IN(caller, chain[i + 2]);
	}
	EXPECT_LE(200, whole);
	EXPECT_EQ(0, self->own.stats.chains_lost);
}

TEST_F(soft_sample, page_faults_are_sampled_where_they_happen)
{
	char *pages = map_pages(1000);
	const struct record *record;
	size_t seen = 0, kernel = 0;
	int fds[2];

	ASSERT_NE(MAP_FAILED, (void *)pages);
	ASSERT_EQ(0, pipe(fds));
	ask(&self->own.attr, SW, PERF_COUNT_SW_PAGE_FAULTS, 1);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	touch_pages(pages, 900);
	for (int i = 900; i < 1000; i++) {
		ASSERT_EQ(1, write(fds[1], "x", 1));
		ASSERT_EQ(1, read(fds[0], pages + i * 4096, 1));
	}
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_EQ(count_of(self->own.fd), sum_of(&self->own.stream).events);

	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		__u64 nr;
		const __u64 *chain = record_chain(record, &nr);

		kernel += record_is_kernel(record) && nr > 5 && chain[0] == PERF_CONTEXT_KERNEL;
		seen += IS_IN(toucher, record->ip) && nr > 2 && chain[0] == PERF_CONTEXT_USER &&
			chain[1] == record->ip && IS_IN(caller, chain[2]);
	}
	EXPECT_EQ(900, seen);
	EXPECT_LE(100, kernel);
	close(fds[0]);
	close(fds[1]);
	munmap(pages, 1000 * 4096);
}

/* A sample of a page fault takes longer than an eighth of the fault. */
TEST_F(soft_sample, samples_are_slowed_without_cap_sys_admin)
{
	const cap_value_t admin = CAP_SYS_ADMIN;
	struct tprof_lx_stats *stats = &self->own.stats;
	char *pages = map_pages(5000);
	cap_t caps = cap_get_proc();
	struct sum sum;

	ASSERT_NE(MAP_FAILED, (void *)pages);
	ASSERT_EQ(0, cap_set_flag(caps, CAP_EFFECTIVE, 1, &admin, CAP_CLEAR));
	ASSERT_EQ(0, cap_set_proc(caps));
	cap_free(caps);
	close(self->own.fd);
	self->own.fd = session_open(0);
	ASSERT_LE(0, self->own.fd);
	ASSERT_EQ(0, session_target(self->own.fd, getpid()));
	ask(&self->own.attr, SW, PERF_COUNT_SW_PAGE_FAULTS, 1);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	touch_pages(pages, 5000);
	ASSERT_EQ(0, chains_end(&self->own));
	sum = sum_of(&self->own.stream);
	EXPECT_LT(0, stats->samples_slowed);
	EXPECT_LE(stats->samples_slowed, sum.samples);
	/* Each fault is counted. Each is part of a sample, but those of the last rests. */
	EXPECT_LE(5000, count_of(self->own.fd));
	EXPECT_LE(sum.events, count_of(self->own.fd));
	EXPECT_EQ(sum.events, sum.samples + stats->ticks_merged);
	EXPECT_EQ(0, stats->ledger.lost_ring);
	munmap(pages, 5000 * 4096);
}

static int touch_new_pages(struct target *target, __u64 nr)
{
	char *pages = map_pages(nr);

	if (pages == MAP_FAILED)
		return -ENOMEM;
	touch_pages(pages, nr);
	return munmap(pages, nr * 4096) ? -errno : 0;
}

TEST_F(soft_sample, other_processes_are_not_sampled)
{
	const struct record *record;

	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->own.fd, self->target.pid));
	ask(&self->own.attr, SW, PERF_COUNT_SW_PAGE_FAULTS, 1);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, touch_new_pages(NULL, 100));
	ASSERT_EQ(0, target_do(&self->target, touch_new_pages, 100));
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_LE(100, sum_of(&self->own.stream).samples);
	EXPECT_EQ(0, self->own.stats.ledger.filtered);
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE)
		EXPECT_EQ(self->target.pid, record->pid);
	target_end(&self->target);
}

TEST_F(soft_sample, modes_can_be_excluded)
{
	const struct record *record;

	self->own.attr.exclude_user = 1;
	ask(&self->own.attr, SW, PERF_COUNT_SW_PAGE_FAULTS, 1);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, touch_new_pages(NULL, 100));
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE)
		EXPECT_TRUE(record_is_kernel(record));
	EXPECT_EQ(count_of(self->own.fd), sum_of(&self->own.stream).events);
}

TEST_F(soft_sample, ticks_are_sampled_in_the_interrupted_code)
{
	const struct record *record;
	size_t seen = 0;
	int err;

	ask(&self->own.attr, PERF_TYPE_RAW, TPROF_LX_SOFT_TICKS, 1);
	err = chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS);
	if (err == -EOPNOTSUPP)
		SKIP(return, "this kernel has no kprobes on ftrace");
	ASSERT_EQ(0, err);
	call_tree(0, 1000);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE)
		seen += IS_IN(leaf, record->ip) && record_is_user(record);
	/* An emulated CPU may lose most of its ticks. */
	EXPECT_LE(5, seen);
}

/* Return the nanoseconds that a thread has run: the first word of its schedstat. */
static __u64 ran_ns(pid_t pid)
{
	__u64 ran = 0;
	char path[32];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	in = fopen(path, "re");
	if (!in)
		return 0;
	if (fscanf(in, "%llu", &ran) != 1)
		ran = 0;
	fclose(in);
	return ran;
}

/*
 * The time from the scheduler's stop of the thread's clock to the switch is neither off CPU
 * nor counted by the scheduler. Sleep for so long that it is little beside the sleep, even on
 * a debug kernel.
 */
static int rest_often(struct target *target, __u64 nr)
{
	while (nr--)
		usleep(100000);
	spin_ms(5);
	return 0;
}

/* Let the target rest. Return the growth of the count and of what the scheduler knows. */
static int rest(FIXTURE_DATA(soft_sample) *self, __u64 *off, __u64 *expected)
{
	pid_t pid = self->target.pid;
	__u64 began, ran, count;
	int err;

	/* The target sleeps when the values are read; the test sleeps equally long before. */
	err = target_do(&self->target, rest_often, 1);
	count = count_of(self->own.fd);
	ran = ran_ns(pid);
	began = now_ns();
	err = err ?: target_do(&self->target, rest_often, 10);
	*off = count_of(self->own.fd) - count;
	*expected = now_ns() - began - (ran_ns(pid) - ran);
	return err;
}

/*
 * The time off CPU is the time that has passed, less the time on CPU that the scheduler
 * knows. The host may stop a CPU while the test reads them, so try several times.
 */
TEST_F(soft_sample, time_off_cpu_is_the_rest_of_the_scheduler_s)
{
	__u64 off = 0, expected = 0;
	bool agree = false;

	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, session_target(self->own.fd, self->target.pid));
	ask(&self->own.attr, PERF_TYPE_RAW, TPROF_LX_SOFT_OFF_CPU, 1);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	for (int i = 0; i < 20 && !agree; i++) {
		ASSERT_EQ(0, rest(self, &off, &expected));
		agree = 100 * off > 98 * expected && 100 * off < 102 * expected;
	}
	EXPECT_TRUE(agree)
		TH_LOG("%llu of %llu", off, expected);
	ASSERT_EQ(0, chains_end(&self->own));
	/* The samples have all of the time. */
	EXPECT_EQ(count_of(self->own.fd), sum_of(&self->own.stream).events);
	target_end(&self->target);
}

TEST_F(soft_sample, time_off_cpu_is_sampled_where_the_thread_waits)
{
	const struct record *record;
	__u64 asleep = 0, began;
	struct sum sum;

	ask(&self->own.attr, PERF_TYPE_RAW, TPROF_LX_SOFT_OFF_CPU, 1);
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	began = now_ns();
	sleep_often(200);
	began = now_ns() - began;
	ASSERT_EQ(0, chains_end(&self->own));
	sum = sum_of(&self->own.stream);
	EXPECT_EQ(count_of(self->own.fd), sum.events);
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		__u64 nr, i = 1;
		const __u64 *chain = record_chain(record, &nr);

		EXPECT_EQ(getpid(), record->pid);
		EXPECT_TRUE(record_is_kernel(record));
		while (i < nr && chain[i] != PERF_CONTEXT_USER)
			i++;
		if (i > 5 && i + 2 < nr && IS_IN(sleeper, chain[i + 1]) &&
		    IS_IN(caller, chain[i + 2]))
			asleep += record->period;
	}
	/* Each sleep takes 0.5 ms at least. */
	EXPECT_LE(100 * NSEC_PER_MSEC / 2, asleep);
	EXPECT_GE(began, asleep);
}

/* Wait in vfork(2), which is not interruptible, until the child has slept and ended. */
static void wait_for_child(void)
{
	pid_t pid = vfork();

	if (!pid) {
		sleep_a_little();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Run on one CPU together with a child that needs it, too. */
static void compete(void)
{
	pid_t pid = fork();

	spin_ms(100);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

TEST_F(soft_sample, state_of_a_waiting_thread_is_in_its_sample)
{
	const struct record *record;
	__u64 ns[256] = {};

	ASSERT_EQ(0, cpu_pin(0));
	ask(&self->own.attr, PERF_TYPE_RAW, TPROF_LX_SOFT_OFF_CPU, 1);
	self->own.attr.sample_type |= PERF_SAMPLE_RAW;
	ASSERT_EQ(0, chains_begin(&self->own, "soft", TPROF_LX_EVENT_PROCESS));
	sleep_often(20);
	for (int i = 0; i < 20; i++)
		wait_for_child();
	compete();
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		ASSERT_GT(ARRAY_LEN(ns), record_raw(record));
		if (record->pid == getpid())
			ns[record_raw(record)] += record->period;
	}
	/* Each sleep takes 0.5 ms at least. */
	EXPECT_LE(20 * NSEC_PER_MSEC / 2, ns['S']);
	EXPECT_LE(20 * NSEC_PER_MSEC / 2, ns['D']);
	EXPECT_LE(20 * NSEC_PER_MSEC, ns['R']);
}

TEST_F(soft_sample, only_time_off_cpu_has_a_state)
{
	static const char *const backends[] = { "timer", "nmi", "soft" };

	self->own.attr.sample_type |= PERF_SAMPLE_RAW;
	for (int i = 0; i < ARRAY_LEN(backends); i++) {
		ask(&self->own.attr, SW,
		    i < 2 ? PERF_COUNT_SW_CPU_CLOCK : PERF_COUNT_SW_CONTEXT_SWITCHES, 1000000);
		EXPECT_EQ(-EOPNOTSUPP, event_add_with(self->own.fd, backends[i], &self->own.attr, 0,
						      &(struct tprof_lx_event){}))
			TH_LOG("back end %s", backends[i]);
	}
}

/*
 * Events of all contexts in one session: the samples of the hooks are interrupted by those
 * of the clocks.
 */
TEST_F(soft_sample, samples_beside_clocks_are_whole)
{
	static const struct {
		const char	*backend;
		__u32		type;
		__u64		config;
		__u64		period;
	} all[] = {
		{ "soft", SW, PERF_COUNT_SW_CONTEXT_SWITCHES, 1 },
		{ "soft", SW, PERF_COUNT_SW_PAGE_FAULTS, 1 },
		{ "soft", PERF_TYPE_RAW, TPROF_LX_SOFT_LOCK_CONTENTION, 1 },
		{ "soft", PERF_TYPE_RAW, TPROF_LX_SOFT_OFF_CPU, 1 },
		{ "soft", PERF_TYPE_RAW, TPROF_LX_SOFT_WAKEUPS, 1 },
		{ "timer", SW, PERF_COUNT_SW_CPU_CLOCK, 50000 },
		{ "nmi", SW, PERF_COUNT_SW_CPU_CLOCK, 50000 },
	};
	struct perf_event_attr *attr = &self->own.attr;
	struct tprof_lx_config config = { .fifo_bytes = 16 << 20 };
	struct tprof_lx_event event;
	const struct record *record;
	__u64 end;

	close(self->own.fd);
	self->own.fd = session_open(0);
	ASSERT_LE(0, self->own.fd);
	ASSERT_EQ(0, session_config(self->own.fd, &config));
	for (int i = 0; i < ARRAY_LEN(all); i++) {
		ask(attr, all[i].type, all[i].config, all[i].period);
		ASSERT_EQ(0, event_add_with(self->own.fd, all[i].backend, attr, 0, &event));
	}
	ASSERT_EQ(0, session_start(self->own.fd, ALL_EVENTS));
	end = now_ns() + 500 * NSEC_PER_MSEC;
	while (now_ns() < end) {
		sleep_often(10);
		ASSERT_EQ(0, touch_new_pages(NULL, 100));
	}
	ASSERT_EQ(0, session_stop(self->own.fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->own.stream, self->own.fd));
	EXPECT_TRUE(ledgers_add_up(self->own.fd, ARRAY_LEN(all)));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		__u64 nr;
		const __u64 *chain = record_chain(record, &nr);

		ASSERT_GE(127 + 2, nr);
		if (nr)
			EXPECT_LE(PERF_CONTEXT_MAX, chain[0]);
		if (nr > 1)
			EXPECT_EQ(record->ip, chain[1]);
	}
}

TEST_F(soft_sample, events_without_samples_are_refused)
{
	EXPECT_EQ(-EOPNOTSUPP, begin(&self->own, PERF_COUNT_SW_TASK_CLOCK, 1000000));
	EXPECT_EQ(-EOPNOTSUPP, begin(&self->own, PERF_COUNT_SW_CPU_MIGRATIONS, 1));
	EXPECT_EQ(-ERANGE, begin(&self->own, PERF_COUNT_SW_PAGE_FAULTS, ~0ULL));
	self->own.attr.freq = 1;
	self->own.attr.sample_freq = 100;
	EXPECT_EQ(-EOPNOTSUPP, chains_begin(&self->own, "soft", 0));
}

TEST_HARNESS_MAIN
