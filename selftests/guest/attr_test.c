// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - perf_event_attr: supported members and flags are accepted,
 * all others are refused
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"

/* Offset of the word of flags, which consists of bit-fields and has no name. */
#define FLAGS_OFFSET	(offsetof(struct perf_event_attr, read_format) + 8)

FIXTURE(attr) {
	int			fd;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(attr)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_init(&self->attr, 1000);
}

FIXTURE_TEARDOWN(attr)
{
	close(self->fd);
}

static int try_alone(FIXTURE_DATA(attr) *self)
{
	return event_try("timer", &self->attr);
}

TEST_F(attr, takes_every_supported_flag)
{
	self->attr.exclude_kernel = 1;
	self->attr.exclude_idle = 1;
	self->attr.comm = 1;
	self->attr.comm_exec = 1;
	self->attr.task = 1;
	self->attr.mmap = 1;
	self->attr.mmap2 = 1;
	self->attr.mmap_data = 1;
	self->attr.build_id = 1;
	self->attr.context_switch = 1;
	self->attr.watermark = 1;
	self->attr.wakeup_watermark = 4096;
	EXPECT_EQ(0, try_alone(self));
	self->attr.exclude_kernel = 0;
	self->attr.exclude_user = 1;
	EXPECT_EQ(0, try_alone(self));
}

TEST_F(attr, takes_each_sample_type)
{
	static const __u64 types[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD,
		PERF_SAMPLE_CALLCHAIN,
	};

	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		self->attr.sample_type = types[i];
		EXPECT_EQ(0, try_alone(self))
			TH_LOG("sample_type %llx", types[i]);
	}
}

TEST_F(attr, takes_attrs_of_every_size)
{
	static const __u32 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128 };
	char attr[4096] = {};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		self->attr.size = sizes[i];
		if (sizes[i] < PERF_ATTR_SIZE_VER3)
			attr_drop_clock(&self->attr);
		EXPECT_EQ(0, try_alone(self))
			TH_LOG("size %u", sizes[i]);
		attr_init(&self->attr, 1000);
	}

	/* An attr of a newer kernel, in which the new members are zero. */
	memcpy(attr, &self->attr, sizeof(self->attr));
	((struct perf_event_attr *)attr)->size = 200;
	EXPECT_EQ(0, event_add(self->fd, "timer", (void *)attr));
	/* Size 0 means the attr's first version, as in perf_event_open(2). */
	self->attr.size = 0;
	attr_drop_clock(&self->attr);
	EXPECT_EQ(0, try_alone(self));
}

TEST_F(attr, newer_attr_with_unknown_field_is_e2big)
{
	char attr[4096] = {};

	memcpy(attr, &self->attr, sizeof(self->attr));
	((struct perf_event_attr *)attr)->size = 200;
	attr[199] = 1;
	EXPECT_EQ(-E2BIG, event_add(self->fd, "timer", (void *)attr));
}

TEST_F(attr, attr_of_bad_size_is_refused)
{
	int err;

	self->attr.size = 8;
	err = event_add(self->fd, "timer", &self->attr);
	EXPECT_TRUE(err == -EINVAL || err == -E2BIG)
		TH_LOG("%d", err);
	self->attr.size = 0x7fffffff;
	err = event_add(self->fd, "timer", &self->attr);
	EXPECT_TRUE(err == -EINVAL || err == -E2BIG)
		TH_LOG("%d", err);
}

TEST_F(attr, bad_attr_memory_is_efault)
{
	EXPECT_EQ(-EFAULT, event_add(self->fd, "timer", NULL));
	EXPECT_EQ(-EFAULT, event_add(self->fd, "timer", (void *)64));
}

/* Flags that perf_event_open(2) supports, but tprof-lx does not. */
static const struct {
	const char	*name;
	unsigned int	bit;
} refused_flags[] = {
	{ "disabled",			0 },
	{ "inherit",			1 },
	{ "pinned",			2 },
	{ "exclusive",			3 },
	{ "exclude_hv",			6 },
	{ "inherit_stat",		11 },
	{ "enable_on_exec",		12 },
	{ "precise_ip 1",		15 },
	{ "precise_ip 2",		16 },
	{ "exclude_host",		19 },
	{ "exclude_guest",		20 },
	{ "write_backward",		27 },
	{ "namespaces",			28 },
	{ "ksymbol",			29 },
	{ "bpf_event",			30 },
	{ "aux_output",			31 },
	{ "cgroup",			32 },
	{ "text_poke",			33 },
	{ "inherit_thread",		35 },
	{ "remove_on_exec",		36 },
	{ "sigtrap",			37 },
};

TEST_F(attr, refuses_unsupported_flags)
{
	__u64 *flags = (void *)((char *)&self->attr + FLAGS_OFFSET);
	__u64 usual = *flags;

	for (size_t i = 0; i < ARRAY_LEN(refused_flags); i++) {
		*flags = usual | 1ULL << refused_flags[i].bit;
		EXPECT_EQ(-EOPNOTSUPP, try_alone(self))
			TH_LOG("%s", refused_flags[i].name);
	}
}

TEST_F(attr, refuses_unknown_flags)
{
	__u64 *flags = (void *)((char *)&self->attr + FLAGS_OFFSET);
	__u64 usual = *flags;

	for (unsigned int bit = 38; bit < 64; bit++) {
		int err;

		*flags = usual | 1ULL << bit;
		err = try_alone(self);
		/*
		 * EVENT returns EOPNOTSUPP for a flag that the kernel knows, and
		 * EINVAL for any other flag. Some kernels know flags up to bit 43.
		 */
		EXPECT_TRUE(err == -EINVAL || (bit < 44 && err == -EOPNOTSUPP))
			TH_LOG("bit %u: %d", bit, err);
	}
}

TEST_F(attr, refuses_unsupported_sample_types)
{
	for (unsigned int bit = 0; bit < 25; bit++) {
		__u64 type = 1ULL << bit;

		if (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			    PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			    PERF_SAMPLE_STACK_USER))
			continue;
		self->attr.sample_type = PERF_SAMPLE_IDENTIFIER | type;
		EXPECT_EQ(-EOPNOTSUPP, try_alone(self))
			TH_LOG("bit %u", bit);
	}
}

TEST_F(attr, refuses_unknown_sample_types)
{
	for (unsigned int bit = 32; bit < 64; bit++) {
		self->attr.sample_type = PERF_SAMPLE_IP | 1ULL << bit;
		EXPECT_EQ(-EINVAL, try_alone(self))
			TH_LOG("bit %u", bit);
	}
}

/*
 * Members that must be zero with the sample_type of attr_init(). Some belong to fields of
 * samples that this sample_type does not request. The others belong to features that
 * tprof-lx does not support.
 */
static const struct {
	const char	*name;
	size_t		offset;
} refused_members[] = {
#define MEMBER(name) { #name, offsetof(struct perf_event_attr, name) }
	MEMBER(read_format),
	MEMBER(wakeup_events),
	MEMBER(bp_type),
	MEMBER(config1),
	MEMBER(config2),
	MEMBER(branch_sample_type),
	MEMBER(sample_regs_user),
	MEMBER(sample_stack_user),
	MEMBER(sample_regs_intr),
	MEMBER(aux_watermark),
	MEMBER(sample_max_stack),
	MEMBER(aux_sample_size),
	MEMBER(sig_data),
#undef MEMBER
};

TEST_F(attr, refuses_unsupported_members)
{
	for (size_t i = 0; i < ARRAY_LEN(refused_members); i++) {
		int err;

		attr_init(&self->attr, 1000);
		*((char *)&self->attr + refused_members[i].offset) = 1;
		err = try_alone(self);
		EXPECT_TRUE(err == -EOPNOTSUPP || err == -EINVAL)
			TH_LOG("%s: %d", refused_members[i].name, err);
	}
}

TEST_F(attr, refuses_reserved_member)
{
	self->attr.__reserved_2 = 1;
	EXPECT_EQ(-EINVAL, try_alone(self));
}

TEST_F(attr, refuses_other_types_and_configs)
{
	self->attr.type = PERF_TYPE_HARDWARE;
	EXPECT_EQ(-EOPNOTSUPP, try_alone(self));
	self->attr.type = PERF_TYPE_SOFTWARE;
	self->attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	EXPECT_EQ(-EOPNOTSUPP, try_alone(self));
	self->attr.config = ~0ULL;
	EXPECT_EQ(-EOPNOTSUPP, try_alone(self));
}

TEST_F(attr, no_period_is_einval)
{
	self->attr.sample_freq = 0;
	EXPECT_EQ(-EINVAL, try_alone(self));
	self->attr.freq = 0;
	EXPECT_EQ(-EINVAL, try_alone(self));
}

TEST_F(attr, no_sample_type_is_einval)
{
	self->attr.sample_type = 0;
	EXPECT_EQ(-EINVAL, try_alone(self));
}

TEST_F(attr, contradictions_are_einval)
{
	self->attr.exclude_user = 1;
	self->attr.exclude_kernel = 1;
	EXPECT_EQ(-EINVAL, try_alone(self));

	attr_init(&self->attr, 1000);
	self->attr.comm_exec = 1;
	EXPECT_EQ(-EINVAL, try_alone(self));

	attr_init(&self->attr, 1000);
	self->attr.mmap2 = 1;
	EXPECT_EQ(-EINVAL, try_alone(self));

	attr_init(&self->attr, 1000);
	self->attr.mmap_data = 1;
	EXPECT_EQ(-EINVAL, try_alone(self));

	attr_init(&self->attr, 1000);
	self->attr.mmap = 1;
	self->attr.build_id = 1;
	EXPECT_EQ(-EINVAL, try_alone(self));

	attr_init(&self->attr, 1000);
	self->attr.use_clockid = 0;
	EXPECT_EQ(-EINVAL, try_alone(self));

	attr_init(&self->attr, 1000);
	self->attr.watermark = 1;
	EXPECT_EQ(-EINVAL, try_alone(self));
}

TEST_F(attr, takes_only_nmi_safe_clocks)
{
	static const int good[] = {
		CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
		CLOCK_REALTIME, CLOCK_TAI,
	};
	static const int bad[] = {
		CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID,
		CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME_ALARM, 99, -1,
	};

	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		self->attr.clockid = good[i];
		EXPECT_EQ(0, try_alone(self))
			TH_LOG("clock %d", good[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		self->attr.clockid = bad[i];
		EXPECT_EQ(-EINVAL, try_alone(self))
			TH_LOG("clock %d", bad[i]);
	}
}

TEST_HARNESS_MAIN
