// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the ioctls on the targets of a session (ATTACH, DETACH), and RELEASE
 *
 * Context: process.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>

#include "dev/device_copy.h"
#include "dev/ioctl.h"
#include "session/session_config.h"
#include "session/session_target.h"

/* Size of the first version of each struct; a smaller struct is refused. */
#define TARGET_BYTES_MIN	16
#define RELEASE_BYTES_MIN	8

static_assert(sizeof(struct tprof_lx_target) == 16);
static_assert(sizeof(struct tprof_lx_release) == 8);

static int copy_target(struct tprof_lx_target *arg, void __user *user)
{
	const u32 both = TPROF_LX_TARGET_ALONE | TPROF_LX_TARGET_THREAD;
	int err;

	err = tprof_device_copy_in(arg, sizeof(*arg), TARGET_BYTES_MIN, user);
	if (err)
		return err;
	if (arg->flags & ~both || arg->flags == both || arg->reserved)
		return -EINVAL;
	return 0;
}

/**
 * tprof_device_attach - serve TPROF_LX_IOC_ATTACH
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_attach(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_target arg;
	int err;

	err = copy_target(&arg, user);
	return err ? err : tprof_session_attach(session, &arg);
}

/**
 * tprof_device_detach - serve TPROF_LX_IOC_DETACH
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_detach(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_target arg;
	int err;

	err = copy_target(&arg, user);
	return err ? err : tprof_session_detach(session, &arg);
}

/**
 * tprof_device_release_event - serve TPROF_LX_IOC_RELEASE
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_release_event(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_release arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), RELEASE_BYTES_MIN, user);
	return err ? err : tprof_session_release(session, arg.event);
}
