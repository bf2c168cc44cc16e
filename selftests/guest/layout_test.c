// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - records have the layout that perf_event_open(2) documents,
 * for any sample_type
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "harness/common.h"
#include "harness/test.h"

#define IP	0x123456789abcULL
#define PERIOD	4711

FIXTURE(layout) {
	int			fd;
	struct perf_event_attr	attr;
	struct tprof_lx_event	event;
	char			buf[4096];
};

FIXTURE_SETUP(layout)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	attr_init(&self->attr, 0);
	self->attr.freq = 0;
	self->attr.sample_period = PERIOD;
	self->attr.config = getpid();
}

FIXTURE_TEARDOWN(layout)
{
	close(self->fd);
}

static int emit_one(bool user)
{
	struct tprof_lx_fake_emit emit = {
		.key	= getpid(),
		.user	= user,
		.period	= PERIOD,
		.ip	= { IP },
		.count	= { 1 },
	};

	return fake_emit(&emit);
}

/* Run the event while what(@user) causes a record. Read the record to @self->buf. */
static int run(FIXTURE_DATA(layout) *self, int (*what)(bool), bool user)
{
	int err = event_add_full(self->fd, TPROF_LX_FAKE_BACKEND, &self->attr,
				 &self->event);

	err = err ?: session_start(self->fd, 1);
	err = err ?: what(user);
	err = err ?: session_stop(self->fd, 1);
	if (!err && read(self->fd, self->buf, sizeof(self->buf)) < 0)
		err = -errno;
	return err;
}

/* Return the 8 bytes at *@at, and advance *@at. */
static __u64 next(const char **at)
{
	__u64 value;

	memcpy(&value, *at, sizeof(value));
	*at += sizeof(value);
	return value;
}

#define NEXT_ID(at)							\
	({								\
		__u64 word_ = next(&(at));				\
		EXPECT_EQ(getpid(), (__u32)word_);			\
		EXPECT_EQ(getpid(), word_ >> 32);			\
	})

/* Check the fields of a sample in their order, as in perf_event_open(2). */
static void check_sample(struct __test_metadata *_metadata,
			 FIXTURE_DATA(layout) *self, __u64 before)
{
	const struct perf_event_header *header = (void *)self->buf;
	const char *at = (const char *)(header + 1);
	__u64 type = self->attr.sample_type;

	ASSERT_EQ(PERF_RECORD_SAMPLE, header->type);
	if (type & PERF_SAMPLE_IDENTIFIER) {
		EXPECT_EQ(self->event.id, next(&at));
	}
	if (type & PERF_SAMPLE_IP) {
		EXPECT_EQ(IP, next(&at));
	}
	if (type & PERF_SAMPLE_TID)
		NEXT_ID(at);
	if (type & PERF_SAMPLE_TIME) {
		__u64 time = next(&at);

		EXPECT_LE(before, time);
		EXPECT_GE(now_ns(), time);
	}
	if (type & PERF_SAMPLE_CPU) {
		EXPECT_EQ(0, next(&at));
	}
	if (type & PERF_SAMPLE_PERIOD) {
		EXPECT_EQ(PERIOD, next(&at));
	}
	EXPECT_EQ(header->size, at - self->buf);
}

TEST_F(layout, sample_fields_are_in_documented_order)
{
	static const __u64 bits[] = {
		PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
		PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD, PERF_SAMPLE_IDENTIFIER,
	};

	for (unsigned int set = 1; set < 1U << ARRAY_LEN(bits); set++) {
		__u64 before = now_ns();

		/*
		 * Test all sets of 1, 5 or 6 fields, and one in five of the others.
		 */
		if (__builtin_popcount(set) > 1 &&
		    __builtin_popcount(set) < 5 && set % 5)
			continue;
		self->attr.sample_type = 0;
		for (size_t i = 0; i < ARRAY_LEN(bits); i++)
			self->attr.sample_type |= set >> i & 1 ? bits[i] : 0;
		ASSERT_EQ(0, run(self, emit_one, true))
			TH_LOG("set %#x", set);
		check_sample(_metadata, self, before);
		close(self->fd);
		self->fd = session_open(0);
		ASSERT_LE(0, self->fd);
	}
}

TEST_F(layout, mode_is_in_the_header)
{
	const struct perf_event_header *header = (void *)self->buf;

	ASSERT_EQ(0, run(self, emit_one, true));
	EXPECT_EQ(PERF_RECORD_MISC_USER,
		  header->misc & PERF_RECORD_MISC_CPUMODE_MASK);
	close(self->fd);
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, run(self, emit_one, false));
	EXPECT_EQ(PERF_RECORD_MISC_KERNEL,
		  header->misc & PERF_RECORD_MISC_CPUMODE_MASK);
}

static int rename_us(bool unused)
{
	return prctl(PR_SET_NAME, "layout name") ? -errno : 0;
}

/* Size of a COMM record without trailer: (header) + (pid, tid) + (padded name). */
#define COMM_BYTES	(8 + 8 + 16)

TEST_F(layout, trailer_has_the_requested_fields)
{
	const struct perf_event_header *header = (void *)self->buf;
	const char *at = self->buf + COMM_BYTES;
	__u64 before = now_ns(), time;

	self->attr.comm = 1;
	ASSERT_EQ(0, run(self, rename_us, false));
	ASSERT_EQ(PERF_RECORD_COMM, header->type);
	EXPECT_STREQ("layout name", self->buf + 16);
	ASSERT_EQ(COMM_BYTES + 8 + 8 + 8 + 8, header->size);
	NEXT_ID(at);
	time = next(&at);
	EXPECT_LE(before, time);
	EXPECT_GE(now_ns(), time);
	EXPECT_GT(cpus_online(), next(&at));
	EXPECT_EQ(self->event.id, next(&at));
}

TEST_F(layout, trailer_omits_unrequested_fields)
{
	const struct perf_event_header *header = (void *)self->buf;
	const char *at = self->buf + COMM_BYTES;

	self->attr.comm = 1;
	self->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD |
				 PERF_SAMPLE_IDENTIFIER;
	ASSERT_EQ(0, run(self, rename_us, false));
	ASSERT_EQ(PERF_RECORD_COMM, header->type);
	ASSERT_EQ(COMM_BYTES + 8, header->size);
	EXPECT_EQ(self->event.id, next(&at));
}

TEST_F(layout, no_trailer_without_sample_id_all)
{
	const struct perf_event_header *header = (void *)self->buf;

	self->attr.comm = 1;
	self->attr.sample_id_all = 0;
	ASSERT_EQ(0, run(self, rename_us, false));
	ASSERT_EQ(PERF_RECORD_COMM, header->type);
	EXPECT_EQ(COMM_BYTES, header->size);
}

static __u64 clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

TEST_F(layout, time_is_of_the_requested_clock)
{
	static const clockid_t clocks[] = {
		CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME,
		CLOCK_BOOTTIME, CLOCK_TAI,
	};

	self->attr.sample_type = PERF_SAMPLE_TIME;
	for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
		const char *at = self->buf + sizeof(struct perf_event_header);
		__u64 before = clock_ns(clocks[i]), time;

		self->attr.clockid = clocks[i];
		ASSERT_EQ(0, run(self, emit_one, true));
		time = next(&at);
		/* An NMI-safe clock may be inexact while timekeeping adjusts it. */
		EXPECT_LE(before, time + NSEC_PER_MSEC)
			TH_LOG("clock %d", clocks[i]);
		EXPECT_GE(clock_ns(clocks[i]) + NSEC_PER_MSEC, time)
			TH_LOG("clock %d", clocks[i]);
		close(self->fd);
		self->fd = session_open(0);
		ASSERT_LE(0, self->fd);
	}
}

TEST_HARNESS_MAIN
