/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - finding out what a machine has that a profiler depends on
 */
#ifndef TPROF_MACHINE_LOOK_H
#define TPROF_MACHINE_LOOK_H

#include "doctor/machine.h"

void machine_look(struct machine *machine, const char *root, const char *release,
		  const char *architecture);

#endif /* TPROF_MACHINE_LOOK_H */
