/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find out whether a machine has the module and can load it
 */
#ifndef TPROF_MACHINE_MODULE_H
#define TPROF_MACHINE_MODULE_H

#include "doctor/machine.h"

void machine_look_for_module(struct machine *machine);

#endif /* TPROF_MACHINE_MODULE_H */
