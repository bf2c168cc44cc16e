// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - ioctls return no stale bytes, and write only their results
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "harness/clean.h"
#include "harness/common.h"
#include "harness/test.h"

/* Tests request list entries that are this many bytes longer than the module's. */
#define FUTURE_BYTES	64

/*
 * The caller's entries are longer than the module's, so the module must zero the end of
 * each entry.
 */
TEST(listed_backends_have_no_stale_bytes)
{
	const size_t bytes = sizeof(struct tprof_lx_backend) + FUTURE_BYTES;
	char *list = malloc(TPROF_LX_MAX_BACKENDS * bytes);
	struct tprof_lx_info info = {
		.backends	= (unsigned long)list,
		.nr_backends	= TPROF_LX_MAX_BACKENDS,
		.backend_size	= bytes,
	};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	memset(list, DIRT, TPROF_LX_MAX_BACKENDS * bytes);
	ASSERT_EQ(0, session_info(fd, &info));
	EXPECT_TRUE(is_clean(info.version, sizeof(info.version)));
	ASSERT_LT(2, info.nr_backends);
	for (__u32 i = 0; i < info.nr_backends; i++) {
		struct tprof_lx_backend *backend = (void *)(list + i * bytes);

		EXPECT_TRUE(is_clean(backend->name, sizeof(backend->name)));
		EXPECT_TRUE(is_clean(backend->text, sizeof(backend->text)));
		EXPECT_TRUE(is_zero(backend + 1, FUTURE_BYTES));
	}
	EXPECT_EQ((char)DIRT, list[info.nr_backends * bytes]);
	free(list);
	close(fd);
}

TEST(listed_sessions_have_no_stale_bytes)
{
	const size_t bytes = sizeof(struct tprof_lx_session) + FUTURE_BYTES;
	char list[4 * (sizeof(struct tprof_lx_session) + FUTURE_BYTES)];
	struct tprof_lx_sessions sessions = {
		.size		= sizeof(sessions),
		.nr_sessions	= 3,
		.session_size	= bytes,
		.sessions	= (unsigned long)list,
	};
	struct tprof_lx_session *session = (void *)list;
	int fd;

	ASSERT_EQ(0, prctl(PR_SET_NAME, "short"));
	fd = session_open(0);
	ASSERT_LE(0, fd);
	memset(list, DIRT, sizeof(list));
	ASSERT_EQ(0, session_ioctl(fd, TPROF_LX_IOC_SESSIONS, &sessions));
	ASSERT_EQ(1, sessions.nr_sessions);
	EXPECT_STREQ("short", session->comm);
	EXPECT_TRUE(is_clean(session->comm, sizeof(session->comm)));
	EXPECT_TRUE(is_zero(session->ledger.reserved,
			    sizeof(session->ledger.reserved)));
	EXPECT_TRUE(is_zero(session + 1, FUTURE_BYTES));
	EXPECT_EQ((char)DIRT, list[bytes]);
	close(fd);
}

TEST(listed_names_have_no_stale_bytes)
{
	const size_t bytes = sizeof(struct tprof_lx_name) + FUTURE_BYTES;
	char *list = malloc((TPROF_LX_MAX_NAMES + 1) * bytes);
	struct tprof_lx_names names = {
		.size		= sizeof(names),
		.nr_names	= TPROF_LX_MAX_NAMES,
		.name_size	= bytes,
		.names		= (unsigned long)list,
	};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	memset(list, DIRT, (TPROF_LX_MAX_NAMES + 1) * bytes);
	ASSERT_EQ(0, session_ioctl(fd, TPROF_LX_IOC_NAMES, &names));
	ASSERT_LT(0, names.nr_names);
	for (__u32 i = 0; i < names.nr_names; i++) {
		struct tprof_lx_name *name = (void *)(list + i * bytes);

		EXPECT_TRUE(is_clean(name->backend, sizeof(name->backend)));
		EXPECT_TRUE(is_clean(name->name, sizeof(name->name)));
		EXPECT_TRUE(is_clean(name->alias, sizeof(name->alias)));
		EXPECT_TRUE(is_clean(name->text, sizeof(name->text)));
		EXPECT_TRUE(is_zero(name + 1, FUTURE_BYTES));
	}
	EXPECT_EQ((char)DIRT, list[names.nr_names * bytes]);
	free(list);
	close(fd);
}

TEST(listed_events_have_no_stale_bytes)
{
	const size_t bytes = sizeof(struct tprof_lx_listed) + FUTURE_BYTES;
	char list[2 * (sizeof(struct tprof_lx_listed) + FUTURE_BYTES)];
	struct tprof_lx_events events = {
		.size		= sizeof(events),
		.cpu		= TPROF_LX_SUM,
		.nr_events	= 2,
		.event_size	= bytes,
		.events		= (unsigned long)list,
	};
	struct tprof_lx_listed *listed = (void *)list;
	int fd;

	ASSERT_EQ(0, prctl(PR_SET_NAME, "short"));
	fd = session_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, event_clock(fd, "nmi", 100));
	memset(list, DIRT, sizeof(list));
	ASSERT_EQ(0, session_ioctl(fd, TPROF_LX_IOC_EVENTS, &events));
	ASSERT_EQ(1, events.nr_events);
	EXPECT_STREQ("short", listed->comm);
	EXPECT_TRUE(is_clean(listed->comm, sizeof(listed->comm)));
	EXPECT_STREQ("nmi", listed->backend);
	EXPECT_TRUE(is_clean(listed->backend, sizeof(listed->backend)));
	EXPECT_EQ(0, listed->reserved);
	EXPECT_TRUE(is_zero(listed + 1, FUTURE_BYTES));
	EXPECT_EQ((char)DIRT, list[bytes]);
	close(fd);
}

/*
 * Call the ioctl @cmd. The first field of @arg is the size of @arg. Return
 * -EOVERFLOW if the ioctl writes beyond that size.
 */
static int ask(int fd, unsigned long cmd, void *arg)
{
	const size_t bytes = *(__u32 *)arg;
	char room[512];
	int err;

	memset(room, DIRT, sizeof(room));
	memcpy(room, arg, bytes);
	err = session_ioctl(fd, cmd, room);
	memcpy(arg, room, bytes);
	return err ?: is_dirt(room + bytes, sizeof(room) - bytes) ? 0 : -EOVERFLOW;
}

/* CONFIG changes only the fields that it rounds or sets to defaults. */
TEST(config_writes_only_its_fields)
{
	struct tprof_lx_info info = {};
	struct tprof_lx_config config = {
		.size		= sizeof(config),
		.ring_bytes	= 20000,
		.fifo_bytes	= 70000,
	};
	struct tprof_lx_config expected = config;
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_info(fd, &info));
	expected.ring_bytes = 32768;
	expected.fifo_bytes = 131072;
	expected.watermark = 16384;
	expected.flush_ms = info.flush_ms_default;
	ASSERT_EQ(0, ask(fd, TPROF_LX_IOC_CONFIG, &config));
	EXPECT_EQ(0, memcmp(&config, &expected, sizeof(config)));
	close(fd);
}

TEST(event_start_and_stop_write_only_their_fields)
{
	struct tprof_lx_mask mask = { sizeof(mask), 3, ~0U }, running = { sizeof(mask), 1 };
	struct tprof_lx_mask stopped = { sizeof(mask) };
	struct perf_event_attr attr, asked;
	struct tprof_lx_event expected, event = {
		.size		= sizeof(event),
		.backend	= "timer",
		.attr		= (unsigned long)&attr,
		.id		= DIRT_8,
		.period		= DIRT_8,
		.index		= (__u32)DIRT_8,
	};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	attr_init(&attr, 1000);
	asked = attr;
	expected = event;
	ASSERT_EQ(0, ask(fd, TPROF_LX_IOC_EVENT, &event));
	EXPECT_NE(DIRT_8, event.id);
	EXPECT_EQ(0, event.id % TPROF_LX_MAX_EVENTS);
	expected.id = event.id;
	expected.period = NSEC_PER_MSEC;
	expected.index = 0;
	EXPECT_EQ(0, memcmp(&event, &expected, sizeof(event)));
	EXPECT_EQ(0, memcmp(&attr, &asked, sizeof(attr)));
	ASSERT_EQ(0, ask(fd, TPROF_LX_IOC_START, &mask));
	EXPECT_EQ(0, memcmp(&mask, &running, sizeof(mask)));
	mask.degraded = ~0U;
	ASSERT_EQ(0, ask(fd, TPROF_LX_IOC_STOP, &mask));
	EXPECT_EQ(0, memcmp(&mask, &stopped, sizeof(mask)));
	close(fd);
}

/*
 * The session never ran, so all fields are known except for the NMI counts: these
 * include NMIs of other sessions.
 */
TEST(stats_writes_only_its_fields)
{
	struct tprof_lx_stats stats, expected = {
		.size		= sizeof(stats),
		.cpu		= TPROF_LX_SUM,
		.event		= TPROF_LX_SUM,
		.state		= TPROF_LX_STATE_IDLE,
	};
	struct tprof_lx_info info = {};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_info(fd, &info));
	memset(&stats, DIRT, sizeof(stats));
	stats.size = sizeof(stats);
	stats.flags = 0;
	stats.cpu = TPROF_LX_SUM;
	stats.event = TPROF_LX_SUM;
	expected.ring_bytes = info.ring_default;
	expected.fifo_bytes = info.fifo_default;
	ASSERT_EQ(0, ask(fd, TPROF_LX_IOC_STATS, &stats));
	EXPECT_EQ(0, memcmp(&stats, &expected, offsetof(struct tprof_lx_stats, nmi_sampled)));
	for (const __u64 *nmis = &stats.nmi_sampled; nmis <= &stats.nmi_collapsed; nmis++) {
		EXPECT_NE(DIRT_8, *nmis);
	}
	close(fd);
}

TEST(read_writes_only_its_fields)
{
	struct tprof_lx_count expected = { .size = sizeof(expected) }, count = {
		.size		= sizeof(count),
		.value		= DIRT_8,
		.ran_ns		= DIRT_8,
		.yields		= DIRT_8,
	};
	struct perf_event_attr attr;
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	attr_count(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	ASSERT_EQ(0, event_add(fd, "tsc", &attr));
	ASSERT_EQ(0, ask(fd, TPROF_LX_IOC_READ, &count));
	EXPECT_EQ(0, memcmp(&count, &expected, sizeof(count)));
	close(fd);
}

static bool row_is_clean(const struct tprof_lx_row *row)
{
	return !row->sharers && !row->in_way && is_zero(row + 1, FUTURE_BYTES) &&
	       (row->state == TPROF_LX_ROW_TAKEN ||
		is_zero(&row->pid, sizeof(*row) - offsetof(struct tprof_lx_row, pid)));
}

/* A counter that no event uses has zeroes in the fields about its owner. */
TEST(listed_rows_have_no_stale_bytes)
{
	const size_t bytes = sizeof(struct tprof_lx_row) + FUTURE_BYTES;
	char *list = malloc((TPROF_LX_MAX_ROWS + 1) * bytes);
	struct tprof_lx_rows rows = {
		.size		= sizeof(rows),
		.nr_rows	= TPROF_LX_MAX_ROWS,
		.row_size	= bytes,
		.rows		= (unsigned long)list,
	};
	struct tprof_lx_rows expected = rows;
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	memset(list, DIRT, (TPROF_LX_MAX_ROWS + 1) * bytes);
	ASSERT_EQ(0, ask(fd, TPROF_LX_IOC_ROWS, &rows));
	ASSERT_GE(TPROF_LX_MAX_ROWS, rows.nr_rows);
	expected.nr_rows = rows.nr_rows;
	EXPECT_EQ(0, memcmp(&rows, &expected, sizeof(rows)));
	for (__u32 i = 0; i < rows.nr_rows; i++) {
		EXPECT_TRUE(row_is_clean((void *)(list + i * bytes)));
	}
	EXPECT_TRUE(is_dirt(list + rows.nr_rows * bytes,
			    (TPROF_LX_MAX_ROWS + 1 - rows.nr_rows) * bytes));
	free(list);
	close(fd);
}

TEST_HARNESS_MAIN
