// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a back end that emits a requested number of samples
 *
 * The back end "fake" uses the interface that is open to any module. A test requests
 * overflows through /dev/tprof-lx-fake, so it knows their exact number and can
 * account for each sample.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "fake.h"

/* Protects fake_events. */
static DEFINE_MUTEX(fake_lock);
static LIST_HEAD(fake_events);

static struct fake_event *event_get(u32 key)
{
	struct fake_event *event;

	mutex_lock(&fake_lock);
	list_for_each_entry(event, &fake_events, node) {
		if ((u32)event->pmu->attr->config == key) {
			refcount_inc(&event->users);
			mutex_unlock(&fake_lock);
			return event;
		}
	}
	mutex_unlock(&fake_lock);
	return NULL;
}

static void event_put(struct fake_event *event)
{
	if (refcount_dec_and_test(&event->users))
		complete(&event->unused);
}

static int emit(struct tprof_lx_fake_emit *request)
{
	struct fake_event *event;
	int err;

	if (current->nr_cpus_allowed != 1)
		return -EXDEV;
	event = event_get(request->key);
	if (!event)
		return -ENOENT;
	err = fake_job_run(event, request);
	event_put(event);
	return err;
}

static long ioctl_emit(void __user *argp)
{
	struct tprof_lx_fake_emit request;
	int err;

	if (copy_from_user(&request, argp, sizeof(request)))
		return -EFAULT;
	if (!request.batch)
		request.batch = 1;
	memset(request.emitted, 0, sizeof(request.emitted));
	err = emit(&request);
	if (!err && copy_to_user(argp, &request, sizeof(request)))
		err = -EFAULT;
	return err;
}

static bool fake_describe(char *text, size_t bytes)
{
	strscpy(text, "deterministic overflows for tests", bytes);
	return false;
}

static int fake_event_init(struct tprof_pmu_event *pmu)
{
	struct fake_event *event;

	if (pmu->attr->type != PERF_TYPE_SOFTWARE)
		return -EOPNOTSUPP;
	if (pmu->attr->config & TPROF_LX_FAKE_FAIL_INIT)
		return -EBUSY;
	event = kzalloc(sizeof(*event), GFP_KERNEL);
	if (!event)
		return -ENOMEM;
	event->pmu = pmu;
	refcount_set(&event->users, 1);
	init_completion(&event->unused);
	pmu->priv = event;

	mutex_lock(&fake_lock);
	list_add_tail(&event->node, &fake_events);
	mutex_unlock(&fake_lock);
	return 0;
}

/*
 * Wait until no job uses the event. Jobs that still use it end soon, because the
 * event runs on no CPU any more.
 */
static void fake_event_uninit(struct tprof_pmu_event *pmu)
{
	struct fake_event *event = pmu->priv;

	mutex_lock(&fake_lock);
	list_del(&event->node);
	mutex_unlock(&fake_lock);
	event_put(event);
	wait_for_completion(&event->unused);
	kfree(event);
}

static int fake_start(struct tprof_pmu_event *pmu, int cpu)
{
	struct fake_event *event = pmu->priv;

	if (pmu->attr->config & TPROF_LX_FAKE_FAIL_START &&
	    cpu == cpumask_last(cpu_online_mask))
		return -EBUSY;
	cpumask_clear_cpu(cpu, &event->open);
	cpumask_clear_cpu(cpu, &event->stalled);
	cpumask_set_cpu(cpu, &event->running);
	return 0;
}

static void fake_stop(struct tprof_pmu_event *pmu, int cpu)
{
	struct fake_event *event = pmu->priv;

	cpumask_clear_cpu(cpu, &event->running);
	synchronize_rcu();
}

static void fake_gate(const struct tprof_pmu_gate *gate, bool is_open)
{
	struct fake_event *event;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		event = gate->members[i].event->priv;
		if (is_open)
			cpumask_set_cpu(smp_processor_id(), &event->open);
		else
			cpumask_clear_cpu(smp_processor_id(), &event->open);
	}
}

static void fake_stall(const struct tprof_pmu_event *pmu, bool is_stalled)
{
	struct fake_event *event = pmu->priv;

	if (is_stalled)
		cpumask_set_cpu(smp_processor_id(), &event->stalled);
	else
		cpumask_clear_cpu(smp_processor_id(), &event->stalled);
}

static bool fake_is_degraded(struct tprof_pmu_event *pmu)
{
	return pmu->attr->config & TPROF_LX_FAKE_DEGRADED;
}

#define FAKE_OPS(_version, _name, _start, _stall)		\
	{							\
		.version	= _version,			\
		.name		= _name,			\
		.owner		= THIS_MODULE,			\
		.min_period	= TPROF_LX_FAKE_MIN_PERIOD,	\
		.max_period	= TPROF_LX_FAKE_MAX_PERIOD,	\
		.describe	= fake_describe,		\
		.event_init	= fake_event_init,		\
		.event_uninit	= fake_event_uninit,		\
		.start		= _start,			\
		.stop		= fake_stop,			\
		.gate		= fake_gate,			\
		.stall		= _stall,			\
		.is_degraded	= fake_is_degraded,		\
	}

static const struct tprof_pmu_ops fake_first =
	FAKE_OPS(TPROF_PMU_VERSION, TPROF_LX_FAKE_BACKEND, fake_start, fake_stall);
static const struct tprof_pmu_ops fake_second =
	FAKE_OPS(TPROF_PMU_VERSION, TPROF_LX_FAKE_SECOND, fake_start, NULL);
static const struct tprof_pmu_ops fake_duplicate =
	FAKE_OPS(TPROF_PMU_VERSION, TPROF_LX_FAKE_BACKEND, fake_start, fake_stall);
static const struct tprof_pmu_ops fake_wrong_version =
	FAKE_OPS(TPROF_PMU_VERSION + 1, "fake-wrong", fake_start, fake_stall);
static const struct tprof_pmu_ops fake_no_name =
	FAKE_OPS(TPROF_PMU_VERSION, "", fake_start, fake_stall);
static const struct tprof_pmu_ops fake_long_name =
	FAKE_OPS(TPROF_PMU_VERSION, "fake-longer-than-allowed", fake_start, fake_stall);
static const struct tprof_pmu_ops fake_no_start =
	FAKE_OPS(TPROF_PMU_VERSION, "fake-no-start", NULL, fake_stall);

/* A back end with gates that counts must have @read_here. */
static u64 fake_read(struct tprof_pmu_event *pmu, int cpu)
{
	return 0;
}

static const struct tprof_pmu_ops fake_no_read_here = {
	.version	= TPROF_PMU_VERSION,
	.name		= "fake-no-read-here",
	.owner		= THIS_MODULE,
	.event_init	= fake_event_init,
	.event_uninit	= fake_event_uninit,
	.start		= fake_start,
	.stop		= fake_stop,
	.read		= fake_read,
	.gate		= fake_gate,
};

/* fake_first or fake_second is registered; fake_exit() unregisters it. */
static bool has_first, has_second;

static int note(bool *has, bool value, int err)
{
	if (!err)
		*has = value;
	return err;
}

static int attempt(unsigned long which)
{
	switch (which) {
	case TPROF_LX_FAKE_REGISTER_WRONG_VERSION:
		return tprof_pmu_register(&fake_wrong_version);
	case TPROF_LX_FAKE_REGISTER_DUPLICATE:
		return tprof_pmu_register(&fake_duplicate);
	case TPROF_LX_FAKE_REGISTER_NO_NAME:
		return tprof_pmu_register(&fake_no_name);
	case TPROF_LX_FAKE_REGISTER_LONG_NAME:
		return tprof_pmu_register(&fake_long_name);
	case TPROF_LX_FAKE_REGISTER_NO_START:
		return tprof_pmu_register(&fake_no_start);
	case TPROF_LX_FAKE_REGISTER_NO_READ_HERE:
		return tprof_pmu_register(&fake_no_read_here);
	case TPROF_LX_FAKE_REGISTER_SECOND:
		return note(&has_second, true,
			    tprof_pmu_register(&fake_second));
	case TPROF_LX_FAKE_UNREGISTER_SECOND:
		return note(&has_second, false,
			    tprof_pmu_unregister(&fake_second));
	case TPROF_LX_FAKE_UNREGISTER_FIRST:
		return note(&has_first, false,
			    tprof_pmu_unregister(&fake_first));
	case TPROF_LX_FAKE_REGISTER_FIRST:
		return note(&has_first, true, tprof_pmu_register(&fake_first));
	case TPROF_LX_FAKE_UNREGISTER_STRANGER:
		return tprof_pmu_unregister(&fake_no_start);
	}
	return -ENOTTY;
}

static long fake_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case TPROF_LX_FAKE_IOC_EMIT:
		return ioctl_emit((void __user *)arg);
	case TPROF_LX_FAKE_IOC_REGISTRY:
		return attempt(arg);
	case TPROF_LX_FAKE_IOC_COUNT:
		return fake_count_ioctl((void __user *)arg);
	case TPROF_LX_FAKE_IOC_COUNT_LATE:
		return fake_count_late_ioctl(file, (void __user *)arg);
	case TPROF_LX_FAKE_IOC_LET_CLOSE:
		fake_count_let_close();
		return 0;
	}
	return -ENOTTY;
}

static int fake_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;
	return nonseekable_open(inode, file);
}

static int fake_release(struct inode *inode, struct file *file)
{
	fake_count_close(file);
	return 0;
}

static const struct file_operations fake_fops = {
	.owner		= THIS_MODULE,
	.open		= fake_open,
	.release	= fake_release,
	.unlocked_ioctl	= fake_ioctl,
};

static struct miscdevice fake_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "tprof-lx-fake",
	.fops	= &fake_fops,
	.mode	= 0600,
};

static int __init fake_init(void)
{
	int err;

	err = fake_job_init();
	if (err)
		return err;
	err = attempt(TPROF_LX_FAKE_REGISTER_FIRST);
	if (err)
		goto err_job;
	err = fake_count_init();
	if (err)
		goto err_pmu;
	err = misc_register(&fake_device);
	if (err)
		goto err_count;
	return 0;

err_count:
	fake_count_uninit();
err_pmu:
	tprof_pmu_unregister(&fake_first);
err_job:
	fake_job_uninit();
	return err;
}
module_init(fake_init);

/* Each event holds a reference to this module, so no event exists any more. */
static void __exit fake_exit(void)
{
	misc_deregister(&fake_device);
	fake_count_uninit();
	if (has_second)
		tprof_pmu_unregister(&fake_second);
	if (has_first)
		tprof_pmu_unregister(&fake_first);
	fake_job_uninit();
}
module_exit(fake_exit);

MODULE_DESCRIPTION("tprof-lx selftests: a deterministic back end");
MODULE_LICENSE("GPL");
