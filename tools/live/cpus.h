/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which CPUs there are
 */
#ifndef TPROF_CPUS_H
#define TPROF_CPUS_H

#include "base/message.h"
#include "base/parse.h"

/* Where the kernel tells of them; tests have their own. */
#define CPUS_DIRECTORY	"/sys/devices/system/cpu"

int cpus_check(const struct cpu_list *wanted, const char *directory, struct message *msg);

#endif /* TPROF_CPUS_H */
