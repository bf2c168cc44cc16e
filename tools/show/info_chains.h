/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx info - how the call chains of a recording were found, and how they end
 */
#ifndef TPROF_INFO_CHAINS_H
#define TPROF_INFO_CHAINS_H

#include "base/bytes.h"
#include "show/facts.h"

void info_chains(const struct facts *facts, const struct bytes *ledger);

#endif /* TPROF_INFO_CHAINS_H */
