// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - count events with hardware counters
 *
 * A loop of known length retires the same number of instructions and branches in
 * user mode on any processor, so the tests know the exact counts.
 */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "harness/counters.h"
#include "harness/test.h"

#define LOOPS	1000000ULL
#define MAX_CPUS	64
#define INSNS	(LOOPS * INSNS_PER_LOOP)

FIXTURE(pmu_count) {
	struct counters		counters;
	int			fd;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(pmu_count)
{
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	self->fd = self->counters.fd;
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

FIXTURE_TEARDOWN(pmu_count)
{
	close(self->counters.fd);
}

TEST_F(pmu_count, user_instructions_are_exact)
{
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (__u64 loops = 1000; loops <= 1000000; loops *= 10)
		EXPECT_EQ(loops * INSNS_PER_LOOP,
			  count_per_work(self->fd, 0, loops));
}

TEST_F(pmu_count, raw_event_counts_as_the_generic_one)
{
	self->attr.type = PERF_TYPE_RAW;
	self->attr.config = RAW_INSNS;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
}

/* With a threshold of 255, no cycle meets it. */
TEST_F(pmu_count, parts_of_events_are_those_of_the_back_end)
{
	const struct { __u32 flag; __u64 bit; } parts[4] = {
		{ TPROF_LX_BACKEND_THRESHOLD, 0 }, { TPROF_LX_BACKEND_EDGE, 1ULL << 18 },
		{ TPROF_LX_BACKEND_INVERT, 1ULL << 23 }, { TPROF_LX_BACKEND_EQUAL, 1ULL << 36 },
	};
	struct tprof_lx_backend backend;
	int next = 0;

	ASSERT_EQ(0, counters_backend(self->fd, &backend));
	EXPECT_TRUE(backend.flags & TPROF_LX_BACKEND_THRESHOLD);
	self->attr.type = PERF_TYPE_RAW;
	for (size_t i = 0; i < 4; i++) {
		self->attr.config = RAW_INSNS | 0xffULL << 24 | parts[i].bit;
		EXPECT_EQ(backend.flags & parts[i].flag ? next++ : -EINVAL,
			  counters_add(&self->counters, &self->attr));
	}
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, count_per_work(self->fd, 0, LOOPS));
}

TEST_F(pmu_count, branches_are_exact)
{
	self->attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(LOOPS, count_per_work(self->fd, 0, LOOPS));
}

/* The exact count is known only in the lab, which fixes the cycles per instruction. */
TEST_F(pmu_count, cycles_follow_the_work)
{
	__u64 cycles;

	self->attr.config = PERF_COUNT_HW_CPU_CYCLES;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	cycles = count_per_work(self->fd, 0, LOOPS);
	/*
	 * On any processor, an iteration takes more than 1/3 of a cycle. Outside of
	 * the lab, it takes less than 1000 cycles.
	 */
	EXPECT_TRUE(cycles > LOOPS / 3);
	EXPECT_TRUE(cycles < LOOPS * 1000 || lab_mode());
	if (lab_mode()) {
		EXPECT_EQ(INSNS * lab_cycles_per_insn(), cycles);
	}
}

/*
 * The back end translates each generic event to a raw event, but refuses events that
 * the processor lacks. The test knows a minimum count only for cycles and instructions.
 */
TEST_F(pmu_count, generic_events_count_or_are_refused)
{
	int nr = 0;

	for (__u64 i = 0; i < PERF_COUNT_HW_MAX; i++) {
		int fd = session_open(0), event;

		ASSERT_LE(0, fd);
		self->attr.config = i;
		event = event_add(fd, self->counters.backend.name, &self->attr);
		EXPECT_TRUE(event == 0 || event == -EOPNOTSUPP)
			TH_LOG("event %llu: %d", i, event);
		if (!event && !session_start(fd, 1)) {
			nr++;
			work(LOOPS);
			EXPECT_EQ(0, session_stop(fd, 1));
			if (i <= PERF_COUNT_HW_INSTRUCTIONS) {
				EXPECT_LE(LOOPS, count_sum(fd, 0));
			}
		}
		close(fd);
	}
	EXPECT_LE(4, nr);
	self->attr.config = PERF_COUNT_HW_MAX;
	EXPECT_EQ(-EINVAL, counters_add(&self->counters, &self->attr));
}

TEST_F(pmu_count, exclude_user_does_not_count_the_loop)
{
	__u64 before;

	self->attr.exclude_kernel = 0;
	self->attr.exclude_user = 1;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	/* During work(), only interrupts run kernel code, so the count is small. */
	EXPECT_GT(INSNS, count_of_work(self->fd, 0, 10 * LOOPS));
	before = count_sum(self->fd, 0);
	for (int i = 0; i < 10000; i++)
		syscall(SYS_getppid);
	EXPECT_LT(10000 * 50, count_sum(self->fd, 0) - before);
}

TEST_F(pmu_count, user_plus_kernel_equals_both)
{
	__u64 user, kernel, both;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	self->attr.exclude_kernel = 0;
	ASSERT_EQ(1, counters_add(&self->counters, &self->attr));
	self->attr.exclude_user = 1;
	ASSERT_EQ(2, counters_add(&self->counters, &self->attr));
	if (session_start(self->fd, ALL_EVENTS) == -EBUSY)
		SKIP(return, "fewer than three counters");
	for (int i = 0; i < 10000; i++) {
		syscall(SYS_getppid);
		work(100);
	}
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	user = count_sum(self->fd, 0);
	both = count_sum(self->fd, 1);
	kernel = count_sum(self->fd, 2);
	/* Accept 5 %: the events do not start and stop at the same instruction. */
	EXPECT_LT(user + kernel, both + both / 20);
	EXPECT_LT(both, user + kernel + both / 20);
	EXPECT_LT(10000 * 100 * INSNS_PER_LOOP, user);
}

TEST_F(pmu_count, count_is_live_from_another_cpu)
{
	__u64 last = 0, count;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, cpu_pin(1));
	for (int i = 0; i < 100; i++) {
		count = count_sum(self->fd, 0);
		EXPECT_LE(last, count);
		last = count;
	}
	EXPECT_LT(INSNS, last);
}

static void *work_on_cpu1(void *arg)
{
	cpu_pin(1);
	work(3 * LOOPS);
	return arg;
}

TEST_F(pmu_count, each_cpu_has_its_own_count)
{
	struct tprof_lx_count counts[MAX_CPUS], sum, total = {};
	struct tprof_lx_config config = {};
	int nr = cpus_online();
	pthread_t thread;

	if (nr < 2 || nr > MAX_CPUS)
		SKIP(return, "needs two CPUs, and at most %d", MAX_CPUS);
	ASSERT_EQ(0, session_config(self->fd, &config));
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, pthread_create(&thread, NULL, work_on_cpu1, NULL));
	work(LOOPS);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	for (int i = 0; i < nr; i++) {
		ASSERT_EQ(0, count_read(self->fd, i, 0, &counts[i]));
		total.value += counts[i].value;
		total.ran_ns += counts[i].ran_ns;
	}
	ASSERT_EQ(0, count_read(self->fd, TPROF_LX_SUM, 0, &sum));
	EXPECT_LT(INSNS, counts[0].value);
	EXPECT_LT(3 * INSNS, counts[1].value);
	EXPECT_EQ(total.value, sum.value);
	EXPECT_EQ(total.ran_ns, sum.ran_ns);
}

TEST_F(pmu_count, stopped_count_stands_still)
{
	__u64 first, second;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	first = count_sum(self->fd, 0);
	work(10 * LOOPS);
	EXPECT_EQ(first, count_sum(self->fd, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	second = count_sum(self->fd, 0);
	EXPECT_LE(INSNS, first);
	EXPECT_LE(first + INSNS, second);
	EXPECT_GT(first + 2 * INSNS, second);
}

/*
 * Let a count grow past each value at which it overflows or its sign bit changes:
 * - 2^31 and 2^32 in counters that are written with 32 bits
 * - 2^47 and 2^48 in other counters
 * - 2^63 and 2^64 in the sum in memory
 */
TEST_F(pmu_count, counts_carry_past_counter_widths)
{
	static const int bits[] = { 31, 32, 47, 48, 63, 64 };

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	for (size_t i = 0; i < ARRAY_LEN(bits); i++) {
		__u64 edge = bits[i] == 64 ? 0 : 1ULL << bits[i];

		for (__u64 before = 0; before <= INSNS; before += INSNS / 2) {
			__u64 count;

			ASSERT_EQ(0, count_write(self->fd, TPROF_LX_SUM, 0,
						 edge - before - 1));
			ASSERT_EQ(0, session_start(self->fd, 1));
			work(LOOPS);
			ASSERT_EQ(0, session_stop(self->fd, 1));
			count = count_sum(self->fd, 0) - (edge - before - 1);
			EXPECT_TRUE(count >= INSNS && count < 2 * INSNS)
				TH_LOG("2^%d - %llu: %llu", bits[i], before + 1,
				       count);
		}
	}
}

/*
 * The module adds to the count at each overflow. A short period causes thousands of
 * overflows.
 */
TEST_F(pmu_count, overflows_lose_no_counts)
{
	attr_sample(&self->attr, 10007);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
}

/* The count exceeds 2^32: counters written with 32 bits overflow several times. */
TEST_F(pmu_count, long_counts_are_exact)
{
	__u64 per_loop = lab_cycles_per_insn() * INSNS_PER_LOOP;
	__u64 loops = 5 * LOOPS;

	if (per_loop < 2000)
		SKIP(return, "only where a loop takes 2000 cycles");
	self->attr.config = PERF_COUNT_HW_CPU_CYCLES;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(loops * per_loop, count_per_work(self->fd, 0, loops));
}

/*
 * With cmask N, an event counts the cycles that retire at least N instructions; with
 * cmask N and inv, it counts the other cycles.
 */
TEST_F(pmu_count, cmask_and_its_inverse_count)
{
	__u64 one, many, few;

	self->attr.type = PERF_TYPE_RAW;
	self->attr.config = RAW_INSNS | RAW_CMASK(1);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	self->attr.config = RAW_INSNS | RAW_CMASK(100);
	ASSERT_EQ(1, counters_add(&self->counters, &self->attr));
	self->attr.config = RAW_INSNS | RAW_CMASK(100) | RAW_INV;
	ASSERT_EQ(2, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	one = count_per_work(self->fd, 0, LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_start(self->fd, 2));
	many = count_per_work(self->fd, 1, LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 2));
	ASSERT_EQ(0, session_start(self->fd, 4));
	few = count_per_work(self->fd, 2, LOOPS);
	EXPECT_TRUE(one > 0 && one <= INSNS);
	EXPECT_EQ(0, many);
	EXPECT_LE(one, few);
	if (lab_mode()) {
		EXPECT_EQ(INSNS * lab_cycles_per_insn(), few);
	}
}

/* An edge is a cycle that retires instructions after a cycle that retired none. */
TEST_F(pmu_count, edges_are_fewer_than_cycles)
{
	__u64 cycles, edges;

	if (lab_mode())
		SKIP(return, "the lab's counters cannot detect edges");
	self->attr.type = PERF_TYPE_RAW;
	self->attr.config = RAW_INSNS | RAW_CMASK(1);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	self->attr.config |= RAW_EDGE;
	ASSERT_EQ(1, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	cycles = count_per_work(self->fd, 0, LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_start(self->fd, 2));
	edges = count_per_work(self->fd, 1, LOOPS);
	EXPECT_GT(cycles, edges);
}

TEST_F(pmu_count, ran_ns_is_elapsed_time)
{
	struct tprof_lx_count count;
	__u64 begin, inner;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	begin = now_ns();
	ASSERT_EQ(0, session_start(self->fd, 1));
	inner = now_ns();
	spin_ms(20);
	inner = now_ns() - inner;
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &count));
	EXPECT_LE(inner, count.ran_ns);
	EXPECT_GE(now_ns() - begin, count.ran_ns);
}

/*
 * The module refuses reserved bits of the event select, and bits that only the module
 * itself may set.
 */
TEST_F(pmu_count, reserved_bits_are_refused)
{
	/*
	 * Bits for user, kernel, pin control, interrupt and enable; 63 and 50 are
	 * reserved.
	 */
	static const int common[] = { 16, 17, 19, 20, 22, 63, 50 };

	self->attr.type = PERF_TYPE_RAW;
	for (size_t i = 0; i < ARRAY_LEN(common); i++) {
		self->attr.config = RAW_INSNS | 1ULL << common[i];
		EXPECT_EQ(-EINVAL, counters_add(&self->counters, &self->attr))
			TH_LOG("bit %d", common[i]);
	}
	self->attr.config = RAW_INSNS;
	self->attr.type = PERF_TYPE_HW_CACHE;
	EXPECT_EQ(-EOPNOTSUPP, counters_add(&self->counters, &self->attr));
	self->attr.type = PERF_TYPE_RAW;
	EXPECT_EQ(0, counters_add(&self->counters, &self->attr));
}

TEST_HARNESS_MAIN
