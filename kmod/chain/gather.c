// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a call chain that is gathered outside of its record
 *
 * Context: process, may sleep.
 */
#include "chain/gather.h"

bool tprof_gather_wait(void *to, unsigned long at, size_t bytes)
{
	return !copy_from_user(to, (const void __user *)at, bytes);
}
