// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a suspend of the machine
 *
 * The kernel takes all CPUs but CPU 0 offline, waits for a second, and resumes without a
 * real suspend.
 */
#include <unistd.h>

#include "harness/common.h"
#include "harness/suspend.h"

#define TEST	"/sys/power/pm_test"
#define STATE	"/sys/power/state"
#define DELAY	"/sys/module/suspend/parameters/pm_test_delay"

bool suspend_is_possible(void)
{
	return !access(TEST, W_OK);
}

/* Return 0 or -errno after the resume. */
int suspend_once(void)
{
	int err = file_write(TEST, "processors");

	if (err)
		return err;
	file_write(DELAY, "1");
	err = file_write(STATE, "mem");
	file_write(TEST, "none");
	return err;
}
