// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - clocks: elapsed time, shares of functions, and exclusion
 *
 * A clock accounts for all time: if ticks are late, the next sample includes the
 * periods of the ticks that were skipped. So the sum of the periods must match the
 * elapsed time, even if a busy host delays the virtual machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

#define MAX_CPUS	8192		/* of kernels of Debian */

/*
 * hot() and cold() are the same loop, but hot() runs for three times as many steps.
 * Each has a section of its own, so that the linker defines symbols for its bounds.
 */
#define WORK(name)							\
	__attribute__((section(#name "_text"), noipa))			\
	static __u64 name(__u64 value, unsigned int steps)		\
	{								\
		while (steps--)						\
			value = value * 6364136223846793005ULL + 1;	\
		return value;						\
	}								\
	extern char __start_##name##_text[], __stop_##name##_text[]

WORK(hot);
WORK(cold);

static bool is_in(__u64 ip, const char *begin, const char *end)
{
	return ip >= (unsigned long)begin && ip < (unsigned long)end;
}

/* Store the result, so that the compiler cannot remove the work. */
static volatile __u64 work_result;

/*
 * Alternate hot() and cold() in slices of varying length, so that no clock is in step
 * with them.
 */
static void work_3_to_1(unsigned int ms)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;
	__u64 value = 1;

	do {
		for (int i = 0; i < 50; i++) {
			unsigned int steps = 500 + (value >> 33) % 1000;

			value = hot(value, 3 * steps);
			value = cold(value, steps);
		}
		work_result = value;
	} while (now_ns() < end);
}

FIXTURE(clock) {
	int		fd;
	struct stream	stream;
};

/* Events without the CPU are of CPU 0 only, so that the test knows the CPU of each sample. */
FIXTURE_VARIANT(clock) {
	const char	*backend;
	bool		omits_cpu;
};

#define CLOCK(name, backend_, omits_cpu_)				\
	FIXTURE_VARIANT_ADD(clock, name) {				\
		.backend	= backend_,				\
		.omits_cpu	= omits_cpu_,				\
	}

CLOCK(nmi, "nmi", false);
CLOCK(timer, "timer", false);
CLOCK(nmi_without_cpu, "nmi", true);
CLOCK(timer_without_cpu, "timer", true);

FIXTURE_SETUP(clock)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	self->stream.omits_cpu = variant->omits_cpu;
	if (variant->omits_cpu)
		ASSERT_EQ(0, session_cpus(self->fd, 0));
}

FIXTURE_TEARDOWN(clock)
{
	stream_free(&self->stream);
	close(self->fd);
}

static void init_attr(struct perf_event_attr *attr, const FIXTURE_VARIANT(clock) *variant,
		      __u64 freq)
{
	attr_init(attr, freq);
	if (variant->omits_cpu)
		attr_omit_cpu(attr);
}

static int add_clock(FIXTURE_DATA(clock) *self, const FIXTURE_VARIANT(clock) *variant,
		     __u64 freq)
{
	struct perf_event_attr attr;

	init_attr(&attr, variant, freq);
	return event_add(self->fd, variant->backend, &attr);
}

static __u64 period_sum(const struct stream *stream, __u32 cpu)
{
	const struct record *record;
	__u64 sum = 0;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE)
		if (record->cpu == cpu)
			sum += record->period;
	return sum;
}

TEST_F(clock, periods_add_up_to_time)
{
	int nr_cpus = variant->omits_cpu ? 1 : cpus_online();
	struct tprof_lx_stats stats;
	__u64 outer, inner;

	ASSERT_EQ(0, add_clock(self, variant, 1000));
	outer = now_ns();
	ASSERT_EQ(0, session_start(self->fd, 1));
	inner = now_ns();
	spin_ms(2000);
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		EXPECT_TRUE(wait_until(session_taken(self->fd, cpu, 0) > 50, 5000));
	inner = now_ns() - inner;
	ASSERT_EQ(0, session_stop(self->fd, 1));
	outer = now_ns() - outer;
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));

	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		__u64 sum = period_sum(&self->stream, cpu), ticks;

		ASSERT_EQ(0, session_stats(self->fd, cpu, 0, &stats));
		ticks = stats.ledger.taken + stats.ticks_merged;
		EXPECT_TRUE(85 * inner <= 100 * sum && 100 * sum <= 115 * outer)
			TH_LOG("cpu %d: %llu of %llu to %llu ns", cpu, sum, inner, outer);
		EXPECT_EQ(sum, ticks * NSEC_PER_MSEC);
	}
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(clock, periods_are_whole_ticks)
{
	struct tprof_lx_stats stats;
	const struct record *record;
	__u64 ticks = 0;

	ASSERT_EQ(0, add_clock(self, variant, 2000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	spin_ms(300);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		ASSERT_NE(0, record->period);
		ASSERT_EQ(0, record->period % 500000);
		ticks += record->period / 500000;
	}
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(ticks, stats.ledger.taken + stats.ticks_merged);
}

TEST_F(clock, two_functions_share_3_to_1)
{
	struct tprof_lx_stats stats;
	const struct record *record;
	__u64 nr_hot = 0, nr_cold = 0;
	double share;

	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, add_clock(self, variant, 3000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	do {
		work_3_to_1(500);
		ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	} while (stats.ledger.taken < 6000);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		if (record->pid != (__u32)getpid())
			continue;
		nr_hot += is_in(record->ip, __start_hot_text, __stop_hot_text);
		nr_cold += is_in(record->ip, __start_cold_text,
				 __stop_cold_text);
	}
	share = 100.0 * nr_hot / (nr_hot + nr_cold);
	EXPECT_TRUE(share > 72.0 && share < 78.0)
		TH_LOG("%.1f percent of %llu", share, nr_hot + nr_cold);
}

TEST_F(clock, samples_are_of_the_running_task)
{
	const struct record *record;
	__u64 ours = 0, others = 0;

	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, add_clock(self, variant, 1000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	spin_ms(500);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		if (record->tid == (__u32)getpid())
			ours++;
		else
			others++;
		ASSERT_EQ(record_is_user(record) ? 0 : 0x1ffff,
			  record->ip >> 47);
	}
	EXPECT_LT(4 * others, ours);
}

TEST_F(clock, time_goes_forward_on_each_cpu)
{
	__u64 last[MAX_CPUS] = {}, begin = now_ns();
	const struct record *record;

	ASSERT_EQ(0, add_clock(self, variant, 5000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	spin_ms(300);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		ASSERT_GT(MAX_CPUS, record->cpu);
		ASSERT_LT(last[record->cpu], record->time);
		last[record->cpu] = record->time;
	}
	EXPECT_LT(begin, last[0]);
	EXPECT_GT(now_ns(), last[0]);
}

/*
 * Start the event, wait for six samples of CPU 0, and stop the event. The times of the
 * samples must increase. They must lie between the times that clock_gettime() returned
 * before the start and after the stop.
 */
static void compare_with_monotonic(struct __test_metadata *_metadata,
				   FIXTURE_DATA(clock) *self, const char *source)
{
	__u64 taken = session_taken(self->fd, 0, 0), seen = 0;
	__u64 last = now_ns(), end;
	const struct record *record;

	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_TRUE(wait_until(session_taken(self->fd, 0, 0) > taken + 5, 10000));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	end = now_ns();
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		if (record->cpu)
			continue;
		EXPECT_LT(last, record->time)
			TH_LOG("%s", source);
		EXPECT_GT(end, record->time)
			TH_LOG("%s", source);
		last = record->time;
		seen++;
	}
	EXPECT_EQ(session_taken(self->fd, 0, 0) - taken, seen)
		TH_LOG("%s", source);
	stream_free(&self->stream);
}

#define CLOCK_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/*
 * If the clock source is the TSC, the module computes the monotonic time itself. With any
 * clock source, the times of samples must agree with clock_gettime(). The kernel refuses
 * the name of a clock source that the machine does not have.
 */
TEST_F(clock, time_is_the_monotonic_clock)
{
	static const char *const sources[] = { "tsc", "hpet", "acpi_pm", "tsc" };
	char before[32] = "";
	FILE *file = fopen(CLOCK_SOURCE, "re");

	ASSERT_NE(NULL, file);
	EXPECT_EQ(1, fscanf(file, "%31s", before));
	fclose(file);
	ASSERT_EQ(0, add_clock(self, variant, 1000));
	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		file_write(CLOCK_SOURCE, sources[i]);
		compare_with_monotonic(_metadata, self, sources[i]);
	}
	EXPECT_EQ(0, file_write(CLOCK_SOURCE, before));
}

/*
 * A record after FINISHED_ROUND N is at least as new as any record before
 * FINISHED_ROUND N - 1.
 */
TEST_F(clock, records_respect_finished_rounds)
{
	__u64 newest = 0, promised = 0, next_promise = 0;
	const struct record *record;
	__u64 nr_rounds = 0;

	ASSERT_EQ(0, add_clock(self, variant, 5000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int i = 0; i < 50; i++) {
		ASSERT_EQ(0, session_mark(self->fd, i, "round"));
		ASSERT_EQ(0, session_flush(self->fd));
		spin_ms(5);
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record(record, &self->stream) {
		if (record->header->type == RECORD_FINISHED_ROUND) {
			promised = next_promise;
			next_promise = newest;
			nr_rounds++;
			continue;
		}
		ASSERT_LE(promised, record->time);
		if (record->time > newest)
			newest = record->time;
	}
	EXPECT_LE(50, nr_rounds);
}

/* Run user and kernel code, and idle, until 50 samples are filtered and 50 are not. */
static int run_excluding(FIXTURE_DATA(clock) *self,
			 const struct perf_event_attr *attr,
			 const char *backend, struct tprof_lx_ledger *ledger)
{
	__u64 deadline = now_ns() + 20 * NSEC_PER_SEC;
	struct tprof_lx_stats stats;
	__u64 spent;
	int err;

	err = event_add(self->fd, backend, attr);
	err = err ?: session_start(self->fd, 1);
	do {
		spin_ms(20);
		err = err ?: burn(TPROF_LX_BURN_TASK, 20, &spent);
		nap();
		err = err ?: session_stats(self->fd, TPROF_LX_SUM, 0, &stats);
		if (now_ns() > deadline)
			err = -ETIMEDOUT;
	} while (!err && (stats.ledger.filtered < 50 ||
			  stats.ledger.taken - stats.ledger.filtered < 50));
	err = err ?: session_stop(self->fd, 1);
	err = err ?: stream_read_all(&self->stream, self->fd);
	err = err ?: session_stats(self->fd, TPROF_LX_SUM, 0, &stats);
	*ledger = stats.ledger;
	return err;
}

static bool is_of_task(const struct record *record)
{
	return record->tid;
}

/* All samples of an event that excludes something fulfil @is_wanted, and none is missing. */
static void expect_only(struct __test_metadata *_metadata, FIXTURE_DATA(clock) *self,
			const FIXTURE_VARIANT(clock) *variant,
			const struct perf_event_attr *attr,
			bool (*is_wanted)(const struct record *record))
{
	struct tprof_lx_ledger ledger;
	const struct record *record;

	ASSERT_EQ(0, run_excluding(self, attr, variant->backend, &ledger));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		ASSERT_TRUE(is_wanted(record));
	}
	EXPECT_EQ(ledger.delivered,
		  stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(clock, excludes_user)
{
	struct perf_event_attr attr;

	init_attr(&attr, variant, 2000);
	attr.exclude_user = 1;
	expect_only(_metadata, self, variant, &attr, record_is_kernel);
}

TEST_F(clock, excludes_kernel)
{
	struct perf_event_attr attr;

	init_attr(&attr, variant, 2000);
	attr.exclude_kernel = 1;
	expect_only(_metadata, self, variant, &attr, record_is_user);
}

/* The idle task runs in the kernel, so samples without the CPU still are common ones. */
TEST_F(clock, excludes_kernel_and_idle)
{
	struct perf_event_attr attr;

	init_attr(&attr, variant, 2000);
	attr.exclude_kernel = 1;
	attr.exclude_idle = 1;
	expect_only(_metadata, self, variant, &attr, record_is_user);
}

TEST_F(clock, excludes_idle)
{
	struct perf_event_attr attr;

	init_attr(&attr, variant, 2000);
	attr.exclude_idle = 1;
	expect_only(_metadata, self, variant, &attr, is_of_task);
}

static __u64 nr_foreign(int fd)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, 0, 0, &stats) ? 0 : stats.nmi_foreign;
}

/* The module does not claim a foreign NMI, so the kernel logs it as unknown. */
TEST(foreign_nmi_is_passed_on)
{
	struct tprof_lx_stats before, after;
	int fd = session_open(0);

	expect_dmesg("NMI received for unknown reason");
	expect_dmesg("Dazed and confused, but trying to continue");
	expect_dmesg("Do you have a strange power saving mode enabled");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, event_clock(fd, "nmi", 10));
	ASSERT_EQ(0, session_start(fd, 1));
	ASSERT_EQ(0, session_stats(fd, 0, 0, &before));
	/* Wait for each NMI, because two pending NMIs of a CPU are merged. */
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, session_stats(fd, 0, 0, &after));
		ASSERT_EQ(0, burn_foreign_nmi(0));
		wait_until(nr_foreign(fd) > after.nmi_foreign, 500);
	}
	ASSERT_EQ(0, session_stats(fd, 0, 0, &after));
	EXPECT_LE(8, after.nmi_foreign - before.nmi_foreign);
	EXPECT_GE(10, after.nmi_foreign - before.nmi_foreign);
	ASSERT_EQ(0, session_stop(fd, 1));
	close(fd);
}

static void *stall_cpu_1(void *unused)
{
	return (void *)(long)(cpu_pin(1) ?: burn_stall(3000));
}

static void read_cpu_1(int fd, struct tprof_lx_stats *stats)
{
	if (session_stats(fd, 1, 0, stats))
		memset(stats, 0, sizeof(*stats));
}

/*
 * A hypervisor may stop a CPU for seconds. An NMI that was sent to this CPU may then come
 * long after its event was stopped. The module must still claim the NMI, or the kernel
 * logs it as unknown.
 */
TEST(nmi_that_comes_after_seconds_is_claimed)
{
	struct tprof_lx_stats stats, before;
	int fd = session_open(0);
	pthread_t thread;
	void *err;

	if (cpus_online() < 2)
		SKIP(return, "one CPU cannot stall while another one sends NMIs");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, session_cpus(fd, 1));
	ASSERT_EQ(0, event_clock(fd, "nmi", 1000));
	ASSERT_EQ(0, pthread_create(&thread, NULL, stall_cpu_1, NULL));
	EXPECT_TRUE(wait_until(burn_stalled() == 1, 5000));
	/* The first tick sends an NMI, which cannot come yet. The second sends none. */
	EXPECT_EQ(0, session_start(fd, 1));
	read_cpu_1(fd, &before);
	EXPECT_TRUE(wait_until((read_cpu_1(fd, &stats),
				stats.nmi_collapsed > before.nmi_collapsed), 2000));
	EXPECT_EQ(0, session_stop(fd, 1));
	ASSERT_EQ(0, pthread_join(thread, &err));
	EXPECT_EQ(NULL, err);
	EXPECT_TRUE(wait_until((read_cpu_1(fd, &stats), stats.nmi_late > before.nmi_late),
			       2000));
	close(fd);
}

TEST_HARNESS_MAIN
