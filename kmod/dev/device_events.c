// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the ioctls that list events
 *
 * Context: process.
 */
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/tprof_lx.h>

#include "base/gfp.h"
#include "dev/device_copy.h"
#include "dev/ioctl.h"
#include "pmu/pmu.h"
#include "session/session.h"
#include "session/session_list.h"

/* Size of the first version of each struct; a smaller struct is refused. */
#define NAMES_BYTES_MIN		24
#define NAME_BYTES_MIN		192
#define EVENTS_BYTES_MIN	32
#define LISTED_BYTES_MIN	136

static_assert(sizeof(struct tprof_lx_names) == 24);
static_assert(sizeof(struct tprof_lx_name) == 192);
static_assert(sizeof(struct tprof_lx_events) == 40);
static_assert(sizeof(struct tprof_lx_listed) == 160);

/* A user without privileges has no more events than that, busy sessions included. */
#define MAX_LISTED_OF_USER	(TPROF_LX_MAX_USER_EVENTS + TPROF_LX_MAX_USER_SESSIONS)

static int copy_names(struct tprof_lx_names *arg)
{
	const struct tprof_device_array array = {
		.to = arg->names,
		.room = min_t(u32, arg->names ? arg->nr_names : 0, TPROF_LX_MAX_NAMES),
		.stride = arg->name_size,
		.stride_min = NAME_BYTES_MIN,
	};
	struct tprof_lx_name *list;
	int err;

	list = kvcalloc(array.room + 1, sizeof(*list), TPROF_GFP);
	if (!list)
		return -ENOMEM;
	arg->nr_names = tprof_pmu_list_names(list, array.room);
	err = tprof_device_copy_list(&array, list, sizeof(*list), arg->nr_names);
	kvfree(list);
	return err;
}

/**
 * tprof_device_names - serve TPROF_LX_IOC_NAMES
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_names(void __user *user)
{
	struct tprof_lx_names arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), NAMES_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags)
		return -EINVAL;
	err = copy_names(&arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}

static int copy_events(const struct tprof_session *session, struct tprof_lx_events *arg)
{
	const struct tprof_device_array array = {
		.to = arg->events,
		.room = min_t(u32, arg->events ? arg->nr_events : 0,
			      session->watcher ? MAX_LISTED_OF_USER : TPROF_LX_MAX_LISTED),
		.stride = arg->event_size,
		.stride_min = LISTED_BYTES_MIN,
	};
	struct tprof_event_list list = { .room = array.room, .cpu = arg->cpu };
	int err;

	list.entries = kvcalloc(array.room + 1, sizeof(*list.entries), TPROF_GFP);
	if (!list.entries)
		return -ENOMEM;
	tprof_session_list_all_events(session, &list);
	arg->nr_events = list.nr;
	err = tprof_device_copy_list(&array, list.entries, sizeof(*list.entries),
				     min(list.nr, array.room));
	kvfree(list.entries);
	return err;
}

static u64 around_ns(u32 only)
{
	u64 longest = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		if (only == TPROF_LX_SUM || only == cpu)
			longest = max(longest, tprof_cost_around_ns(cpu));
	}
	return longest;
}

/**
 * tprof_device_events - serve TPROF_LX_IOC_EVENTS
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_events(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_events arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), EVENTS_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags || arg.reserved ||
	    (arg.cpu != TPROF_LX_SUM && !tprof_device_is_cpu(arg.cpu)))
		return -EINVAL;
	arg.around_ns = around_ns(arg.cpu);
	err = copy_events(session, &arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}
