// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a session of a user without privileges
 */
#include <errno.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "harness/counters.h"
#include "harness/nobody.h"
#include "harness/unprivileged.h"

#define PARAMETER	"/sys/module/tprof_lx/parameters/access"

/* Let all users open sessions that count, until unprivileged_teardown(). */
int unprivileged_setup(struct unprivileged *user)
{
	int err;

	*user = (struct unprivileged){ .key = getpid() };
	/* The first event of a user that needs a counter is logged. */
	expect_dmesg("tprof_lx: user ");
	err = target_start(&user->root, user->key, 0);
	if (err)
		return err;
	if (file_number(PARAMETER))
		return -EBUSY;
	err = file_write(PARAMETER, "2");
	if (err)
		return err;
	if (chmod(DEVICE, 0666))
		return -errno;
	/* Open the device of the back end, which needs privileges. */
	err = fake_count(user->key, 1, NULL);
	return err == -ENOENT ? 0 : err ?: -EBADE;
}

/* Give up all privileges but @capability, and open a session. */
int unprivileged_begin(struct unprivileged *user, int capability)
{
	int err = become_user(NOBODY, capability);

	/* The kernel has cleared it. Children inherit it. */
	if (!err && prctl(PR_SET_DUMPABLE, 1))
		err = -errno;
	if (err)
		return err;
	user->fd = session_open(0);
	return user->fd < 0 ? user->fd : target_start(&user->own, user->key, 0);
}

static int write_access(struct target *root, __u64 access)
{
	const char text[] = { '0' + access, '\0' };

	return file_write(PARAMETER, text);
}

/* Change what users may observe to @access, enum tprof_lx_access. */
int unprivileged_allow(struct unprivileged *user, __u32 access)
{
	return target_do(&user->root, write_access, access);
}

/* Add an event of the processor's counters, which counts in user mode. */
int unprivileged_add_counter(int fd, __u64 config)
{
	struct tprof_lx_backend backend;
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err = counters_backend(fd, &backend);

	if (err)
		return err;
	attr_user(&attr, PERF_TYPE_RAW, config);
	return event_add_with(fd, backend.name, &attr, TPROF_LX_EVENT_PROCESS, &event);
}

static int restore(struct target *root, __u64 unused)
{
	int err = file_write(PARAMETER, "0");

	return err ?: chmod(DEVICE, 0600) ? -errno : 0;
}

int unprivileged_teardown(struct unprivileged *user)
{
	int err;

	if (user->own.pid)
		target_end(&user->own);
	if (user->fd > 0)
		close(user->fd);
	err = target_do(&user->root, restore, 0);
	target_end(&user->root);
	return err;
}
