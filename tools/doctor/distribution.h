/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find out the Linux distribution of a machine
 */
#ifndef TPROF_DISTRIBUTION_H
#define TPROF_DISTRIBUTION_H

#include "doctor/machine.h"

void machine_look_for_distribution(struct machine *machine);
bool machine_is_like(const struct machine *machine, const char *id);

#endif /* TPROF_DISTRIBUTION_H */
