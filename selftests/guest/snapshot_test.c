// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - samples with user registers and a copy of the user stack
 */
#include <unistd.h>

#include <asm/perf_regs.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"
#include "harness/tree.h"

#define USER_REGS							\
	(((1ULL << PERF_REG_X86_DS) - 1) |				\
	 ((1ULL << PERF_REG_X86_64_MAX) - (1ULL << PERF_REG_X86_R8)))

FIXTURE(snapshot) {
	int			fd;
	struct perf_event_attr	attr;
	struct stream		stream;
};

FIXTURE_VARIANT(snapshot) {
	const char	*backend;
};

#define BACKEND(name)							\
	FIXTURE_VARIANT_ADD(snapshot, name) {				\
		.backend	= #name,				\
	}

BACKEND(nmi);
BACKEND(timer);

FIXTURE_SETUP(snapshot)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	attr_init(&self->attr, 1000);
}

FIXTURE_TEARDOWN(snapshot)
{
	stream_free(&self->stream);
	close(self->fd);
}

/* Record half a second of call_tree(). */
static int record_tree(FIXTURE_DATA(snapshot) *self, const char *backend)
{
	int err = event_add(self->fd, backend, &self->attr);

	if (err >= 0)
		err = session_start(self->fd, 1);
	if (err)
		return err;
	call_tree(0, 500);
	err = session_stop(self->fd, 1);
	return err ?: stream_read_all(&self->stream, self->fd);
}

/* @regs has one value for each bit of @mask. Return the value for bit @bit. */
static __u64 reg_of(const __u64 *regs, __u64 mask, unsigned int bit)
{
	return regs[__builtin_popcountll(mask & ((1ULL << bit) - 1))];
}

TEST_F(snapshot, registers_and_stack_are_of_user_mode)
{
	const struct record *record;
	size_t seen = 0, wrong = 0;
	const __u64 bytes = 1024;

	self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
				  PERF_SAMPLE_STACK_USER;
	self->attr.sample_regs_user = USER_REGS;
	self->attr.sample_stack_user = bytes;
	ASSERT_EQ(0, record_tree(self, variant->backend));

	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain, *regs, *stack;
		__u64 nr, sp, bp;

		if (!IS_IN(leaf, record->ip))
			continue;
		chain = record_chain(record, &nr);
		regs = chain + nr;
		ASSERT_EQ(PERF_SAMPLE_REGS_ABI_64, *regs++);
		EXPECT_EQ(record->ip, reg_of(regs, USER_REGS, PERF_REG_X86_IP));
		sp = reg_of(regs, USER_REGS, PERF_REG_X86_SP);
		bp = reg_of(regs, USER_REGS, PERF_REG_X86_BP);
		stack = regs + __builtin_popcountll(USER_REGS);
		ASSERT_EQ(bytes, *stack++);
		ASSERT_EQ(bytes, stack[bytes / 8]);
		ASSERT_EQ((const void *)(stack + bytes / 8 + 1),
			  (const void *)record->header + record->header->size);
		seen++;
		/*
		 * The return address in the copied frame must be the one in the
		 * chain.
		 */
		wrong += bp < sp || bp - sp > bytes - 16 ||
			 stack[(bp - sp) / 8 + 1] != chain[2];
	}
	EXPECT_LT(5, seen);
	EXPECT_LE(100 * wrong, seen)
		TH_LOG("%zu of %zu", wrong, seen);
}

/* The copy ends where the stack ends, and zeroes follow it. */
TEST_F(snapshot, stack_copy_ends_where_the_stack_ends)
{
	const struct record *record;
	const __u64 bytes = 48 << 10;
	size_t seen = 0, zeroes = 0, kept = 0;

	self->attr.sample_type |= PERF_SAMPLE_STACK_USER;
	self->attr.sample_stack_user = bytes;
	self->attr.sample_freq = 100;
	ASSERT_EQ(0, record_tree(self, variant->backend));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		const __u64 *stack = record->body;
		__u64 i;

		if (!*stack)
			continue;
		ASSERT_EQ(bytes, *stack++);
		ASSERT_GE(bytes, stack[bytes / 8]);
		seen++;
		kept += stack[bytes / 8] != 0;
		for (i = stack[bytes / 8] / 8; i < bytes / 8; i++, zeroes++)
			ASSERT_EQ(0, stack[i]);
	}
	EXPECT_LT(5, seen);
	EXPECT_EQ(seen, kept);
	EXPECT_LT(0, zeroes);
}

TEST_HARNESS_MAIN
