// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a module that does nothing
 *
 * Tests load and unload this module, and expect a record of the load and of the unload.
 */
#include <linux/module.h>

MODULE_DESCRIPTION("tprof-lx selftests: a module to load and unload");
MODULE_LICENSE("GPL");

/* noinline keeps this function in .text, so that the recorded mapping is not empty. */
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
