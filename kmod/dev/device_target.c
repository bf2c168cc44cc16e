// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the ioctls on the targets of a session (ATTACH, DETACH, FOLLOW), and RELEASE
 *
 * Context: process.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/gfp.h"
#include "dev/device_copy.h"
#include "dev/ioctl.h"
#include "session/session_config.h"
#include "session/session_target.h"

/* Size of the first version of each struct; a smaller struct is refused. */
#define TARGET_BYTES_MIN	16
#define FOLLOW_BYTES_MIN	32
#define RELEASE_BYTES_MIN	8

static_assert(sizeof(struct tprof_lx_target) == 16);
static_assert(sizeof(struct tprof_lx_follow) == 32);
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

static int follow_states(struct tprof_session *session, const struct tprof_lx_follow *arg)
{
	size_t bytes = arg->nr_states * TPROF_LX_NAME_STATE_BYTES;
	u8 *states = kvmalloc(bytes, TPROF_GFP);
	int err;

	if (!states)
		return -ENOMEM;
	if (copy_from_user(states, u64_to_user_ptr(arg->states), bytes))
		err = -EFAULT;
	else
		err = tprof_session_follow(session, arg, states);
	kvfree(states);
	return err;
}

/**
 * tprof_device_follow - serve TPROF_LX_IOC_FOLLOW
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_follow(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_follow arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), FOLLOW_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags & ~TPROF_LX_TARGET_ALONE || arg.reserved ||
	    arg.nr_states > TPROF_LX_MAX_NAME_STATES)
		return -EINVAL;
	err = arg.nr_states ? follow_states(session, &arg) : 0;
	if (!err)
		err = tprof_session_nr_followed(session, &arg.nr_followed);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
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
