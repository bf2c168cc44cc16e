// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - copies of the stack, for chains whose tables are not there yet
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/blob_chains.h"
#include "harness/test.h"

#define RIP	16
#define RSP	7
/* Bytes of the frame of the outermost function, at least. */
#define OUTERMOST	256

FIXTURE(stack_copy) {
	struct chains	own;
	struct blob	blob;
};

FIXTURE_VARIANT(stack_copy) {
	const char	*backend;
};

#define BACKEND(name)							\
	FIXTURE_VARIANT_ADD(stack_copy, name) {				\
		.backend	= #name,				\
	}

BACKEND(nmi);
BACKEND(timer);

FIXTURE_SETUP(stack_copy)
{
	ASSERT_EQ(0, chains_open(&self->own));
	ASSERT_EQ(0, blob_make(&self->blob, 24));
	ASSERT_EQ(0, blob_map(&self->blob, NULL));
}

FIXTURE_TEARDOWN(stack_copy)
{
	blob_free(&self->blob);
	chains_close(&self->own);
}

static int add_event(struct chains *chains, const char *backend, __u32 flags, __u32 stack_bytes)
{
	struct tprof_lx_event event = {
		.size = sizeof(event),
		.flags = flags,
		.attr = (unsigned long)&chains->attr,
		.stack_bytes = stack_bytes,
	};

	strncpy(event.backend, backend, sizeof(event.backend) - 1);
	return session_ioctl(chains->fd, TPROF_LX_IOC_EVENT, &event);
}

/* Sample the object for half a second, with copies of at most @stack_bytes of the stack. */
static int sample_blob(FIXTURE_DATA(stack_copy) *self, const char *backend, __u32 stack_bytes)
{
	int err = add_event(&self->own, backend, BLOB_FLAGS, stack_bytes);

	err = err ?: session_start(self->own.fd, 1);
	if (!err)
		blob_run(&self->blob, 500, 0);
	return err ?: chains_end(&self->own);
}

/* Sample the object below a large frame. */
static __attribute__((noinline)) int sample_below(FIXTURE_DATA(stack_copy) *self,
						  const char *backend, __u32 stack_bytes)
{
	volatile char large[65536];
	int err;

	large[0] = 0;
	err = sample_blob(self, backend, stack_bytes);
	return err + large[0];
}

/**
 * struct copies - the samples and deferred chains that begin in inner()
 * @samples:	samples with a copy
 * @chains:	deferred chains with a copy
 * @exact:	those of both whose copy has the return addresses of all callers
 * @without:	samples without a copy whose chain is not deferred
 * @halved:	samples whose copy has the upper end of this stack as its second part
 * @longest:	bytes of the longest copy
 */
struct copies {
	size_t	samples;
	size_t	chains;
	size_t	exact;
	size_t	without;
	size_t	halved;
	__u32	longest;
};

static bool has_word(const __u64 *words, size_t nr, unsigned long word)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (words[i] == word)
			return true;
	}
	return false;
}

/* The outermost function does not change its frame while the object runs. */
static bool has_upper_end(const struct tprof_lx_stack *stack, const __u64 *words)
{
	unsigned long end = stack->regs[RSP] - TPROF_LX_STACK_BELOW + stack->bytes + stack->gap;

	return stack->bytes - stack->low >= OUTERMOST &&
	       !memcmp((const void *)words + stack->bytes - OUTERMOST,
		       (const void *)(end - OUTERMOST), OUTERMOST);
}

/* Look at the copy that ends at @end, of a record with address @ip. */
static bool is_exact(const struct blob *blob, const void *end, __u64 ip, __u32 *longest,
		     bool *is_halved)
{
	const struct tprof_lx_stack *stack = end - sizeof(*stack);
	const __u64 *words = (const void *)stack - stack->bytes;
	size_t nr = stack->present / sizeof(*words);

	if (stack->bytes > *longest)
		*longest = stack->bytes;
	*is_halved = stack->gap && has_upper_end(stack, words);
	return stack->regs[RIP] == ip && stack->frames == 127 && stack->present <= stack->bytes &&
	       has_word(words, nr, (unsigned long)blob->code + BLOB_IN_MIDDLE) &&
	       has_word(words, nr, (unsigned long)blob->code + BLOB_IN_OUTER);
}

static void see(struct copies *copies, const struct blob *blob, const struct record *record)
{
	const struct tprof_lx_chain *chain = record->body;
	bool has_copy = record->header->misc & TPROF_LX_MISC_STACK, is_halved = false;
	bool is_sample = record->header->type == PERF_RECORD_SAMPLE;
	__u64 ip = is_sample ? record->ip : chain->ips[0] == PERF_CONTEXT_USER ? chain->ips[1] : 0;

	if (!blob_is_in_inner(blob, ip))
		return;
	if (is_sample && !has_copy && !(record->header->misc & TPROF_LX_MISC_CHAIN_DEFERRED))
		copies->without++;
	if (!has_copy)
		return;
	copies->samples += is_sample;
	copies->chains += !is_sample;
	copies->exact += is_exact(blob, record->body + record->body_bytes, ip, &copies->longest,
				  &is_halved);
	copies->halved += is_sample && is_halved;
}

static struct copies look(const struct stream *stream, const struct blob *blob)
{
	const struct record *record;
	struct copies copies = {};

	for_each_record(record, stream) {
		if (record->header->type == PERF_RECORD_SAMPLE ||
		    (record->header->type == RECORD_CGROUP &&
		     !strcmp(((const struct tprof_lx_chain *)record->body)->path,
			     TPROF_LX_CHAIN_PATH)))
			see(&copies, blob, record);
	}
	printf("# %zu samples and %zu chains with a copy, %zu exact, %zu without; at most %u bytes\n",
	       copies.samples, copies.chains, copies.exact, copies.without, copies.longest);
	return copies;
}

TEST_F(stack_copy, chain_without_a_table_has_the_stack)
{
	struct copies copies;

	ASSERT_EQ(0, sample_blob(self, variant->backend, TPROF_LX_MAX_STACK_BYTES));
	copies = look(&self->own.stream, &self->blob);
	EXPECT_LT(20, copies.samples);
	EXPECT_EQ(copies.samples + copies.chains, copies.exact);
	EXPECT_EQ(0, copies.without);
	EXPECT_EQ(self->own.stats.ledger.taken,
		  self->own.stats.ledger.delivered + self->own.stats.ledger.filtered);
}

/* A new mapping lets the next chain be deferred, as the mappings are not known any more. */
TEST_F(stack_copy, deferred_chain_without_a_table_has_the_stack)
{
	struct copies copies;
	void *page;
	int i;

	ASSERT_EQ(0, add_event(&self->own, variant->backend, BLOB_FLAGS, TPROF_LX_MAX_STACK_BYTES));
	ASSERT_EQ(0, session_start(self->own.fd, 1));
	for (i = 0; i < 20; i++) {
		page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ASSERT_NE(MAP_FAILED, page);
		blob_run(&self->blob, 25, 0);
		munmap(page, 4096);
	}
	ASSERT_EQ(0, chains_end(&self->own));
	copies = look(&self->own.stream, &self->blob);
	EXPECT_LT(5, copies.chains);
	EXPECT_EQ(copies.samples + copies.chains, copies.exact);
	EXPECT_EQ(0, copies.without);
}

/* The stack is larger than that: the frame of sample_below() is. */
TEST_F(stack_copy, copy_that_is_too_short_has_both_ends)
{
	struct copies copies;

	ASSERT_EQ(0, sample_below(self, variant->backend, 4096));
	copies = look(&self->own.stream, &self->blob);
	EXPECT_LT(20, copies.samples);
	EXPECT_EQ(copies.samples + copies.chains, copies.exact);
	EXPECT_EQ(4096, copies.longest);
	EXPECT_EQ(copies.samples, copies.halved);
}

TEST_F(stack_copy, event_that_does_not_ask_has_no_copy)
{
	struct copies copies;

	ASSERT_EQ(0, sample_blob(self, variant->backend, 0));
	copies = look(&self->own.stream, &self->blob);
	EXPECT_EQ(0, copies.samples + copies.chains);
	EXPECT_LT(20, copies.without);
}

TEST_F(stack_copy, chain_with_a_table_has_no_copy)
{
	struct copies copies;

	/* The program of the test has no table, so chains must not lead there. */
	blob_set_inner(&self->blob, (struct tprof_lx_unwind_rule){ TPROF_LX_UNWIND_END });
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	ASSERT_EQ(0, sample_blob(self, variant->backend, TPROF_LX_MAX_STACK_BYTES));
	copies = look(&self->own.stream, &self->blob);
	EXPECT_EQ(0, copies.samples + copies.chains);
	EXPECT_LT(20, copies.without);
}

static int give_none(FIXTURE_DATA(stack_copy) *self, int fd)
{
	struct tprof_lx_table *arg = &self->blob.arg, real = *arg;
	int err;

	arg->page0 = 0;
	arg->nr_pages = 0;
	arg->nr_rows = 0;
	arg->nr_rules = 0;
	err = blob_give(&self->blob, fd);
	*arg = real;
	return err;
}

TEST_F(stack_copy, file_that_has_no_table_needs_no_copy)
{
	struct copies copies;

	ASSERT_EQ(0, give_none(self, self->own.fd));
	ASSERT_EQ(0, sample_blob(self, variant->backend, TPROF_LX_MAX_STACK_BYTES));
	copies = look(&self->own.stream, &self->blob);
	EXPECT_EQ(0, copies.samples + copies.chains);
	EXPECT_LT(20, copies.without);
}

TEST_F(stack_copy, table_without_rows_gives_way)
{
	ASSERT_EQ(0, give_none(self, self->own.fd));
	EXPECT_EQ(0, give_none(self, self->own.fd));
	ASSERT_EQ(0, blob_give(&self->blob, self->own.fd));
	EXPECT_EQ(0, give_none(self, self->own.fd));
	ASSERT_EQ(0, sample_blob(self, variant->backend, TPROF_LX_MAX_STACK_BYTES));
	EXPECT_EXACT(&self->own.stream, &self->blob);
	EXPECT_EQ(1, self->own.stats.tables);
}

/* The session that gave the table ends, not the one that said that there is none. */
TEST_F(stack_copy, table_ends_with_the_sessions_that_gave_its_rows)
{
	int other = session_open(0);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, give_none(self, self->own.fd));
	ASSERT_EQ(0, blob_give(&self->blob, other));
	self->blob.rows[0].low--;
	EXPECT_EQ(-EEXIST, blob_give(&self->blob, self->own.fd));
	close(other);
	EXPECT_EQ(0, blob_give(&self->blob, self->own.fd));
}

/* A copy may not displace samples. */
TEST_F(stack_copy, ring_at_its_watermark_gets_no_copy)
{
	struct tprof_lx_config config = { .watermark = 8192 };
	struct copies copies;
	__s32 pid = getpid();

	config.targets = (unsigned long)&pid;
	config.nr_targets = 1;
	ASSERT_EQ(0, session_config(self->own.fd, &config));
	/* The stack is larger than the watermark: the frame of sample_below() is. */
	ASSERT_EQ(0, sample_below(self, variant->backend, TPROF_LX_MAX_STACK_BYTES));
	copies = look(&self->own.stream, &self->blob);
	EXPECT_EQ(0, copies.samples + copies.chains);
	EXPECT_LT(20, copies.without);
}

TEST_F(stack_copy, wrong_lengths_are_einval)
{
	struct chains *own = &self->own;

	EXPECT_EQ(-EINVAL, add_event(own, variant->backend, BLOB_FLAGS, 12));
	EXPECT_EQ(-EINVAL, add_event(own, variant->backend, BLOB_FLAGS,
				     TPROF_LX_MAX_STACK_BYTES + 8));
	EXPECT_EQ(-EINVAL, add_event(own, variant->backend, TPROF_LX_EVENT_DEFERRED, 512));
	EXPECT_EQ(0, add_event(own, variant->backend, BLOB_FLAGS, 512));
}

TEST_HARNESS_MAIN
