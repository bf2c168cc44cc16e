// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back ends `intel` and `amd`: the counters of the processor
 *
 * This file has the operations of the back end, the administrator's control of
 * counters, suspend and reboot. x86_claim.c reserves the counters, x86_run.c runs an event
 * on a CPU, x86_commit.c and x86_host.c call that CPU, x86_cpu.c changes its registers, and
 * pmu_intel.c and pmu_amd.c serve its NMIs.
 *
 * Context: process. Operations run under the x86 lock, most of them with CPU
 * hotplug locked. Operations without it say so in pmu.h: x86_slowed() runs in any
 * context, x86_read_here(), x86_gate(), x86_stall(), x86_settle(), x86_count() and
 * x86_show() with interrupts off.
 */
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/reboot.h>
#include <linux/slab.h>
#include <linux/suspend.h>

#include "base/gfp.h"
#include "x86/pmu_x86.h"
#include "x86/x86_claim.h"
#include "x86/x86_host.h"
#include "x86/x86_rows.h"
#include "x86/x86_run.h"
#include "x86/x86_share.h"

/*
 * The x86 lock protects the assignment of counters to events, and the
 * reservation of all counters. It is taken inside the CPU hotplug lock, the cpu
 * lock of cpu.c and backends_lock of pmu.c.
 */
static DEFINE_MUTEX(x86_lock);
static struct tprof_x86_rows __percpu *cpu_rows;
static unsigned int nr_events;

/* Return true if an event also counts what the other thread of the core executes. */
static bool counts_sibling(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_RAW && attr->config & ARCH_PERFMON_EVENTSEL_ANY;
}

/*
 * Return 0 if at least one online CPU can count the event. If the session has
 * online CPUs that cannot count it, START fails.
 */
static int check_event(const struct tprof_pmu_event *event)
{
	const struct tprof_x86_caps *caps;
	struct tprof_x86_select select;
	int cpu, err = -EOPNOTSUPP;

	if (event->is_confined && counts_sibling(event->attr))
		return -EACCES;
	for_each_online_cpu(cpu) {
		caps = tprof_x86_host_caps(cpu);
		if (!tprof_x86_run_is_for(event, caps))
			continue;
		err = tprof_x86_select(event->attr, caps, &select);
		if (!err)
			break;
	}
	return err;
}

static int claim_counters(void)
{
	int err = 0;

	lockdep_assert_held(&x86_lock);
	if (!nr_events)
		err = tprof_x86_claim();
	if (!err)
		nr_events++;
	return err;
}

/* For each possible CPU and event: Documentation/calls.md. */
static_assert(sizeof(struct tprof_x86_run) <= 392);

static int x86_event_init(struct tprof_pmu_event *event)
{
	struct tprof_x86_run __percpu *runs;
	int cpu, err;

	runs = __alloc_percpu_gfp(sizeof(*runs), __alignof__(*runs),
				  TPROF_GFP);
	if (!runs)
		return -ENOMEM;

	cpus_read_lock();
	mutex_lock(&x86_lock);
	err = check_event(event);
	if (!err)
		err = claim_counters();
	for_each_possible_cpu(cpu)
		tprof_x86_run_setup(per_cpu_ptr(runs, cpu), event, cpu,
				    per_cpu_ptr(cpu_rows, cpu));
	mutex_unlock(&x86_lock);
	cpus_read_unlock();

	if (err)
		free_percpu(runs);
	else
		event->priv = (void __force *)(unsigned long)runs;
	return err;
}

static void x86_event_uninit(struct tprof_pmu_event *event)
{
	mutex_lock(&x86_lock);
	if (!--nr_events)
		tprof_x86_claim_end();
	mutex_unlock(&x86_lock);
	free_percpu(tprof_x86_runs(event));
}

/* The capabilities of a CPU are known once an event was started there. */
static bool x86_is_for(const struct tprof_pmu_event *event, int cpu)
{
	return tprof_x86_run_is_for(event, &per_cpu_ptr(tprof_x86_cpus, cpu)->caps);
}

static int x86_start(struct tprof_pmu_event *event, int cpu)
{
	int err;

	mutex_lock(&x86_lock);
	err = tprof_x86_run_start(tprof_x86_run_of(event, cpu));
	mutex_unlock(&x86_lock);
	return err;
}

static void x86_stop(struct tprof_pmu_event *event, int cpu)
{
	mutex_lock(&x86_lock);
	tprof_x86_run_stop(tprof_x86_run_of(event, cpu));
	mutex_unlock(&x86_lock);
}

static int x86_commit(int cpu)
{
	int err;

	mutex_lock(&x86_lock);
	err = tprof_x86_run_commit(cpu, per_cpu_ptr(cpu_rows, cpu));
	mutex_unlock(&x86_lock);
	return err;
}

static u64 x86_read(struct tprof_pmu_event *event, int cpu)
{
	u64 count;

	mutex_lock(&x86_lock);
	count = tprof_x86_run_read(tprof_x86_run_of(event, cpu));
	mutex_unlock(&x86_lock);
	return count;
}

static u64 x86_read_here(const struct tprof_pmu_event *event)
{
	tprof_x86_intruder_is_here(this_cpu_ptr(tprof_x86_cpus));
	return tprof_x86_share_count(tprof_x86_run_here(event));
}

static void x86_write(struct tprof_pmu_event *event, int cpu, u64 value)
{
	mutex_lock(&x86_lock);
	tprof_x86_counter_set_count(&tprof_x86_run_of(event, cpu)->counter, value);
	mutex_unlock(&x86_lock);
}

static void x86_join(struct tprof_pmu_gate *gate, struct tprof_pmu_member *member, int cpu)
{
	mutex_lock(&x86_lock);
	tprof_x86_run_join(tprof_x86_run_of(member->event, cpu), gate, member);
	mutex_unlock(&x86_lock);
}

static void x86_gate(const struct tprof_pmu_gate *gate, bool is_open)
{
	tprof_x86_cpu_gate(this_cpu_ptr(tprof_x86_cpus), gate->rows, is_open);
}

static void x86_stall(const struct tprof_pmu_event *event, bool is_stalled)
{
	tprof_x86_run_stall(tprof_x86_run_here(event), is_stalled);
}

static bool x86_collides(struct tprof_pmu_event *event, const struct tprof_tasks *tasks)
{
	bool collides = false;
	int cpu;

	mutex_lock(&x86_lock);
	for_each_possible_cpu(cpu) {
		collides = tprof_x86_share_collides(tprof_x86_run_of(event, cpu), tasks);
		if (collides)
			break;
		cond_resched();
	}
	mutex_unlock(&x86_lock);
	return collides;
}

/* Task switches call the function, so it calls no other. A counter may not be armed in suspend. */
static void x86_settle(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums)
{
	const struct tprof_pmu_member *member = gate->members, *end = member + gate->nr_members;

	if (unlikely(gate->rows & ~this_cpu_ptr(tprof_x86_cpus)->armed)) {
		tprof_x86_share_settle(gate, marks, sums);
		return;
	}
	do {
		tprof_pmu_settle(member, tprof_x86_cpu_read(member->here), marks, sums);
	} while (++member < end);
}

static u64 x86_count(const struct tprof_pmu_event *event)
{
	return tprof_x86_share_count(tprof_x86_run_here(event));
}

static void x86_show(const struct tprof_pmu_event *event)
{
	tprof_x86_run_show(tprof_x86_run_here(event));
}

static u64 x86_slowed(const struct tprof_pmu_event *event, int cpu)
{
	/* Racy read: the NMI handler may be incrementing @slowed. */
	return READ_ONCE(tprof_x86_run_of(event, cpu)->counter.slowed);
}

static void x86_add_yields(const struct tprof_pmu_event *event, int cpu,
			   struct tprof_pmu_yields *sum)
{
	tprof_x86_run_add_yields(tprof_x86_run_of(event, cpu), sum);
}

/* The counters that events had on a CPU are an intruder's now. */
static void list_yielded(struct tprof_lx_row *rows, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (rows[i].state == TPROF_LX_ROW_TAKEN)
			rows[i].state = TPROF_LX_ROW_YIELDED;
	}
}

static u32 x86_list_rows(int cpu, struct tprof_lx_row *rows, u32 room)
{
	u32 nr;

	cpus_read_lock();
	mutex_lock(&x86_lock);
	per_cpu_ptr(cpu_rows, cpu)->foreign = tprof_x86_claim_look(cpu);
	nr = tprof_x86_rows_list(per_cpu_ptr(cpu_rows, cpu),
				 tprof_x86_host_caps(cpu), rows, room);
	if (per_cpu_ptr(tprof_x86_cpus, cpu)->has_yielded)
		list_yielded(rows, min(nr, room));
	mutex_unlock(&x86_lock);
	cpus_read_unlock();
	return nr;
}

static int admin_row(int cpu, const struct tprof_lx_row_admin *arg,
		     bool is_trial)
{
	return tprof_x86_rows_admin(per_cpu_ptr(cpu_rows, cpu),
				    tprof_x86_host_presumed_caps(cpu), arg, is_trial);
}

/*
 * Disable or enable a counter on all CPUs that have it, or on none if an event
 * uses it anywhere. Only some CPUs of a hybrid processor may have the counter.
 */
static int admin_all(const struct tprof_lx_row_admin *arg)
{
	int cpu, err, result = -ENOENT;

	/* Include offline CPUs: the setting applies when they come online. */
	for_each_possible_cpu(cpu) {
		err = admin_row(cpu, arg, true);
		if (err == -EBUSY)
			return err;
		if (!err)
			result = 0;
	}
	for_each_possible_cpu(cpu)
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
	is_unusable = tprof_x86_claim_describe(text, bytes);
	mutex_unlock(&x86_lock);
	return is_unusable;
}

/*
 * Before suspend, disarm all counters, which restores the contents of the registers
 * that x86_saved.c has saved. After resume, arm the counters again. In between, most
 * CPUs go offline and come online again, and hotplug stops and starts their events.
 */
static int x86_sleep(struct notifier_block *block, unsigned long action,
		     void *data)
{
	cpus_read_lock();
	mutex_lock(&x86_lock);
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		tprof_x86_run_sleep_all();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		tprof_x86_run_wake_all();
		break;
	}
	mutex_unlock(&x86_lock);
	cpus_read_unlock();
	return NOTIFY_OK;
}

static struct notifier_block sleep_block = {
	.notifier_call = x86_sleep,
};

/*
 * Before the machine restarts, disarm all counters. A kernel that kexec starts would find
 * them running, and their NMIs would have no handler.
 */
static int x86_reboot(struct notifier_block *block, unsigned long action, void *data)
{
	cpus_read_lock();
	mutex_lock(&x86_lock);
	tprof_x86_run_sleep_all();
	mutex_unlock(&x86_lock);
	cpus_read_unlock();
	return NOTIFY_OK;
}

static struct notifier_block reboot_block = {
	.notifier_call = x86_reboot,
};

static struct tprof_pmu_ops x86_ops = {
	.version = TPROF_PMU_VERSION,
	.owner = THIS_MODULE,
	.flags = TPROF_LX_BACKEND_NMI | TPROF_LX_BACKEND_COUNTS |
		 TPROF_LX_BACKEND_COUNTER | TPROF_LX_BACKEND_THRESHOLD |
		 TPROF_LX_BACKEND_INVERT | TPROF_LX_BACKEND_EDGE,
	.min_period = TPROF_X86_MIN_PERIOD,
	.max_period = TPROF_X86_MAX_PERIOD,
	.describe = x86_describe,
	.event_init = x86_event_init,
	.event_uninit = x86_event_uninit,
	.is_for = x86_is_for,
	.start = x86_start,
	.stop = x86_stop,
	.commit = x86_commit,
	.read = x86_read,
	.read_here = x86_read_here,
	.write = x86_write,
	.join = x86_join,
	.gate = x86_gate,
	.collides = x86_collides,
	.stall = x86_stall,
	.settle = x86_settle,
	.count = x86_count,
	.show = x86_show,
	.slowed = x86_slowed,
	.add_yields = x86_add_yields,
	.list_rows = x86_list_rows,
	.admin_row = x86_admin_row,
};

/* The CPUs of a hybrid processor differ in the number of counters: report the largest. */
static void fill_ops(const struct tprof_x86_ops *vendor)
{
	const struct tprof_x86_caps *caps;
	int cpu;

	x86_ops.name = vendor->name;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		caps = tprof_x86_host_caps(cpu);
		if (caps->has_eq)
			x86_ops.flags |= TPROF_LX_BACKEND_EQUAL;
		if (hweight64(caps->counters) <= x86_ops.nr_counters)
			continue;
		x86_ops.nr_counters = hweight64(caps->counters);
		x86_ops.counter_bits = caps->general_bits;
	}
	cpus_read_unlock();
}

/**
 * tprof_pmu_x86_init - register the back end of this machine's counters
 *
 * Context: process, at module load, before NMIs are handled.
 *
 * Return: 0 on success or if there is no PMU, else -errno.
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
	err = register_reboot_notifier(&reboot_block);
	if (err)
		goto err_sleep;
	fill_ops(tprof_x86_host_vendor());
	err = tprof_pmu_register(&x86_ops);
	if (err)
		goto err_reboot;
	return 0;

err_reboot:
	unregister_reboot_notifier(&reboot_block);
err_sleep:
	unregister_pm_notifier(&sleep_block);
err_rows:
	free_percpu(cpu_rows);
err_host:
	tprof_x86_host_uninit();
	return err;
}

/** tprof_pmu_x86_uninit - unregister the back end, after the last NMI */
void tprof_pmu_x86_uninit(void)
{
	if (!tprof_x86_host_vendor())
		return;
	tprof_pmu_unregister(&x86_ops);
	unregister_reboot_notifier(&reboot_block);
	unregister_pm_notifier(&sleep_block);
	free_percpu(cpu_rows);
	tprof_x86_host_uninit();
}
