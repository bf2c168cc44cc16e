/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - side-band records of modules
 *
 * Context: process, may sleep, under the track lock.
 */
#ifndef TPROF_TRACK_MODULE_H
#define TPROF_TRACK_MODULE_H

int tprof_track_module_start(void);
void tprof_track_module_stop(void);

#endif /* TPROF_TRACK_MODULE_H */
