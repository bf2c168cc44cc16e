// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - attrs that request call chains, registers or stacks
 *
 * The tests show which attrs are accepted, and which errno the others get.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <asm/perf_regs.h>

#include "harness/common.h"
#include "harness/test.h"

FIXTURE(chain_attr) {
	int			fd;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(chain_attr)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_init(&self->attr, 1000);
}

FIXTURE_TEARDOWN(chain_attr)
{
	close(self->fd);
}

TEST_F(chain_attr, takes_all_chain_options)
{
	self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
				  PERF_SAMPLE_STACK_USER;
	self->attr.sample_max_stack = 1;
	self->attr.exclude_callchain_user = 1;
	self->attr.sample_regs_user = 1ULL << PERF_REG_X86_AX |
				      1ULL << PERF_REG_X86_R15;
	self->attr.sample_stack_user = 8;
	EXPECT_EQ(0, event_try("timer", &self->attr));
	self->attr.exclude_callchain_user = 0;
	self->attr.exclude_callchain_kernel = 1;
	EXPECT_EQ(0, event_try("timer", &self->attr));
}

TEST_F(chain_attr, chain_without_any_part_is_einval)
{
	self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	self->attr.exclude_callchain_user = 1;
	self->attr.exclude_callchain_kernel = 1;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
}

TEST_F(chain_attr, option_without_sample_type_is_einval)
{
	self->attr.exclude_callchain_user = 1;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
	attr_init(&self->attr, 1000);
	self->attr.exclude_callchain_kernel = 1;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
	attr_init(&self->attr, 1000);
	self->attr.sample_max_stack = 10;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
	attr_init(&self->attr, 1000);
	self->attr.sample_regs_user = 1;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
	attr_init(&self->attr, 1000);
	self->attr.sample_stack_user = 64;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
}

TEST_F(chain_attr, sample_type_without_option_is_einval)
{
	self->attr.sample_type |= PERF_SAMPLE_REGS_USER;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
	attr_init(&self->attr, 1000);
	self->attr.sample_type |= PERF_SAMPLE_STACK_USER;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
}

TEST_F(chain_attr, unavailable_registers_are_einval)
{
	static const unsigned int bits[] = {
		PERF_REG_X86_DS, PERF_REG_X86_ES, PERF_REG_X86_FS,
		PERF_REG_X86_GS, PERF_REG_X86_64_MAX, PERF_REG_X86_XMM0, 63,
	};

	self->attr.sample_type |= PERF_SAMPLE_REGS_USER;
	for (size_t i = 0; i < ARRAY_LEN(bits); i++) {
		self->attr.sample_regs_user = 1ULL << PERF_REG_X86_IP |
					      1ULL << bits[i];
		EXPECT_EQ(-EINVAL, event_try("timer", &self->attr))
			TH_LOG("bit %u", bits[i]);
	}
}

TEST_F(chain_attr, unaligned_or_huge_stack_is_einval)
{
	self->attr.sample_type |= PERF_SAMPLE_STACK_USER;
	self->attr.sample_stack_user = 12;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
	/*
	 * With its header and other fields, the sample would exceed the maximum
	 * size of a record.
	 */
	self->attr.sample_stack_user = 65528;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
	self->attr.sample_stack_user = 1 << 20;
	EXPECT_EQ(-EINVAL, event_try("timer", &self->attr));
}

/* A size near 4 GiB must not wrap around when the other fields are added. */
TEST_F(chain_attr, stack_size_near_4_gib_is_einval)
{
	static const __u32 sizes[] = {
		0xfffffff8, 0xffffffe0, 0xffffff00, 0xfffff800, 0xfffff000,
		0xffffeef8, 0xffff0000, 0x80000000,
	};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		attr_init(&self->attr, 1000);
		self->attr.sample_type |= PERF_SAMPLE_STACK_USER;
		self->attr.sample_stack_user = sizes[i];
		EXPECT_EQ(-EINVAL, event_try("timer", &self->attr))
			TH_LOG("%#x", sizes[i]);
		self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN |
					  PERF_SAMPLE_REGS_USER;
		self->attr.sample_regs_user = 1;
		EXPECT_EQ(-EINVAL, event_try("timer", &self->attr))
			TH_LOG("%#x with more", sizes[i]);
	}
}

TEST_F(chain_attr, too_many_frames_is_eoverflow)
{
	struct tprof_lx_info info = {};

	ASSERT_EQ(0, session_info(self->fd, &info));
	ASSERT_LT(0, info.max_stack);
	self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	self->attr.sample_max_stack = info.max_stack;
	EXPECT_EQ(0, event_try("timer", &self->attr));
	self->attr.sample_max_stack = info.max_stack + 1;
	EXPECT_EQ(-EOVERFLOW, event_try("timer", &self->attr));
}

TEST_F(chain_attr, sample_longer_than_a_ring_is_emsgsize)
{
	ASSERT_EQ(0, session_small(self->fd, 16 << 10, 64 << 10));
	self->attr.sample_type |= PERF_SAMPLE_STACK_USER;
	self->attr.sample_stack_user = 16 << 10;
	ASSERT_EQ(0, event_add(self->fd, "timer", &self->attr));
	EXPECT_EQ(-EMSGSIZE, session_start(self->fd, 1));
	EXPECT_EQ(TPROF_LX_STATE_ARMED, session_state(self->fd));
	ASSERT_EQ(0, session_small(self->fd, 64 << 10, 64 << 10));
	EXPECT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, session_stop(self->fd, 1));
}

/*
 * If the fifo is full, the worker waits until half of the fifo is free, and then
 * writes a sample. So a sample must fit into half of the fifo.
 */
TEST_F(chain_attr, sample_longer_than_half_the_fifo_is_emsgsize)
{
	ASSERT_EQ(0, session_small(self->fd, 128 << 10, 64 << 10));
	self->attr.sample_type |= PERF_SAMPLE_STACK_USER;
	self->attr.sample_stack_user = 48 << 10;
	ASSERT_EQ(0, event_add(self->fd, "timer", &self->attr));
	EXPECT_EQ(-EMSGSIZE, session_start(self->fd, 1));
	ASSERT_EQ(0, session_small(self->fd, 128 << 10, 128 << 10));
	EXPECT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, session_stop(self->fd, 1));
}

TEST_HARNESS_MAIN
