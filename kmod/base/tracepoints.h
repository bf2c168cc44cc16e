/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - access to the kernel's tracepoints by name
 *
 * The kernel exports a function that visits all tracepoints, but not the tracepoints
 * themselves. The caller has three duties:
 *
 * - The probe has the tracepoint's prototype; check_trace_callback_type_*()
 *   verifies that at build time.
 * - The probe is registered only once.
 * - tprof_grace_of_probes() is called after the last unregistration and
 *   before the probe's text or data is freed.
 *
 * Context: process, may sleep, without the CPU hotplug lock.
 */
#ifndef TPROF_TRACEPOINTS_H
#define TPROF_TRACEPOINTS_H

#include <linux/types.h>

bool tprof_tracepoint_exists(const char *name);
int tprof_tracepoint_register(const char *name, void *probe, void *data);
int tprof_tracepoint_register_first(const char *name, void *probe, void *data);
int tprof_tracepoint_register_last(const char *name, void *probe, void *data);
void tprof_tracepoint_unregister(const char *name, void *probe, void *data);

#endif /* TPROF_TRACEPOINTS_H */
