// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - counters' registers that are made to fail, where a kernel is for that
 *
 * Context: any but NMI.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fault-inject.h>

#include "x86_fault.h"

static DECLARE_FAULT_ATTR(fail_msr);
static struct dentry *dir;

/** tprof_x86_fault - 0, or -EIO if the next access is to fail */
int tprof_x86_fault(void)
{
	return should_fail(&fail_msr, 1) ? -EIO : 0;
}

/** tprof_x86_fault_init - module load; without its files, nothing fails */
void tprof_x86_fault_init(void)
{
	dir = debugfs_create_dir("tprof_lx", NULL);
	if (!IS_ERR(dir))
		fault_create_debugfs_attr("fail_msr", dir, &fail_msr);
}

/** tprof_x86_fault_uninit - module exit */
void tprof_x86_fault_uninit(void)
{
	debugfs_remove(dir);
}
