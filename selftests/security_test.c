// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - nothing reaches a reader but what is meant for him
 *
 * Who may open at all is in open_test.c; Documentation/security.md says which test
 * stands for what.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common.h"
#include "kselftest_harness.h"
#include "stream.h"

#define DIRT	0xaa

/* What is asked for of an entry, that no version knows yet. */
#define FUTURE_BYTES	64

static bool is_zero(const void *bytes, size_t len)
{
	const char *byte = bytes;

	while (len--)
		if (*byte++)
			return false;
	return true;
}

/* A text in so much room has zeroes behind it. */
static bool is_clean(const char *text, size_t room)
{
	size_t len = strnlen(text, room);

	return len < room && is_zero(text + len, room - len);
}

/* Names and mappings of all lengths that come to something. */
static void change(struct __test_metadata *_metadata)
{
	char name[16] = "", path[64];

	for (size_t len = 0; len < sizeof(name) - 1; len++) {
		name[len] = 'a' + len;
		ASSERT_EQ(0, prctl(PR_SET_NAME, name));
		snprintf(path, sizeof(path), "/dev/shm/%s", name);
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0700);
		void *map;

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, ftruncate(fd, 4096));
		map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		unlink(path);
		close(fd);
		ASSERT_NE(MAP_FAILED, map);
		munmap(map, 4096);
	}
}

static bool mmap2_is_clean(const struct record *record)
{
	const struct record_mmap2 *map = record->body;

	/* Without a build-id it is the inode that stands there. */
	if (record->header->misc & MISC_MMAP_BUILD_ID &&
	    (!is_zero(map->reserved, sizeof(map->reserved)) ||
	     !is_zero(map->build_id + map->build_id_bytes,
		      sizeof(map->build_id) - map->build_id_bytes)))
		return false;
	return is_clean(map->filename, record->body_bytes - sizeof(*map));
}

/* Of this process alone, in rings that are soon used again. */
static int configure(int fd, size_t *ring_bytes)
{
	struct tprof_lx_config config = { .nr_targets = 1 };
	struct tprof_lx_info info = {};
	__s32 self = getpid();
	int err = session_info(fd, &info);

	config.targets = (unsigned long)&self;
	config.ring_bytes = info.ring_min;
	config.fifo_bytes = info.fifo_min;
	*ring_bytes = info.ring_min;
	return err ?: session_config(fd, &config);
}

TEST(texts_of_records_end_in_zeroes)
{
	const struct record *record;
	struct perf_event_attr attr;
	struct stream stream = {};
	size_t nr_comm = 0, nr_mmap = 0;
	int fd = session_open(0);
	size_t ring_bytes;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	attr_init(&attr, 100);
	attr_track(&attr);
	ASSERT_EQ(0, configure(fd, &ring_bytes));
	ASSERT_EQ(0, event_add(fd, "timer", &attr));
	ASSERT_EQ(0, session_start(fd, 1));
	ASSERT_EQ(0, stream_soil(&stream, fd, ring_bytes));
	change(_metadata);
	ASSERT_EQ(0, stream_finish(&stream, fd));
	for_each_record(record, &stream) {
		const struct record_comm *comm = record->body;

		if (record->header->type == PERF_RECORD_COMM) {
			EXPECT_TRUE(is_clean(comm->comm, record->body_bytes -
							 sizeof(*comm)));
			nr_comm++;
		} else if (record->header->type == PERF_RECORD_MMAP2) {
			EXPECT_TRUE(mmap2_is_clean(record));
			nr_mmap++;
		}
	}
	EXPECT_LE(15, nr_comm);
	EXPECT_LE(15, nr_mmap);
	stream_free(&stream);
	close(fd);
}

/* With entries that are larger than any version knows: the rest is zero, too. */
TEST(back_ends_are_told_in_clean_memory)
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

TEST(sessions_are_told_in_clean_memory)
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

TEST_HARNESS_MAIN
