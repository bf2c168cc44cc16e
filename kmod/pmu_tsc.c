// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back end `tsc`: the time stamp counter, to be read
 *
 * It counts the same whatever the CPU does, so it is what other counts are
 * compared with. There is nothing to program and nothing that overflows.
 *
 * Context: process, CPU hotplug and the cpu lock held; the counter is read by
 * the CPU that is counted.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "pmu_tsc.h"

/**
 * struct tsc_count - what an event counted on one CPU
 * @total:	up to the last stop
 * @since:	counter when it was started
 * @runs:	it was started
 */
struct tsc_count {
	u64	total;
	u64	since;
	bool	runs;
};

static struct tsc_count *count_of(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *counts = event->priv;

	return &counts[cpu];
}

static void read_here(void *value)
{
	*(u64 *)value = rdtsc_ordered();
}

static u64 read_on(int cpu)
{
	u64 value = 0;

	/* Cannot fail: it is online, and hotplug is locked. */
	smp_call_function_single(cpu, read_here, &value, true);
	return value;
}

static u64 tsc_read(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *count = count_of(event, cpu);

	return count->total + (count->runs ? read_on(cpu) - count->since : 0);
}

static void tsc_write(struct tprof_pmu_event *event, int cpu, u64 value)
{
	count_of(event, cpu)->total = value;
}

static int tsc_start(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *count = count_of(event, cpu);

	count->since = read_on(cpu);
	count->runs = true;
	return 0;
}

static void tsc_stop(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *count = count_of(event, cpu);

	count->total = tsc_read(event, cpu);
	count->runs = false;
}

static int tsc_event_init(struct tprof_pmu_event *event)
{
	const struct perf_event_attr *attr = event->attr;

	if (attr->type != PERF_TYPE_HARDWARE ||
	    attr->config != PERF_COUNT_HW_REF_CPU_CYCLES)
		return -EOPNOTSUPP;
	/* It does not know what the CPU does. */
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_idle)
		return -EOPNOTSUPP;
	event->priv = kvcalloc(nr_cpu_ids, sizeof(struct tsc_count),
			       GFP_KERNEL_ACCOUNT);
	return event->priv ? 0 : -ENOMEM;
}

static void tsc_event_uninit(struct tprof_pmu_event *event)
{
	kvfree(event->priv);
}

static bool tsc_describe(char *text, size_t bytes)
{
	snprintf(text, bytes, "time stamp counter, %u.%03u MHz",
		 tsc_khz / 1000, tsc_khz % 1000);
	return false;
}

static const struct tprof_pmu_ops tsc_ops = {
	.version = TPROF_PMU_VERSION,
	.name = "tsc",
	.owner = THIS_MODULE,
	.flags = TPROF_LX_BACKEND_COUNTS,
	.nr_counters = 1,
	.counter_bits = 64,
	.describe = tsc_describe,
	.event_init = tsc_event_init,
	.event_uninit = tsc_event_uninit,
	.start = tsc_start,
	.stop = tsc_stop,
	.read = tsc_read,
	.write = tsc_write,
};

/**
 * tprof_pmu_tsc_init - module load
 *
 * Return: 0 or -errno.
 */
int tprof_pmu_tsc_init(void)
{
	return tprof_pmu_register(&tsc_ops);
}

/** tprof_pmu_tsc_uninit - module exit */
void tprof_pmu_tsc_uninit(void)
{
	tprof_pmu_unregister(&tsc_ops);
}
