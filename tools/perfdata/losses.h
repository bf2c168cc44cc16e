/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what a recording has lost, as it tells itself
 */
#ifndef TPROF_LOSSES_H
#define TPROF_LOSSES_H

#include "perfdata/reader.h"

/* Why call chains ended early when they were recorded. */
enum losses_cut {
	LOSSES_CUT_DEEP,	/* more frames than they might have */
	LOSSES_CUT_ABSENT,	/* memory of the user's that could not be read */
	LOSSES_CUT_LOST,	/* the kernel's unwinder did not know on */
	LOSSES_NR_CUTS
};

/**
 * struct losses - what was lost; all zero is nothing
 * @samples:	samples, by the records that stand where they are missing
 * @records:	records of any kind, by perf's older way of telling
 * @filtered:	samples that a filter of the recording left out, which are not lost
 * @ledger:	samples, by the account at the end of our recordings
 * @cuts:	call chains, by that account
 * @has_ledger:	there is such an account, which has the last word
 */
struct losses {
	u64	samples;
	u64	records;
	u64	filtered;
	u64	ledger;
	u64	cuts[LOSSES_NR_CUTS];
	bool	has_ledger;
};

void losses_update(struct losses *losses, const struct record *record);
u64 losses_sum(const struct losses *losses);

#endif /* TPROF_LOSSES_H */
