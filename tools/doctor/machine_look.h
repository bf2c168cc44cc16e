/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the properties of a machine that profiling depends on
 */
#ifndef TPROF_MACHINE_LOOK_H
#define TPROF_MACHINE_LOOK_H

#include "doctor/machine.h"

void machine_look(struct machine *machine, const char *root, const char *release,
		  const char *architecture);

#endif /* TPROF_MACHINE_LOOK_H */
