/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - dirty counters: perf has used them and will set them to 0
 */
#ifndef TPROF_X86_DIRTY_H
#define TPROF_X86_DIRTY_H

void tprof_x86_dirty_begin(void);
void tprof_x86_dirty_clear_late(int cpu);

#endif /* TPROF_X86_DIRTY_H */
