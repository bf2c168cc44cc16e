// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - call chains by unwind tables, while tables and programs change
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/blob_chains.h"
#include "harness/test.h"

/* Where all programs map the object: no program and no library is there. */
#define PLACE		((void *)0x10000000UL)
#define MOVED		((void *)0x10100000UL)
#define EXECS		20
#define ROUNDS		15
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

/*
 * Count the samples in inner(), as blob_look() does. The addresses of blob_call() differ from
 * program to program, so only the object's count. Without callers, a chain is deferred; or it is
 * only counted, if too many are.
 */
static struct blob_seen look_inside(const struct stream *stream, const struct blob *blob)
{
	struct blob_seen seen = {};
	const struct record *record;
	__u64 nr;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		if (!blob_is_in_inner(blob, record->ip))
			continue;
		if (blob_is_inside(blob, chain, nr))
			seen.exact++;
		else if (nr == 2)
			seen.deferred++;
		else
			seen.other++;
	}
	printf("# %zu exact, %zu deferred, %zu other\n", seen.exact, seen.deferred, seen.other);
	return seen;
}

TEST_F(table_change, chains_are_exact_while_a_process_executes_programs)
{
	struct blob_seen seen;
	int pid, status;

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
	seen = look_inside(&self->own.stream, &self->blob);
	EXPECT_LT(0, seen.exact);
	EXPECT_EQ(0, seen.other);
	EXPECT_LE(seen.deferred, self->own.stats.chains_unmapped);
	/* Each program has an address space of its own. Its mappings are not known at first. */
	EXPECT_LE(EXECS, self->own.stats.chains_unmapped);
}

/* Map the first object, move it, and map the second one in its place. */
static int change_mappings(struct blob *blob, struct blob *second)
{
	const size_t bytes = BLOB_BYTES - BLOB_CODE;
	int err = blob_map(blob, PLACE);

	if (err)
		return err;
	blob_run(blob, 5, 0);
	if (mremap(blob->code, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, MOVED) != MOVED)
		return -errno;
	blob->code = MOVED;
	blob_run(blob, 5, 0);
	err = blob_map(second, PLACE);
	if (err)
		return err;
	blob_run(second, 5, 0);
	blob_run(blob, 5, 0);
	blob_unmap(second);
	blob_unmap(blob);
	return 0;
}

static int change_in_child(struct blob *blob, struct blob *second)
{
	int pid = fork(), status;

	if (!pid)
		_exit(change_mappings(blob, second) ? 1 : 0);
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -ECHILD;
}

/**
 * struct loader - a thread that loads a library again and again, on another CPU than samples
 * @thread:	the thread
 * @is_over:	it must end
 * @loads:	how often it has loaded the library
 */
struct loader {
	pthread_t	thread;
	atomic_bool	is_over;
	size_t		loads;
};

static void *load_library(void *arg)
{
	struct loader *loader = arg;
	void *library;

	cpu_pin(1);
	while (!atomic_load(&loader->is_over)) {
		library = dlopen("libz.so.1", RTLD_NOW);
		if (!library || dlclose(library))
			break;
		loader->loads++;
	}
	return NULL;
}

/* By the table of one object, the chains of the other are wrong. */
TEST_F(table_change, chains_are_exact_while_mappings_change)
{
	struct blob_seen seen, moved;
	struct loader loader = {};
	struct blob second;

	blob_unmap(&self->blob);
	self->own.attr.sample_freq = 10000;
	ASSERT_EQ(0, blob_make(&second, 72));
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, blob_give(&second, self->own.fd));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	ASSERT_EQ(0, pthread_create(&loader.thread, NULL, load_library, &loader));
	for (int i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, change_mappings(&self->blob, &second));
		ASSERT_EQ(0, change_in_child(&self->blob, &second));
	}
	atomic_store(&loader.is_over, true);
	ASSERT_EQ(0, pthread_join(loader.thread, NULL));
	ASSERT_EQ(0, chains_end(&self->own));
	printf("# %zu loads\n", loader.loads);
	EXPECT_LT(0, loader.loads);
	second.code = PLACE;
	seen = look_inside(&self->own.stream, &second);
	second.code = MOVED;
	moved = look_inside(&self->own.stream, &second);
	second.code = NULL;
	EXPECT_LT(20, seen.exact);
	EXPECT_LT(20, moved.exact);
	EXPECT_EQ(0, seen.other + moved.other);
	EXPECT_LE(seen.deferred + moved.deferred, self->own.stats.chains_unmapped);
	EXPECT_TRUE(ledger_is_balanced(&self->own.stats.ledger));
	EXPECT_TRUE(ledgers_add_up(self->own.fd, 1));
	EXPECT_EQ(0, self->own.stats.ledger.queued);
	blob_free(&second);
}

TEST_HARNESS_MAIN
