// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - call chains by unwind tables
 *
 * The tests sample the object of blob.c. Its code has no frame pointers. Each chain that
 * begins in it must be exact, whatever happens to its mapping.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/blob_chains.h"
#include "harness/chains.h"
#include "harness/unprivileged.h"
#include "harness/test.h"

#define PARAMETER	"/sys/module/tprof_lx/parameters/table_bytes"

FIXTURE(table) {
	struct chains	own;
	struct blob	blob;
};

FIXTURE_VARIANT(table) {
	const char	*backend;
};

#define BACKEND(name)							\
	FIXTURE_VARIANT_ADD(table, name) {				\
		.backend	= #name,				\
	}

BACKEND(nmi);
BACKEND(timer);

FIXTURE_SETUP(table)
{
	ASSERT_EQ(0, chains_open(&self->own));
	ASSERT_EQ(0, blob_make(&self->blob, 24));
}

FIXTURE_TEARDOWN(table)
{
	blob_free(&self->blob);
	chains_close(&self->own);
}

/* Map the object, give its table, and begin sampling. */
static int begin_blob(FIXTURE_DATA(table) *self, const char *backend)
{
	int err = blob_map(&self->blob, NULL);

	err = err ?: blob_give(&self->blob, self->own.fd);
	return err ?: chains_begin(&self->own, backend, BLOB_FLAGS);
}

/* Sample the object for a second, with its table. */
static int sample_blob(FIXTURE_DATA(table) *self, const char *backend)
{
	int err = begin_blob(self, backend);

	if (!err)
		blob_run(&self->blob, 1000, 0);
	return err ?: chains_end(&self->own);
}

TEST_F(table, callers_are_exact_without_frame_pointers)
{
	struct blob_seen seen;

	ASSERT_EQ(0, sample_blob(self, variant->backend));
	EXPECT_EXACT(&self->own.stream, &self->blob);
	seen = blob_look(&self->own.stream, &self->blob);
	EXPECT_LE(3 * seen.exact, self->own.stats.frames_table);
	EXPECT_LE(seen.exact, self->own.stats.frames_fp);
	/* The first sample finds that the mappings are not known. */
	EXPECT_LE(1, self->own.stats.chains_unmapped);
	EXPECT_EQ(0, self->own.stats.chains_cut);
}

/* The walk finds only in middle() that it needs rbx, and begins again. */
TEST_F(table, callers_at_a_distance_from_rbx_are_exact)
{
	blob_use_rbx(&self->blob);
	ASSERT_EQ(0, sample_blob(self, variant->backend));
	EXPECT_EXACT(&self->own.stream, &self->blob);
	EXPECT_EQ(0, self->own.stats.chains_cut);
}

/* Frame pointers lead nowhere: they only show what the table is for. */
TEST_F(table, table_that_comes_late_is_used)
{
	struct blob_seen seen;

	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	blob_run(&self->blob, 500, 0);
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	blob_run(&self->blob, 500, 0);
	ASSERT_EQ(0, chains_end(&self->own));
	seen = blob_look(&self->own.stream, &self->blob);
	EXPECT_LT(20, seen.exact);
	EXPECT_LT(20, seen.other);
	EXPECT_EQ(1, self->own.stats.tables);
}

static __u64 count_kicks(int fd)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats) ? 0 : stats.kicks;
}

/* Begin to report the mappings of this process. Without requests, records wait for 10 s. */
static int begin_mappings(FIXTURE_DATA(table) *self, const char *backend)
{
	__s32 pid = getpid();
	struct tprof_lx_config config = {
		.targets = (unsigned long)&pid,
		.nr_targets = 1,
		.flush_ms = 10000,
	};
	int err = session_config(self->own.fd, &config);

	self->own.attr.sample_freq = 1;
	self->own.attr.mmap = 1;
	self->own.attr.mmap2 = 1;
	self->own.attr.build_id = 1;
	err = err ?: chains_begin(&self->own, backend, BLOB_FLAGS);
	return err ?: session_flush(self->own.fd);
}

/* The reader makes the table when it sees the mapping, so it must see it soon. */
TEST_F(table, mapping_of_an_object_without_table_is_flushed_at_once)
{
	int fd = self->own.fd;
	__u64 before;

	ASSERT_EQ(0, begin_mappings(self, variant->backend));
	before = count_kicks(fd);
	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	EXPECT_TRUE(wait_until(count_kicks(fd) > before, 5000));
	blob_unmap(&self->blob);

	ASSERT_EQ(0, blob_give(&self->blob, fd));
	ASSERT_EQ(0, session_flush(fd));
	before = count_kicks(fd);
	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	ASSERT_EQ(0, session_flush(fd));
	EXPECT_EQ(before, count_kicks(fd));
	ASSERT_EQ(0, chains_end(&self->own));
}

static size_t count_mappings(FIXTURE_DATA(table) *self)
{
	while (stream_read_some(&self->own.stream, self->own.fd) > 0)
		;
	return stream_index(&self->own.stream) ? 0 :
	       stream_count(&self->own.stream, PERF_RECORD_MMAP2);
}

/* Programs map many objects when they start. A flush for one of them may miss the next. */
TEST_F(table, mappings_in_a_row_are_flushed_at_once)
{
	size_t before, nr = 0;

	ASSERT_EQ(0, begin_mappings(self, variant->backend));
	ASSERT_EQ(0, fcntl(self->own.fd, F_SETFL, O_NONBLOCK));
	before = count_mappings(self);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 10; i++) {
			ASSERT_EQ(0, blob_map(&self->blob, NULL));
			blob_unmap(&self->blob);
			nr++;
		}
		ASSERT_TRUE(wait_until(count_mappings(self) == before + nr, 5000));
	}
	ASSERT_EQ(0, chains_end(&self->own));
}

/* Another object is mapped where one was unmapped, as by dlclose(3) and dlopen(3). */
TEST_F(table, chains_are_exact_after_another_object_is_mapped)
{
	struct blob other;
	void *at;

	ASSERT_EQ(0, blob_make(&other, 72));
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, blob_give(&other, self->own.fd));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	at = self->blob.code;
	for (int i = 0; i < 10; i++) {
		blob_run(&self->blob, 50, 0);
		blob_unmap(&self->blob);
		ASSERT_EQ(0, blob_map(&other, at));
		blob_run(&other, 50, 0);
		blob_unmap(&other);
		ASSERT_EQ(0, blob_map(&self->blob, at));
	}
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_EXACT(&self->own.stream, &self->blob);
	EXPECT_LE(10, self->own.stats.chains_unmapped);
	blob_free(&other);
}

TEST_F(table, chains_are_exact_after_the_code_is_moved)
{
	const size_t bytes = BLOB_BYTES - BLOB_CODE;
	void *to = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, to);
	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	blob_run(&self->blob, 300, 0);
	to = mremap(self->blob.code, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	ASSERT_NE(MAP_FAILED, to);
	self->blob.code = to;
	blob_run(&self->blob, 500, 0);
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_EXACT(&self->own.stream, &self->blob);
}

/* Run the object in a child, which has an address space of its own. */
static int run_in_child(const struct blob *blob)
{
	int pid = fork(), status;

	if (!pid) {
		blob_run(blob, 100, 0);
		_exit(0);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid ? -errno : status;
}

/* Sample @nr children. The mappings of each are not known when it is first sampled. */
static int sample_children(FIXTURE_DATA(table) *self, const char *backend, int nr)
{
	int err = begin_blob(self, backend);

	for (int i = 0; i < nr; i++)
		err = err ?: run_in_child(&self->blob);
	return err ?: chains_end(&self->own);
}

TEST_F(table, chains_of_a_child_are_exact)
{
	ASSERT_EQ(0, sample_children(self, variant->backend, 5));
	EXPECT_EXACT(&self->own.stream, &self->blob);
	EXPECT_LE(2, self->own.stats.chains_unmapped);
}

/*
 * A mark precedes blob_run(), the fifth caller. It takes the place of no caller. On a busy
 * machine, most children are first sampled in fork(2).
 */
TEST_F(table, deferred_chain_has_the_maximum_number_of_frames)
{
	const struct record *record;
	size_t deferred = 0;

	self->own.attr.sample_max_stack = 5;
	ASSERT_EQ(0, sample_children(self, variant->backend, 25));
	for_each_record_type(record, &self->own.stream, RECORD_CGROUP) {
		const struct tprof_lx_chain *chain = record->body;

		if (strcmp(chain->path, TPROF_LX_CHAIN_PATH) ||
		    !blob_is_chain(&self->blob, (const __u64 *)chain->ips, chain->nr))
			continue;
		deferred++;
		EXPECT_EQ(7, chain->nr);
	}
	EXPECT_LT(0, deferred);
}

static const struct blob *signalled;

static void on_alarm(int number)
{
	blob_run(signalled, 300, 0);
}

/* As glibc does for sigaction(2), but with a signal frame that the table describes. */
static int catch_alarm(const struct blob *blob)
{
	struct {
		void		(*handler)(int number);
		unsigned long	flags;
		void		*restorer;
		unsigned long	mask;
	} action = { on_alarm, 0x04000000 | SA_ONSTACK, blob->code + BLOB_RESTORER, 0 };

	signalled = blob;
	return syscall(SYS_rt_sigaction, SIGALRM, &action, NULL, 8) ? -errno : 0;
}

/* Return where in @chain the signal frame is, @nr if nowhere. */
static __u64 find_signal_frame(const struct blob *blob, const __u64 *chain, __u64 nr)
{
	__u64 restorer = (unsigned long)blob->code + BLOB_RESTORER, i;

	for (i = 5; i < nr && chain[i] != restorer; i++)
		;
	return i < nr ? i : nr;
}

/* Return true if @chain leads from inner() through the signal frame to inner() again. */
static bool is_signal_chain(const struct blob *blob, const __u64 *chain, __u64 nr)
{
	__u64 i = find_signal_frame(blob, chain, nr);

	/* A mark follows, as the signal frame has a table. */
	return i < nr && blob_is_chain(blob, chain, nr) &&
	       blob_is_chain(blob, chain + i + 1, nr - i - 1);
}

TEST_F(table, signal_frame_leads_to_the_interrupted_code)
{
	const stack_t stack = {
		.ss_sp = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0),
		.ss_size = 65536,
	};
	const struct itimerval once = { .it_value.tv_usec = 20000 };
	const struct record *record;
	size_t nested = 0, through = 0;
	__u64 nr;

	ASSERT_EQ(0, sigaltstack(&stack, NULL));
	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	ASSERT_EQ(0, catch_alarm(&self->blob));
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &once, NULL));
	/* It is interrupted in its first call: nothing else takes as long. */
	blob_call(&self->blob, 300000000, 0);
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_EXACT(&self->own.stream, &self->blob);
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		nested += is_signal_chain(&self->blob, chain, nr);
		through += blob_is_chain(&self->blob, chain, nr) &&
			   find_signal_frame(&self->blob, chain, nr) < nr;
	}
	EXPECT_LT(5, nested);
	/*
	 * Other chains may end astray: code of libc and of the dynamic linker has no table
	 * here.
	 */
	EXPECT_EQ(through, nested);
	munmap(stack.ss_sp, stack.ss_size);
}

/* Count the samples of inner() without a caller. Set @others to the number of all others. */
static size_t count_without_callers(const struct stream *stream, const struct blob *blob,
				    size_t *others)
{
	const struct record *record;
	const __u64 *chain;
	size_t alone = 0;
	__u64 nr;

	*others = 0;
	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		if (!blob_is_in_inner(blob, record->ip))
			continue;
		chain = record_chain(record, &nr);
		if (nr == 2 && chain[1] == record->ip)
			alone++;
		else
			(*others)++;
	}
	return alone;
}

/* No address outside user space is read, whatever a table says. */
TEST_F(table, table_cannot_lead_to_kernel_memory)
{
	static const unsigned long places[] = {
		0x7ffffffff000 - 4, 0x7ffffffff000, 1UL << 47, 1UL << 62,
		0xffffffff81000000, -8UL, -16UL, 0, 4096,
	};
	bool is_deref = !strcmp(variant->backend, "timer");
	size_t others;

	/* The first word that is read is at r8. */
	blob_set_inner(&self->blob, (struct tprof_lx_unwind_rule){
		is_deref ? TPROF_LX_UNWIND_DEREF : TPROF_LX_UNWIND_CFA, 8, -16, is_deref ? 0 : 8,
	});
	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		blob_run(&self->blob, 100, places[i]);
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_LT(20, count_without_callers(&self->own.stream, &self->blob, &others));
	EXPECT_EQ(0, others);
	EXPECT_LT(0, self->own.stats.chains_absent + self->own.stats.chains_astray);
}

/* The table leads to a word that is no return address, as data above an outermost frame is not. */
TEST_F(table, address_that_is_not_executable_is_no_caller)
{
	unsigned long word = (unsigned long)&self->blob;
	size_t others;

	blob_set_inner(&self->blob, (struct tprof_lx_unwind_rule){
		TPROF_LX_UNWIND_CFA, 8, TPROF_LX_UNWIND_RBP_SAME, 8,
	});
	ASSERT_EQ(0, begin_blob(self, variant->backend));
	blob_run(&self->blob, 300, (unsigned long)&word);
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_LT(20, count_without_callers(&self->own.stream, &self->blob, &others));
	EXPECT_EQ(0, others);
	EXPECT_LT(20, self->own.stats.chains_astray);
}

/* The table leads to memory that says that middle() has called itself, again and again. */
TEST_F(table, endless_chain_is_cut)
{
	unsigned long memory[1024];
	const struct record *record;
	size_t seen = 0;
	__u64 nr;

	ASSERT_EQ(0, blob_map(&self->blob, NULL));
	for (size_t i = 0; i < ARRAY_LEN(memory); i++)
		memory[i] = (unsigned long)self->blob.code + BLOB_IN_MIDDLE;
	memory[0] = (unsigned long)(memory + 2);
	/* The CFA of inner() is at the address in r8. */
	blob_set_inner(&self->blob, (struct tprof_lx_unwind_rule){
		TPROF_LX_UNWIND_DEREF, 8, TPROF_LX_UNWIND_RBP_SAME, 0,
	});
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, BLOB_FLAGS));
	blob_run(&self->blob, 300, (unsigned long)memory);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		record_chain(record, &nr);
		/* There may be two marks. */
		EXPECT_GE(129, nr);
		seen += blob_is_in_inner(&self->blob, record->ip) && nr == 128;
	}
	EXPECT_LT(5, seen);
	EXPECT_LE(seen, self->own.stats.chains_deep);
}

TEST_F(table, event_without_deferred_chains_is_einval)
{
	EXPECT_EQ(-EINVAL, chains_begin(&self->own, variant->backend, TPROF_LX_EVENT_TABLES));
}

/* @size in the header of a record is a u16. The 5 marks of a chain by tables count, too. */
TEST_F(table, event_with_a_sample_longer_than_a_record_is_einval)
{
	struct perf_event_attr *attr = &self->own.attr;

	attr->sample_type |= PERF_SAMPLE_STACK_USER;
	for (attr->sample_stack_user = 65528; attr->sample_stack_user > 60000;
	     attr->sample_stack_user -= 8)
		if (!event_try_with(variant->backend, attr, TPROF_LX_EVENT_DEFERRED))
			break;
	ASSERT_LT(60000, attr->sample_stack_user);
	attr->sample_stack_user -= 4 * sizeof(__u64);
	EXPECT_EQ(-EINVAL, event_try_with(variant->backend, attr, BLOB_FLAGS));
	attr->sample_stack_user -= sizeof(__u64);
	EXPECT_EQ(0, event_try_with(variant->backend, attr, BLOB_FLAGS));
}

TEST_F(table, chains_of_a_session_are_followed_in_one_way)
{
	struct tprof_lx_event event;

	ASSERT_EQ(0, event_add_with(self->own.fd, variant->backend, &self->own.attr, BLOB_FLAGS,
				    &event));
	EXPECT_EQ(-EINVAL, event_add_with(self->own.fd, variant->backend, &self->own.attr,
					  TPROF_LX_EVENT_DEFERRED, &event));
	EXPECT_EQ(0, event_add_with(self->own.fd, variant->backend, &self->own.attr, BLOB_FLAGS,
				    &event));
}

FIXTURE(tables) {
	int		fd;
	struct blob	blob;
};

FIXTURE_SETUP(tables)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, blob_make(&self->blob, 24));
}

FIXTURE_TEARDOWN(tables)
{
	blob_free(&self->blob);
	close(self->fd);
}

static __u64 count_tables(int fd, __u64 *bytes)
{
	struct tprof_lx_stats stats;

	if (session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats))
		return -1;
	*bytes = stats.table_bytes;
	return stats.tables;
}

TEST_F(tables, sessions_share_a_table)
{
	int other = session_open(0), watcher = session_open(0);
	__u64 bytes, none, alone;

	ASSERT_LE(0, other);
	ASSERT_LE(0, watcher);
	EXPECT_EQ(0, count_tables(watcher, &none));
	EXPECT_EQ(0, none);
	ASSERT_EQ(0, blob_give(&self->blob, self->fd));
	EXPECT_EQ(1, count_tables(watcher, &alone));
	EXPECT_LT(0, alone);
	EXPECT_EQ(0, blob_give(&self->blob, self->fd));
	EXPECT_EQ(0, blob_give(&self->blob, other));
	EXPECT_EQ(1, count_tables(watcher, &bytes));
	EXPECT_EQ(alone, bytes);
	close(self->fd);
	EXPECT_EQ(1, count_tables(watcher, &bytes));
	close(other);
	EXPECT_EQ(0, count_tables(watcher, &bytes));
	EXPECT_EQ(0, bytes);
	self->fd = watcher;
}

TEST_F(tables, another_table_for_an_object_is_eexist)
{
	int other = session_open(0);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, blob_give(&self->blob, self->fd));
	self->blob.rows[0].low++;
	EXPECT_EQ(-EINVAL, blob_give(&self->blob, other));
	self->blob.rows[0].low -= 2;
	EXPECT_EQ(-EEXIST, blob_give(&self->blob, other));
	EXPECT_EQ(-EEXIST, blob_give(&self->blob, self->fd));
	close(self->fd);
	EXPECT_EQ(0, blob_give(&self->blob, other));
	self->fd = other;
}

TEST_F(tables, invalid_tables_are_refused)
{
	struct tprof_lx_table *arg = &self->blob.arg;
	const struct tprof_lx_table valid = *arg;
	__u64 bytes;

#define EXPECT_REFUSED(error, change)					\
	do {								\
		*arg = valid;						\
		change;							\
		EXPECT_EQ(error, blob_give(&self->blob, self->fd));	\
	} while (0)

	EXPECT_REFUSED(-EINVAL, arg->flags = 1);
	EXPECT_REFUSED(-EINVAL, arg->build_id_size = 0);
	EXPECT_REFUSED(-EINVAL, arg->build_id_size = 21);
	EXPECT_REFUSED(-EINVAL, arg->build_id_size = 19);
	EXPECT_REFUSED(-EINVAL, arg->nr_pages = 0);
	EXPECT_REFUSED(-EINVAL, arg->nr_pages = TPROF_LX_UNWIND_MAX_PAGES + 1);
	EXPECT_REFUSED(-EINVAL, arg->page0 = -1);
	EXPECT_REFUSED(-EINVAL, arg->nr_rules = 0);
	EXPECT_REFUSED(-EINVAL, arg->nr_rules = TPROF_LX_UNWIND_MAX_RULES + 1);
	EXPECT_REFUSED(-EINVAL, arg->nr_rules = 2);
	EXPECT_REFUSED(-EINVAL, arg->nr_rows = 0);
	EXPECT_REFUSED(-EINVAL, arg->nr_rows--);
	EXPECT_REFUSED(-ENOSPC, arg->nr_rows = -1);
	*arg = valid;
	self->blob.rules[0].how = 7;
	EXPECT_EQ(-EINVAL, blob_give(&self->blob, self->fd));
	blob_set_inner(&self->blob, (struct tprof_lx_unwind_rule){});
	EXPECT_EQ(0, count_tables(self->fd, &bytes));
	EXPECT_EQ(0, bytes);
}

TEST_F(tables, bad_memory_is_efault)
{
	struct tprof_lx_table *arg = &self->blob.arg;
	__u64 *pointers[] = { &arg->pages, &arg->rows, &arg->rules };
	__u64 bytes;

	for (size_t i = 0; i < ARRAY_LEN(pointers); i++) {
		arg->pages = (unsigned long)self->blob.pages;
		arg->rows = (unsigned long)self->blob.rows;
		arg->rules = (unsigned long)self->blob.rules;
		*pointers[i] = 16;
		EXPECT_EQ(-EFAULT, session_ioctl(self->fd, TPROF_LX_IOC_TABLE, arg));
	}
	EXPECT_EQ(0, count_tables(self->fd, &bytes));
	EXPECT_EQ(0, bytes);
}

TEST_F(tables, tables_beyond_the_limit_are_enospc)
{
	long limit = file_number(PARAMETER);
	struct blob other;

	ASSERT_LT(4096, limit);
	ASSERT_EQ(0, blob_make(&other, 72));
	ASSERT_EQ(0, file_write(PARAMETER, "400"));
	EXPECT_EQ(0, blob_give(&self->blob, self->fd));
	EXPECT_EQ(-ENOSPC, blob_give(&other, self->fd));
	EXPECT_EQ(0, file_write(PARAMETER, "67108864"));
	EXPECT_EQ(0, blob_give(&other, self->fd));
	blob_free(&other);
}

FIXTURE(own_tables) {
	struct unprivileged	user;
	struct blob		blob;
	int			fd;
};

FIXTURE_SETUP(own_tables)
{
	ASSERT_EQ(0, unprivileged_setup(&self->user));
	ASSERT_EQ(0, blob_make(&self->blob, 24));
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(own_tables)
{
	close(self->fd);
	blob_free(&self->blob);
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

TEST_F(own_tables, sessions_without_privileges_share_no_table)
{
	int other;

	ASSERT_EQ(0, blob_give(&self->blob, self->fd));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	other = session_open(0);
	ASSERT_LE(0, other);
	blob_set_inner(&self->blob, (struct tprof_lx_unwind_rule){ TPROF_LX_UNWIND_CUT });
	EXPECT_EQ(0, blob_give(&self->blob, self->user.fd));
	blob_set_inner(&self->blob, (struct tprof_lx_unwind_rule){ TPROF_LX_UNWIND_END });
	EXPECT_EQ(0, blob_give(&self->blob, other));
	EXPECT_EQ(-EEXIST, blob_give(&self->blob, self->user.fd));
	EXPECT_EQ(-EEXIST, blob_give(&self->blob, self->fd));
	close(other);
}

static int set_limit(struct target *root, __u64 bytes)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", bytes);
	return file_write(PARAMETER, text);
}

TEST_F(own_tables, sessions_without_privileges_share_a_quarter)
{
	__u64 bytes;
	int other;

	ASSERT_EQ(0, blob_give(&self->blob, self->fd));
	ASSERT_EQ(1, count_tables(self->fd, &bytes));
	/* A quarter has room for one such table, and all of it for four. */
	ASSERT_EQ(0, target_do(&self->user.root, set_limit, 4 * bytes));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	other = session_open(0);
	ASSERT_LE(0, other);
	EXPECT_EQ(0, blob_give(&self->blob, self->user.fd));
	EXPECT_EQ(-ENOSPC, blob_give(&self->blob, other));
	close(other);
	EXPECT_EQ(0, target_do(&self->user.root, set_limit, 64 << 20));
}

TEST_HARNESS_MAIN
