/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - records of deferred call chains
 *
 * Context: process, may sleep.
 */
#ifndef TPROF_TRACK_CHAIN_H
#define TPROF_TRACK_CHAIN_H

int tprof_track_chain_start(void);
void tprof_track_chain_stop(void);

#endif /* TPROF_TRACK_CHAIN_H */
