// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - call chains
 *
 * The tests sample the call tree of tree.c, code with a bad frame pointer, the
 * kernel, and 32-bit code.
 */
#include <string.h>
#include <sys/mman.h>

#include "harness/chains.h"
#include "harness/tree_chains.h"
#include "harness/test.h"

FIXTURE(chain) {
	struct chains	own;
};

FIXTURE_VARIANT(chain) {
	const char	*backend;
};

#define BACKEND(name)							\
	FIXTURE_VARIANT_ADD(chain, name) {				\
		.backend	= #name,				\
	}

BACKEND(nmi);
BACKEND(timer);

FIXTURE_SETUP(chain)
{
	ASSERT_EQ(0, chains_open(&self->own));
}

FIXTURE_TEARDOWN(chain)
{
	chains_close(&self->own);
}

/*
 * Return the user part of the chain, which follows PERF_CONTEXT_USER, and set *@nr
 * to its length. Return NULL if the chain has no user part.
 */
static const __u64 *user_part(const struct record *record, __u64 *nr)
{
	const __u64 *chain = record_chain(record, nr);

	while (*nr) {
		--*nr;
		if (*chain++ == PERF_CONTEXT_USER)
			return chain;
	}
	return NULL;
}

TEST_F(chain, no_chain_unless_requested)
{
	const struct record *record;
	size_t seen = 0;

	self->own.attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	call_tree(0, 500);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		EXPECT_EQ(0, record->body_bytes);
		seen++;
	}
	EXPECT_LT(5, seen);
}

TEST_F(chain, user_part_is_the_call_tree)
{
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	call_tree(0, 1000);
	ASSERT_EQ(0, chains_end(&self->own));
	expect_tree_chains(_metadata, &self->own.stream);
}

TEST_F(chain, kernel_part_comes_first)
{
	const struct record *record;
	size_t seen = 0, whole = 0;
	__u64 spent;

	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	ASSERT_EQ(0, burn(TPROF_LX_BURN_TASK, 500, &spent));
	ASSERT_EQ(0, chains_end(&self->own));

	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain, *user;
		__u64 nr, left, i;

		if (!record_is_kernel(record))
			continue;
		chain = record_chain(record, &nr);
		user = user_part(record, &left);
		ASSERT_LT(1, nr);
		EXPECT_EQ(PERF_CONTEXT_KERNEL, chain[0]);
		EXPECT_EQ(record->ip, chain[1]);
		/* Before PERF_CONTEXT_USER, all addresses are in the kernel. */
		for (i = 1; i < nr && chain + i + 1 != user; i++)
			EXPECT_LT(1ULL << 63, chain[i]);
		for (; user && left; left--)
			EXPECT_GT(1ULL << 47, user[left - 1]);
		seen++;
		/*
		 * Count a chain as whole if it has a user part, PERF_CONTEXT_KERNEL
		 * and at least 5 kernel frames: those of the module, ioctl(2) and
		 * the entry.
		 */
		whole += user && i >= 6;
	}
	EXPECT_LT(5, seen);
	EXPECT_LE(80 * seen, 100 * whole)
		TH_LOG("%zu of %zu", whole, seen);
	/*
	 * A sample in the first instructions after the system call may lose its
	 * chain.
	 */
	EXPECT_LE(5 * self->own.stats.chains_lost, seen);
}

TEST_F(chain, user_part_can_be_excluded)
{
	const struct record *record;
	bool has_user = false, has_kernel = false;
	__u64 spent, nr, i;

	self->own.attr.exclude_callchain_user = 1;
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	ASSERT_EQ(0, burn(TPROF_LX_BURN_TASK, 500, &spent));
	call_tree(0, 500);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		for (i = 0; i < nr; i++)
			has_user |= chain[i] == PERF_CONTEXT_USER;
		has_kernel |= nr > 1;
		EXPECT_TRUE(record_is_kernel(record) || !nr);
	}
	EXPECT_FALSE(has_user);
	EXPECT_TRUE(has_kernel);
}

TEST_F(chain, depth_is_limited_and_counted)
{
	const struct record *record;
	__u64 nr, samples = 0, leaves = 0;

	self->own.attr.sample_max_stack = 10;
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	call_tree(40, 500);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		samples++;
		EXPECT_GE(12, nr);
		if (!IS_IN(leaf, record->ip))
			continue;
		leaves++;
		EXPECT_EQ(11, nr);
		EXPECT_TRUE(IS_IN(deep, chain[10]));
	}
	EXPECT_LT(5, leaves);
	EXPECT_LE(leaves, self->own.stats.chains_deep);
	EXPECT_GE(samples, self->own.stats.chains_deep);
}

TEST_F(chain, absent_memory_ends_the_chain_and_is_counted)
{
	void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	const struct record *record;
	size_t seen = 0;
	__u64 nr;

	ASSERT_NE(MAP_FAILED, hole);
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	stray_for(hole, 500);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		if (!IS_IN(stray, record->ip) || nr != 2)
			continue;
		seen++;
		EXPECT_EQ(PERF_CONTEXT_USER, chain[0]);
		EXPECT_EQ(record->ip, chain[1]);
	}
	EXPECT_LT(5, seen);
	EXPECT_LE(seen, self->own.stats.chains_absent);
	munmap(hole, 4096);
}

/* The frame points to itself, but the chain must end. */
TEST_F(chain, loop_of_frames_ends_the_chain)
{
	unsigned long frame[2] = { (unsigned long)frame, 0x123456 };
	const struct record *record;
	size_t seen = 0;
	__u64 nr;

	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	stray_for(frame, 500);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		if (!IS_IN(stray, record->ip) || nr != 3)
			continue;
		seen++;
		EXPECT_EQ(0x123456, chain[2]);
	}
	EXPECT_LT(5, seen);
}

/* A program cannot put kernel addresses or PERF_CONTEXT_* into its user chain. */
TEST_F(chain, address_outside_user_space_ends_the_chain)
{
	static const unsigned long rets[] = {
		PERF_CONTEXT_KERNEL, 0xffffffff81000000, 1UL << 47,
	};
	unsigned long frames[ARRAY_LEN(rets)][2];
	const struct record *record;
	size_t seen = 0;
	__u64 nr;

	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	for (size_t i = 0; i < ARRAY_LEN(rets); i++) {
		frames[i][0] = (unsigned long)frames[0];
		frames[i][1] = rets[i];
		stray_for(frames[i], 200);
	}
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = user_part(record, &nr);

		seen += IS_IN(stray, record->ip) && nr == 1;
		while (chain && nr)
			EXPECT_GT(1ULL << 47, chain[--nr]);
	}
	EXPECT_LT(5, seen);
}

/* No address outside user space is read, whatever is in the frame pointer register. */
TEST_F(chain, frame_pointer_outside_user_space_ends_the_chain)
{
	static const unsigned long places[] = {
		0x7ffffffff000 - 8,	/* half a frame below the limit */
		1UL << 47, 1UL << 62, 0xffffffff81000000, -8UL, -16UL,
	};
	const struct record *record;
	size_t seen = 0;
	__u64 nr;

	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		stray_for((void *)places[i], 100);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		if (!IS_IN(stray, record->ip))
			continue;
		/* At the first instructions, stray() has not set the register yet. */
		if (nr == 2) {
			seen++;
			EXPECT_EQ(record->ip, chain[1]);
		}
	}
	EXPECT_LT(5, seen);
	EXPECT_LE(seen, self->own.stats.chains_absent);
}

/*
 * 32-bit code with two frames: the outer function at 0x00 calls the inner function
 * at 0x20, which counts ecx down to 0. The code at 0x40 is 64-bit: it jumps to r14.
 */
static const unsigned char narrow_code[] = {
	[0x00] = 0x55, 0x89, 0xe5, 0xe8, 0x18, 0, 0, 0,
		 0x5d, 0xea, 0, 0, 0, 0, 0x33, 0,
	[0x20] = 0x55, 0x89, 0xe5, 0x49, 0x75, 0xfd, 0x5d, 0xc3,
	[0x40] = 0x41, 0xff, 0xe6,
};

#define NARROW_RETURN	0x08
#define NARROW_FAR	0x0a
#define NARROW_LOOP	0x23
#define NARROW_END	0x26
#define NARROW_BACK	0x40

static unsigned char *narrow_alloc(void)
{
	unsigned char *code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	__u32 back;

	if (code == MAP_FAILED)
		return NULL;
	memcpy(code, narrow_code, sizeof(narrow_code));
	back = (unsigned long)code + NARROW_BACK;
	memcpy(code + NARROW_FAR, &back, sizeof(back));
	return code;
}

/*
 * Run narrow_code[] at @code. Its stack is the page after the code, and its
 * outermost frame is zero. The code is entered by a far jump, because some emulators
 * cannot enter 32-bit code by a return.
 */
static void narrow_run(unsigned char *code, unsigned long steps)
{
	struct {
		__u32	offset;
		__u16	segment;
	} to = { (unsigned long)code, 0x23 };

	asm volatile("mov	%%rsp, %%r12\n\t"
		     "mov	%%rbp, %%r13\n\t"
		     "lea	1f(%%rip), %%r14\n\t"
		     "lea	8128(%0), %%rsp\n\t"
		     "xor	%%ebp, %%ebp\n\t"
		     "push	$0\n\t"
		     "push	$0\n\t"
		     "ljmpl	*(%2)\n"
		     "1:	mov	%%r12, %%rsp\n\t"
		     "mov	%%r13, %%rbp"
		     : "+b"(code), "+c"(steps)
		     : "d"(&to) : "r12", "r13", "r14", "memory", "cc");
}

TEST_F(chain, frames_of_32_bit_code_are_followed)
{
	unsigned char *code = narrow_alloc();
	unsigned long begin_ip = (unsigned long)code + NARROW_LOOP;
	unsigned long end_ip = (unsigned long)code + NARROW_END;
	const struct record *record;
	size_t seen = 0;
	__u64 nr;

	ASSERT_NE(NULL, code);
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend, 0));
	for (__u64 until = now_ns() + 500 * NSEC_PER_MSEC; now_ns() < until;)
		narrow_run(code, 1000000);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record_type(record, &self->own.stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain = record_chain(record, &nr);

		if (record->ip < begin_ip || record->ip >= end_ip)
			continue;
		seen++;
		ASSERT_EQ(3, nr);
		EXPECT_EQ((unsigned long)code + NARROW_RETURN, chain[2]);
	}
	EXPECT_LT(5, seen);
	munmap(code, 8192);
}

TEST_HARNESS_MAIN
