// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - every single sample is accounted for
 *
 * The back end "fake" puts the number of each sample into its program counter, so
 * the test notices each sample that is missing from the stream.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

/* PERF_RECORD_LOST_SAMPLES, which older kernel headers lack. */
#define RECORD_LOST_SAMPLES	13

#define CONTEXT_SHIFT	40
#define SPAN		(1ULL << CONTEXT_SHIFT)

FIXTURE(loss) {
	int				fd;
	__u32				key;
	struct tprof_lx_info		info;
	struct tprof_lx_fake_emit	emit;
	struct stream			stream;
};

/* Samples without the CPU are common ones. Other functions write them: see sample.c. */
FIXTURE_VARIANT(loss) {
	bool	omits_cpu;
};

#define SAMPLES(name, omits_cpu_)					\
	FIXTURE_VARIANT_ADD(loss, name) {				\
		.omits_cpu	= omits_cpu_,				\
	}

SAMPLES(any, false);
SAMPLES(common, true);

FIXTURE_SETUP(loss)
{
	self->stream.omits_cpu = variant->omits_cpu;
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, session_info(self->fd, &self->info));
	self->emit.key = self->key;
	self->emit.user = 1;
	self->emit.batch = 10;
	self->emit.period = 1000;
	self->emit.span = SPAN;
	for (__u64 i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++)
		self->emit.ip[i] = (i + 1) << CONTEXT_SHIFT;
}

FIXTURE_TEARDOWN(loss)
{
	stream_free(&self->stream);
	close(self->fd);
}

/* Initialize @attr for the event of the back end with @key. */
static void init_attr(struct perf_event_attr *attr, const FIXTURE_VARIANT(loss) *variant,
		      __u32 key)
{
	attr_fake(attr, key);
	if (variant->omits_cpu)
		attr_omit_cpu(attr);
}

static int add_event(FIXTURE_DATA(loss) *self, const FIXTURE_VARIANT(loss) *variant)
{
	struct perf_event_attr attr;

	init_attr(&attr, variant, self->key);
	return event_add(self->fd, TPROF_LX_FAKE_BACKEND, &attr);
}

/* Configure the minimum sizes of the rings and of the fifo. */
static int shrink(FIXTURE_DATA(loss) *self)
{
	return session_small(self->fd, self->info.ring_min,
			     self->info.fifo_min);
}

/**
 * struct tally - sums over the samples and losses in a stream
 * @next:	one past the number of the last sample, for each CPU and context
 * @samples:	number of samples
 * @lost:	number of lost samples, from the LOST_SAMPLES records
 * @disorder:	number of samples that were duplicated or in the wrong order
 */
struct tally {
	__u64	next[8][TPROF_LX_FAKE_CONTEXTS];
	__u64	samples;
	__u64	lost;
	__u64	disorder;
};

static void tally_add(struct tally *tally, const struct stream *stream)
{
	const struct record *record;

	for_each_record(record, stream) {
		__u64 *next;

		if (record->header->type == RECORD_LOST_SAMPLES)
			tally->lost += *(const __u64 *)record->body;
		if (record->header->type != PERF_RECORD_SAMPLE)
			continue;
		next = &tally->next[record->cpu % 8]
				   [((record->ip >> CONTEXT_SHIFT) - 1) % 4];
		tally->disorder += record->ip % SPAN < *next;
		*next = record->ip % SPAN + 1;
		tally->samples++;
	}
}

TEST_F(loss, every_context_delivers_exactly)
{
	for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++) {
		struct tally tally = {};

		self->emit.count[i] = 3000;
		if (!i) {
			ASSERT_EQ(0, add_event(self, variant));
		}
		ASSERT_EQ(0, session_start(self->fd, 1));
		ASSERT_EQ(0, fake_emit(&self->emit));
		ASSERT_EQ(3000, self->emit.emitted[i]);
		ASSERT_EQ(0, session_stop(self->fd, 1));
		ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
		tally_add(&tally, &self->stream);
		EXPECT_EQ(3000, tally.samples)
			TH_LOG("context %d", i);
		EXPECT_EQ(3000, tally.next[0][i]);
		EXPECT_EQ(0, tally.disorder);
		EXPECT_EQ(0, tally.lost);
		self->emit.count[i] = 0;
		stream_free(&self->stream);
	}
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(loss, nested_contexts_deliver_exactly)
{
	struct tally tally = {};

	for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++)
		self->emit.count[i] = 4000;
	ASSERT_EQ(0, add_event(self, variant));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_emit(&self->emit));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	tally_add(&tally, &self->stream);
	EXPECT_EQ(16000, tally.samples);
	for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++) {
		EXPECT_EQ(4000, tally.next[0][i])
			TH_LOG("context %d", i);
	}
	EXPECT_EQ(0, tally.disorder);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(loss, full_ring_reports_its_losses_exactly)
{
	struct tprof_lx_stats stats;
	struct tally tally = {};

	for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++)
		self->emit.count[i] = 2000;
	ASSERT_EQ(0, shrink(self));
	ASSERT_EQ(0, add_event(self, variant));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_emit(&self->emit));
	ASSERT_EQ(0, session_stop(self->fd, 1));

	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_EQ(fake_emitted(&self->emit), stats.ledger.taken);
	EXPECT_EQ(8000, stats.ledger.queued + stats.ledger.lost_ring);
	EXPECT_LT(0, stats.ledger.lost_ring);
	EXPECT_EQ(0, stats.ledger.delivered);

	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	tally_add(&tally, &self->stream);
	EXPECT_EQ(stats.ledger.queued, tally.samples);
	EXPECT_EQ(stats.ledger.lost_ring, tally.lost);
	EXPECT_EQ(0, tally.disorder);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

/* Let a flood of samples of @context exceed the ring three times. Read all records. */
static void lose_thrice(struct __test_metadata *_metadata,
			FIXTURE_DATA(loss) *self, const FIXTURE_VARIANT(loss) *variant,
			int context)
{
	ASSERT_EQ(0, shrink(self));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, add_event(self, variant));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int i = 0; i < 3; i++) {
		self->emit.count[context] = 4000;
		ASSERT_EQ(0, fake_emit(&self->emit));
		ASSERT_EQ(4000, self->emit.emitted[context]);
		self->emit.ip[context] += 4000;
		/*
		 * Read all records, so that LOST_SAMPLES is written before further
		 * samples are lost.
		 */
		ASSERT_EQ(0, stream_flush(&self->stream, self->fd));
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
}

/*
 * For each gap in the numbers of the samples, a LOST_SAMPLES record stands between the
 * last sample before the gap and the first sample after it. The record contains the
 * number of missing samples.
 */
static void expect_gaps(struct __test_metadata *_metadata,
			FIXTURE_DATA(loss) *self)
{
	const struct record *record;
	__u64 expected = 0, gaps = 0;

	for_each_record(record, &self->stream) {
		if (record->header->type == RECORD_LOST_SAMPLES) {
			expected += *(const __u64 *)record->body;
			gaps++;
		} else if (record->header->type == PERF_RECORD_SAMPLE) {
			ASSERT_EQ(expected, record->ip % SPAN);
			expected++;
		}
	}
	EXPECT_EQ(12000, expected);
	EXPECT_LE(3, gaps);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(loss, loss_is_recorded_where_it_happened)
{
	lose_thrice(_metadata, self, variant, TPROF_LX_FAKE_TASK);
	expect_gaps(_metadata, self);
}

/*
 * NMIs and tasks use different functions to write to the ring: see
 * tprof_lane_nmi_begin().
 */
TEST_F(loss, loss_in_nmi_is_recorded_where_it_happened)
{
	lose_thrice(_metadata, self, variant, TPROF_LX_FAKE_NMI);
	expect_gaps(_metadata, self);
}

/*
 * The loss must be recorded before STOP and before the next sample: the reader may exit
 * before STOP, and the next sample may come hours later.
 */
TEST_F(loss, loss_is_recorded_without_a_further_sample)
{
	struct tprof_lx_stats stats;
	struct tally tally = {};

	ASSERT_EQ(0, shrink(self));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, add_event(self, variant));
	ASSERT_EQ(0, session_start(self->fd, 1));
	self->emit.count[0] = 4000;
	ASSERT_EQ(0, fake_emit(&self->emit));
	ASSERT_EQ(0, stream_flush(&self->stream, self->fd));
	ASSERT_EQ(0, stream_index(&self->stream));
	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_LT(0, stats.ledger.lost_ring);
	tally_add(&tally, &self->stream);
	EXPECT_EQ(stats.ledger.lost_ring, tally.lost);
	EXPECT_EQ(4000, tally.samples + tally.lost);

	/* STOP does not record the loss again. */
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	tally = (struct tally){};
	tally_add(&tally, &self->stream);
	EXPECT_EQ(stats.ledger.lost_ring, tally.lost);
}

TEST_F(loss, loss_is_recorded_per_event)
{
	struct tprof_lx_event events[2];
	struct perf_event_attr attr;
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, shrink(self));
	for (int i = 0; i < 2; i++) {
		init_attr(&attr, variant, self->key + i);
		ASSERT_EQ(0, event_add_full(self->fd, "fake", &attr,
					    &events[i]));
	}
	ASSERT_EQ(0, session_start(self->fd, 3));
	for (int i = 0; i < 2; i++) {
		self->emit.key = self->key + i;
		self->emit.count[0] = 5000 + 1000 * i;
		ASSERT_EQ(0, fake_emit(&self->emit));
	}
	ASSERT_EQ(0, session_stop(self->fd, 3));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));

	for (int i = 0; i < 2; i++) {
		const struct record *record;
		__u64 lost = 0;

		for_each_record_type(record, &self->stream, RECORD_LOST_SAMPLES)
			if (record->id == events[i].id)
				lost += *(const __u64 *)record->body;
		ASSERT_EQ(0, session_stats(self->fd, 0, i, &stats));
		EXPECT_EQ(5000 + 1000 * i, stats.ledger.taken);
		EXPECT_LT(0, lost);
		EXPECT_EQ(stats.ledger.lost_ring, lost);
	}
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
}

/* A flood of samples does not cause losses of side-band records. */
TEST_F(loss, side_band_survives_a_flood)
{
	struct perf_event_attr attr;
	struct tprof_lx_stats stats;
	struct tally tally = {};

	init_attr(&attr, variant, self->key);
	attr.comm = 1;
	ASSERT_EQ(0, shrink(self));
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, shrink(self));
	ASSERT_EQ(0, event_add(self->fd, "fake", &attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	self->emit.count[0] = 8000;
	ASSERT_EQ(0, fake_emit(&self->emit));
	for (int i = 0; i < 10; i++) {
		char name[16];

		snprintf(name, sizeof(name), "flood-%d", i);
		ASSERT_EQ(0, prctl(PR_SET_NAME, name));
		ASSERT_EQ(0, fake_emit(&self->emit));
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM,
				   &stats));
	EXPECT_LT(80000, stats.ledger.lost_ring);
	EXPECT_EQ(0, stats.side_lost);
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_LE(10, stream_count(&self->stream, PERF_RECORD_COMM));
	tally_add(&tally, &self->stream);
	EXPECT_EQ(stats.ledger.lost_ring, tally.lost);
}

/* A thread that reads to the end of the session, with pauses. */
struct stop_and_go {
	int		fd;
	bool		omits_cpu;
	struct tally	tally;
	int		ret;
};

static void *stop_and_go(void *arg)
{
	struct stop_and_go *reader = arg;
	struct stream stream = { .omits_cpu = reader->omits_cpu };
	unsigned int seed = 1;

	do {
		__u64 pause = now_ns() + rand_r(&seed) % 30 * NSEC_PER_MSEC;
		int nr_reads = rand_r(&seed) % 60;

		while (now_ns() < pause)
			nap();
		do {
			reader->ret = stream_read_portion(&stream, reader->fd);
			if (reader->ret > 0)
				tally_add(&reader->tally, &stream);
		} while (reader->ret > 0 && nr_reads--);
	} while (reader->ret > 0);
	stream_free(&stream);
	return NULL;
}

TEST_F_TIMEOUT(loss, five_million_samples_with_intermittent_reader, 800)
{
	const __u64 nr_rounds = 10, per_context = 125000;
	struct stop_and_go reader = { .fd = self->fd, .omits_cpu = variant->omits_cpu };
	struct tprof_lx_stats stats;
	pthread_t thread;

	/*
	 * The reader inherits this affinity, so it runs on a CPU that is not
	 * sampled.
	 */
	if (cpus_online() > 1) {
		ASSERT_EQ(0, cpu_pin(1));
	}
	ASSERT_EQ(0, session_small(self->fd, 128 << 10, 256 << 10));
	ASSERT_EQ(0, add_event(self, variant));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, pthread_create(&thread, NULL, stop_and_go, &reader));
	ASSERT_EQ(0, cpu_pin(0));

	self->emit.batch = 250;
	for (__u64 round = 0; round < nr_rounds; round++) {
		for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++)
			self->emit.count[i] = per_context;
		ASSERT_EQ(0, fake_emit(&self->emit));
		ASSERT_EQ(4 * per_context, fake_emitted(&self->emit));
		for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++)
			self->emit.ip[i] += per_context;
	}
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	ASSERT_EQ(0, reader.ret);

	ASSERT_EQ(0, session_stats(self->fd, 0, 0, &stats));
	EXPECT_EQ(5000000, stats.ledger.taken);
	EXPECT_EQ(reader.tally.samples, stats.ledger.delivered);
	EXPECT_EQ(reader.tally.lost, stats.ledger.lost_ring);
	EXPECT_EQ(5000000, reader.tally.samples + reader.tally.lost);
	EXPECT_EQ(0, reader.tally.disorder);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
	TH_LOG("%llu delivered, %llu lost",
	       reader.tally.samples, reader.tally.lost);
}

TEST_HARNESS_MAIN
