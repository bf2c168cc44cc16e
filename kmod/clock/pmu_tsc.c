// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back end `tsc`: the time stamp counter as a count
 *
 * The TSC counts at one rate whatever the CPU does, which makes it the reference for
 * other counts. It needs no programming and does not overflow.
 *
 * Events do not count during suspend, because the TSC may stop or restart then.
 *
 * Context: process; tsc_call_*() and tsc_gate() on the CPU of the count, with
 * interrupts off.
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
#include "base/ipi.h"
#include "clock/pmu_tsc.h"

/**
 * struct tsc_count - count of an event on one CPU
 * @total:	cycles counted up to @since
 * @since:	TSC at the last settle_tsc()
 * @runs:	the event runs on the CPU
 * @is_shut:	the gate of the event is closed
 * @is_asleep:	the machine sleeps
 *
 * Accessed only on the CPU, with interrupts off, or while the event does not run there.
 */
struct tsc_count {
	u64	total;
	u64	since;
	bool	runs;
	bool	is_shut;
	bool	is_asleep;
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

/* Protects @tsc_events and @is_asleep. */
static DEFINE_MUTEX(tsc_lock);
static LIST_HEAD(tsc_events);
static bool is_asleep;

static struct tsc_count *count_of(const struct tprof_pmu_event *event, int cpu)
{
	struct tsc_event *tsc = event->priv;

	return &tsc->counts[cpu];
}

/*
 * Add to @count->total the cycles since the last call, unless the count was
 * paused in that time.
 */
static void settle_tsc(struct tsc_count *count)
{
	u64 now = rdtsc_ordered();

	if (count->runs && !count->is_shut && !count->is_asleep)
		count->total += now - count->since;
	count->since = now;
}

/**
 * struct tsc_reading - a count that is read on its CPU
 * @count:	count of the CPU
 * @total:	result
 */
struct tsc_reading {
	struct tsc_count	*count;
	u64			total;
};

static void tsc_call_read(void *data)
{
	struct tsc_reading *reading = data;

	settle_tsc(reading->count);
	reading->total = reading->count->total;
}

static void tsc_call_start(void *data)
{
	struct tsc_count *count = data;

	settle_tsc(count);
	count->runs = true;
}

static void tsc_call_stop(void *data)
{
	struct tsc_count *count = data;

	settle_tsc(count);
	count->runs = false;
}

static void tsc_call_sleep(void *data)
{
	struct tsc_count *count = data;

	settle_tsc(count);
	count->is_asleep = true;
}

static void tsc_call_wake(void *data)
{
	struct tsc_count *count = data;

	settle_tsc(count);
	count->is_asleep = false;
}

static u64 tsc_read_here(const struct tprof_pmu_event *event)
{
	struct tsc_count *count = count_of(event, smp_processor_id());

	settle_tsc(count);
	return count->total;
}

static u64 tsc_read(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_reading reading = { .count = count_of(event, cpu) };

	/* START and STOP do not run meanwhile. */
	if (!READ_ONCE(reading.count->runs) || tprof_ipi_call(cpu, tsc_call_read, &reading))
		return reading.count->total;
	return reading.total;
}

static void tsc_write(struct tprof_pmu_event *event, int cpu, u64 value)
{
	count_of(event, cpu)->total = value;
}

static int tsc_start(struct tprof_pmu_event *event, int cpu)
{
	struct tsc_count *count = count_of(event, cpu);

	mutex_lock(&tsc_lock);
	count->is_shut = event->is_gated;
	count->is_asleep = is_asleep;
	tprof_ipi_call(cpu, tsc_call_start, count);
	mutex_unlock(&tsc_lock);
	return 0;
}

static void tsc_stop(struct tprof_pmu_event *event, int cpu)
{
	tprof_ipi_call(cpu, tsc_call_stop, count_of(event, cpu));
}

static void tsc_gate(const struct tprof_pmu_gate *gate, bool is_open)
{
	struct tsc_count *count;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		count = count_of(gate->members[i].event, smp_processor_id());
		settle_tsc(count);
		count->is_shut = !is_open;
	}
}

static void tsc_settle(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums)
{
	struct tsc_count *count;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		count = count_of(gate->members[i].event, smp_processor_id());
		settle_tsc(count);
		tprof_pmu_settle(&gate->members[i], count->total, marks, sums);
	}
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
		for_each_online_cpu(cpu)
			tprof_ipi_call(cpu, asleep ? tsc_call_sleep : tsc_call_wake,
				       &tsc->counts[cpu]);
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

/* For each possible CPU and event: Documentation/calls.md. */
static_assert(sizeof(struct tsc_count) <= 24);

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
	.read_here = tsc_read_here,
	.write = tsc_write,
	.gate = tsc_gate,
	.settle = tsc_settle,
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
