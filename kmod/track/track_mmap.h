/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - side-band records of mappings
 *
 * Context: process, may sleep.
 */
#ifndef TPROF_TRACK_MMAP_H
#define TPROF_TRACK_MMAP_H

int tprof_track_mmap_start(void);
void tprof_track_mmap_stop(void);

void tprof_track_mmap_uninit(void);

#endif /* TPROF_TRACK_MMAP_H */
