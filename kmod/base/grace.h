/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - waits for all that runs now
 *
 * All such waits of the module are made here, so that STATS can report how many there were. Each
 * takes milliseconds on a machine with many CPUs.
 */
#ifndef TPROF_GRACE_H
#define TPROF_GRACE_H

void tprof_grace_of_readers(void);
void tprof_grace_of_probes(void);

#endif /* TPROF_GRACE_H */
