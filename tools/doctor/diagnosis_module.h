/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find what prevents loading the module, and how to fix it
 */
#ifndef TPROF_DIAGNOSIS_MODULE_H
#define TPROF_DIAGNOSIS_MODULE_H

#include "doctor/finding.h"
#include "doctor/machine.h"

void diagnosis_of_module(struct diagnosis *diagnosis, const struct machine *machine);

#endif /* TPROF_DIAGNOSIS_MODULE_H */
