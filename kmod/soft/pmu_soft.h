/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the back end `soft`: events that the kernel causes
 */
#ifndef TPROF_PMU_SOFT_H
#define TPROF_PMU_SOFT_H

#include "pmu/pmu.h"

int tprof_pmu_soft_init(void);
void tprof_pmu_soft_uninit(void);

#endif /* TPROF_PMU_SOFT_H */
