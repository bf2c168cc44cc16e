// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - NAMES: what it says of an event is what EVENT does
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"

#define ROOM	32

FIXTURE(names) {
	struct tprof_lx_name	list[ROOM];
	__u32			nr;
};

FIXTURE_SETUP(names)
{
	struct tprof_lx_names arg = {
		.size		= sizeof(arg),
		.nr_names	= ROOM,
		.name_size	= sizeof(self->list[0]),
		.names		= (unsigned long)self->list,
	};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_ioctl(fd, TPROF_LX_IOC_NAMES, &arg));
	self->nr = arg.nr_names;
	ASSERT_GE(ROOM, self->nr);
	close(fd);
}

FIXTURE_TEARDOWN(names)
{
}

/* Add an event to a new session. Return 0 or -errno. */
static int add(const struct tprof_lx_name *name, __u64 period, __u64 sample_type, __u32 flags)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err, fd = session_open(0);

	if (fd < 0)
		return fd;
	attr_count(&attr, name->type, name->config);
	attr.sample_period = period;
	attr.sample_type = sample_type;
	err = event_add_with(fd, name->backend, &attr, flags, &event);
	close(fd);
	return err;
}

TEST_F(names, all_software_events_are_listed)
{
	static const struct {
		const char *name;
		const char *alias;
		__u32 type;
		__u64 config;
	} known[] = {
#define KNOWN(name, alias, type, config, ...) { name, alias, type, config },
		TPROF_LX_SOFT_EVENTS(KNOWN)
	};
	__u32 nr_soft = 0;

	for (__u32 i = 0; i < self->nr; i++) {
		if (strcmp(self->list[i].backend, "soft"))
			continue;
		ASSERT_GT(ARRAY_LEN(known), nr_soft);
		nr_soft++;
		EXPECT_NE(0, self->list[i].text[0]);
	}
	EXPECT_EQ(ARRAY_LEN(known), nr_soft);
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		__u32 at = 0;

		while (at < self->nr && strcmp(self->list[at].name, known[i].name))
			at++;
		ASSERT_GT(self->nr, at)
			TH_LOG("%s", known[i].name);
		EXPECT_STREQ(known[i].alias ?: "", self->list[at].alias);
		EXPECT_EQ(known[i].type, self->list[at].type);
		EXPECT_EQ(known[i].config, self->list[at].config);
	}
}

/* The fake back end in the tests' module has no names, so all are of `soft`. */
TEST_F(names, flags_say_what_event_accepts)
{
	const __u64 raw = PERF_SAMPLE_IP | PERF_SAMPLE_RAW;
	const __u32 tallied = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;

	for (const struct tprof_lx_name *name = self->list; name < self->list + self->nr; name++) {
		bool here = name->flags & TPROF_LX_NAME_HERE;
		bool samples = name->flags & TPROF_LX_NAME_SAMPLES;
		bool threads = here && name->flags & TPROF_LX_NAME_THREADS;
		bool has_raw = samples && name->flags & TPROF_LX_NAME_RAW;

		EXPECT_EQ(here ? 0 : -EOPNOTSUPP, add(name, 0, 0, 0))
			TH_LOG("%s", name->name);
		EXPECT_EQ(samples ? 0 : -EOPNOTSUPP, add(name, 1, PERF_SAMPLE_IP, 0))
			TH_LOG("%s", name->name);
		EXPECT_EQ(threads ? 0 : -EOPNOTSUPP, add(name, 0, 0, tallied))
			TH_LOG("%s", name->name);
		EXPECT_EQ(has_raw ? 0 : -EOPNOTSUPP, add(name, 1, raw, 0))
			TH_LOG("%s", name->name);
	}
}

/* What NAMES says does not depend on the events that exist. */
TEST_F(names, events_do_not_change_the_list)
{
	struct tprof_lx_name again[ROOM];
	struct tprof_lx_names arg = {
		.size		= sizeof(arg),
		.nr_names	= ROOM,
		.name_size	= sizeof(again[0]),
		.names		= (unsigned long)again,
	};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	for (__u32 i = 0; i < self->nr; i++) {
		struct perf_event_attr attr;

		attr_count(&attr, self->list[i].type, self->list[i].config);
		if (self->list[i].flags & TPROF_LX_NAME_HERE)
			ASSERT_LE(0, event_add(fd, self->list[i].backend, &attr));
	}
	ASSERT_EQ(0, session_ioctl(fd, TPROF_LX_IOC_NAMES, &arg));
	EXPECT_EQ(self->nr, arg.nr_names);
	EXPECT_EQ(0, memcmp(again, self->list, self->nr * sizeof(again[0])));
	close(fd);
}

TEST_F(names, a_short_list_says_how_many_there_are)
{
	struct tprof_lx_name first[2] = {};
	struct tprof_lx_names arg = {
		.size		= sizeof(arg),
		.nr_names	= 1,
		.name_size	= sizeof(first[0]),
		.names		= (unsigned long)first,
	};
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_ioctl(fd, TPROF_LX_IOC_NAMES, &arg));
	EXPECT_EQ(self->nr, arg.nr_names);
	EXPECT_EQ(0, memcmp(&first[0], &self->list[0], sizeof(first[0])));
	EXPECT_EQ(0, first[1].name[0]);
	arg.names = 0;
	arg.name_size = 0;
	EXPECT_EQ(0, session_ioctl(fd, TPROF_LX_IOC_NAMES, &arg));
	EXPECT_EQ(self->nr, arg.nr_names);
	arg.names = (unsigned long)first;
	arg.name_size = sizeof(first[0]) - 1;
	EXPECT_EQ(-EINVAL, session_ioctl(fd, TPROF_LX_IOC_NAMES, &arg));
	close(fd);
}

TEST_HARNESS_MAIN
