// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - call chains by unwind tables, while tables and programs change
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/blob_chains.h"
#include "harness/test.h"

/* Where all programs map the object: no program and no library is there. */
#define PLACE		((void *)0x10000000UL)
#define EXECS		20
#define PROGRAM		"TPROF_TABLE_CHANGE_PROGRAM"

FIXTURE(table_change) {
	struct chains	own;
	struct blob	blob;
};

FIXTURE_VARIANT(table_change) {
	const char	*backend;
};

#define BACKEND(name)							\
	FIXTURE_VARIANT_ADD(table_change, name) {			\
		.backend	= #name,				\
	}

BACKEND(nmi);
BACKEND(timer);

FIXTURE_SETUP(table_change)
{
	ASSERT_EQ(0, chains_open(&self->own));
	ASSERT_EQ(0, blob_make(&self->blob, 24));
	ASSERT_EQ(0, blob_map(&self->blob, PLACE));
}

FIXTURE_TEARDOWN(table_change)
{
	blob_free(&self->blob);
	chains_close(&self->own);
}

/* The table of another session leads nowhere. It goes with that session. */
TEST_F(table_change, table_that_replaces_another_is_used)
{
	struct blob wrong;
	struct blob_seen seen;
	int other = session_open(0);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, blob_make(&wrong, 24));
	blob_set_inner(&wrong, (struct tprof_lx_unwind_rule){ TPROF_LX_UNWIND_END });
	ASSERT_EQ(0, blob_give(&wrong, other));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	blob_run(&self->blob, 1000, 0);
	ASSERT_EQ(-EEXIST, blob_give(&self->blob, self->own.fd));
	close(other);
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, session_stop(self->own.fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->own.stream, self->own.fd));
	seen = blob_look(&self->own.stream, &self->blob);
	EXPECT_EQ(0, seen.exact);
	EXPECT_LT(0, seen.other);
	stream_free(&self->own.stream);
	ASSERT_EQ(0, session_start(self->own.fd, 1));
	blob_run(&self->blob, 1000, 0);
	ASSERT_EQ(0, chains_end(&self->own));
	seen = blob_look(&self->own.stream, &self->blob);
	EXPECT_LT(0, seen.exact);
	EXPECT_EQ(0, seen.other);
	blob_free(&wrong);
}

/* Execute this program again. It then only runs the object, and is executed @left times more. */
static int exec_program(int fd, int left)
{
	char text[32];

	snprintf(text, sizeof(text), "%d %d", fd, left);
	setenv(PROGRAM, text, 1);
	execl("/proc/self/exe", "program", NULL);
	return 1;
}

__attribute__((constructor)) static void be_program(void)
{
	const char *text = getenv(PROGRAM);
	struct blob blob = {};
	int left;

	if (!text)
		return;
	if (sscanf(text, "%d %d", &blob.fd, &left) != 2 || blob_map(&blob, PLACE))
		_exit(1);
	blob_run(&blob, 20, 0);
	_exit(left > 1 ? exec_program(blob.fd, left - 1) : 0);
}

/* The addresses of blob_call() differ from program to program, so only the object's count. */
TEST_F(table_change, chains_are_exact_while_a_process_executes_programs)
{
	size_t exact = 0, deferred = 0, other = 0;
	const struct record *record;
	int pid, status;
	__u64 nr;

	self->own.attr.sample_freq = 10000;
	ASSERT_EQ(0, fcntl(self->blob.fd, F_SETFD, 0));
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	pid = fork();
	if (!pid)
		_exit(exec_program(self->blob.fd, EXECS));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		if (!blob_is_in_inner(&self->blob, record->ip))
			continue;
		if (blob_is_inside(&self->blob, chain, nr))
			exact++;
		else if (record->header->misc & TPROF_LX_MISC_CHAIN_DEFERRED && nr == 2)
			deferred++;
		else
			other++;
	}
	printf("# %zu exact, %zu deferred, %zu other\n", exact, deferred, other);
	EXPECT_LT(0, exact);
	EXPECT_EQ(0, other);
	/* Each program has an address space of its own. Its mappings are not known at first. */
	EXPECT_LE(EXECS, self->own.stats.chains_unmapped);
}

TEST_HARNESS_MAIN
