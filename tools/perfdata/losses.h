/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - count the samples that a recording reports as lost
 */
#ifndef TPROF_LOSSES_H
#define TPROF_LOSSES_H

#include "perfdata/reader.h"

/* Why call chains were truncated during recording. */
enum losses_cut {
	LOSSES_CUT_DEEP,	/* more frames than the limit */
	LOSSES_CUT_ABSENT,	/* user memory that was not present */
	LOSSES_CUT_LOST,	/* the kernel's unwinder gave up */
	LOSSES_NR_CUTS
};

/**
 * struct losses - numbers of lost samples, by the source that reports them
 * @samples:	lost samples reported by PERF_RECORD_LOST_SAMPLES
 * @records:	lost records of any kind reported by PERF_RECORD_LOST
 * @filtered:	samples dropped by a BPF filter; these do not count as lost
 * @ledger:	lost samples reported by the ledger at the end of a tprof-lx recording
 * @cuts:	truncated call chains reported by the ledger
 * @stalls:	how often an event stalled because of a full ring, by the ledger
 * @stalled_ns:	nanoseconds for which events stalled, over all events and CPUs, by the ledger
 * @yields:	how often an event stopped because another program used its counter
 * @doubtful_ns: nanoseconds before these stops in which samples may be wrong, summed
 * @has_ledger:	the recording has a ledger, which overrides @samples and @records
 */
struct losses {
	u64	samples;
	u64	records;
	u64	filtered;
	u64	ledger;
	u64	cuts[LOSSES_NR_CUTS];
	u64	stalls;
	u64	stalled_ns;
	u64	yields;
	u64	doubtful_ns;
	bool	has_ledger;
};

u64 losses_in(const struct record *record);
void losses_update(struct losses *losses, const struct record *record);
u64 losses_sum(const struct losses *losses);

#endif /* TPROF_LOSSES_H */
