// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - loading and unloading of the module
 *
 * Each part is initialised after the parts that it uses, and torn down before
 * them. The x86 back end is an exception: it calls tprof_nmi_add() before
 * tprof_nmi_init(). The NMI handlers use the state of this back end, so
 * tprof_pmu_x86_uninit() must run after tprof_nmi_uninit().
 *
 * Context: process.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/printk.h>

#include "base/mono.h"
#include "clock/clock.h"
#include "clock/pmu_tsc.h"
#include "dev/device.h"
#include "pmu/nmi.h"
#include "rights/access.h"
#include "rights/quota.h"
#include "rights/rdpmc.h"
#include "session/cpu.h"
#include "soft/pmu_soft.h"
#include "stream/stream.h"
#include "track/track.h"
#include "x86/pmu_x86.h"

/* Register the back ends that count without a hardware counter. */
static int __init init_counts(void)
{
	int err = tprof_pmu_tsc_init();

	if (err)
		return err;
	err = tprof_pmu_soft_init();
	if (err)
		tprof_pmu_tsc_uninit();
	return err;
}

static void uninit_counts(void)
{
	tprof_pmu_soft_uninit();
	tprof_pmu_tsc_uninit();
}

static int __init tprof_init(void)
{
	int err;

	err = tprof_mono_init();
	if (err)
		return err;
	err = tprof_stream_init();
	if (err)
		goto err_mono;
	err = tprof_track_init();
	if (err)
		goto err_stream;
	err = tprof_cpu_init();
	if (err)
		goto err_track;
	err = tprof_pmu_timer_init();
	if (err)
		goto err_cpu;
	err = tprof_pmu_x86_init();
	if (err)
		goto err_timer;
	err = tprof_nmi_init();
	if (err)
		goto err_x86;
	err = tprof_pmu_nmi_init();
	if (err)
		goto err_nmi;
	err = init_counts();
	if (err)
		goto err_pmu_nmi;
	err = tprof_device_init();
	if (err)
		goto err_counts;
	pr_info("version %s, /dev/" TPROF_LX_DEVICE_NAME " is ready\n",
		TPROF_LX_VERSION);
	return 0;

err_counts:
	uninit_counts();
err_pmu_nmi:
	tprof_pmu_nmi_uninit();
err_nmi:
	tprof_nmi_uninit();
err_x86:
	tprof_pmu_x86_uninit();
err_timer:
	tprof_pmu_timer_uninit();
err_cpu:
	tprof_cpu_uninit();
err_track:
	tprof_track_uninit();
err_stream:
	tprof_stream_uninit();
err_mono:
	tprof_mono_uninit();
	return err;
}

static void __exit tprof_exit(void)
{
	tprof_device_uninit();
	tprof_quota_uninit();
	tprof_access_uninit();
	tprof_rdpmc_uninit();
	uninit_counts();
	tprof_pmu_nmi_uninit();
	tprof_nmi_uninit();
	tprof_pmu_x86_uninit();
	tprof_pmu_timer_uninit();
	tprof_cpu_uninit();
	tprof_track_uninit();
	tprof_stream_uninit();
	tprof_mono_uninit();
}

module_init(tprof_init);
module_exit(tprof_exit);

MODULE_DESCRIPTION("Sampling profiler for x86 with or without a PMU");
MODULE_AUTHOR("The tprof-lx maintainers");
MODULE_VERSION(TPROF_LX_VERSION);
MODULE_LICENSE("GPL");
