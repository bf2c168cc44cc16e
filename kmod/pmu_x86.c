// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back ends `intel` and `amd`: the counters of the processor
 *
 * Which event has which counter of which CPU, and since when. What is done to
 * the registers of a CPU is in x86_cpu.c, what an NMI does in pmu_intel.c and
 * pmu_amd.c, and how one gets there in x86_host.c.
 *
 * Context: process, under the x86 lock, most of it with CPU hotplug locked.
 */
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/suspend.h>
#include <asm/tsc.h>

#include "params.h"
#include "pmu_x86.h"
#include "x86_host.h"
#include "x86_rows.h"

/*
 * The smallest period that errata of any supported processor ask for: Intel's
 * HSW11 and BDM11, of instructions retired.
 */
#define MIN_PERIOD	128

/* Where the kernel does not know how fast the TSC is. */
#define ANY_TSC_KHZ	2000000

/**
 * struct run - an event on a CPU
 * @counter:	what it counted; of that CPU while it is armed, else x86 lock
 * @select:	what the counter is told
 * @row:	counter that it has, or -1
 * @is_armed:	it counts: always if it has one, but for suspend
 * @period:	for which the distance in @counter was chosen
 * @node:	in @running
 * @cpu:	the CPU
 */
struct run {
	struct tprof_x86_counter	counter;
	struct tprof_x86_select		select;
	int				row;
	bool				is_armed;
	u64				period;
	struct list_head		node;
	int				cpu;
};

/*
 * Protects who has which counter, and the claim to all of them. Nests in CPU
 * hotplug's lock, in the cpu lock of cpu.c and in the registry's.
 */
static DEFINE_MUTEX(x86_lock);
static struct tprof_x86_rows __percpu *cpu_rows;
static LIST_HEAD(running);
static unsigned int nr_events;
static bool is_suspended;

static struct run *run_of(const struct tprof_pmu_event *event, int cpu)
{
	struct run __percpu *runs = (void __percpu __force *)event->priv;

	return per_cpu_ptr(runs, cpu);
}

/* One CPU that has the event is enough; START tells of those that do not. */
static int check(const struct tprof_pmu_event *event)
{
	struct tprof_x86_select select;
	int cpu, err = -EOPNOTSUPP;

	for_each_online_cpu(cpu) {
		err = tprof_x86_select(event->attr, tprof_x86_host_caps(cpu),
				       &select);
		if (!err)
			break;
	}
	return err;
}

static void setup(struct run *run, struct tprof_pmu_event *event, int cpu)
{
	run->counter.event = event;
	run->row = -1;
	run->cpu = cpu;
	run->period = event->period;
	tprof_x86_counter_set_period(&run->counter, event->period,
				     event->is_random, get_random_u64());
}

static int claim(void)
{
	int err = 0;

	lockdep_assert_held(&x86_lock);
	if (!nr_events)
		err = tprof_x86_host_claim();
	if (!err)
		nr_events++;
	return err;
}

static int x86_event_init(struct tprof_pmu_event *event)
{
	struct run __percpu *runs;
	int cpu, err;

	runs = __alloc_percpu_gfp(sizeof(*runs), __alignof__(*runs),
				  GFP_KERNEL_ACCOUNT);
	if (!runs)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		setup(per_cpu_ptr(runs, cpu), event, cpu);

	cpus_read_lock();
	mutex_lock(&x86_lock);
	err = check(event);
	if (!err)
		err = claim();
	mutex_unlock(&x86_lock);
	cpus_read_unlock();

	if (err)
		free_percpu(runs);
	else
		event->priv = (void __force *)runs;
	return err;
}

static void x86_event_uninit(struct tprof_pmu_event *event)
{
	mutex_lock(&x86_lock);
	if (!--nr_events)
		tprof_x86_host_release();
	mutex_unlock(&x86_lock);
	free_percpu((void __percpu __force *)event->priv);
}

/* What is left of a period is kept over a stop; of a rate nothing is known. */
static void set_distance(struct run *run, const struct tprof_pmu_event *event)
{
	const struct perf_event_attr *attr = event->attr;
	u64 hz = (u64)(tsc_khz ?: ANY_TSC_KHZ) * 1000;

	if (attr->freq)
		tprof_x86_counter_set_rate(&run->counter,
					   hz / attr->sample_freq, MIN_PERIOD,
					   event->is_random, get_random_u64());
	else if (run->period != event->period)
		tprof_x86_counter_set_period(&run->counter, event->period,
					     event->is_random,
					     get_random_u64());
	run->period = event->period;
}

static void set_width(struct run *run, const struct tprof_x86_caps *caps)
{
	tprof_x86_counter_set_width(&run->counter,
				    tprof_x86_row_bits(caps, run->row),
				    caps->has_full_width);
}

static int arm(struct run *run)
{
	int err;

	err = tprof_x86_host_arm(run->cpu, &run->counter, &run->select,
				 run->row);
	run->is_armed = !err;
	return err;
}

static void disarm(struct run *run)
{
	tprof_x86_host_disarm(run->cpu, run->row);
	run->is_armed = false;
}

static void put_row(struct run *run)
{
	tprof_x86_rows_give(per_cpu_ptr(cpu_rows, run->cpu), run->row);
	list_del(&run->node);
	run->row = -1;
}

static int get_row(struct run *run, struct tprof_pmu_event *event)
{
	const struct tprof_x86_caps *caps = tprof_x86_host_caps(run->cpu);
	int row, err;

	err = tprof_x86_select(event->attr, caps, &run->select);
	if (err)
		return err;
	row = tprof_x86_rows_take(per_cpu_ptr(cpu_rows, run->cpu),
				  run->select.rows, event,
				  &run->counter.period);
	if (row < 0)
		return row;
	run->row = row;
	list_add_tail(&run->node, &running);
	set_width(run, caps);
	return 0;
}

static int x86_start(struct tprof_pmu_event *event, int cpu)
{
	struct run *run = run_of(event, cpu);
	int err;

	mutex_lock(&x86_lock);
	err = get_row(run, event);
	if (err)
		goto unlock;
	set_distance(run, event);
	if (!is_suspended)
		err = arm(run);
	if (err)
		put_row(run);
unlock:
	mutex_unlock(&x86_lock);
	return err;
}

static void x86_stop(struct tprof_pmu_event *event, int cpu)
{
	struct run *run = run_of(event, cpu);

	mutex_lock(&x86_lock);
	if (run->is_armed)
		disarm(run);
	if (run->row >= 0)
		put_row(run);
	mutex_unlock(&x86_lock);
}

static u64 x86_read(struct tprof_pmu_event *event, int cpu)
{
	struct run *run = run_of(event, cpu);
	u64 count;

	mutex_lock(&x86_lock);
	if (run->is_armed)
		count = tprof_x86_host_read(cpu, &run->counter);
	else
		count = run->counter.count;
	mutex_unlock(&x86_lock);
	return count;
}

static void x86_write(struct tprof_pmu_event *event, int cpu, u64 value)
{
	mutex_lock(&x86_lock);
	tprof_x86_counter_set_count(&run_of(event, cpu)->counter, value);
	mutex_unlock(&x86_lock);
}

static u64 x86_slowed(const struct tprof_pmu_event *event, int cpu)
{
	/* Races with the NMI that counts it. */
	return READ_ONCE(run_of(event, cpu)->counter.slowed);
}

static u32 x86_list_rows(int cpu, struct tprof_lx_row *rows, u32 room)
{
	u32 nr;

	cpus_read_lock();
	mutex_lock(&x86_lock);
	nr = tprof_x86_rows_list(per_cpu_ptr(cpu_rows, cpu),
				 tprof_x86_host_caps(cpu), rows, room);
	mutex_unlock(&x86_lock);
	cpus_read_unlock();
	return nr;
}

static int admin_row(int cpu, const struct tprof_lx_row_admin *arg,
		     bool is_trial)
{
	return tprof_x86_rows_admin(per_cpu_ptr(cpu_rows, cpu),
				    tprof_x86_host_caps(cpu), arg, is_trial);
}

/* Of a hybrid processor, some CPUs may not have it: then those that do. */
static int admin_all(const struct tprof_lx_row_admin *arg)
{
	int cpu, err, result = -ENOENT;

	for_each_online_cpu(cpu) {
		err = admin_row(cpu, arg, true);
		if (err == -EBUSY)
			return err;
		if (!err)
			result = 0;
	}
	for_each_online_cpu(cpu)
		admin_row(cpu, arg, false);
	return result;
}

static int x86_admin_row(const struct tprof_lx_row_admin *arg)
{
	int err;

	cpus_read_lock();
	mutex_lock(&x86_lock);
	if (arg->cpu == TPROF_LX_SUM)
		err = admin_all(arg);
	else
		err = admin_row(arg->cpu, arg, false);
	mutex_unlock(&x86_lock);
	cpus_read_unlock();
	return err;
}

static bool x86_describe(char *text, size_t bytes)
{
	bool is_unusable;

	mutex_lock(&x86_lock);
	is_unusable = tprof_x86_host_describe(text, bytes);
	mutex_unlock(&x86_lock);
	return is_unusable;
}

/*
 * Before the machine sleeps, counters are given back as after the last event,
 * and taken again when it is awake. In between other CPUs leave and come, and
 * their events with them, as on any hotplug: these only change who has a row.
 */
static int x86_sleep(struct notifier_block *block, unsigned long action,
		     void *data)
{
	struct run *run;

	cpus_read_lock();
	mutex_lock(&x86_lock);
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		is_suspended = true;
		list_for_each_entry(run, &running, node) {
			if (run->is_armed)
				disarm(run);
		}
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		is_suspended = false;
		list_for_each_entry(run, &running, node) {
			if (!run->is_armed && arm(run))
				pr_warn("CPU %d: counters do not wake up\n",
					run->cpu);
		}
		break;
	}
	mutex_unlock(&x86_lock);
	cpus_read_unlock();
	return NOTIFY_OK;
}

static struct notifier_block sleep_block = {
	.notifier_call = x86_sleep,
};

static struct tprof_pmu_ops x86_ops = {
	.version = TPROF_PMU_VERSION,
	.owner = THIS_MODULE,
	.flags = TPROF_LX_BACKEND_NMI | TPROF_LX_BACKEND_COUNTS |
		 TPROF_LX_BACKEND_COUNTER,
	.min_period = MIN_PERIOD,
	.max_period = TPROF_X86_MAX_PERIOD,
	.describe = x86_describe,
	.event_init = x86_event_init,
	.event_uninit = x86_event_uninit,
	.start = x86_start,
	.stop = x86_stop,
	.read = x86_read,
	.write = x86_write,
	.slowed = x86_slowed,
	.list_rows = x86_list_rows,
	.admin_row = x86_admin_row,
};

static void fill_ops(const struct tprof_x86_ops *vendor)
{
	const struct tprof_x86_caps *caps =
		tprof_x86_host_caps(raw_smp_processor_id());

	x86_ops.name = vendor->name;
	x86_ops.nr_counters = hweight64(caps->counters);
	x86_ops.counter_bits = caps->general_bits;
}

/**
 * tprof_pmu_x86_init - module load, before NMIs are handled
 *
 * Return: 0, also where there is no PMU, or -errno.
 */
int tprof_pmu_x86_init(void)
{
	int err;

	err = tprof_x86_host_init();
	if (err || !tprof_x86_host_vendor())
		return err;
	cpu_rows = alloc_percpu(struct tprof_x86_rows);
	if (!cpu_rows) {
		err = -ENOMEM;
		goto err_host;
	}
	err = register_pm_notifier(&sleep_block);
	if (err)
		goto err_rows;
	fill_ops(tprof_x86_host_vendor());
	err = tprof_pmu_register(&x86_ops);
	if (err)
		goto err_notifier;
	return 0;

err_notifier:
	unregister_pm_notifier(&sleep_block);
err_rows:
	free_percpu(cpu_rows);
err_host:
	tprof_x86_host_uninit();
	return err;
}

/** tprof_pmu_x86_uninit - module exit, when no NMI is handled any more */
void tprof_pmu_x86_uninit(void)
{
	if (!tprof_x86_host_vendor())
		return;
	tprof_pmu_unregister(&x86_ops);
	unregister_pm_notifier(&sleep_block);
	free_percpu(cpu_rows);
	tprof_x86_host_uninit();
}
