/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the back end `tsc`: the time stamp counter as a count
 */
#ifndef TPROF_PMU_TSC_H
#define TPROF_PMU_TSC_H

#include "pmu/pmu.h"

int tprof_pmu_tsc_init(void);
void tprof_pmu_tsc_uninit(void);

#endif /* TPROF_PMU_TSC_H */
