// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - rates from 1 Hz to 50 kHz
 *
 * The number of ticks must match the rate. A tick either is a sample, or was late
 * and was merged into the next sample, which has the periods of both.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(rate) {
	int		fd;
	struct stream	stream;
};

FIXTURE_VARIANT(rate) {
	const char	*backend;
	__u64		hz;
};

#define RATE(backend_, hz_)						\
	FIXTURE_VARIANT_ADD(rate, backend_##_##hz_) {			\
		.backend	= #backend_,				\
		.hz		= hz_,					\
	}

RATE(nmi, 1);
RATE(nmi, 10);
RATE(nmi, 100);
RATE(nmi, 1000);
RATE(nmi, 10000);
RATE(nmi, 50000);
RATE(timer, 1);
RATE(timer, 10);
RATE(timer, 100);
RATE(timer, 1000);
RATE(timer, 10000);
RATE(timer, 50000);

FIXTURE_SETUP(rate)
{
	/* The ring holds all samples, so none is lost if the host stops the worker's CPU. */
	unsigned char cpus[32] = { 1 };
	struct tprof_lx_config config = {
		.cpus		= (unsigned long)cpus,
		.cpus_bytes	= sizeof(cpus),
		.ring_bytes	= 8 << 20,
		.watermark	= 512 << 10,
	};

	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, session_config(self->fd, &config));
	self->stream.omits_cpu = true;
}

FIXTURE_TEARDOWN(rate)
{
	stream_free(&self->stream);
	close(self->fd);
}

TEST_F(rate, ticks_match_the_rate)
{
	/* Run at 1 Hz for four seconds, and at all other rates for two seconds. */
	unsigned int ms = variant->hz < 10 ? 4000 : 2000;
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	struct tprof_lx_stats stats;
	__u64 begin, began, end, ticks, least, most, periods = 0;
	const struct record *record;

	attr_init(&attr, variant->hz);
	attr_omit_cpu(&attr);
	ASSERT_EQ(0, event_add_full(self->fd, variant->backend, &attr, &event));
	EXPECT_EQ(NSEC_PER_SEC / variant->hz, event.period);
	begin = now_ns();
	ASSERT_EQ(0, session_start(self->fd, 1));
	began = now_ns();
	spin_ms(ms);
	end = now_ns();
	ASSERT_EQ(0, session_stop(self->fd, 1));
	least = (end - began) * variant->hz / NSEC_PER_SEC;
	most = (now_ns() - begin) * variant->hz / NSEC_PER_SEC;
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	ticks = stats.ledger.taken + stats.ticks_merged;
	/*
	 * Ticks that are pending when the event stops are not counted. If the host is
	 * busy, many ticks may be pending.
	 */
	EXPECT_LE(least, ticks + least / 8 + variant->hz / 2 + 1);
	EXPECT_GE(most + most / 8 + 1, ticks);
	EXPECT_LE(1, stats.ledger.delivered);
	EXPECT_EQ(0, stats.ledger.lost_ring);
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE)
		periods += record->period;
	EXPECT_EQ(ticks * event.period, periods);
	/* At a low rate, at least half of the ticks are samples. */
	if (variant->hz <= 100) {
		EXPECT_LE(least, 2 * stats.ledger.taken + 1);
	}
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
	TH_LOG("%llu samples and %llu merged ticks of %llu to %llu", stats.ledger.taken,
	       stats.ticks_merged, least, most);
}

/* A new value of the parameter takes effect at once. */
TEST(rate_maximum_is_adjustable)
{
	const char *path = "/sys/module/tprof_lx/parameters/max_rate";
	long usual = file_number(path);
	int fd = session_open(0);
	char text[32];

	ASSERT_LE(0, fd);
	ASSERT_LE(50000, usual);
	ASSERT_EQ(0, file_write(path, "2000"));
	EXPECT_EQ(-ERANGE, event_clock(fd, "timer", 2001));
	EXPECT_EQ(0, event_clock(fd, "timer", 2000));
	snprintf(text, sizeof(text), "%ld", usual);
	ASSERT_EQ(0, file_write(path, text));
	EXPECT_EQ(1, event_clock(fd, "timer", 2001));
	close(fd);
}

TEST_HARNESS_MAIN
