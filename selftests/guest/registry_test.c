// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the registry of back ends, and how INFO lists it
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"

static const struct tprof_lx_backend *find(const struct tprof_lx_backend *list,
					   __u32 nr, const char *name)
{
	for (__u32 i = 0; i < nr; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

static int is_listed(int fd, const char *name)
{
	struct tprof_lx_backend list[TPROF_LX_MAX_BACKENDS];
	struct tprof_lx_info info = {
		.backends	= (unsigned long)list,
		.nr_backends	= ARRAY_LEN(list),
		.backend_size	= sizeof(list[0]),
	};
	const struct tprof_lx_backend *backend;
	int err = session_info(fd, &info);

	if (err)
		return err;
	backend = find(list, info.nr_backends, name);
	return backend ? 1 + backend->nr_events : 0;
}

FIXTURE(registry) {
	int			fd;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(registry)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_init(&self->attr, 0);
	self->attr.freq = 0;
	self->attr.sample_period = 1000;
}

FIXTURE_TEARDOWN(registry)
{
	close(self->fd);
}

TEST_F(registry, info_lists_backends)
{
	struct tprof_lx_backend list[TPROF_LX_MAX_BACKENDS];
	const struct tprof_lx_backend *nmi, *timer;
	struct tprof_lx_info info = {
		.backends	= (unsigned long)list,
		.nr_backends	= ARRAY_LEN(list),
		.backend_size	= sizeof(list[0]),
	};

	ASSERT_EQ(0, session_info(self->fd, &info));
	ASSERT_LE(2, info.nr_backends);
	ASSERT_GE(ARRAY_LEN(list), info.nr_backends);
	nmi = find(list, info.nr_backends, "nmi");
	timer = find(list, info.nr_backends, "timer");
	ASSERT_NE(NULL, nmi);
	ASSERT_NE(NULL, timer);
	EXPECT_EQ(TPROF_LX_BACKEND_NMI | TPROF_LX_BACKEND_CLOCK, nmi->flags);
	EXPECT_EQ(TPROF_LX_BACKEND_CLOCK, timer->flags);
	EXPECT_EQ(0, timer->nr_counters);
	EXPECT_NE('\0', nmi->text[0]);
	EXPECT_NE('\0', timer->text[0]);
	/* The supported rates include 1 Hz to 50 kHz. */
	EXPECT_GE(20000, nmi->min_period);
	EXPECT_LE(NSEC_PER_SEC, nmi->max_period);
}

TEST_F(registry, info_writes_no_more_entries_than_requested)
{
	struct tprof_lx_backend list[TPROF_LX_MAX_BACKENDS];
	struct tprof_lx_info info = {
		.backends	= (unsigned long)list,
		.nr_backends	= 1,
		.backend_size	= sizeof(list[0]),
	};

	memset(list, 0x5a, sizeof(list));
	ASSERT_EQ(0, session_info(self->fd, &info));
	EXPECT_LE(2, info.nr_backends);
	EXPECT_NE(0x5a, list[0].name[0]);
	EXPECT_EQ(0x5a, list[1].name[0]);

	info = (struct tprof_lx_info){};
	ASSERT_EQ(0, session_info(self->fd, &info));
	EXPECT_LE(2, info.nr_backends);
}

TEST_F(registry, info_fills_larger_entries_with_zeroes)
{
	struct {
		struct tprof_lx_backend known;
		__u64 unknown[2];
	} list[TPROF_LX_MAX_BACKENDS];
	struct tprof_lx_info info = {
		.backends	= (unsigned long)list,
		.nr_backends	= ARRAY_LEN(list),
		.backend_size	= sizeof(list[0]),
	};

	memset(list, 0x5a, sizeof(list));
	ASSERT_EQ(0, session_info(self->fd, &info));
	for (__u32 i = 0; i < info.nr_backends; i++) {
		EXPECT_NE('\0', list[i].known.name[0]);
		EXPECT_EQ(0, list[i].unknown[0]);
		EXPECT_EQ(0, list[i].unknown[1]);
	}
}

TEST_F(registry, info_refuses_smaller_entries)
{
	struct tprof_lx_backend backend;
	struct tprof_lx_info info = {
		.backends	= (unsigned long)&backend,
		.nr_backends	= 1,
		.backend_size	= sizeof(backend) - 8,
	};

	EXPECT_EQ(-EINVAL, session_info(self->fd, &info));
	info.backends = 0;
	EXPECT_EQ(0, session_info(self->fd, &info));
}

TEST_F(registry, info_refuses_bad_backend_memory)
{
	struct tprof_lx_info info = {
		.backends	= 8,
		.nr_backends	= 4,
		.backend_size	= sizeof(struct tprof_lx_backend),
	};

	EXPECT_EQ(-EFAULT, session_info(self->fd, &info));
}

TEST_F(registry, refuses_wrong_version)
{
	EXPECT_EQ(-EINVAL, fake_registry(TPROF_LX_FAKE_REGISTER_WRONG_VERSION));
	EXPECT_EQ(0, is_listed(self->fd, "fake-wrong"));
}

TEST_F(registry, refuses_duplicate_name)
{
	EXPECT_EQ(-EEXIST, fake_registry(TPROF_LX_FAKE_REGISTER_DUPLICATE));
	EXPECT_EQ(-EEXIST, fake_registry(TPROF_LX_FAKE_REGISTER_FIRST));
	EXPECT_EQ(1, is_listed(self->fd, "fake"));
}

TEST_F(registry, refuses_bad_names)
{
	EXPECT_EQ(-EINVAL, fake_registry(TPROF_LX_FAKE_REGISTER_NO_NAME));
	EXPECT_EQ(-EINVAL, fake_registry(TPROF_LX_FAKE_REGISTER_LONG_NAME));
}

TEST_F(registry, refuses_missing_operations)
{
	EXPECT_EQ(-EINVAL, fake_registry(TPROF_LX_FAKE_REGISTER_NO_START));
	EXPECT_EQ(0, is_listed(self->fd, "fake-no-start"));
	EXPECT_EQ(-EINVAL, fake_registry(TPROF_LX_FAKE_REGISTER_NO_READ_HERE));
	EXPECT_EQ(0, is_listed(self->fd, "fake-no-read-here"));
}

TEST_F(registry, refuses_to_unregister_unknown_backend)
{
	EXPECT_EQ(-ENOENT, fake_registry(TPROF_LX_FAKE_UNREGISTER_STRANGER));
}

TEST_F(registry, backends_register_and_unregister)
{
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(-ENODEV, event_add(self->fd, TPROF_LX_FAKE_SECOND,
					     &self->attr));
		ASSERT_EQ(0, fake_registry(TPROF_LX_FAKE_REGISTER_SECOND));
		EXPECT_EQ(1, is_listed(self->fd, TPROF_LX_FAKE_SECOND));
		ASSERT_EQ(0, fake_registry(TPROF_LX_FAKE_UNREGISTER_SECOND));
		EXPECT_EQ(0, is_listed(self->fd, TPROF_LX_FAKE_SECOND));
	}
}

TEST_F(registry, backend_in_use_cannot_be_unregistered)
{
	int err;

	ASSERT_EQ(0, fake_registry(TPROF_LX_FAKE_REGISTER_SECOND));
	EXPECT_EQ(0, event_add(self->fd, TPROF_LX_FAKE_SECOND, &self->attr));
	EXPECT_EQ(2, is_listed(self->fd, TPROF_LX_FAKE_SECOND));
	EXPECT_EQ(-EBUSY, fake_registry(TPROF_LX_FAKE_UNREGISTER_SECOND));
	err = module_unload("tprof-lx-fake");
	EXPECT_TRUE(err == -EBUSY || err == -EAGAIN || err == -EWOULDBLOCK)
		TH_LOG("%d", err);

	close(self->fd);
	EXPECT_EQ(0, fake_registry(TPROF_LX_FAKE_UNREGISTER_SECOND));
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(0, is_listed(self->fd, TPROF_LX_FAKE_SECOND));
}

/* If adding an event fails, its reference to the back end is dropped. */
TEST_F(registry, failed_event_holds_no_backend)
{
	ASSERT_EQ(0, fake_registry(TPROF_LX_FAKE_REGISTER_SECOND));
	self->attr.config = TPROF_LX_FAKE_FAIL_INIT;
	EXPECT_EQ(-EBUSY, event_add(self->fd, TPROF_LX_FAKE_SECOND,
				    &self->attr));
	self->attr.config = 0;
	self->attr.sample_type = 0;
	EXPECT_EQ(-EINVAL, event_add(self->fd, TPROF_LX_FAKE_SECOND,
				     &self->attr));
	EXPECT_EQ(0, fake_registry(TPROF_LX_FAKE_UNREGISTER_SECOND));
}

TEST_F(registry, module_of_unused_backend_can_be_unloaded)
{
	ASSERT_EQ(0, module_unload("tprof-lx-fake"));
	EXPECT_EQ(0, is_listed(self->fd, "fake"));
	ASSERT_EQ(0, module_load("tprof-lx-fake", ""));
	EXPECT_TRUE(wait_until(!access(TPROF_LX_FAKE_DEVICE, F_OK), 5000));
	EXPECT_EQ(1, is_listed(self->fd, "fake"));
}

TEST_HARNESS_MAIN
