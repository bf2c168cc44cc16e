/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - whose an NMI is
 */
#ifndef TPROF_NMI_H
#define TPROF_NMI_H

#include "pmu/pmu.h"

/* What a source says of an NMI. */
enum tprof_nmi_verdict {
	/* Not its own. */
	TPROF_NMI_FOREIGN,
	/* Its own, but what it was sent for was done before. */
	TPROF_NMI_LATE,
	/* Its own, and samples were taken. */
	TPROF_NMI_SAMPLED,
};

/**
 * struct tprof_nmi_source - what sends NMIs
 * @late_us:	how long after one of its own, or after tprof_nmi_expect(), any
 *		that nobody wants is taken for its own; see nmi_claim.c for the rest
 * @handle:	serves the NMI that has come. Context: NMI.
 * @claim:	is one that nobody wants its own, at a TSC of @now, within @window of
 *		what happened last? May be NULL. Context: NMI.
 */
struct tprof_nmi_source {
	u32 late_us;
	enum tprof_nmi_verdict (*handle)(struct pt_regs *regs);
	bool (*claim)(u64 now, u64 window);
};

void tprof_nmi_add(const struct tprof_nmi_source *source);
void tprof_nmi_expect(const struct tprof_nmi_source *source);
void tprof_nmi_read_stats(int cpu, struct tprof_pmu_stats *stats);

int tprof_nmi_init(void);
void tprof_nmi_uninit(void);

#endif /* TPROF_NMI_H */
