// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a module that does nothing but come and go
 *
 * Its loading and unloading are what a recording must show.
 */
#include <linux/module.h>

MODULE_DESCRIPTION("tprof-lx selftests: a module to load and unload");
MODULE_LICENSE("GPL");

/* Called from init alone, but kept: it is what a mapping of us must cover. */
static noinline int tprof_lx_load_step(int value)
{
	barrier();
	return value + 1;
}

static int __init load_init(void)
{
	return tprof_lx_load_step(-1);
}
module_init(load_init);

static void __exit load_exit(void)
{
	barrier();
}
module_exit(load_exit);
