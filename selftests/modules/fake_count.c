// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a back end that counts requests
 *
 * Through /dev/tprof-lx-fake, a task lets a number of events happen on its present CPU,
 * and the back end "fake-count" counts them. So a test knows exactly what an event must
 * have counted, whichever CPUs the task has used.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "fake.h"

/**
 * struct fake_cell - count of an event on one CPU
 * @count:	events counted
 * @changes:	calls of fake_gate()
 * @runs:	the event runs on the CPU
 * @is_shut:	the gate of the event is closed
 *
 * While the event runs on the CPU, only that CPU may access the cell, with
 * interrupts off.
 */
struct fake_cell {
	u64	count;
	u64	changes;
	bool	runs;
	bool	is_shut;
};

/**
 * struct fake_count - an event of this back end
 * @node:	entry in fake_counts; protected by fake_count_lock
 * @pmu:	event of the core that this event implements
 * @cells:	count of each CPU
 */
struct fake_count {
	struct list_head		node;
	struct tprof_pmu_event		*pmu;
	struct fake_cell __percpu	*cells;
};

/* Protects fake_counts. */
static DEFINE_MUTEX(fake_count_lock);
static LIST_HEAD(fake_counts);

static struct fake_cell *cell_of(const struct tprof_pmu_event *pmu, int cpu)
{
	struct fake_count *event = pmu->priv;

	return per_cpu_ptr(event->cells, cpu);
}

static void count_here(struct fake_cell *cell, struct tprof_lx_fake_count *request)
{
	if (cell->runs && !cell->is_shut)
		cell->count += request->nr;
	request->changes = cell->changes;
}

static int count_all(struct tprof_lx_fake_count *request)
{
	struct fake_count *event;
	unsigned long flags;
	int err = -ENOENT;

	mutex_lock(&fake_count_lock);
	list_for_each_entry(event, &fake_counts, node) {
		if ((u32)event->pmu->attr->config != request->key)
			continue;
		err = 0;
		local_irq_save(flags);
		count_here(this_cpu_ptr(event->cells), request);
		local_irq_restore(flags);
	}
	mutex_unlock(&fake_count_lock);
	return err;
}

/**
 * fake_count_ioctl - serve TPROF_LX_FAKE_IOC_COUNT
 * @argp:	struct tprof_lx_fake_count of the caller
 *
 * Return: 0 or -errno.
 */
long fake_count_ioctl(void __user *argp)
{
	struct tprof_lx_fake_count request;
	int err;

	if (copy_from_user(&request, argp, sizeof(request)))
		return -EFAULT;
	err = count_all(&request);
	if (!err && copy_to_user(argp, &request, sizeof(request)))
		err = -EFAULT;
	return err;
}

/* Completed when files with a late count may be closed. */
static DECLARE_COMPLETION(may_close);

/**
 * fake_count_late_ioctl - serve TPROF_LX_FAKE_IOC_COUNT_LATE
 * @file:	file at whose end to count
 * @argp:	struct tprof_lx_fake_count of the caller
 *
 * Return: 0 or -errno.
 */
long fake_count_late_ioctl(struct file *file, void __user *argp)
{
	struct tprof_lx_fake_count *request;

	request = memdup_user(argp, sizeof(*request));
	if (IS_ERR(request))
		return PTR_ERR(request);
	reinit_completion(&may_close);
	if (cmpxchg(&file->private_data, NULL, request)) {
		kfree(request);
		return -EBUSY;
	}
	return 0;
}

/** fake_count_let_close - serve TPROF_LX_FAKE_IOC_LET_CLOSE */
void fake_count_let_close(void)
{
	complete_all(&may_close);
}

/**
 * fake_count_close - make the late count of a file
 * @file:	file that is closed
 */
void fake_count_close(struct file *file)
{
	struct tprof_lx_fake_count *request = file->private_data;

	if (!request)
		return;
	wait_for_completion_timeout(&may_close, TPROF_LX_FAKE_CLOSE_S * HZ);
	count_all(request);
	kfree(request);
}

static int fake_count_init_event(struct tprof_pmu_event *pmu)
{
	struct fake_count *event;

	if (pmu->attr->type != PERF_TYPE_SOFTWARE)
		return -EOPNOTSUPP;
	event = kzalloc(sizeof(*event), GFP_KERNEL);
	if (!event)
		return -ENOMEM;
	event->cells = alloc_percpu(struct fake_cell);
	if (!event->cells) {
		kfree(event);
		return -ENOMEM;
	}
	event->pmu = pmu;
	pmu->priv = event;
	mutex_lock(&fake_count_lock);
	list_add_tail(&event->node, &fake_counts);
	mutex_unlock(&fake_count_lock);
	return 0;
}

static void fake_count_uninit_event(struct tprof_pmu_event *pmu)
{
	struct fake_count *event = pmu->priv;

	mutex_lock(&fake_count_lock);
	list_del(&event->node);
	mutex_unlock(&fake_count_lock);
	free_percpu(event->cells);
	kfree(event);
}

static void call_start(void *data)
{
	struct tprof_pmu_event *pmu = data;
	struct fake_cell *cell = cell_of(pmu, smp_processor_id());

	cell->is_shut = pmu->is_gated;
	cell->runs = true;
}

static void call_stop(void *data)
{
	cell_of(data, smp_processor_id())->runs = false;
}

static int fake_count_start(struct tprof_pmu_event *pmu, int cpu)
{
	if (pmu->attr->config & TPROF_LX_FAKE_FAIL_START &&
	    cpu == cpumask_last(cpu_online_mask))
		return -EBUSY;
	return smp_call_function_single(cpu, call_start, pmu, true);
}

static void fake_count_stop(struct tprof_pmu_event *pmu, int cpu)
{
	smp_call_function_single(cpu, call_stop, pmu, true);
}

/**
 * struct reading - a count that is read on its CPU
 * @cell:	cell of the CPU
 * @count:	result
 */
struct reading {
	const struct fake_cell	*cell;
	u64			count;
};

static void call_read(void *data)
{
	struct reading *reading = data;

	reading->count = reading->cell->count;
}

static u64 fake_count_read(struct tprof_pmu_event *pmu, int cpu)
{
	struct reading reading = { .cell = cell_of(pmu, cpu) };

	if (smp_call_function_single(cpu, call_read, &reading, true))
		call_read(&reading);
	return reading.count;
}

static u64 fake_count_read_here(const struct tprof_pmu_event *pmu)
{
	return cell_of(pmu, smp_processor_id())->count;
}

static void fake_count_write(struct tprof_pmu_event *pmu, int cpu, u64 value)
{
	cell_of(pmu, cpu)->count = value;
}

static void fake_gate(const struct tprof_pmu_gate *gate, bool is_open)
{
	struct fake_cell *cell;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		cell = cell_of(gate->members[i].event, smp_processor_id());
		cell->is_shut = !is_open;
		cell->changes++;
	}
}

static void fake_settle(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums)
{
	const struct tprof_pmu_member *member = gate->members;
	struct fake_cell *cell;
	u32 i;

	for (i = 0; i < gate->nr_members; i++, member++) {
		cell = cell_of(member->event, smp_processor_id());
		tprof_pmu_settle(member, cell->count, marks, sums);
	}
}

static bool fake_count_describe(char *text, size_t bytes)
{
	strscpy(text, "deterministic counts for tests", bytes);
	return false;
}

static const struct tprof_pmu_ops fake_count_ops = {
	.version	= TPROF_PMU_VERSION,
	.name		= TPROF_LX_FAKE_COUNTER,
	.owner		= THIS_MODULE,
	.flags		= TPROF_LX_BACKEND_COUNTS,
	.describe	= fake_count_describe,
	.event_init	= fake_count_init_event,
	.event_uninit	= fake_count_uninit_event,
	.start		= fake_count_start,
	.stop		= fake_count_stop,
	.read		= fake_count_read,
	.read_here	= fake_count_read_here,
	.write		= fake_count_write,
	.gate		= fake_gate,
	.settle		= fake_settle,
};

/**
 * fake_count_init - register the back end "fake-count"
 *
 * Return: 0 or -errno.
 */
int fake_count_init(void)
{
	return tprof_pmu_register(&fake_count_ops);
}

/** fake_count_uninit - unregister the back end "fake-count", after its last event */
void fake_count_uninit(void)
{
	tprof_pmu_unregister(&fake_count_ops);
}
