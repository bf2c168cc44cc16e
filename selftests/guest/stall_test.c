// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - events that wait for room in the ring
 *
 * With the smallest buffers and no reader, an event fills the fifo and then the ring of CPU 0,
 * and stalls.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/stream.h"
#include "harness/test.h"

/* More than the samples that fit into the smallest ring. */
#define RINGFUL		1000

/* Number of calls of fill_fifo() after which the fifo must be full. */
#define MAX_FILLS	100

FIXTURE(stall) {
	int				fd;
	__u32				key;
	struct tprof_lx_info		info;
	struct tprof_lx_event		event;
	struct tprof_lx_fake_emit	emit;
	struct tprof_lx_stats		stats;
	struct stream			stream;
};

static int open_small(FIXTURE_DATA(stall) *self)
{
	int err;

	self->fd = session_open(O_NONBLOCK);
	if (self->fd < 0)
		return self->fd;
	err = session_info(self->fd, &self->info);
	return err ?: session_small(self->fd, self->info.ring_min, self->info.fifo_min);
}

FIXTURE_SETUP(stall)
{
	self->key = getpid();
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, open_small(self));
	self->emit.key = self->key;
	self->emit.batch = 10;
	self->emit.period = 1000;
}

FIXTURE_TEARDOWN(stall)
{
	cpu_set_online(1, true);
	stream_free(&self->stream);
	close(self->fd);
}

static int add(FIXTURE_DATA(stall) *self, __u32 flags)
{
	struct perf_event_attr attr;

	attr_init(&attr, 0);
	attr.config = self->key;
	attr.freq = 0;
	attr.sample_period = TPROF_LX_FAKE_MIN_PERIOD;
	return event_add_with(self->fd, TPROF_LX_FAKE_BACKEND, &attr, flags, &self->event);
}

static int begin(FIXTURE_DATA(stall) *self)
{
	return add(self, TPROF_LX_EVENT_STALL) ?: session_start(self->fd, ALL_EVENTS);
}

/* Let the event overflow @nr times in @context. A stalled event does not. */
static int emit(FIXTURE_DATA(stall) *self, int context, __u64 nr)
{
	memset(self->emit.count, 0, sizeof(self->emit.count));
	self->emit.count[context] = nr;
	return fake_emit(&self->emit);
}

static int look(FIXTURE_DATA(stall) *self)
{
	return session_stats(self->fd, TPROF_LX_SUM, self->event.index, &self->stats);
}

/*
 * Overflow until the worker has found the fifo full, and then until the event stalls. It stays
 * stalled until records are read, even if its ring was emptied last.
 */
static int stall_in(FIXTURE_DATA(stall) *self, int context)
{
	int fills = 0, err;

	do {
		err = emit(self, context, RINGFUL) ?: session_flush(self->fd);
	} while (!err && ++fills < MAX_FILLS);
	return err == -EAGAIN ? emit(self, context, RINGFUL) : err ?: -ETIMEDOUT;
}

/*
 * Check that each stall has one record of each kind, and has cost a sample. It costs more if
 * other contexts interrupt the first one before the event has stopped.
 */
static void expect_balance(struct __test_metadata *_metadata, FIXTURE_DATA(stall) *self)
{
	const struct record *record;
	__u64 ends = 0, begins = 0, last = 0;

	EXPECT_LE(self->stats.stalls, self->stats.ledger.lost_ring);
	EXPECT_EQ(0, self->stats.side_lost);
	for_each_record(record, &self->stream) {
		__u32 type = record->header->type;
		const __u64 *body = record->body;

		if (type != PERF_RECORD_THROTTLE && type != PERF_RECORD_UNTHROTTLE)
			continue;
		ASSERT_EQ(24, record->body_bytes);
		EXPECT_EQ(record->time, body[0]);
		EXPECT_EQ(self->event.id, body[1]);
		EXPECT_EQ(self->event.id, body[2]);
		EXPECT_LE(last, record->time);
		last = record->time;
		begins += type == PERF_RECORD_THROTTLE;
		ends += type == PERF_RECORD_UNTHROTTLE;
		/* They alternate: no stall is under way twice. */
		EXPECT_EQ(type == PERF_RECORD_THROTTLE, begins - ends);
	}
	EXPECT_EQ(self->stats.stalls, begins);
	EXPECT_EQ(begins, ends);
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

static void stop_and_check(struct __test_metadata *_metadata, FIXTURE_DATA(stall) *self)
{
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(self->stats.ledger.taken,
		  self->stats.ledger.delivered + self->stats.ledger.lost_ring);
	expect_balance(_metadata, self);
}

static void stall_and_go_on(struct __test_metadata *_metadata, FIXTURE_DATA(stall) *self,
			    int context)
{
	__u64 taken, stalls, ns;

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, stall_in(self, context));
	ASSERT_EQ(0, look(self));
	taken = self->stats.ledger.taken;
	stalls = self->stats.stalls;
	ns = self->stats.stalled_ns;
	EXPECT_LT(0, stalls);
	EXPECT_LT(0, ns);

	ASSERT_EQ(0, emit(self, context, RINGFUL));
	EXPECT_EQ(RINGFUL, self->emit.emitted[context]);
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(taken, self->stats.ledger.taken);
	EXPECT_EQ(stalls, self->stats.stalls);
	EXPECT_LT(ns, self->stats.stalled_ns);

	ASSERT_EQ(0, stream_flush(&self->stream, self->fd));
	ASSERT_EQ(0, look(self));
	ns = self->stats.stalled_ns;
	ASSERT_EQ(0, emit(self, context, 10));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(taken + 10, self->stats.ledger.taken);
	EXPECT_EQ(ns, self->stats.stalled_ns);
	stop_and_check(_metadata, self);
	EXPECT_EQ(ns, self->stats.stalled_ns);
	EXPECT_EQ(self->stats.stalls, self->stats.ledger.lost_ring);
}

TEST_F(stall, event_of_a_task_waits_for_room)
{
	stall_and_go_on(_metadata, self, TPROF_LX_FAKE_TASK);
}

TEST_F(stall, event_in_softirq_waits_for_room)
{
	stall_and_go_on(_metadata, self, TPROF_LX_FAKE_SOFTIRQ);
}

TEST_F(stall, event_in_hardirq_waits_for_room)
{
	stall_and_go_on(_metadata, self, TPROF_LX_FAKE_HARDIRQ);
}

TEST_F(stall, event_in_nmi_waits_for_room)
{
	stall_and_go_on(_metadata, self, TPROF_LX_FAKE_NMI);
}

/* With a reader, stalls begin and end all the time, in contexts that interrupt each other. */
TEST_F(stall, stalls_of_all_contexts_add_up)
{
	ASSERT_EQ(0, begin(self));
	for (int i = 0; i < 30; i++) {
		memset(self->emit.count, 0, sizeof(self->emit.count));
		for (int context = 0; context < TPROF_LX_FAKE_CONTEXTS; context++)
			self->emit.count[context] = RINGFUL;
		ASSERT_EQ(0, fake_emit(&self->emit));
		ASSERT_EQ(0, stream_flush(&self->stream, self->fd));
	}
	stop_and_check(_metadata, self);
	EXPECT_LT(0, self->stats.stalls);
	EXPECT_LT(0, self->stats.stalled_ns);
}

TEST_F(stall, stop_ends_a_stall)
{
	__u64 taken;

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, stall_in(self, TPROF_LX_FAKE_NMI));
	stop_and_check(_metadata, self);

	taken = self->stats.ledger.taken;
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, emit(self, TPROF_LX_FAKE_NMI, 10));
	stop_and_check(_metadata, self);
	EXPECT_EQ(taken + 10, self->stats.ledger.taken);
}

TEST_F(stall, event_can_be_released_in_a_stall)
{
	struct tprof_lx_release release = {
		.size	= sizeof(release),
	};

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, stall_in(self, TPROF_LX_FAKE_TASK));
	release.event = self->event.index;
	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_RELEASE, &release));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	ASSERT_EQ(0, session_small(self->fd, self->info.ring_min, self->info.fifo_min));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, emit(self, TPROF_LX_FAKE_TASK, 10));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(10, self->stats.ledger.taken);
	EXPECT_EQ(0, self->stats.stalls);
}

TEST_F(stall, session_can_be_closed_in_a_stall)
{
	int left = sessions_left();

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, stall_in(self, TPROF_LX_FAKE_NMI));
	close(self->fd);
	EXPECT_EQ(left - 1, sessions_left());
	ASSERT_EQ(0, open_small(self));
}

TEST_F(stall, other_events_do_not_wait)
{
	struct tprof_lx_event waiting;

	ASSERT_EQ(0, add(self, TPROF_LX_EVENT_STALL));
	waiting = self->event;
	self->key++;
	ASSERT_EQ(0, add(self, 0));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stall_in(self, TPROF_LX_FAKE_TASK));
	self->emit.key = self->key;
	ASSERT_EQ(0, emit(self, TPROF_LX_FAKE_TASK, RINGFUL));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(RINGFUL, self->stats.ledger.taken);
	EXPECT_LT(0, self->stats.ledger.lost_ring);
	EXPECT_EQ(0, self->stats.stalls);
	self->event = waiting;
	ASSERT_EQ(0, look(self));
	EXPECT_LT(0, self->stats.stalls);
	EXPECT_EQ(self->stats.stalls, self->stats.ledger.lost_ring);
}

TEST_F(stall, offline_cpu_ends_a_stall)
{
	__u64 taken, ns;

	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		SKIP(return, "CPU 1 cannot be taken offline");
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, stall_in(self, TPROF_LX_FAKE_TASK));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, look(self));
	taken = self->stats.ledger.taken;
	ns = self->stats.stalled_ns;
	EXPECT_LT(0, ns);
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(ns, self->stats.stalled_ns);

	/* CPU 1 begins anew, and stalls again. */
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, cpu_pin(1));
	ASSERT_EQ(0, emit(self, TPROF_LX_FAKE_TASK, RINGFUL));
	ASSERT_EQ(0, look(self));
	EXPECT_LT(taken, self->stats.ledger.taken);
	EXPECT_GT(taken + RINGFUL, self->stats.ledger.taken);
	EXPECT_LT(ns, self->stats.stalled_ns);
	stop_and_check(_metadata, self);
}

static void *take_cpu_1_offline(void *delay_us)
{
	usleep(*(int *)delay_us);
	return cpu_set_online(1, false) ? delay_us : NULL;
}

/* STOP stops the events first, and ends their stalls after a while. */
TEST_F(stall, stop_ends_the_stall_of_a_cpu_that_goes_offline)
{
	pthread_t thread;
	void *failed;
	__u64 ns;

	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		SKIP(return, "CPU 1 cannot be taken offline");
	for (int delay_us = 0; delay_us < 10000; delay_us += 1000) {
		ASSERT_EQ(0, begin(self));
		ASSERT_EQ(0, cpu_pin(1));
		ASSERT_EQ(0, stall_in(self, TPROF_LX_FAKE_TASK));
		ASSERT_EQ(0, cpu_pin(0));
		ASSERT_EQ(0, pthread_create(&thread, NULL, take_cpu_1_offline, &delay_us));
		ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
		ASSERT_EQ(0, pthread_join(thread, &failed));
		ASSERT_EQ(NULL, failed);
		ASSERT_EQ(0, look(self));
		ns = self->stats.stalled_ns;
		ASSERT_EQ(0, look(self));
		EXPECT_EQ(ns, self->stats.stalled_ns);
		close(self->fd);
		ASSERT_EQ(0, cpu_set_online(1, true));
		ASSERT_EQ(0, open_small(self));
	}
}

TEST_F(stall, only_sampling_events_can_stall)
{
	struct tprof_lx_event event;
	struct perf_event_attr attr;

	EXPECT_TRUE(self->info.features & TPROF_LX_FEATURE_STALL);
	attr_count(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	EXPECT_EQ(-EINVAL, event_add_with(self->fd, "tsc", &attr, TPROF_LX_EVENT_STALL, &event));
	attr_init(&attr, 1000);
	EXPECT_EQ(0, event_add_with(self->fd, "timer", &attr, TPROF_LX_EVENT_STALL, &event));
}

TEST_F(stall, back_end_may_be_unable_to_stall)
{
	struct perf_event_attr attr;

	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = TPROF_LX_FAKE_MIN_PERIOD;
	ASSERT_EQ(0, fake_registry(TPROF_LX_FAKE_REGISTER_SECOND));
	EXPECT_EQ(-EOPNOTSUPP, event_add_with(self->fd, TPROF_LX_FAKE_SECOND, &attr,
					      TPROF_LX_EVENT_STALL, &self->event));
	EXPECT_EQ(0, event_add_with(self->fd, TPROF_LX_FAKE_SECOND, &attr, 0, &self->event));
	close(self->fd);
	EXPECT_EQ(0, fake_registry(TPROF_LX_FAKE_UNREGISTER_SECOND));
	ASSERT_EQ(0, open_small(self));
}

/* Return the number of samples on CPU 0, which the test runs on. */
static __u64 nr_taken(FIXTURE_DATA(stall) *self)
{
	return session_taken(self->fd, 0, self->event.index);
}

/*
 * Return true if the fifo is full and the event is stalled: the time of its stalls grows. So
 * it stays stalled until records are read.
 */
static bool is_stuck(FIXTURE_DATA(stall) *self)
{
	struct tprof_lx_stats before, after;

	if (session_flush(self->fd) != -EAGAIN ||
	    session_stats(self->fd, 0, self->event.index, &before))
		return false;
	nap();
	return !session_stats(self->fd, 0, self->event.index, &after) &&
	       after.stalls == before.stalls && after.stalled_ns > before.stalled_ns;
}

/* Use CPU 0 in user mode, and let it switch tasks. */
static void use_cpu(void)
{
	work(100000);
	nap();
}

/* Let a real event of CPU 0 stall. It takes no sample until the records are read. */
static void stall_really(struct __test_metadata *_metadata, FIXTURE_DATA(stall) *self,
			 const char *backend, const struct perf_event_attr *attr, __u32 flags)
{
	struct tprof_lx_count before = {}, after = {};
	__u64 taken;
	bool counts;

	ASSERT_EQ(0, event_add_with(self->fd, backend, attr, flags | TPROF_LX_EVENT_STALL,
				    &self->event));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_TRUE(wait_until((use_cpu(), is_stuck(self)), 60000));
	taken = nr_taken(self);
	counts = !count_read(self->fd, 0, self->event.index, &before);
	for (int i = 0; i < 20; i++)
		use_cpu();
	EXPECT_EQ(taken, nr_taken(self));
	if (counts) {
		ASSERT_EQ(0, count_read(self->fd, 0, self->event.index, &after));
		EXPECT_EQ(before.value, after.value);
	}

	/* It goes on, and after STOP it can start again. */
	EXPECT_TRUE(wait_until((stream_flush(&self->stream, self->fd), use_cpu(),
				nr_taken(self) > taken + 10),
			       60000));
	if (counts) {
		ASSERT_EQ(0, count_read(self->fd, 0, self->event.index, &after));
		EXPECT_LT(before.value, after.value);
	}
	ASSERT_TRUE(wait_until((use_cpu(), is_stuck(self)), 60000));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
	EXPECT_EQ(stream_count(&self->stream, PERF_RECORD_THROTTLE),
		  stream_count(&self->stream, PERF_RECORD_UNTHROTTLE));
	taken = nr_taken(self);
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	EXPECT_TRUE(wait_until((use_cpu(), nr_taken(self) > taken + 10), 60000));
}

TEST_F(stall, clock_nmi_stalls)
{
	struct perf_event_attr attr;

	attr_init(&attr, 10000);
	stall_really(_metadata, self, "nmi", &attr, 0);
}

TEST_F(stall, clock_timer_stalls)
{
	struct perf_event_attr attr;

	attr_init(&attr, 10000);
	stall_really(_metadata, self, "timer", &attr, 0);
}

TEST_F(stall, software_event_stalls)
{
	struct perf_event_attr attr;

	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = 1;
	attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	stall_really(_metadata, self, "soft", &attr, 0);
}

/* Let an event of the counters stall. With @flags, its gate opens and closes meanwhile. */
static void stall_counter(struct __test_metadata *_metadata, FIXTURE_DATA(stall) *self,
			  bool counts_kernel, __u32 flags)
{
	struct counters counters;
	struct perf_event_attr attr;

	ASSERT_EQ(0, counters_open(&counters));
	close(counters.fd);
	if (counters.why_not)
		SKIP(return, "%s", counters.why_not);
	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = 2000;
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.exclude_kernel = !counts_kernel;
	if (flags & TPROF_LX_EVENT_PROCESS) {
		ASSERT_EQ(0, session_attach(self->fd, getpid(), 0));
	}
	stall_really(_metadata, self, counters.backend.name, &attr, flags);
}

TEST_F(stall, counter_of_user_mode_stalls)
{
	stall_counter(_metadata, self, false, 0);
}

TEST_F(stall, counter_of_all_modes_stalls)
{
	stall_counter(_metadata, self, true, 0);
}

TEST_F(stall, gate_does_not_start_a_stalled_counter)
{
	stall_counter(_metadata, self, false, TPROF_LX_EVENT_PROCESS);
}

TEST_HARNESS_MAIN
