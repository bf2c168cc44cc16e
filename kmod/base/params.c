// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - module parameters with bounds
 *
 * For a bad value at load, the module logs a warning and uses the default. So a
 * typing error in modprobe.d does not keep the module from loading. A bad value
 * that is written later is refused.
 *
 * Context: process.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/tprof_lx.h>

#include "base/params.h"

/**
 * tprof_param_set - write a parameter that is a struct tprof_param
 * @text:	new value
 * @kp:		the parameter
 *
 * Return: 0; while the module is running, -EINVAL or -ERANGE for a bad value.
 */
int tprof_param_set(const char *text, const struct kernel_param *kp)
{
	struct tprof_param *param = kp->arg;
	unsigned long value;
	int err;

	err = kstrtoul(text, 0, &value);
	if (!err && value >= param->min && value <= param->max) {
		WRITE_ONCE(param->value, value);
		return 0;
	}
	if (THIS_MODULE->state != MODULE_STATE_COMING)
		return err ? err : -ERANGE;

	pr_warn("%s=%s is not a number from %lu to %lu, using %lu\n", kp->name,
		text, param->min, param->max, param->fallback);
	param->value = param->fallback;
	return 0;
}

static int param_get(char *buf, const struct kernel_param *kp)
{
	const struct tprof_param *param = kp->arg;

	return sysfs_emit(buf, "%lu\n", READ_ONCE(param->value));
}

static const struct kernel_param_ops param_ops = {
	.set = tprof_param_set,
	.get = param_get,
};

#define DEFINE_PARAM(name, fallback_, min_, max_, text)		\
	static struct tprof_param param_##name = {			\
		.value = (fallback_),					\
		.fallback = (fallback_),				\
		.min = (min_),						\
		.max = (max_),						\
	};								\
	module_param_cb(name, &param_ops, &param_##name, 0644);		\
	MODULE_PARM_DESC(name, text)

DEFINE_PARAM(ring_bytes, 1UL << 20, TPROF_RING_BYTES_MIN, TPROF_RING_BYTES_MAX,
	     "default size of each CPU's ring in bytes, rounded up to a power of two");
DEFINE_PARAM(fifo_bytes, 8UL << 20, TPROF_FIFO_BYTES_MIN, TPROF_FIFO_BYTES_MAX,
	     "default size of the reader's queue in bytes, rounded up to a power of two");
DEFINE_PARAM(flush_ms, 100, TPROF_FLUSH_MS_MIN, TPROF_FLUSH_MS_MAX,
	     "default time between two flushes, in milliseconds");
DEFINE_PARAM(max_rate, 100000, 1, 1000000,
	     "highest sampling rate per CPU and event, in Hz");
DEFINE_PARAM(max_stack, 127, 1, TPROF_STACK_FRAMES_MAX,
	     "maximum number of frames in a call chain");
DEFINE_PARAM(access, 0, 0, TPROF_LX_ACCESS_KERNEL,
	     "what users without privileges may observe of their own processes: 0 nothing, 1 user mode without counters, 2 user mode with counters, 3 the kernel too");
DEFINE_PARAM(unprivileged_counters, 6, 0, 64,
	     "counters of each CPU that each user without privileges may use, if access permits any");
DEFINE_PARAM(unprivileged_rate, 100000, 1, 64000000,
	     "sum of the rates of all clocks of each user without privileges, in Hz");
DEFINE_PARAM(table_bytes, 64UL << 20, 0, TPROF_TABLE_BYTES_MAX,
	     "maximum memory of unwind tables in bytes, over all sessions");
DEFINE_PARAM(debug, 0, 0, TPROF_TOPICS,
	     "topics to log: 1 sessions + 2 CPUs + 4 tracking + 8 back ends");

unsigned long tprof_params_ring_bytes(void)
{
	return READ_ONCE(param_ring_bytes.value);
}

unsigned long tprof_params_fifo_bytes(void)
{
	return READ_ONCE(param_fifo_bytes.value);
}

unsigned int tprof_params_flush_ms(void)
{
	return READ_ONCE(param_flush_ms.value);
}

unsigned long tprof_params_max_rate(void)
{
	return READ_ONCE(param_max_rate.value);
}

unsigned int tprof_params_max_stack(void)
{
	return READ_ONCE(param_max_stack.value);
}

u32 tprof_params_access(void)
{
	return READ_ONCE(param_access.value);
}

void tprof_params_set_access(u32 access)
{
	WRITE_ONCE(param_access.value, access);
}

unsigned int tprof_params_unprivileged_counters(void)
{
	return READ_ONCE(param_unprivileged_counters.value);
}

unsigned long tprof_params_unprivileged_rate(void)
{
	return READ_ONCE(param_unprivileged_rate.value);
}

unsigned long tprof_params_table_bytes(void)
{
	return READ_ONCE(param_table_bytes.value);
}

bool tprof_params_is_debug(enum tprof_topic topic)
{
	return READ_ONCE(param_debug.value) & topic;
}
