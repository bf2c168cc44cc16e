// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - sample with hardware counters
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/capability.h>
#include <time.h>
#include <unistd.h>

#include "harness/counters.h"
#include "harness/test.h"
#include "harness/stream.h"
#include "harness/tree_chains.h"

#define LOOPS	1000000ULL
#define INSNS	(LOOPS * INSNS_PER_LOOP)
#define STARTS	200

FIXTURE(pmu_sample) {
	struct counters		counters;
	int			fd;
	struct perf_event_attr	attr;
	struct stream		stream;
};

FIXTURE_SETUP(pmu_sample)
{
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	self->fd = self->counters.fd;
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

FIXTURE_TEARDOWN(pmu_sample)
{
	stream_free(&self->stream);
	close(self->counters.fd);
}

/* Sample @loops iterations of work() with one event, and check the ledger. */
static bool sample_work(struct __test_metadata *_metadata,
			FIXTURE_DATA(pmu_sample) *self, __u32 flags,
			__u64 loops, struct sampled *sampled)
{
	struct tprof_lx_event event;

	if (event_add_with(self->fd, self->counters.backend.name, &self->attr,
			   flags, &event) ||
	    session_start(self->fd, 1 << event.index))
		return false;
	work(loops);
	return !session_stop(self->fd, ALL_EVENTS) &&
	       !stream_read_all(&self->stream, self->fd) &&
	       samples_sum_up(self->fd, &self->stream, event.index, event.id,
			      sampled) &&
	       ledgers_add_up(self->fd, event.index + 1);
}

TEST_F(pmu_sample, samples_are_where_the_work_is)
{
	struct sampled sampled;

	attr_sample(&self->attr, 10007);
	ASSERT_TRUE(sample_work(_metadata, self, 0, 3 * LOOPS, &sampled));
	EXPECT_LE(3 * INSNS / 10007, sampled.taken);
	EXPECT_LT(sampled.taken - sampled.taken / 50, sampled.in_work);
}

/*
 * A sample as tprof-lx record requests it for a single event: see
 * tprof_sample_has_common_fields() in kmod/sample/sample_layout.c. @more is the period, if
 * requested, and then the call chain, if requested.
 */
struct common_sample {
	struct perf_event_header header;
	__u64	ip;
	__u32	pid;
	__u32	tid;
	__u64	time;
	__u64	more[];
};

/* Sample call_tree() with common samples that also have the fields @more. */
static bool sample_common(FIXTURE_DATA(pmu_sample) *self, __u64 more)
{
	int ret;

	attr_sample(&self->attr, 10007);
	self->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | more;
	self->attr.use_clockid = 1;
	self->attr.clockid = CLOCK_MONOTONIC;
	if (counters_add(&self->counters, &self->attr) || session_start(self->fd, ALL_EVENTS))
		return false;
	call_tree(0, 300);
	if (session_stop(self->fd, ALL_EVENTS))
		return false;
	do {
		ret = stream_read_some(&self->stream, self->fd);
	} while (!self->stream.is_at_end && (ret >= 0 || ret == -EAGAIN));
	return self->stream.is_at_end;
}

/* Return the next sample of this process after @last, or the first one if @last is NULL. */
static const struct common_sample *next_common(const struct stream *stream,
					       const struct common_sample *last)
{
	const char *at = last ? (const char *)last + last->header.size : stream->data;
	const struct common_sample *sample;

	for (; at < stream->data + stream->bytes; at += sample->header.size) {
		sample = (const struct common_sample *)at;
		if (sample->header.type == PERF_RECORD_SAMPLE && sample->pid == (__u32)getpid())
			return sample;
	}
	return NULL;
}

#define for_each_common(sample, stream)						\
	for ((sample) = next_common(stream, NULL); sample; (sample) = next_common(stream, sample))

/* Expect the fields that all common samples have. Return the number of samples. */
static __u64 expect_common(struct __test_metadata *_metadata, const struct stream *stream,
			   __u64 before)
{
	const struct common_sample *sample;
	__u64 nr = 0;

	for_each_common(sample, stream) {
		nr++;
		EXPECT_EQ(PERF_RECORD_MISC_USER, sample->header.misc);
		EXPECT_GT(1ULL << 63, sample->ip);
		EXPECT_EQ(sample->pid, sample->tid);
		EXPECT_LE(before, sample->time);
		before = sample->time;
	}
	EXPECT_LE(before, now_ns());
	return nr;
}

TEST_F(pmu_sample, common_samples_have_all_fields)
{
	const struct common_sample *sample;
	__u64 before = now_ns();

	ASSERT_TRUE(sample_common(self, 0));
	EXPECT_LT(20, expect_common(_metadata, &self->stream, before));
	for_each_common(sample, &self->stream) {
		ASSERT_EQ(sizeof(*sample), sample->header.size);
	}
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(pmu_sample, common_samples_have_the_period)
{
	const struct common_sample *sample;
	__u64 before = now_ns();

	ASSERT_TRUE(sample_common(self, PERF_SAMPLE_PERIOD));
	EXPECT_LT(20, expect_common(_metadata, &self->stream, before));
	for_each_common(sample, &self->stream) {
		ASSERT_EQ(sizeof(*sample) + sizeof(__u64), sample->header.size);
		EXPECT_EQ(10007, sample->more[0]);
	}
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(pmu_sample, common_samples_have_the_call_chain)
{
	const struct common_sample *sample;
	__u64 before = now_ns(), seen = 0, wrong = 0, nr;
	const __u64 *chain;

	ASSERT_TRUE(sample_common(self, PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN));
	EXPECT_LT(20, expect_common(_metadata, &self->stream, before));
	for_each_common(sample, &self->stream) {
		EXPECT_EQ(10007, sample->more[0]);
		nr = sample->more[1];
		chain = &sample->more[2];
		ASSERT_EQ(sizeof(*sample) + (2 + nr) * sizeof(__u64), sample->header.size);
		EXPECT_EQ(PERF_CONTEXT_USER, chain[0]);
		EXPECT_EQ(sample->ip, chain[1]);
		if (!IS_IN(leaf, sample->ip))
			continue;
		ASSERT_LT(5, nr);
		seen++;
		wrong += !IS_IN(middle, chain[2]) || !IS_IN(top, chain[3]) ||
			 !IS_IN(root, chain[4]);
	}
	EXPECT_LT(20, seen);
	/* As in expect_tree_chains(), leaf() has no frame at some instructions. */
	EXPECT_LE(100 * wrong, seen);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(pmu_sample, exclude_kernel_has_no_kernel_address)
{
	const struct record *record;
	struct sampled sampled;

	attr_sample(&self->attr, 5003);
	ASSERT_TRUE(sample_work(_metadata, self, 0, LOOPS, &sampled));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		EXPECT_GT(1ULL << 63, record->ip);
	}
}

/* Each sample contains its actual period, and the periods add up to the count. */
TEST_F(pmu_sample, random_periods_add_up)
{
	const __u64 period = 10000;
	struct sampled sampled;

	attr_sample(&self->attr, period);
	ASSERT_TRUE(sample_work(_metadata, self, TPROF_LX_EVENT_RANDOM,
				3 * LOOPS, &sampled));
	EXPECT_LT(sampled.shortest, sampled.longest);
	EXPECT_LE(period - period / 8, sampled.shortest);
	EXPECT_GE(period + period / 8, sampled.longest);
	EXPECT_LE(sampled.periods, sampled.count);
	EXPECT_GE(sampled.periods + 2 * period, sampled.count);
	/* The average period is the requested one, plus or minus 2 %. */
	EXPECT_LT(sampled.count / period - sampled.count / period / 50,
		  sampled.taken);
	EXPECT_GT(sampled.count / period + sampled.count / period / 50,
		  sampled.taken);
}

TEST_F(pmu_sample, random_periods_hold_a_frequency)
{
	struct sampled sampled;

	attr_sample(&self->attr, 2000);
	self->attr.freq = 1;
	ASSERT_TRUE(sample_work(_metadata, self, TPROF_LX_EVENT_RANDOM,
				3 * LOOPS, &sampled));
	EXPECT_LE(10, sampled.taken);
	EXPECT_LT(sampled.shortest, sampled.longest);
	EXPECT_LE(sampled.periods, sampled.count);
}

/*
 * With this period, an overflow's NMI is nearly always pending when the counter is
 * disarmed. If the module did not claim this NMI, the kernel would log an unknown
 * NMI, and the test would fail.
 */
TEST_F(pmu_sample, overflow_of_a_disarmed_counter_is_claimed)
{
	struct tprof_lx_stats before, after;
	int i;

	attr_sample(&self->attr, 1500);
	self->attr.exclude_kernel = 0;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &before));
	for (i = 0; i < STARTS; i++) {
		ASSERT_EQ(0, session_start(self->fd, 1));
		ASSERT_EQ(0, session_stop(self->fd, 1));
		ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	}
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &after));
	printf("# %d starts, %llu NMIs, of which %llu late\n", STARTS,
	       after.nmi_sampled - before.nmi_sampled,
	       after.nmi_late - before.nmi_late);
	EXPECT_LT(before.nmi_sampled, after.nmi_sampled);
}

TEST_F(pmu_sample, exclude_idle_is_for_sampling_only)
{
	attr_sample(&self->attr, 10007);
	self->attr.exclude_idle = 1;
	EXPECT_LE(0, counters_add(&self->counters, &self->attr));
	attr_count(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	self->attr.exclude_idle = 1;
	EXPECT_EQ(-EOPNOTSUPP, counters_add(&self->counters, &self->attr));
}

/* Sample user mode with the smallest period that INFO reports. */
TEST_F(pmu_sample, smallest_period_does_not_hang_the_cpu)
{
	__u64 period = self->counters.backend.min_period;
	struct sampled sampled;

	attr_sample(&self->attr, period - 1);
	if (period > 1) {
		EXPECT_EQ(-ERANGE, counters_add(&self->counters, &self->attr));
	}
	attr_sample(&self->attr, period);
	ASSERT_EQ(0, session_small(self->fd, 4 << 20, 4 << 20));
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_TRUE(sample_work(_metadata, self, 0, LOOPS / 20, &sampled));
	EXPECT_LE(INSNS / 20 / period, sampled.taken + 1);
}

/*
 * Sample with the smallest period. The module limits the rate of samples: periods
 * grow beyond the requested one, but still add up to the count.
 */
static void sample_bounded(struct __test_metadata *_metadata,
			   FIXTURE_DATA(pmu_sample) *self)
{
	struct tprof_lx_stats stats;
	struct sampled sampled;

	attr_sample(&self->attr, self->counters.backend.min_period);
	ASSERT_EQ(0, session_small(self->fd, 4 << 20, 4 << 20));
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_TRUE(sample_work(_metadata, self, 0, LOOPS / 20, &sampled));
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	printf("# %llu samples, %llu slowed\n", sampled.taken, stats.samples_slowed);
	EXPECT_LT(0, stats.samples_slowed);
	EXPECT_LT(0, sampled.taken);
	/*
	 * The count also includes the last period, which did not end with a sample. That
	 * period is at most 2 * @sampled.longest.
	 */
	EXPECT_LE(sampled.periods, sampled.count);
	EXPECT_LE(sampled.count, sampled.periods + 2 * sampled.longest);
}

/*
 * An event that counts the kernel also counts the NMI handler of the module. Without
 * a limit of the rate, each NMI would cause the next one.
 */
TEST_F(pmu_sample, smallest_kernel_period_does_not_hang_the_cpu)
{
	self->attr.exclude_kernel = 0;
	sample_bounded(_metadata, self);
}

/* Without CAP_SYS_ADMIN, the rate is limited for events of user mode, too. */
TEST_F(pmu_sample, samples_are_slowed_without_cap_sys_admin)
{
	const cap_value_t admin = CAP_SYS_ADMIN;
	cap_t caps = cap_get_proc();

	ASSERT_EQ(0, cap_set_flag(caps, CAP_EFFECTIVE, 1, &admin, CAP_CLEAR));
	ASSERT_EQ(0, cap_set_proc(caps));
	cap_free(caps);
	close(self->fd);
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	self->counters.fd = self->fd;
	sample_bounded(_metadata, self);
}

TEST_F(pmu_sample, longest_period_is_accepted)
{
	attr_sample(&self->attr, self->counters.backend.max_period);
	EXPECT_EQ(0, counters_add(&self->counters, &self->attr));
	if (self->counters.backend.max_period == ~0ULL)
		return;
	attr_sample(&self->attr, self->counters.backend.max_period + 1);
	EXPECT_EQ(-ERANGE, counters_add(&self->counters, &self->attr));
}

/*
 * A counter without full-width writes overflows several times during this period. The
 * test is skipped where a loop of work() takes less than 2000 cycles, because it would
 * need too many loops.
 */
TEST_F(pmu_sample, period_may_exceed_32_bits)
{
	const __u64 period = 5000000000ULL;
	__u64 per_loop = lab_cycles_per_insn() * INSNS_PER_LOOP;
	struct sampled sampled;

	if (per_loop < 2000)
		SKIP(return, "only where a loop takes 2000 cycles");
	if (self->counters.backend.max_period < period)
		SKIP(return, "the counters do not take such a period");
	self->attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr_sample(&self->attr, period);
	ASSERT_TRUE(sample_work(_metadata, self, 0, 4 * period / per_loop,
				&sampled));
	EXPECT_EQ(4, sampled.taken);
	EXPECT_EQ(period, sampled.shortest);
	EXPECT_EQ(period, sampled.longest);
}

static __u64 work_for_ms(unsigned int ms)
{
	__u64 begin = now_ns();

	while (now_ns() - begin < ms * NSEC_PER_MSEC)
		work(1000);
	return now_ns() - begin;
}

/*
 * Within 100 ms, the module adjusts the period so that samples come at the requested
 * frequency. On an emulated CPU, events come at a steady rate only if emulated time
 * is counted in instructions. Otherwise the host delays the CPU, so the test accepts
 * 1/20 to 4 times the frequency.
 */
TEST_F(pmu_sample, frequency_is_held)
{
	bool is_steady = !lab_mode() || lab_is_deterministic();
	const __u64 hz = 1000;
	struct tprof_lx_stats before, after;
	__u64 spent, expected, taken;

	attr_sample(&self->attr, 0);
	self->attr.freq = 1;
	self->attr.sample_freq = hz;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work_for_ms(100);
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &before));
	spent = work_for_ms(1000);
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &after));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	expected = spent * hz / NSEC_PER_SEC;
	taken = after.ledger.taken - before.ledger.taken;
	EXPECT_LT(is_steady ? expected - expected / 20 : expected / 20, taken);
	EXPECT_GT(is_steady ? expected + expected / 20 : expected * 4, taken);
	TH_LOG("%llu samples instead of %llu", taken, expected);
}

TEST_F(pmu_sample, concurrent_events_do_not_mix)
{
	static const __u64 periods[] = { 2003, 3001, 5003, 7001 };
	__u64 ids[ARRAY_LEN(periods)];
	struct tprof_lx_event event;
	struct sampled sampled;
	__u32 nr = 0;

	for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
		attr_sample(&self->attr, periods[i]);
		ASSERT_EQ(0, event_add_full(self->fd,
					    self->counters.backend.name,
					    &self->attr, &event));
		ids[i] = event.id;
	}
	/* Only as many events start as there are counters. */
	for (__u32 i = 0; i < ARRAY_LEN(periods); i++)
		nr += !session_start(self->fd, 1 << i);
	ASSERT_LE(1, nr);
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for (__u32 i = 0; i < nr; i++) {
		ASSERT_TRUE(samples_sum_up(self->fd, &self->stream, i, ids[i],
					   &sampled));
		EXPECT_LE(INSNS, sampled.count);
		EXPECT_LE(sampled.count / periods[i], sampled.taken + 1);
		EXPECT_GE(sampled.count / periods[i] + 1, sampled.taken);
		EXPECT_EQ(sampled.taken * periods[i], sampled.periods);
	}
	EXPECT_TRUE(ledgers_add_up(self->fd, ARRAY_LEN(periods)));
}

TEST_F(pmu_sample, sampling_works_beside_counting)
{
	struct tprof_lx_event event;
	struct sampled sampled;

	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	attr_sample(&self->attr, 10007);
	ASSERT_EQ(0, event_add_full(self->fd, self->counters.backend.name,
				    &self->attr, &event));
	if (session_start(self->fd, 3) == -EBUSY)
		SKIP(return, "fewer than two counters");
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	ASSERT_TRUE(samples_sum_up(self->fd, &self->stream, 1, event.id,
				   &sampled));
	EXPECT_LE(INSNS, sampled.count);
	EXPECT_LE(INSNS, count_sum(self->fd, 0));
	EXPECT_LE(sampled.count / 10007, sampled.taken + 1);
	EXPECT_GE(sampled.count / 10007 + 1, sampled.taken);
}

static __u64 burn_with_interrupts_off(int fd)
{
	struct tprof_lx_stats stats;
	__u64 spent;

	if (burn(TPROF_LX_BURN_IRQS_OFF, 50, &spent) ||
	    session_stats(fd, 0, 0, &stats))
		return 0;
	return stats.ledger.taken;
}

/* The NMI of a counter writes each frame into the ring as soon as it finds the frame. */
TEST_F(pmu_sample, chains_are_the_call_tree)
{
	const struct record *record;
	struct tprof_lx_event event;
	__u64 nr;

	attr_sample(&self->attr, 20011);
	self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	ASSERT_EQ(0, event_add_full(self->fd, self->counters.backend.name,
				    &self->attr, &event));
	ASSERT_EQ(0, session_start(self->fd, 1));
	call_tree(0, 300);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		record_chain(record, &nr);
		ASSERT_EQ(sizeof(__u64) * (1 + nr), record->body_bytes);
	}
	expect_tree_chains(_metadata, &self->stream);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/* In a ring that is nearly full, a chain is either whole, or lost and counted as lost. */
TEST_F(pmu_sample, chains_fill_a_ring)
{
	const struct record *record;
	struct tprof_lx_stats stats;
	__u64 samples = 0, nr;

	ASSERT_EQ(0, session_small(self->fd, 64 << 10, 64 << 10));
	attr_sample(&self->attr, 2003);
	self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	call_tree(10, 200);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_LT(0, stats.ledger.lost_ring);
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		record_chain(record, &nr);
		ASSERT_EQ(sizeof(__u64) * (1 + nr), record->body_bytes);
		samples++;
	}
	EXPECT_EQ(samples + stats.ledger.lost_ring, stats.ledger.taken);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/* Only NMIs can sample code that runs with interrupts disabled. */
TEST_F(pmu_sample, sees_code_with_interrupts_off)
{
	const struct record *record;
	struct tprof_lx_event event;
	long begin, size;
	__u64 nr = 0;

	begin = file_number("/sys/module/tprof_lx_burn/sections/.text");
	size = file_number("/sys/module/tprof_lx_burn/coresize");
	ASSERT_TRUE(begin < 0 && size > 0);
	self->attr.exclude_kernel = 0;
	attr_sample(&self->attr, 100003);
	ASSERT_EQ(0, event_add_full(self->fd, self->counters.backend.name,
				    &self->attr, &event));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_TRUE(wait_until(burn_with_interrupts_off(self->fd) > 1000, 60000));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE)
		nr += record->ip - begin < size;
	EXPECT_LT(10, nr);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/*
 * A full ring loses samples. The ledger counts them, and the count of the event is
 * complete.
 */
TEST_F(pmu_sample, losses_are_in_the_ledger)
{
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, session_small(self->fd, 64 << 10, 64 << 10));
	attr_sample(&self->attr, 503);
	ASSERT_EQ(0, counters_add(&self->counters, &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_LT(0, stats.ledger.lost_ring);
	EXPECT_LE(INSNS / 503, stats.ledger.taken + 1);
	EXPECT_LE(INSNS, count_sum(self->fd, 0));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(pmu_sample, written_period_applies_at_next_start)
{
	struct tprof_lx_event event;
	struct sampled sampled;

	attr_sample(&self->attr, 10007);
	ASSERT_EQ(0, event_add_full(self->fd, self->counters.backend.name,
				    &self->attr, &event));
	ASSERT_EQ(0, period_write(self->fd, TPROF_LX_SUM, 0, 20011));
	ASSERT_EQ(0, session_start(self->fd, 1));
	work(LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	ASSERT_TRUE(samples_sum_up(self->fd, &self->stream, 0, event.id, &sampled));
	EXPECT_EQ(20011, sampled.shortest);
	EXPECT_EQ(20011, sampled.longest);
	EXPECT_LE(sampled.count / 20011, sampled.taken + 1);
}

TEST_HARNESS_MAIN
