// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - how much of their own processes users without privileges may observe
 *
 * Older versions had the parameter `unprivileged`, 0 or 1, where 1 permitted counters too. It is
 * another name of `access` with these two values. `unprivileged_counters` remains as the number
 * of counters that a user may have, where 0 means that `access` permits none.
 *
 * Context: process, may sleep.
 */
#include <linux/cred.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>
#include <linux/tprof_lx.h>

#include "base/params.h"
#include "rights/access.h"
#include "rights/degree.h"

static struct tprof_param param_unprivileged = { .max = 1 };

static int set_unprivileged(const char *text, const struct kernel_param *kp)
{
	int err = tprof_param_set(text, kp);

	if (!err)
		tprof_params_set_access(param_unprivileged.value ? TPROF_LX_ACCESS_COUNTERS :
								   TPROF_LX_ACCESS_NONE);
	return err;
}

static int get_unprivileged(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", tprof_degree_may_open());
}

static const struct kernel_param_ops unprivileged_ops = {
	.set = set_unprivileged,
	.get = get_unprivileged,
};

module_param_cb(unprivileged, &unprivileged_ops, &param_unprivileged, 0644);
MODULE_PARM_DESC(unprivileged, "old name: 0 is access=0, 1 is access=2");

/**
 * tprof_degree - return what users without privileges may observe now
 *
 * Return: enum tprof_lx_access.
 */
u32 tprof_degree(void)
{
	u32 access = tprof_params_access();

	if (access == TPROF_LX_ACCESS_COUNTERS && !tprof_params_unprivileged_counters())
		return TPROF_LX_ACCESS_OWN;
	return access;
}

/** tprof_degree_may_open - report whether users without privileges may have sessions */
bool tprof_degree_may_open(void)
{
	return tprof_degree() >= TPROF_LX_ACCESS_OWN;
}

/** tprof_degree_may_count - report whether their events may use hardware counters */
bool tprof_degree_may_count(void)
{
	return tprof_degree() >= TPROF_LX_ACCESS_COUNTERS && tprof_params_unprivileged_counters();
}

/**
 * tprof_degree_check_event - check that a session with a watcher may have an event
 * @attr:	attr of the event
 * @flags:	enum tprof_lx_event_flag
 *
 * Records of switches are always refused, because they have the ids of the other tasks. By the
 * count page of an event, RDPMC can read the counters of others: see rdpmc.h.
 *
 * Return: 0 or -EACCES.
 */
int tprof_degree_check_event(const struct perf_event_attr *attr, u32 flags)
{
	if (!(flags & TPROF_LX_EVENT_PROCESS) || attr->context_switch)
		return -EACCES;
	if (flags & TPROF_LX_EVENT_PAGE && !tprof_degree_may_count())
		return -EACCES;
	if (!attr->exclude_kernel && tprof_degree() < TPROF_LX_ACCESS_KERNEL)
		return -EACCES;
	return 0;
}

/**
 * tprof_degree_hides_kernel - report whether an event's samples must not have kernel addresses
 * @watcher:	credentials of the opener of the session
 * @attr:	attr of the event
 *
 * The administrator may permit samples of the kernel, but hide where it is (KASLR).
 *
 * Return: true if the event may take samples of the kernel that must not have addresses.
 */
bool tprof_degree_hides_kernel(const struct cred *watcher, const struct perf_event_attr *attr)
{
	return !attr->exclude_kernel && !tprof_access_shows_kernel(watcher);
}
