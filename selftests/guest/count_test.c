// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - READ, WRITE and ROWS
 *
 * Most tests use the event "tsc", which every CPU has.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/capability.h>
#include <x86intrin.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(count) {
	int			fd;
	int			event;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(count)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_count(&self->attr, PERF_TYPE_HARDWARE,
		   PERF_COUNT_HW_REF_CPU_CYCLES);
	self->event = event_add(self->fd, "tsc", &self->attr);
	ASSERT_EQ(0, self->event);
}

FIXTURE_TEARDOWN(count)
{
	close(self->fd);
}

static int read_sum(int fd, struct tprof_lx_count *count)
{
	return count_read(fd, TPROF_LX_SUM, 0, count);
}

TEST_F(count, running_count_is_live)
{
	struct tprof_lx_count first, second;

	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, read_sum(self->fd, &first));
	spin_ms(10);
	ASSERT_EQ(0, read_sum(self->fd, &second));
	EXPECT_LT(first.value, second.value);
	EXPECT_LT(first.ran_ns, second.ran_ns);
}

TEST_F(count, tsc_count_matches_rdtsc)
{
	struct tprof_lx_count count;
	__u64 before, after, inner;

	ASSERT_EQ(0, session_cpus(self->fd, 0));
	ASSERT_EQ(0, cpu_pin(0));
	before = __rdtsc();
	ASSERT_EQ(0, session_start(self->fd, 1));
	inner = __rdtsc();
	spin_ms(50);
	inner = __rdtsc() - inner;
	ASSERT_EQ(0, session_stop(self->fd, 1));
	after = __rdtsc();
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &count));
	EXPECT_LE(inner, count.value);
	EXPECT_GE(after - before, count.value);
}

TEST_F(count, count_stays_over_stop_and_start)
{
	struct tprof_lx_count first, second, third;

	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, read_sum(self->fd, &first));
	spin_ms(5);
	ASSERT_EQ(0, read_sum(self->fd, &second));
	EXPECT_LT(0, first.value);
	EXPECT_EQ(first.value, second.value);
	EXPECT_EQ(first.ran_ns, second.ran_ns);

	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, read_sum(self->fd, &third));
	EXPECT_LT(first.value, third.value);
	EXPECT_LT(first.ran_ns, third.ran_ns);
}

TEST_F(count, sum_is_the_total_of_all_cpus)
{
	struct tprof_lx_count sum, one;
	__u64 value = 0, ran_ns = 0;

	ASSERT_EQ(0, session_start(self->fd, 1));
	spin_ms(5);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	for (int cpu = 0; !count_read(self->fd, cpu, 0, &one); cpu++) {
		EXPECT_EQ(cpu >= cpus_online(), !one.value);
		value += one.value;
		ran_ns += one.ran_ns;
	}
	ASSERT_EQ(0, read_sum(self->fd, &sum));
	EXPECT_EQ(value, sum.value);
	EXPECT_EQ(ran_ns, sum.ran_ns);
}

TEST_F(count, stopped_count_can_be_written)
{
	struct tprof_lx_count count;

	ASSERT_EQ(0, count_write(self->fd, TPROF_LX_SUM, 0, 12345));
	ASSERT_EQ(0, read_sum(self->fd, &count));
	EXPECT_EQ(12345, count.value);
	ASSERT_EQ(0, count_write(self->fd, 0, 0, ~0ULL - 100));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-EBUSY, count_write(self->fd, TPROF_LX_SUM, 0, 0));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	/* The count has wrapped around at 64 bits. */
	ASSERT_EQ(0, count_read(self->fd, 0, 0, &count));
	EXPECT_GT(1ULL << 48, count.value);
}

TEST_F(count, bad_arguments_are_refused)
{
	struct tprof_lx_count count = { .size = sizeof(count), .cpu = 0 };

	EXPECT_EQ(-EINVAL, count_read(self->fd, 1 << 20, 0, &count));
	EXPECT_EQ(-ENOENT, count_read(self->fd, 0, 1, &count));
	EXPECT_EQ(-ENOENT, count_write(self->fd, 0, 31, 0));

	count = (struct tprof_lx_count){ .size = sizeof(count), .flags = 1 };
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_READ, &count));
	count.flags = 2;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_WRITE, &count));
	count = (struct tprof_lx_count){ .size = sizeof(count), .yields = 1 };
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_WRITE, &count));
}

TEST_F(count, write_outside_the_cpu_set_is_refused)
{
	ASSERT_EQ(0, session_cpus(self->fd, 0));
	EXPECT_EQ(-EINVAL, count_write(self->fd, 1, 0, 1));
}

TEST_F(count, clock_event_has_no_count)
{
	struct tprof_lx_count count;

	ASSERT_EQ(1, event_clock(self->fd, "timer", 100));
	EXPECT_EQ(-EOPNOTSUPP, count_read(self->fd, 0, 1, &count));
	EXPECT_EQ(-EOPNOTSUPP, count_write(self->fd, 0, 1, 0));
	EXPECT_EQ(-EINVAL, event_add(self->fd, "timer", &self->attr));
}

TEST_F(count, period_of_a_sampling_event_can_be_written)
{
	ASSERT_EQ(1, event_clock(self->fd, "timer", 100));
	EXPECT_EQ(-ERANGE, period_write(self->fd, TPROF_LX_SUM, 1, 1));
	EXPECT_EQ(0, period_write(self->fd, TPROF_LX_SUM, 1, 2000000));
	EXPECT_EQ(-EINVAL, period_write(self->fd, 0, 1, 2000000));
	EXPECT_EQ(-EOPNOTSUPP, period_write(self->fd, TPROF_LX_SUM, 0, 2000000));
}

TEST_F(count, counting_works_beside_sampling)
{
	struct tprof_lx_count count;
	struct stream stream = {};

	ASSERT_EQ(1, event_clock(self->fd, "timer", 1000));
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	spin_ms(100);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
	ASSERT_EQ(0, read_sum(self->fd, &count));
	EXPECT_LT(0, count.value);
	stream_free(&stream);
}

TEST_F(count, counting_session_writes_no_records)
{
	char byte;

	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-ENOENT, session_mark(self->fd, 1, "not recorded"));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(0, read(self->fd, &byte, 1));
}

TEST_F(count, counting_event_with_record_options_is_einval)
{
	self->attr.sample_type = PERF_SAMPLE_IP;
	EXPECT_EQ(-EINVAL, event_add(self->fd, "tsc", &self->attr));
	self->attr.sample_type = 0;
	self->attr.comm = 1;
	EXPECT_EQ(-EINVAL, event_add(self->fd, "tsc", &self->attr));
	self->attr.comm = 0;
	self->attr.sample_id_all = 1;
	EXPECT_EQ(-EINVAL, event_add(self->fd, "tsc", &self->attr));
}

TEST_F(count, tsc_refuses_all_but_plain_counting)
{
	self->attr.exclude_kernel = 1;
	EXPECT_EQ(-EOPNOTSUPP, event_add(self->fd, "tsc", &self->attr));
	self->attr.exclude_kernel = 0;
	self->attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	EXPECT_EQ(-EOPNOTSUPP, event_add(self->fd, "tsc", &self->attr));
	self->attr.config = PERF_COUNT_HW_REF_CPU_CYCLES;
	self->attr.sample_period = 100000;
	self->attr.sample_type = PERF_SAMPLE_IP;
	EXPECT_EQ(-EOPNOTSUPP, event_add(self->fd, "tsc", &self->attr));
}

/*
 * Without TPROF_LX_EVENT_PROCESS, an event counts all tasks of its CPU. So it
 * cannot start in a session with targets.
 */
TEST_F(count, counting_with_targets_is_refused)
{
	__s32 self_pid = getpid();
	struct tprof_lx_config config = {
		.size		= sizeof(config),
		.targets	= (unsigned long)&self_pid,
		.nr_targets	= 1,
	};

	ASSERT_EQ(0, session_config(self->fd, &config));
	EXPECT_EQ(-EINVAL, session_start(self->fd, 1));
	config.nr_targets = 0;
	ASSERT_EQ(0, session_config(self->fd, &config));
	EXPECT_EQ(0, session_start(self->fd, 1));
}

TEST_F(count, random_period_needs_a_counter)
{
	struct tprof_lx_event event = {
		.size = sizeof(event),
		.flags = TPROF_LX_EVENT_RANDOM,
		.backend = "timer",
		.attr = (unsigned long)&self->attr,
	};

	attr_init(&self->attr, 100);
	EXPECT_EQ(-EOPNOTSUPP,
		  session_ioctl(self->fd, TPROF_LX_IOC_EVENT, &event));
	event.flags = TPROF_LX_EVENT_PROCESS << 1;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_EVENT, &event));
}

TEST_F(count, bad_rows_arguments_are_refused)
{
	struct tprof_lx_row row;
	struct tprof_lx_rows rows = {
		.size = sizeof(rows),
		.cpu = 1 << 20,
		.nr_rows = 1,
		.row_size = sizeof(row),
		.rows = (unsigned long)&row,
	};

	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_ROWS, &rows));
	rows.cpu = 0;
	EXPECT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_ROWS, &rows));
	rows.row_size = 8;
	EXPECT_EQ(-EINVAL, session_ioctl(self->fd, TPROF_LX_IOC_ROWS, &rows));
	rows.rows = 0;
	EXPECT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_ROWS, &rows));
}

TEST_F(count, row_admin_needs_cap_sys_admin)
{
	cap_value_t admin = CAP_SYS_ADMIN;
	struct tprof_lx_row_admin arg = {
		.size = sizeof(arg),
		.cpu = 0,
		.number = 200,
		.state = TPROF_LX_ROW_DISABLED,
	};
	cap_t caps = cap_get_proc();

	EXPECT_EQ(-ENOENT,
		  session_ioctl(self->fd, TPROF_LX_IOC_ROW_ADMIN, &arg));
	arg.state = TPROF_LX_ROW_TAKEN;
	EXPECT_EQ(-EINVAL,
		  session_ioctl(self->fd, TPROF_LX_IOC_ROW_ADMIN, &arg));
	cap_set_flag(caps, CAP_EFFECTIVE, 1, &admin, CAP_CLEAR);
	ASSERT_EQ(0, cap_set_proc(caps));
	EXPECT_EQ(-EPERM,
		  session_ioctl(self->fd, TPROF_LX_IOC_ROW_ADMIN, &arg));
	cap_free(caps);
}

TEST_HARNESS_MAIN
