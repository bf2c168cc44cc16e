// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the registry of back ends
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "kselftest_harness.h"

static int is_listed(int fd, const char *name)
{
	struct tprof_lx_backend list[TPROF_LX_MAX_BACKENDS];
	struct tprof_lx_info info = {
		.backends	= (unsigned long)list,
		.nr_backends	= ARRAY_LEN(list),
		.backend_size	= sizeof(list[0]),
	};
	int err = session_info(fd, &info);

	if (err)
		return err;
	for (__u32 i = 0; i < info.nr_backends; i++)
		if (!strcmp(list[i].name, name))
			return 1 + list[i].nr_events;
	return 0;
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
}

TEST_F(registry, refuses_to_unregister_a_stranger)
{
	EXPECT_EQ(-ENOENT, fake_registry(TPROF_LX_FAKE_UNREGISTER_STRANGER));
}

TEST_F(registry, backends_come_and_go)
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

TEST_F(registry, backend_in_use_stays)
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

/* An event that failed to be made gives its back end back. */
TEST_F(registry, failed_event_holds_nothing)
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

TEST_F(registry, module_of_unused_backend_leaves)
{
	ASSERT_EQ(0, module_unload("tprof-lx-fake"));
	EXPECT_EQ(0, is_listed(self->fd, "fake"));
	ASSERT_EQ(0, module_load("tprof-lx-fake", ""));
	EXPECT_TRUE(wait_until(!access(TPROF_LX_FAKE_DEVICE, F_OK), 5000));
	EXPECT_EQ(1, is_listed(self->fd, "fake"));
}

TEST_HARNESS_MAIN
