// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - access to the kernel's tracepoints by name
 *
 * Tracepoints of the kernel image are never freed, so a lookup takes no lock and its
 * result needs no reference. A lookup compares about a thousand names. That is cheap
 * compared to the patching of the kernel's text that follows.
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
 * tprof_tracepoint_exists - check whether this kernel has a tracepoint
 * @name:	name of a tracepoint of the kernel image
 *
 * Context: any.
 * Return: true if this kernel has it.
 */
bool tprof_tracepoint_exists(const char *name)
{
	return find_tracepoint(name);
}

/**
 * tprof_tracepoint_register - attach a probe to a tracepoint
 * @name:	name of a tracepoint of the kernel image
 * @probe:	function that takes a void * and then the tracepoint's arguments
 * @data:	first argument of @probe
 *
 * Context: process, may sleep. The caller does not hold the CPU hotplug lock,
 * because patching the kernel's text takes that lock.
 * Return: 0; -ENOENT if this kernel has no such tracepoint; -EEXIST if @probe
 * is already attached with this @data; -ENOMEM.
 */
int tprof_tracepoint_register(const char *name, void *probe, void *data)
{
	struct tracepoint *tracepoint = find_tracepoint(name);

	if (!tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(tracepoint, probe, data);
}

/**
 * tprof_tracepoint_register_first - attach a probe that runs before those of
 *				     tprof_tracepoint_register()
 * @name:	same as in tprof_tracepoint_register()
 * @probe:	same as in tprof_tracepoint_register()
 * @data:	same as in tprof_tracepoint_register()
 *
 * Context: same as tprof_tracepoint_register().
 * Return: same as tprof_tracepoint_register().
 */
int tprof_tracepoint_register_first(const char *name, void *probe, void *data)
{
	struct tracepoint *tracepoint = find_tracepoint(name);

	if (!tracepoint)
		return -ENOENT;
	return tracepoint_probe_register_prio(tracepoint, probe, data,
					      TRACEPOINT_DEFAULT_PRIO + 1);
}

/**
 * tprof_tracepoint_register_last - attach a probe that runs after all other probes
 * @name:	same as in tprof_tracepoint_register()
 * @probe:	same as in tprof_tracepoint_register()
 * @data:	same as in tprof_tracepoint_register()
 *
 * Context: same as tprof_tracepoint_register().
 * Return: same as tprof_tracepoint_register().
 */
int tprof_tracepoint_register_last(const char *name, void *probe, void *data)
{
	struct tracepoint *tracepoint = find_tracepoint(name);

	if (!tracepoint)
		return -ENOENT;
	return tracepoint_probe_register_prio(tracepoint, probe, data, 0);
}

/**
 * tprof_tracepoint_unregister - detach a probe from a tracepoint
 * @name:	as passed to tprof_tracepoint_register()
 * @probe:	as passed to tprof_tracepoint_register()
 * @data:	as passed to tprof_tracepoint_register()
 *
 * The probe may still be running on return; see tracepoints.h.
 *
 * Context: same as tprof_tracepoint_register().
 */
void tprof_tracepoint_unregister(const char *name, void *probe, void *data)
{
	struct tracepoint *tracepoint = find_tracepoint(name);

	if (!WARN_ON_ONCE(!tracepoint))
		tracepoint_probe_unregister(tracepoint, probe, data);
}
