/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - scratch memory for call chains
 *
 * A chain is gathered before its record is begun, because tprof_lane_begin() needs
 * the length. Until then, the chain is in scratch memory of this CPU. The memory has
 * one chain for each context, because one context can interrupt another. An NMI that
 * interrupted 64-bit user code needs no scratch memory: it writes the frames into
 * the record (tprof_chain_write()).
 */
#ifndef TPROF_SCRATCH_H
#define TPROF_SCRATCH_H

#include "chain/gather.h"

int tprof_scratch_get(void);
void tprof_scratch_put(void);
struct tprof_gather *tprof_scratch_here(void);

#endif /* TPROF_SCRATCH_H */
