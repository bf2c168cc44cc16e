// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - which processes may open the device; calls that it refuses
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#include <sys/capability.h>
#include <sys/stat.h>

#include "harness/common.h"
#include "harness/nobody.h"
#include "harness/test.h"

/* Exit status of a child that cannot drop its privileges or create a namespace. */
#define CANNOT	255

static void become_nobody(int capability)
{
	if (become_user(NOBODY, capability))
		_exit(CANNOT);
}

static int wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}

static void open_and_exit(void)
{
	int fd = session_open(0);

	_exit(fd < 0 ? -fd : 0);
}

/* Open the device in a child that has only @capability (-1: none). */
static int open_as_nobody(int capability)
{
	pid_t pid = fork();

	if (!pid) {
		become_nobody(capability);
		open_and_exit();
	}
	return wait_for(pid);
}

/* Open the device in a child that is root in a user namespace of its own. */
static int open_as_root_of_a_namespace(void)
{
	pid_t pid = fork();

	if (!pid) {
		become_nobody(-1);
		if (unshare(CLONE_NEWUSER))
			_exit(CANNOT);
		open_and_exit();
	}
	return wait_for(pid);
}

/* Open the device in a child in a PID namespace of its own. */
static int open_in_pid_namespace(void)
{
	pid_t pid = fork(), inner;

	if (!pid) {
		if (unshare(CLONE_NEWPID))
			_exit(CANNOT);
		inner = fork();
		if (!inner)
			open_and_exit();
		_exit(-wait_for(inner));
	}
	return wait_for(pid);
}

FIXTURE(node) {
	struct stat	before;
};

FIXTURE_SETUP(node)
{
	ASSERT_EQ(0, stat(DEVICE, &self->before));
}

FIXTURE_TEARDOWN(node)
{
	EXPECT_EQ(0, chmod(DEVICE, self->before.st_mode & 07777));
}

TEST_F(node, is_for_root_only)
{
	EXPECT_TRUE(S_ISCHR(self->before.st_mode));
	EXPECT_EQ(0600, self->before.st_mode & 07777);
	EXPECT_EQ(0, self->before.st_uid);
	EXPECT_EQ(0, self->before.st_gid);
}

TEST_F(node, refuses_unprivileged_user)
{
	EXPECT_EQ(-EACCES, open_as_nobody(-1));
}

/* With mode 0666, open(2) still requires CAP_PERFMON or CAP_SYS_ADMIN. */
TEST_F(node, refuses_every_other_capability)
{
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	for (int capability = -1; cap_valid(capability) || capability < 0; capability++) {
		if (capability == CAP_PERFMON || capability == CAP_SYS_ADMIN)
			continue;
		EXPECT_EQ(-EPERM, open_as_nobody(capability))
			TH_LOG("capability %d", capability);
	}
}

/* Capabilities in a process's own user namespace do not suffice. */
TEST_F(node, refuses_root_of_user_namespace)
{
	int err;

	ASSERT_EQ(0, chmod(DEVICE, 0666));
	err = open_as_root_of_a_namespace();
	if (err == -CANNOT)
		SKIP(return, "user namespaces are not permitted here");
	EXPECT_EQ(-EPERM, err);
}

/* The pids of targets and samples would be wrong in another PID namespace. */
TEST_F(node, refuses_another_pid_namespace)
{
	int err = open_in_pid_namespace();

	if (err == -CANNOT)
		SKIP(return, "no PID namespaces");
	EXPECT_EQ(-EOPNOTSUPP, err);
}

TEST_F(node, accepts_cap_perfmon)
{
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	EXPECT_EQ(0, open_as_nobody(CAP_PERFMON));
}

TEST_F(node, accepts_cap_sys_admin)
{
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	EXPECT_EQ(0, open_as_nobody(CAP_SYS_ADMIN));
}

TEST(info_counts_open_sessions)
{
	struct tprof_lx_info info = {};
	int fds[64];
	__u32 before;

	fds[0] = session_open(0);
	ASSERT_LE(0, fds[0]);
	ASSERT_EQ(0, session_info(fds[0], &info));
	before = info.nr_sessions;
	for (int i = 1; i < 64; i++) {
		fds[i] = session_open(0);
		ASSERT_LE(0, fds[i]);
	}
	ASSERT_EQ(0, session_info(fds[0], &info));
	EXPECT_EQ(before + 63, info.nr_sessions);
	for (int i = 1; i < 64; i++)
		close(fds[i]);
	ASSERT_EQ(0, session_info(fds[0], &info));
	EXPECT_EQ(before, info.nr_sessions);
	close(fds[0]);
}

TEST(write_is_refused)
{
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, write(fd, "x", 1));
	EXPECT_EQ(EINVAL, errno);
	close(fd);
}

TEST(seek_is_refused)
{
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, lseek(fd, 0, SEEK_SET));
	EXPECT_EQ(ESPIPE, errno);
	close(fd);
}

TEST_HARNESS_MAIN
