// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - measure the minimum cost of a timer's interrupt
 *
 * While this module is loaded, a timer of the kernel expires on CPU 0 every @period ns. Its
 * function counts and sets the next time. A profiler's own cost of a sample by a clock is the
 * cost of its interrupt minus this minimum.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/smp.h>

static unsigned int period = 200000;
module_param(period, uint, 0444);
MODULE_PARM_DESC(period, "nanoseconds between two interrupts");

static unsigned long nr_ticks;
module_param(nr_ticks, ulong, 0444);
MODULE_PARM_DESC(nr_ticks, "interrupts so far");

static struct hrtimer timer;

static enum hrtimer_restart floor_tick(struct hrtimer *hrtimer)
{
	nr_ticks++;
	hrtimer_add_expires_ns(hrtimer, period);
	return HRTIMER_RESTART;
}

static void start(void *unused)
{
	hrtimer_start(&timer, ns_to_ktime(period), HRTIMER_MODE_REL_PINNED_HARD);
}

static int __init floor_timer_init(void)
{
	hrtimer_setup(&timer, floor_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	return smp_call_function_single(0, start, NULL, true);
}
module_init(floor_timer_init);

static void __exit floor_timer_exit(void)
{
	hrtimer_cancel(&timer);
}
module_exit(floor_timer_exit);

MODULE_DESCRIPTION("tprof-lx selftests: a timer that does nothing");
MODULE_LICENSE("GPL");
