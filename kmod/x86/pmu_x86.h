/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the back ends `intel` and `amd`
 */
#ifndef TPROF_PMU_X86_H
#define TPROF_PMU_X86_H

int tprof_pmu_x86_init(void);
void tprof_pmu_x86_uninit(void);

#endif /* TPROF_PMU_X86_H */
