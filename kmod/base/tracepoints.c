// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the kernel's tracepoints, by name
 *
 * Tracepoints of the kernel image stay for ever, so a lookup needs no lock,
 * and what it finds needs no reference. It compares a thousand names, which
 * is nothing beside the patching of text that follows.
 *
 * Context: process, may sleep.
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "base/tracepoints.h"

struct search {
	const char		*name;
	struct tracepoint	*found;
};

static void match_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

static struct tracepoint *find_tracepoint(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(match_tracepoint, &search);
	return search.found;
}

/**
 * tprof_tracepoint_exists - does this kernel have a tracepoint
 * @name:	of a tracepoint of the kernel image
 *
 * Context: any.
 * Return: true if so.
 */
bool tprof_tracepoint_exists(const char *name)
{
	return find_tracepoint(name);
}

/**
 * tprof_tracepoint_register - call a probe from a tracepoint
 * @name:	of a tracepoint of the kernel image
 * @probe:	function with its prototype, after a first argument of void *
 * @data:	the first argument
 *
 * Context: process, may sleep. The CPU hotplug lock is not held, because
 * patching the text takes it.
 * Return: 0, -ENOENT if this kernel has no such tracepoint, -EEXIST if the
 * probe is there already with this @data, or -ENOMEM.
 */
int tprof_tracepoint_register(const char *name, void *probe, void *data)
{
	struct tracepoint *tracepoint = find_tracepoint(name);

	if (!tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(tracepoint, probe, data);
}

/**
 * tprof_tracepoint_unregister - undo tprof_tracepoint_register()
 * @name:	as then
 * @probe:	as then
 * @data:	as then
 *
 * The probe may be running when this returns; see tracepoints.h.
 *
 * Context: as tprof_tracepoint_register().
 */
void tprof_tracepoint_unregister(const char *name, void *probe, void *data)
{
	struct tracepoint *tracepoint = find_tracepoint(name);

	if (!WARN_ON_ONCE(!tracepoint))
		tracepoint_probe_unregister(tracepoint, probe, data);
}
