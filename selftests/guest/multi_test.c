// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - several sessions, and the maximum number of events
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

#define NR_SESSIONS	8

static size_t count_id(const struct stream *stream, __u64 id)
{
	const struct record *record;
	size_t count = 0;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE)
		count += record->id == id;
	return count;
}

/* Return true if each session has taken at least @least samples of each event. */
static bool have_taken(const int *fds, int nr_fds, __u32 nr_events, __u64 least)
{
	for (int i = 0; i < nr_fds; i++)
		for (__u32 event = 0; event < nr_events; event++)
			if (session_taken(fds[i], TPROF_LX_SUM, event) < least)
				return false;
	return true;
}

TEST(sessions_run_side_by_side)
{
	struct tprof_lx_stats stats;
	struct stream stream = {};
	int fds[NR_SESSIONS];

	for (int i = 0; i < NR_SESSIONS; i++) {
		fds[i] = session_open(0);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, event_clock(fds[i], "nmi", 300 + i));
		ASSERT_EQ(1, event_clock(fds[i], "timer", 300 + i));
		ASSERT_EQ(0, session_start(fds[i], 3));
	}
	spin_ms(500);
	EXPECT_TRUE(wait_until(have_taken(fds, NR_SESSIONS, 2, 51), 12000));
	for (int i = 0; i < NR_SESSIONS; i++) {
		ASSERT_EQ(0, session_stop(fds[i], 3));
		ASSERT_EQ(0, stream_read_all(&stream, fds[i]));
		for (__u32 event = 0; event < 2; event++) {
			ASSERT_EQ(0, session_stats(fds[i], TPROF_LX_SUM, event,
						   &stats));
			EXPECT_LT(50, stats.ledger.delivered);
			EXPECT_EQ(0, stats.ledger.lost_ring);
		}
		EXPECT_EQ(stats.bytes_read, stream.bytes);
		EXPECT_TRUE(ledgers_add_up(fds[i], 2));
		close(fds[i]);
		stream_free(&stream);
	}
}

static int list_sessions(int fd, struct tprof_lx_session *list, __u32 room,
			 __u32 entry_bytes, __u32 *nr)
{
	struct tprof_lx_sessions arg = {
		.size		= sizeof(arg),
		.nr_sessions	= room,
		.session_size	= entry_bytes,
		.sessions	= (unsigned long)list,
	};
	int err = session_ioctl(fd, TPROF_LX_IOC_SESSIONS, &arg);

	*nr = arg.nr_sessions;
	return err;
}

/* Size of the first version of struct tprof_lx_session. */
#define FIRST_SESSION_BYTES	112

TEST(sessions_are_listed)
{
	struct tprof_lx_session list[4], *mine;
	struct tprof_lx_stats stats;
	int first = session_open(0), second = session_open(0);
	__u32 nr;

	ASSERT_LE(0, first);
	ASSERT_LE(0, second);
	ASSERT_EQ(0, event_clock(first, "timer", 1000));
	ASSERT_EQ(1, event_clock(first, "nmi", 1000));
	ASSERT_EQ(0, session_start(first, 2));
	spin_ms(200);
	ASSERT_EQ(0, list_sessions(second, list, 4, sizeof(*list), &nr));
	ASSERT_EQ(2, nr);
	mine = &list[0];
	EXPECT_EQ(getpid(), mine->pid);
	EXPECT_EQ(0, strcmp("multi_test", mine->comm));
	EXPECT_EQ(TPROF_LX_STATE_RUNNING, mine->state);
	EXPECT_EQ(2, mine->nr_events);
	EXPECT_EQ(2, mine->running);
	EXPECT_EQ(TPROF_LX_STATE_IDLE, list[1].state);
	ASSERT_EQ(0, session_stop(first, 2));
	ASSERT_EQ(0, list_sessions(first, list, 4, sizeof(*list), &nr));
	ASSERT_EQ(0, session_stats(first, TPROF_LX_SUM, TPROF_LX_SUM, &stats));
	EXPECT_LT(0, stats.ledger.taken);
	EXPECT_EQ(0, memcmp(&stats.ledger, &mine->ledger, sizeof(stats.ledger)));

	/* Sessions that do not fit into the list are counted, but not written. */
	memset(list, 0xee, sizeof(list));
	ASSERT_EQ(0, list_sessions(first, list, 1, sizeof(*list), &nr));
	EXPECT_EQ(2, nr);
	EXPECT_EQ(0xee, *(__u8 *)&list[1]);
	EXPECT_EQ(-EINVAL,
		  list_sessions(first, list, 1, FIRST_SESSION_BYTES - 8, &nr));
	close(second);
	ASSERT_EQ(0, list_sessions(first, NULL, 0, 0, &nr));
	EXPECT_EQ(1, nr);
	close(first);
}

/* A session gets neither samples nor marks of another session. */
TEST(sessions_do_not_see_each_other)
{
	struct stream streams[2] = {};
	int fds[2];

	ASSERT_EQ(0, cpu_pin(0));
	for (int i = 0; i < 2; i++) {
		fds[i] = session_open(0);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, event_fake(fds[i], getpid() + i));
		ASSERT_EQ(0, session_start(fds[i], 1));
	}
	ASSERT_EQ(0, fake_emit_from(getpid(), 0, 10));
	ASSERT_EQ(0, session_mark(fds[0], 1, "first"));
	ASSERT_EQ(0, fake_emit_from(getpid() + 1, 0, 20));
	ASSERT_EQ(0, session_stop(fds[0], 1));
	ASSERT_EQ(0, fake_emit_from(getpid() + 1, 0, 30));
	ASSERT_EQ(0, session_stop(fds[1], 1));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, stream_read_all(&streams[i], fds[i]));
		EXPECT_EQ(i ? 50 : 10, stream_count(&streams[i],
						    PERF_RECORD_SAMPLE));
		EXPECT_EQ(i ? 0 : 1, stream_count(&streams[i], 19));
		stream_free(&streams[i]);
		close(fds[i]);
	}
}

TEST(thirty_two_events_deliver_exactly)
{
	struct tprof_lx_event events[TPROF_LX_MAX_EVENTS];
	struct perf_event_attr attr;
	struct stream stream = {};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	attr_init(&attr, 0);
	attr.freq = 0;
	attr.sample_period = 1000;
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		attr.config = getpid() + i;
		ASSERT_EQ(0, event_add_full(fd, "fake", &attr, &events[i]));
	}
	ASSERT_EQ(0, session_start(fd, ALL_EVENTS));
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		ASSERT_EQ(0, fake_emit_from(getpid() + i,
					    i % TPROF_LX_FAKE_CONTEXTS,
					    10 + i));
	}
	ASSERT_EQ(0, session_stop(fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&stream, fd));
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		EXPECT_EQ(10 + i, count_id(&stream, events[i].id));
	}
	EXPECT_TRUE(ledgers_add_up(fd, TPROF_LX_MAX_EVENTS));
	stream_free(&stream);
	close(fd);
}

TEST(thirty_two_clocks_run_at_once)
{
	struct tprof_lx_event events[TPROF_LX_MAX_EVENTS];
	struct perf_event_attr attr;
	struct stream stream = {};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	attr_init(&attr, 100);
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		ASSERT_EQ(0, event_add_full(fd, i % 2 ? "nmi" : "timer", &attr,
					    &events[i]));
	}
	ASSERT_EQ(0, session_start(fd, ALL_EVENTS));
	spin_ms(500);
	EXPECT_TRUE(wait_until(have_taken(&fd, 1, TPROF_LX_MAX_EVENTS, 11), 12000));
	ASSERT_EQ(0, session_stop(fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&stream, fd));
	for (int i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		EXPECT_LT(10, count_id(&stream, events[i].id));
	}
	EXPECT_TRUE(ledgers_add_up(fd, TPROF_LX_MAX_EVENTS));
	stream_free(&stream);
	close(fd);
}

/* Emit samples on all CPUs at once. Each CPU has its own ring. */
TEST(cpus_deliver_exactly_at_once)
{
	struct tprof_lx_stats stats;
	struct stream stream = {};
	int fd = session_open(0);
	int nr_cpus = cpus_online();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, event_fake(fd, getpid()));
	ASSERT_EQ(0, session_start(fd, 1));
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		pid_t key = getpid();

		if (fork())
			continue;
		if (cpu_pin(cpu))
			_exit(1);
		for (int i = 0; i < 20; i++)
			if (fake_emit_from(key, i % TPROF_LX_FAKE_CONTEXTS,
					   500))
				_exit(1);
		_exit(0);
	}
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		int status;

		ASSERT_LT(0, wait(&status));
		ASSERT_EQ(0, status);
	}
	ASSERT_EQ(0, session_stop(fd, 1));
	ASSERT_EQ(0, stream_read_all(&stream, fd));
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		ASSERT_EQ(0, session_stats(fd, cpu, 0, &stats));
		EXPECT_EQ(10000, stats.ledger.delivered);
	}
	EXPECT_TRUE(ledgers_add_up(fd, 1));
	stream_free(&stream);
	close(fd);
}

TEST_HARNESS_MAIN
