/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - check that the wanted CPUs are possible and online
 */
#ifndef TPROF_CPUS_H
#define TPROF_CPUS_H

#include "base/message.h"
#include "base/parse.h"

/* The kernel's directory of CPUs. Tests use their own. */
#define CPUS_DIRECTORY	"/sys/devices/system/cpu"

int cpus_check(const struct cpu_list *wanted, const char *directory, struct message *msg);

#endif /* TPROF_CPUS_H */
