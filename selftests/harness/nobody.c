// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - give up privileges
 */
#include <errno.h>
#include <unistd.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "harness/nobody.h"

/* Let this process, which is root, belong to @uid, with only @capability (-1: none). */
int become_user(int uid, int capability)
{
	cap_value_t value = capability;
	cap_t caps = cap_init();
	int err;

	if (!caps || prctl(PR_SET_KEEPCAPS, 1) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid))
		return -errno;
	if (capability >= 0) {
		cap_set_flag(caps, CAP_PERMITTED, 1, &value, CAP_SET);
		cap_set_flag(caps, CAP_EFFECTIVE, 1, &value, CAP_SET);
	}
	err = cap_set_proc(caps) ? -errno : 0;
	cap_free(caps);
	return err;
}
