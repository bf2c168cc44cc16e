// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the registry of back ends
 *
 * Context: process.
 */
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "pmu/pmu.h"

/**
 * struct backend - a registered back end
 * @node:	entry in @backends
 * @ops:	its operations
 * @users:	number of events that use it
 */
struct backend {
	struct list_head		node;
	const struct tprof_pmu_ops	*ops;
	unsigned int			users;
};

/*
 * Protects @backends, @nr_backends and the @users of each back end. Taken
 * inside all other locks, with these exceptions: the operations @describe,
 * @list_rows, @list_names and @admin_row may take the CPU hotplug lock, the x86
 * lock and the soft lock inside this lock.
 */
static DEFINE_MUTEX(backends_lock);
static LIST_HEAD(backends);
static unsigned int nr_backends;

static struct backend *find_backend(const char *name)
{
	struct backend *backend;

	lockdep_assert_held(&backends_lock);
	list_for_each_entry(backend, &backends, node) {
		if (!strcmp(backend->ops->name, name))
			return backend;
	}
	return NULL;
}

static bool is_valid(const struct tprof_pmu_ops *ops)
{
	size_t length;

	/* Check the version first: it decides what the other members mean. */
	if (ops->version != TPROF_PMU_VERSION || !ops->name)
		return false;
	length = strlen(ops->name);
	return length > 0 && length < TPROF_LX_NAME_LEN && ops->event_init &&
	       ops->event_uninit && ops->start && ops->stop &&
	       !(ops->read && ops->gate && !ops->read_here);
}

/**
 * tprof_pmu_register - make a back end available to events
 * @ops:	its operations, valid until tprof_pmu_unregister()
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL for another interface version or incomplete operations;
 * -EEXIST if the name is taken; -ENOSPC if there are TPROF_LX_MAX_BACKENDS back
 * ends; -ENOMEM.
 */
int tprof_pmu_register(const struct tprof_pmu_ops *ops)
{
	struct backend *backend;
	int err = 0;

	if (!is_valid(ops))
		return -EINVAL;
	backend = kzalloc(sizeof(*backend), GFP_KERNEL);
	if (!backend)
		return -ENOMEM;
	backend->ops = ops;

	mutex_lock(&backends_lock);
	if (find_backend(ops->name)) {
		err = -EEXIST;
	} else if (nr_backends == TPROF_LX_MAX_BACKENDS) {
		err = -ENOSPC;
	} else {
		list_add_tail(&backend->node, &backends);
		nr_backends++;
		backend = NULL;
	}
	mutex_unlock(&backends_lock);

	kfree(backend);
	return err;
}
EXPORT_SYMBOL_GPL(tprof_pmu_register);

/**
 * tprof_pmu_unregister - remove a back end from the registry
 * @ops:	operations that were registered
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY while an event uses it; -ENOENT when it is not registered.
 */
int tprof_pmu_unregister(const struct tprof_pmu_ops *ops)
{
	struct backend *backend;
	int err = 0;

	mutex_lock(&backends_lock);
	backend = find_backend(ops->name);
	if (!backend || backend->ops != ops) {
		backend = NULL;
		err = -ENOENT;
	} else if (backend->users) {
		backend = NULL;
		err = -EBUSY;
	} else {
		list_del(&backend->node);
		nr_backends--;
	}
	mutex_unlock(&backends_lock);

	kfree(backend);
	return err;
}
EXPORT_SYMBOL_GPL(tprof_pmu_unregister);

/**
 * tprof_pmu_get - find a back end and hold it for an event
 * @name:	name of the back end
 *
 * Context: process, may sleep.
 * Return: its operations, or ERR_PTR(-ENODEV) if no back end has that name.
 */
const struct tprof_pmu_ops *tprof_pmu_get(const char *name)
{
	const struct tprof_pmu_ops *ops = ERR_PTR(-ENODEV);
	struct backend *backend;

	mutex_lock(&backends_lock);
	backend = find_backend(name);
	if (backend && try_module_get(backend->ops->owner)) {
		backend->users++;
		ops = backend->ops;
	}
	mutex_unlock(&backends_lock);
	return ops;
}

/**
 * tprof_pmu_put - release a back end that was held for an event
 * @ops:	operations that tprof_pmu_get() returned
 *
 * Context: process, may sleep.
 */
void tprof_pmu_put(const struct tprof_pmu_ops *ops)
{
	struct module *owner = ops->owner;

	mutex_lock(&backends_lock);
	find_backend(ops->name)->users--;
	mutex_unlock(&backends_lock);
	module_put(owner);
}

static void describe_backend(const struct backend *backend,
			     struct tprof_lx_backend *entry)
{
	const struct tprof_pmu_ops *ops = backend->ops;

	*entry = (struct tprof_lx_backend){
		.flags = ops->flags,
		.nr_counters = ops->nr_counters,
		.counter_bits = ops->counter_bits,
		.nr_events = backend->users,
		.min_period = ops->min_period,
		.max_period = ops->max_period,
	};
	strscpy(entry->name, ops->name, sizeof(entry->name));
	if (ops->describe && ops->describe(entry->text, sizeof(entry->text)))
		entry->flags |= TPROF_LX_BACKEND_DEGRADED;
}

/**
 * tprof_pmu_list - list all back ends
 * @list:	to be filled
 * @room:	number of entries in @list
 *
 * Context: process, may sleep.
 * Return: number of back ends, which may be more than @room.
 */
u32 tprof_pmu_list(struct tprof_lx_backend *list, u32 room)
{
	struct backend *backend;
	u32 i = 0;

	mutex_lock(&backends_lock);
	list_for_each_entry(backend, &backends, node) {
		if (i < room)
			describe_backend(backend, &list[i]);
		i++;
	}
	mutex_unlock(&backends_lock);
	return i;
}

/**
 * tprof_pmu_list_names - list the events that back ends have by name
 * @names:	to be filled, zeroed
 * @room:	number of entries in @names
 *
 * Context: process, may sleep.
 * Return: number of these events, which may be more than @room.
 */
u32 tprof_pmu_list_names(struct tprof_lx_name *names, u32 room)
{
	struct backend *backend;
	u32 i, nr = 0, first;

	mutex_lock(&backends_lock);
	list_for_each_entry(backend, &backends, node) {
		if (!backend->ops->list_names)
			continue;
		first = min(nr, room);
		nr += backend->ops->list_names(names + first, room - first);
		for (i = first; i < min(nr, room); i++)
			strscpy(names[i].backend, backend->ops->name, sizeof(names[i].backend));
	}
	mutex_unlock(&backends_lock);
	return nr;
}

/**
 * tprof_pmu_list_rows - list the counters of a CPU and the events on them
 * @cpu:	possible CPU
 * @rows:	to be filled, zeroed
 * @room:	number of entries in @rows
 *
 * Context: process, may sleep.
 * Return: number of counters, which may be more than @room.
 */
u32 tprof_pmu_list_rows(int cpu, struct tprof_lx_row *rows, u32 room)
{
	struct backend *backend;
	u32 nr = 0;

	mutex_lock(&backends_lock);
	list_for_each_entry(backend, &backends, node) {
		if (backend->ops->list_rows)
			nr += backend->ops->list_rows(cpu, rows + nr,
						      nr < room ? room - nr : 0);
	}
	mutex_unlock(&backends_lock);
	return nr;
}

/**
 * tprof_pmu_admin_row - disable a counter, or enable it again
 * @arg:	argument of the ioctl
 *
 * Context: process, may sleep.
 * Return: 0; -ENOENT if there is no such counter; -EBUSY if an event uses it.
 */
int tprof_pmu_admin_row(const struct tprof_lx_row_admin *arg)
{
	struct backend *backend;
	int err = -ENOENT;

	mutex_lock(&backends_lock);
	list_for_each_entry(backend, &backends, node) {
		if (backend->ops->admin_row)
			err = backend->ops->admin_row(arg);
		if (err != -ENOENT)
			break;
	}
	mutex_unlock(&backends_lock);
	return err;
}

/**
 * tprof_pmu_read_stats - add the NMI statistics of a CPU to @stats
 * @cpu:	CPU that took the NMIs
 * @stats:	statistics to add to
 *
 * Context: process, may sleep.
 */
void tprof_pmu_read_stats(int cpu, struct tprof_pmu_stats *stats)
{
	struct backend *backend;

	mutex_lock(&backends_lock);
	list_for_each_entry(backend, &backends, node) {
		if (backend->ops->read_stats)
			backend->ops->read_stats(cpu, stats);
	}
	mutex_unlock(&backends_lock);
}
