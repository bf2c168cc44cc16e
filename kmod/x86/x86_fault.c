// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - fault injection for accesses to the counters' registers
 *
 * The kernel's should_fail() cannot be used: on PREEMPT_RT, it takes a lock that
 * must not be taken with interrupts off.
 *
 * Context: any.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/debugfs.h>
#include <linux/errno.h>

#include "x86/x86_fault.h"

static u32 every;
static atomic_t nr_accesses;
static atomic_t nr_failed;
static struct dentry *dir;

/** tprof_x86_fault - return -EIO if the next access is to fail, else 0 */
int tprof_x86_fault(void)
{
	u32 nth = READ_ONCE(every);

	if (likely(!nth))
		return 0;
	if ((u32)atomic_inc_return(&nr_accesses) % nth)
		return 0;
	atomic_inc(&nr_failed);
	return -EIO;
}

/** tprof_x86_fault_init - create the files in debugfs, at module load */
void tprof_x86_fault_init(void)
{
	dir = debugfs_create_dir("tprof_lx", NULL);
	debugfs_create_u32("fail_msr_every", 0600, dir, &every);
	debugfs_create_atomic_t("failed_msrs", 0400, dir, &nr_failed);
}

/** tprof_x86_fault_uninit - remove the files, at module exit */
void tprof_x86_fault_uninit(void)
{
	debugfs_remove(dir);
}
