/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the kernel's tracepoints, by name
 *
 * The kernel exports the walk over its tracepoints, not the tracepoints. The
 * caller sees to it that the probe has the prototype of the tracepoint
 * (check_trace_callback_type_*() does so at build time), that it is
 * registered once only, and that tracepoint_synchronize_unregister() comes
 * between the last unregistration and the end of the probe's text or data.
 *
 * Context: process, may sleep, without the CPU hotplug lock.
 */
#ifndef TPROF_TRACEPOINTS_H
#define TPROF_TRACEPOINTS_H

#include <linux/types.h>

bool tprof_tracepoint_exists(const char *name);
int tprof_tracepoint_register(const char *name, void *probe, void *data);
void tprof_tracepoint_unregister(const char *name, void *probe, void *data);

#endif /* TPROF_TRACEPOINTS_H */
