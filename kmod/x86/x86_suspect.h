/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the yield to an intruder that an NMI has noticed
 */
#ifndef TPROF_X86_SUSPECT_H
#define TPROF_X86_SUSPECT_H

void tprof_x86_suspect(void);
void tprof_x86_suspect_end(void);

#endif /* TPROF_X86_SUSPECT_H */
