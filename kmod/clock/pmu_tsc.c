// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back end `tsc`: the time stamp counter as a count
 *
 * The TSC counts at one rate whatever the CPU does, which makes it the reference for
 * other counts. It needs no programming and does not overflow.
 *
 * Events do not count during suspend, because the TSC may stop or restart then.
 *
 * Context: process, CPU hotplug locked; each CPU reads its own TSC.
 */
#include <linux/cpu.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "base/gfp.h"
#include "clock/pmu_tsc.h"

/**
 * struct tsc_count - count of an event on one CPU
 * @total:	cycles counted up to @since
 * @since:	TSC when @total was last updated
 * @runs:	the event runs on the CPU
 */
struct tsc_count {
	u64	total;
	u64	since;
	bool	runs;
};

/**
 * struct tsc_event - an event of this back end
 * @node:	entry in @tsc_events
 * @counts:	count of each CPU
 */
struct tsc_event {
	struct list_head	node;
	struct tsc_count	counts[];
};

/* Protects @tsc_events, all counts and @is_asleep. */
static DEFINE_MUTEX(tsc_lock);
static LIST_HEAD(tsc_events);
static bool is_asleep;

static struct tsc_count *count_of(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_event *tsc = event->priv;

	return &tsc->counts[cpu];
}

static void read_here(void *value)
{
	*(u64 *)value = rdtsc_ordered();
}

static u64 read_on(int cpu)
{
	u64 value = 0;

	/* This call cannot fail, as @cpu is online and CPU hotplug is locked. */
	smp_call_function_single(cpu, read_here, &value, true);
	return value;
}

/* Add the cycles since the last update to @count->total. */
static void settle_tsc(struct tsc_count *count, int cpu)
{
	u64 now;

	if (!count->runs || is_asleep)
		return;
	now = read_on(cpu);
	count->total += now - count->since;
	count->since = now;
}

static u64 tsc_read(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *count = count_of(event, cpu);
	u64 total;

	mutex_lock(&tsc_lock);
	settle_tsc(count, cpu);
	total = count->total;
	mutex_unlock(&tsc_lock);
	return total;
}

static void tsc_write(struct tprof_pmu_event *event, int cpu, u64 value)
{
	struct tsc_count *count = count_of(event, cpu);

	mutex_lock(&tsc_lock);
	settle_tsc(count, cpu);
	count->total = value;
	mutex_unlock(&tsc_lock);
}

static int tsc_start(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *count = count_of(event, cpu);

	mutex_lock(&tsc_lock);
	count->since = read_on(cpu);
	count->runs = true;
	mutex_unlock(&tsc_lock);
	return 0;
}

static void tsc_stop(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *count = count_of(event, cpu);

	mutex_lock(&tsc_lock);
	settle_tsc(count, cpu);
	count->runs = false;
	mutex_unlock(&tsc_lock);
}

/*
 * Stop or continue the counts of all online CPUs. On offline CPUs, the events are
 * stopped already: hotplug stops events when suspend takes a CPU offline, and starts
 * them when resume brings it back.
 */
static void set_asleep(bool asleep)
{
	struct tsc_event *tsc;
	int cpu;

	cpus_read_lock();
	mutex_lock(&tsc_lock);
	list_for_each_entry(tsc, &tsc_events, node) {
		for_each_online_cpu(cpu) {
			if (asleep)
				settle_tsc(&tsc->counts[cpu], cpu);
			else
				tsc->counts[cpu].since = read_on(cpu);
		}
	}
	is_asleep = asleep;
	mutex_unlock(&tsc_lock);
	cpus_read_unlock();
}

static int tsc_sleep(struct notifier_block *block, unsigned long action,
		     void *data)
{
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		set_asleep(true);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		set_asleep(false);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block sleep_block = {
	.notifier_call = tsc_sleep,
};

static int tsc_event_init(struct tprof_pmu_event *event)
{
	const struct perf_event_attr *attr = event->attr;
	struct tsc_event *tsc;

	if (attr->type != PERF_TYPE_HARDWARE ||
	    attr->config != PERF_COUNT_HW_REF_CPU_CYCLES)
		return -EOPNOTSUPP;
	/* The TSC always counts: an event cannot exclude a mode or the idle task. */
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_idle)
		return -EOPNOTSUPP;
	tsc = kvzalloc(struct_size(tsc, counts, nr_cpu_ids),
		       TPROF_GFP);
	if (!tsc)
		return -ENOMEM;
	event->priv = tsc;
	mutex_lock(&tsc_lock);
	list_add(&tsc->node, &tsc_events);
	mutex_unlock(&tsc_lock);
	return 0;
}

static void tsc_event_uninit(struct tprof_pmu_event *event)
{
	struct tsc_event *tsc = event->priv;

	mutex_lock(&tsc_lock);
	list_del(&tsc->node);
	mutex_unlock(&tsc_lock);
	kvfree(tsc);
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
 * tprof_pmu_tsc_init - register the back end `tsc`, at module load
 *
 * Return: 0 or -errno.
 */
int tprof_pmu_tsc_init(void)
{
	int err;

	err = register_pm_notifier(&sleep_block);
	if (err)
		return err;
	err = tprof_pmu_register(&tsc_ops);
	if (err)
		unregister_pm_notifier(&sleep_block);
	return err;
}

/** tprof_pmu_tsc_uninit - unregister the back end `tsc`, at module exit */
void tprof_pmu_tsc_uninit(void)
{
	tprof_pmu_unregister(&tsc_ops);
	unregister_pm_notifier(&sleep_block);
}
