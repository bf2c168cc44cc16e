// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - ATTACH in sessions without privileges, if it fails halfway
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/target.h"
#include "harness/unprivileged.h"
#include "harness/test.h"

#define ALONE		TPROF_LX_TARGET_ALONE
#define SLEEPERS	200

FIXTURE(watch) {
	struct unprivileged	user;
	struct target		heir;
	pid_t			sleepers[SLEEPERS];
};

FIXTURE_SETUP(watch)
{
	ASSERT_EQ(0, unprivileged_setup(&self->user));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, target_start(&self->heir, self->user.key, 0));
}

FIXTURE_TEARDOWN(watch)
{
	for (int i = 0; i < SLEEPERS; i++) {
		kill(self->sleepers[i], SIGKILL);
		waitpid(self->sleepers[i], NULL, 0);
	}
	target_end(&self->heir);
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

/* Make ATTACH of this process and its descendants take long. */
static void fork_sleepers(FIXTURE_DATA(watch) *self)
{
	for (int i = 0; i < SLEEPERS; i++) {
		self->sleepers[i] = fork();
		if (!self->sleepers[i])
			for (;;)
				pause();
	}
}

static int attach_children(FIXTURE_DATA(watch) *self)
{
	return session_attach(self->user.fd, self->heir.pid, 0) ?:
	       session_attach(self->user.fd, self->user.own.pid, ALONE);
}

/* Let a child attach this process and its descendants. Kill the child after @us. */
static int attach_until_killed(FIXTURE_DATA(watch) *self, unsigned int us)
{
	pid_t child = fork();

	if (!child)
		_exit(session_attach(self->user.fd, getppid(), 0) ? 1 : 0);
	usleep(us);
	return kill(child, SIGKILL) || waitpid(child, NULL, 0) != child ? -errno : 0;
}

TEST_F(watch, killed_attach_changes_nothing)
{
	int fd = self->user.fd, killed = 0;

	fork_sleepers(self);
	ASSERT_EQ(0, attach_children(self));
	for (unsigned int us = 0; us < 50000; us += 500) {
		ASSERT_EQ(0, attach_until_killed(self, us));
		if (!session_detach(fd, getpid(), 0)) {
			/* ATTACH was faster. */
			ASSERT_EQ(0, attach_children(self));
			continue;
		}
		killed++;
		ASSERT_EQ(-EEXIST, session_attach(fd, self->heir.pid, 0));
		ASSERT_EQ(-EEXIST, session_attach(fd, self->user.own.pid, ALONE));
		ASSERT_EQ(-EINVAL, session_detach(fd, self->sleepers[0], ALONE));
		ASSERT_EQ(-EINVAL, session_detach(fd, self->sleepers[SLEEPERS - 1], ALONE));
	}
	TH_LOG("%d killed", killed);
	EXPECT_LT(0, killed);
}

static int add_count(FIXTURE_DATA(watch) *self)
{
	struct tprof_lx_event event;
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, self->user.key);
	attr.exclude_kernel = 1;
	return event_add_with(self->user.fd, TPROF_LX_FAKE_COUNTER, &attr,
			      TPROF_LX_EVENT_PROCESS, &event);
}

/* Let a child attach this process and its descendants. Kill the only target after @us. */
static int attach_while_target_is_killed(FIXTURE_DATA(watch) *self, unsigned int us)
{
	pid_t child = fork();

	if (!child)
		_exit(session_attach(self->user.fd, getppid(), 0) ? 1 : 0);
	usleep(us);
	kill(self->heir.pid, SIGKILL);
	waitpid(self->heir.pid, NULL, 0);
	return kill(child, SIGKILL) || waitpid(child, NULL, 0) != child ? -errno : 0;
}

/* While the target exits, the descendants are targets: it is not the last one. */
TEST_F(watch, killed_attach_leaves_no_session_without_targets)
{
	int fd = self->user.fd, killed = 0;

	fork_sleepers(self);
	ASSERT_EQ(0, add_count(self));
	for (unsigned int us = 0; us < 20000; us += 400) {
		ASSERT_EQ(0, session_attach(fd, self->heir.pid, ALONE));
		ASSERT_EQ(0, session_start(fd, 1));
		ASSERT_EQ(0, attach_while_target_is_killed(self, us));
		if (session_detach(fd, getpid(), 0)) {
			killed++;
			ASSERT_TRUE(wait_until(session_state(fd) == TPROF_LX_STATE_ARMED, 10000));
		} else {
			/* ATTACH was faster. */
			ASSERT_EQ(0, session_stop(fd, 1));
		}
		ASSERT_EQ(0, target_start(&self->heir, self->user.key, 0));
	}
	TH_LOG("%d killed", killed);
	EXPECT_LT(0, killed);
}

TEST_HARNESS_MAIN
