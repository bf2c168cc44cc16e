// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the ioctl ABI: struct sizes, unknown fields, bad pointers
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "harness/common.h"
#include "harness/test.h"

/* Existing callers were built with these sizes: a change would break them. */
_Static_assert(sizeof(struct tprof_lx_backend) == 112, "backend");
_Static_assert(sizeof(struct tprof_lx_info) == 144, "info");
_Static_assert(sizeof(struct tprof_lx_config) == 56, "config");
_Static_assert(sizeof(struct tprof_lx_event) == 72, "event");
_Static_assert(sizeof(struct tprof_lx_target) == 16, "target");
_Static_assert(sizeof(struct tprof_lx_release) == 8, "release");
_Static_assert(sizeof(struct tprof_lx_table) == 72, "table");
_Static_assert(sizeof(struct tprof_lx_unwind_row) == 4, "row of a table");
_Static_assert(sizeof(struct tprof_lx_unwind_rule) == 8, "rule of a table");
_Static_assert(sizeof(struct tprof_lx_thread) == 56, "thread");
_Static_assert(sizeof(struct tprof_lx_threads) == 64, "threads");
_Static_assert(sizeof(struct tprof_lx_mask) == 16, "mask");
_Static_assert(sizeof(struct tprof_lx_ledger) == 64, "ledger");
_Static_assert(sizeof(struct tprof_lx_stats) == 472, "stats");
_Static_assert(sizeof(struct tprof_lx_mark) == 144, "mark");
_Static_assert(sizeof(struct tprof_lx_span) == 24, "span");
_Static_assert(sizeof(struct tprof_lx_count) == 48, "count");
_Static_assert(sizeof(struct tprof_lx_sessions) == 24, "sessions");
_Static_assert(sizeof(struct tprof_lx_session) == 128, "session");
_Static_assert(sizeof(struct tprof_lx_names) == 24, "names");
_Static_assert(sizeof(struct tprof_lx_name) == 192, "name");
_Static_assert(sizeof(struct tprof_lx_events) == 40, "events");
_Static_assert(sizeof(struct tprof_lx_listed) == 160, "listed");
_Static_assert(sizeof(struct tprof_lx_row) == 72, "row");
_Static_assert(sizeof(struct tprof_lx_rows) == 32, "rows");
_Static_assert(sizeof(struct tprof_lx_row_admin) == 24, "row_admin");

/*
 * Each ioctl that takes a struct, and the size of the struct. @first is the size of its first
 * version, if that was smaller.
 */
static const struct sized {
	const char	*name;
	unsigned long	cmd;
	__u32		bytes;
	__u32		first;
} sized[] = {
	{ "INFO",	TPROF_LX_IOC_INFO,   sizeof(struct tprof_lx_info), 136 },
	{ "STATS",	TPROF_LX_IOC_STATS,  sizeof(struct tprof_lx_stats), 232 },
	{ "SESSIONS",	TPROF_LX_IOC_SESSIONS,
	  sizeof(struct tprof_lx_sessions) },
	{ "NAMES",	TPROF_LX_IOC_NAMES,  sizeof(struct tprof_lx_names) },
	{ "EVENTS",	TPROF_LX_IOC_EVENTS, sizeof(struct tprof_lx_events), 32 },
	{ "CONFIG",	TPROF_LX_IOC_CONFIG, sizeof(struct tprof_lx_config) },
	{ "EVENT",	TPROF_LX_IOC_EVENT,  sizeof(struct tprof_lx_event), 56 },
	{ "ATTACH",	TPROF_LX_IOC_ATTACH, sizeof(struct tprof_lx_target) },
	{ "DETACH",	TPROF_LX_IOC_DETACH, sizeof(struct tprof_lx_target) },
	{ "FOLLOW",	TPROF_LX_IOC_FOLLOW, sizeof(struct tprof_lx_follow) },
	{ "RELEASE",	TPROF_LX_IOC_RELEASE, sizeof(struct tprof_lx_release) },
	{ "THREADS",	TPROF_LX_IOC_THREADS, sizeof(struct tprof_lx_threads) },
	{ "TABLE",	TPROF_LX_IOC_TABLE,  sizeof(struct tprof_lx_table) },
	{ "START",	TPROF_LX_IOC_START,  sizeof(struct tprof_lx_mask) },
	{ "STOP",	TPROF_LX_IOC_STOP,   sizeof(struct tprof_lx_mask) },
	{ "MARK",	TPROF_LX_IOC_MARK,   sizeof(struct tprof_lx_mark) },
	{ "ADVANCE",	TPROF_LX_IOC_ADVANCE, sizeof(struct tprof_lx_span) },
	{ "READ",	TPROF_LX_IOC_READ,   sizeof(struct tprof_lx_count) },
	{ "WRITE",	TPROF_LX_IOC_WRITE,  sizeof(struct tprof_lx_count) },
	{ "ROWS",	TPROF_LX_IOC_ROWS,   sizeof(struct tprof_lx_rows) },
	{ "ROW_ADMIN",	TPROF_LX_IOC_ROW_ADMIN,
	  sizeof(struct tprof_lx_row_admin) },
};

#define for_each_sized(s) \
	for (s = sized; s < sized + ARRAY_LEN(sized); s++)

FIXTURE(abi) {
	int			fd;
	struct perf_event_attr	attr;
	char			buf[1024];
};

FIXTURE_SETUP(abi)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_init(&self->attr, 100);
}

FIXTURE_TEARDOWN(abi)
{
	close(self->fd);
}

/* Fill in the shortest table. */
static void fill_table(struct tprof_lx_table *table)
{
	static const struct tprof_lx_unwind_rule rule;
	static const struct tprof_lx_unwind_row row;
	static const __u32 pages[2] = { 0, 1 };

	table->build_id[0] = 1;
	table->build_id_size = 1;
	table->nr_pages = 1;
	table->nr_rows = 1;
	table->nr_rules = 1;
	table->pages = (unsigned long)pages;
	table->rows = (unsigned long)&row;
	table->rules = (unsigned long)&rule;
}

/* Fill @self->buf with a valid argument for @s. Each test changes one part of it. */
static void fill(FIXTURE_DATA(abi) *self, const struct sized *s)
{
	struct tprof_lx_event *event = (void *)self->buf;
	struct tprof_lx_stats *stats = (void *)self->buf;
	struct tprof_lx_row_admin *admin = (void *)self->buf;
	struct tprof_lx_target *target = (void *)self->buf;

	memset(self->buf, 0, sizeof(self->buf));
	if (s->cmd == TPROF_LX_IOC_EVENT) {
		strcpy(event->backend, "timer");
		event->attr = (unsigned long)&self->attr;
	} else if (s->cmd == TPROF_LX_IOC_STATS) {
		stats->cpu = TPROF_LX_SUM;
		stats->event = TPROF_LX_SUM;
	} else if (s->cmd == TPROF_LX_IOC_ROW_ADMIN) {
		/* No machine has this counter, so ROW_ADMIN changes nothing. */
		admin->number = 200;
	} else if (s->cmd == TPROF_LX_IOC_ATTACH || s->cmd == TPROF_LX_IOC_DETACH) {
		target->pid = -1;
	} else if (s->cmd == TPROF_LX_IOC_TABLE) {
		fill_table((void *)self->buf);
	}
	*(__u32 *)self->buf = s->bytes;
}

/* Return the ioctl's result for a valid argument in a session without events. */
static int usual_answer(const struct sized *s)
{
	switch (s->cmd) {
	case TPROF_LX_IOC_INFO:
	case TPROF_LX_IOC_STATS:
	case TPROF_LX_IOC_SESSIONS:
	case TPROF_LX_IOC_NAMES:
	case TPROF_LX_IOC_EVENTS:
	case TPROF_LX_IOC_CONFIG:
	case TPROF_LX_IOC_EVENT:
	case TPROF_LX_IOC_TABLE:
	case TPROF_LX_IOC_STOP:
	case TPROF_LX_IOC_ADVANCE:
	case TPROF_LX_IOC_ROWS:
		return 0;
	case TPROF_LX_IOC_ATTACH:
	case TPROF_LX_IOC_DETACH:
		return -ESRCH;
	default:
		return -ENOENT;
	}
}

TEST_F(abi, info_reports_version_and_features)
{
	struct tprof_lx_info info = {};
	char version[64] = {};
	FILE *file;

	ASSERT_EQ(0, session_info(self->fd, &info));
	EXPECT_LE(TPROF_LX_ABI_VERSION, info.abi_version);
	EXPECT_EQ(0xff, info.features & 0xff);
	EXPECT_LE(1, info.nr_sessions);
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_CONF), info.nr_cpus);
	EXPECT_LE(50000, info.max_rate);
	EXPECT_LT(info.ring_min, info.ring_max);
	EXPECT_LE(info.ring_min, info.ring_default);
	EXPECT_LE(info.ring_default, info.ring_max);
	EXPECT_LE(info.fifo_min, info.fifo_default);
	EXPECT_LE(info.fifo_default, info.fifo_max);
	EXPECT_NE(0, info.flush_ms_default);
	EXPECT_LE(127, info.max_stack);

	file = fopen("/sys/module/tprof_lx/version", "r");
	ASSERT_NE(NULL, file);
	ASSERT_NE(NULL, fgets(version, sizeof(version), file));
	fclose(file);
	version[strcspn(version, "\n")] = '\0';
	EXPECT_STREQ(version, info.version);
}

TEST_F(abi, unknown_ioctl_is_enotty)
{
	static const unsigned long unknown[] = {
		_IO(TPROF_LX_IOC_MAGIC, 0x05), _IO(TPROF_LX_IOC_MAGIC, 0x0f),
		_IO(TPROF_LX_IOC_MAGIC, 0x17), _IO(TPROF_LX_IOC_MAGIC, 0x1f),
		_IO(TPROF_LX_IOC_MAGIC, 0x25), _IO(TPROF_LX_IOC_MAGIC, 0x33),
		_IO(TPROF_LX_IOC_MAGIC, 0x42), _IO(TPROF_LX_IOC_MAGIC, 0xff),
		_IO(TPROF_LX_IOC_MAGIC + 1, 0x00), TCGETS, 0,
		_IOWR(TPROF_LX_IOC_MAGIC, 0x00, struct tprof_lx_info),
	};

	for (size_t i = 0; i < ARRAY_LEN(unknown); i++) {
		EXPECT_EQ(-ENOTTY,
			  session_ioctl(self->fd, unknown[i], self->buf));
	}
}

TEST_F(abi, bad_memory_is_efault)
{
	const struct sized *s;

	for_each_sized(s) {
		EXPECT_EQ(-EFAULT, session_ioctl(self->fd, s->cmd, NULL))
			TH_LOG("%s", s->name);
		EXPECT_EQ(-EFAULT, session_ioctl(self->fd, s->cmd, (void *)8))
			TH_LOG("%s", s->name);
	}
}

TEST_F(abi, info_to_read_only_memory_is_efault)
{
	struct tprof_lx_info *info;

	info = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, info);
	info->size = sizeof(*info);
	ASSERT_EQ(0, mprotect(info, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, session_ioctl(self->fd, TPROF_LX_IOC_INFO, info));
}

TEST_F(abi, struct_at_end_of_memory_is_efault)
{
	const struct sized *s;
	char *page;

	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	for_each_sized(s) {
		*(__u32 *)(page + 4096 - 4) = s->bytes;
		EXPECT_EQ(-EFAULT,
			  session_ioctl(self->fd, s->cmd, page + 4096 - 4))
			TH_LOG("%s", s->name);
	}
}

TEST_F(abi, too_small_struct_is_einval)
{
	const struct sized *s;

	for_each_sized(s) {
		fill(self, s);
		for (__u32 size = 0; size < (s->first ?: s->bytes); size += 4) {
			*(__u32 *)self->buf = size;
			EXPECT_EQ(-EINVAL,
				  session_ioctl(self->fd, s->cmd, self->buf))
				TH_LOG("%s of %u bytes", s->name, size);
		}
	}
}

/* A program that was built with the first version of the header gets no more than it had. */
TEST_F(abi, first_version_of_a_struct_is_accepted)
{
	const struct sized *s;

	for_each_sized(s) {
		if (!s->first)
			continue;
		fill(self, s);
		*(__u32 *)self->buf = s->first;
		memset(self->buf + s->first, 0x5a, s->bytes - s->first);
		EXPECT_EQ(usual_answer(s), session_ioctl(self->fd, s->cmd, self->buf))
			TH_LOG("%s", s->name);
		for (__u32 i = s->first; i < s->bytes; i++)
			EXPECT_EQ(0x5a, self->buf[i]);
	}
}

TEST_F(abi, larger_struct_with_zeroes_is_accepted)
{
	const struct sized *s;

	for_each_sized(s) {
		fill(self, s);
		*(__u32 *)self->buf = s->bytes + 64;
		EXPECT_EQ(usual_answer(s),
			  session_ioctl(self->fd, s->cmd, self->buf))
			TH_LOG("%s", s->name);
		/* CONFIG and EVENT have changed the session: open a new one. */
		close(self->fd);
		self->fd = session_open(0);
		ASSERT_LE(0, self->fd);
	}
}

TEST_F(abi, larger_struct_with_unknown_field_is_e2big)
{
	const struct sized *s;

	for_each_sized(s) {
		fill(self, s);
		*(__u32 *)self->buf = s->bytes + 64;
		self->buf[s->bytes + 63] = 1;
		EXPECT_EQ(-E2BIG, session_ioctl(self->fd, s->cmd, self->buf))
			TH_LOG("%s", s->name);
	}
}

TEST_F(abi, huge_size_is_refused)
{
	const struct sized *s;

	for_each_sized(s) {
		int err;

		fill(self, s);
		*(__u32 *)self->buf = 0xffffffff;
		err = session_ioctl(self->fd, s->cmd, self->buf);
		EXPECT_TRUE(err == -E2BIG || err == -EFAULT)
			TH_LOG("%s: %d", s->name, err);
	}
}

TEST_F(abi, reserved_and_flags_must_be_zero)
{
	static const struct {
		unsigned long cmd;
		size_t offset;
	} zeroes[] = {
		{ TPROF_LX_IOC_STATS,  offsetof(struct tprof_lx_stats, flags) },
		{ TPROF_LX_IOC_NAMES,  offsetof(struct tprof_lx_names, flags) },
		{ TPROF_LX_IOC_EVENTS, offsetof(struct tprof_lx_events, flags) },
		{ TPROF_LX_IOC_EVENTS, offsetof(struct tprof_lx_events, reserved) },
		{ TPROF_LX_IOC_CONFIG, offsetof(struct tprof_lx_config, flags) },
		{ TPROF_LX_IOC_EVENT,  offsetof(struct tprof_lx_event, flags) },
		{ TPROF_LX_IOC_EVENT,  offsetof(struct tprof_lx_event, reserved) },
		{ TPROF_LX_IOC_ATTACH, offsetof(struct tprof_lx_target, flags) },
		{ TPROF_LX_IOC_ATTACH, offsetof(struct tprof_lx_target, reserved) },
		{ TPROF_LX_IOC_DETACH, offsetof(struct tprof_lx_target, flags) },
		{ TPROF_LX_IOC_DETACH, offsetof(struct tprof_lx_target, reserved) },
		{ TPROF_LX_IOC_START,  offsetof(struct tprof_lx_mask, reserved) },
		{ TPROF_LX_IOC_STOP,   offsetof(struct tprof_lx_mask, reserved) },
		{ TPROF_LX_IOC_MARK,   offsetof(struct tprof_lx_mark, flags) },
	};
	const struct sized *s;

	for (size_t i = 0; i < ARRAY_LEN(zeroes); i++) {
		for_each_sized(s) {
			if (s->cmd != zeroes[i].cmd)
				continue;
			fill(self, s);
			*(__u32 *)(self->buf + zeroes[i].offset) = 0x80000000;
			EXPECT_EQ(-EINVAL,
				  session_ioctl(self->fd, s->cmd, self->buf))
				TH_LOG("%s at %zu", s->name, zeroes[i].offset);
		}
	}
}

TEST_F(abi, flush_takes_no_argument)
{
	EXPECT_EQ(-EINVAL,
		  session_ioctl(self->fd, TPROF_LX_IOC_FLUSH, self->buf));
	EXPECT_EQ(0, session_flush(self->fd));
}

/* Arguments in memory below 4 GiB, so that a 32-bit pointer can reach them. */
struct low {
	struct perf_event_attr	attr;
	struct tprof_lx_event	event;
	struct tprof_lx_mask	mask;
	struct tprof_lx_stats	stats;
};

TEST_F(abi, compat_ioctls_work_as_native_ones)
{
	struct tprof_lx_stats stats;
	struct low *low;

	if (!compat_is_possible())
		SKIP(return, "this kernel runs no 32-bit programs");
	low = mmap(NULL, sizeof(*low), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	ASSERT_NE(MAP_FAILED, low);
	attr_init(&low->attr, 0);
	low->attr.config = getpid();
	low->attr.freq = 0;
	low->attr.sample_period = TPROF_LX_FAKE_MIN_PERIOD;
	low->event = (struct tprof_lx_event){ .size = sizeof(low->event),
					      .backend = TPROF_LX_FAKE_BACKEND,
					      .attr = (unsigned long)&low->attr };
	low->mask = (struct tprof_lx_mask){ .size = sizeof(low->mask), .mask = 1 };
	low->stats = (struct tprof_lx_stats){ .size = sizeof(low->stats),
					      .cpu = TPROF_LX_SUM };

	ASSERT_EQ(0, compat_ioctl(self->fd, TPROF_LX_IOC_EVENT, &low->event));
	ASSERT_EQ(0, compat_ioctl(self->fd, TPROF_LX_IOC_START, &low->mask));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 10));
	ASSERT_EQ(0, compat_ioctl(self->fd, TPROF_LX_IOC_STOP, &low->mask));
	ASSERT_EQ(0, compat_ioctl(self->fd, TPROF_LX_IOC_STATS, &low->stats));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(10, stats.ledger.taken);
	EXPECT_EQ(0, memcmp(&stats.ledger, &low->stats.ledger, sizeof(stats.ledger)));
	EXPECT_EQ(-ENOTTY, compat_ioctl(self->fd, TPROF_LX_IOC_EVENT | 0x7f, &low->event));
	munmap(low, sizeof(*low));
}

TEST_F(abi, stats_refuses_unknown_cpu)
{
	struct tprof_lx_info info = {};
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, session_info(self->fd, &info));
	EXPECT_EQ(-EINVAL, session_stats(self->fd, info.nr_cpus, TPROF_LX_SUM,
					 &stats));
	EXPECT_EQ(-EINVAL, session_stats(self->fd, 0xfffffffe, TPROF_LX_SUM,
					 &stats));
}

TEST_F(abi, stats_refuses_unknown_event)
{
	struct tprof_lx_stats stats;

	EXPECT_EQ(-ENOENT, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	ASSERT_EQ(0, event_clock(self->fd, "timer", 100));
	EXPECT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_EQ(-ENOENT, session_stats(self->fd, TPROF_LX_SUM, 1, &stats));
	EXPECT_EQ(-ENOENT, session_stats(self->fd, 0, 32, &stats));
	EXPECT_EQ(-ENOENT, session_stats(self->fd, 0, 0xfffffffe, &stats));
}

TEST_HARNESS_MAIN
