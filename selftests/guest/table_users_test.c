// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the memory of mappings, by the user whose processes have them
 *
 * Each process has MAPPINGS executable mappings, which the module learns when it samples the
 * process, if there is room for them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/blob_chains.h"
#include "harness/nobody.h"
#include "harness/target.h"
#include "harness/test.h"

#define PARAMETER	"/sys/module/tprof_lx/parameters/table_bytes"
#define MAPPINGS	1000
#define ENTRY_BYTES	32
/* What one process needs, with room for its other mappings. */
#define PROCESS_BYTES	(48 << 10)
#define USERS		4

FIXTURE(table_users) {
	struct chains	own;
	struct target	processes[USERS + 2];
	int		nr;
	long		limit;
};

FIXTURE_SETUP(table_users)
{
	char text[24];

	self->limit = file_number(PARAMETER);
	ASSERT_LT(0, self->limit);
	/* A user has an eighth of it. */
	snprintf(text, sizeof(text), "%d", 8 * PROCESS_BYTES);
	ASSERT_EQ(0, file_write(PARAMETER, text));
	ASSERT_EQ(0, chains_open(&self->own));
	ASSERT_EQ(0, chains_begin(&self->own, "timer", BLOB_FLAGS));
}

FIXTURE_TEARDOWN(table_users)
{
	char text[24];

	while (self->nr)
		target_end(&self->processes[--self->nr]);
	chains_close(&self->own);
	snprintf(text, sizeof(text), "%ld", self->limit);
	EXPECT_EQ(0, file_write(PARAMETER, text));
}

/* Let this process belong to user @uid and have MAPPINGS executable mappings. */
static int set_up(struct target *target, __u64 uid)
{
	int err = uid ? become_user(uid, -1) : 0;
	char *pages;

	if (err)
		return err;
	pages = mmap(NULL, 2 * MAPPINGS * 4096UL, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return -errno;
	/* Adjacent pages with other rights are other mappings. */
	for (int i = 0; i < MAPPINGS; i++) {
		if (mprotect(pages + 2 * i * 4096UL, 4096, PROT_READ | PROT_EXEC))
			return -errno;
	}
	return 0;
}

static int spin(struct target *target, __u64 ms)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	while (now_ns() < end)
		;
	return 0;
}

static int read_stats(FIXTURE_DATA(table_users) *self, struct tprof_lx_stats *stats)
{
	return session_stats(self->own.fd, TPROF_LX_SUM, TPROF_LX_SUM, stats);
}

/*
 * Start a process of user @uid, and let it run until the module has learned its mappings, or
 * has taken many samples without them. Return 1 if it has learned them, 0 if not, or -errno.
 * The process is not sampled before it has all mappings: while they are learned anew, there are
 * two copies of them.
 */
static int is_learned(FIXTURE_DATA(table_users) *self, int uid)
{
	struct target *process = &self->processes[self->nr];
	struct tprof_lx_stats before, now;
	int err = target_start(process, 0, 0);

	if (err)
		return err;
	self->nr++;
	err = session_stop(self->own.fd, 1) ?: target_do(process, set_up, uid);
	err = err ?: read_stats(self, &before) ?: session_start(self->own.fd, 1);
	for (int i = 0; i < 100 && !err; i++) {
		err = target_do(process, spin, 50) ?: read_stats(self, &now);
		if (now.table_bytes >= before.table_bytes + MAPPINGS * ENTRY_BYTES)
			return 1;
		if (now.chains_unmapped > before.chains_unmapped + 50)
			return 0;
	}
	return err ?: -ETIMEDOUT;
}

TEST_F(table_users, mappings_of_a_user_leave_room_for_others)
{
	EXPECT_EQ(1, is_learned(self, NOBODY));
	EXPECT_EQ(0, is_learned(self, NOBODY));
	EXPECT_EQ(1, is_learned(self, NOBODY - 1));
	EXPECT_EQ(1, is_learned(self, 0));
}

TEST_F(table_users, memory_of_a_user_is_free_after_its_processes_exit)
{
	EXPECT_EQ(1, is_learned(self, NOBODY));
	target_end(&self->processes[--self->nr]);
	/* The set of tables ends with its only session. */
	EXPECT_EQ(0, chains_end(&self->own));
	chains_close(&self->own);
	ASSERT_EQ(0, chains_open(&self->own));
	ASSERT_EQ(0, chains_begin(&self->own, "timer", BLOB_FLAGS));
	EXPECT_EQ(1, is_learned(self, NOBODY));
}

TEST_F(table_users, mappings_of_many_users_leave_room_for_root)
{
	for (int i = 0; i < USERS; i++)
		EXPECT_EQ(1, is_learned(self, NOBODY - i));
	EXPECT_EQ(0, is_learned(self, NOBODY - USERS));
	EXPECT_EQ(1, is_learned(self, 0));
}

TEST_HARNESS_MAIN
