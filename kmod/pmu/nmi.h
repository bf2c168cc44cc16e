/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - hands each NMI to the back ends that may have sent it
 */
#ifndef TPROF_NMI_H
#define TPROF_NMI_H

#include "pmu/pmu.h"

/* What a source reports about an NMI. */
enum tprof_nmi_verdict {
	/* The source did not send it. */
	TPROF_NMI_FOREIGN,
	/* The source sent it, but an earlier NMI has done its work. */
	TPROF_NMI_LATE,
	/* The source sent it, and took samples. */
	TPROF_NMI_SAMPLED,
};

/**
 * struct tprof_nmi_source - a back end that sends NMIs
 * @late_us:	time in microseconds, after an NMI of this source or after
 *		tprof_nmi_expect(), in which every unknown NMI is claimed.
 *		nmi_claim.c lists the other NMIs that are claimed.
 * @handle:	does all work that is due for the source. nmi.c calls it for
 *		every NMI of a CPU from tprof_nmi_watch() to
 *		tprof_nmi_unwatch(). Context: NMI.
 * @claim:	returns true if an unknown NMI is the source's own. @now is the
 *		TSC, @window is @late_us in TSC cycles. May be NULL. Context:
 *		NMI.
 */
struct tprof_nmi_source {
	u32 late_us;
	enum tprof_nmi_verdict (*handle)(struct pt_regs *regs);
	bool (*claim)(u64 now, u64 window);
};

void tprof_nmi_add(const struct tprof_nmi_source *source);
void tprof_nmi_watch(const struct tprof_nmi_source *source, int cpu);
void tprof_nmi_unwatch(const struct tprof_nmi_source *source, int cpu);
void tprof_nmi_expect(const struct tprof_nmi_source *source);
void tprof_nmi_read_stats(int cpu, struct tprof_pmu_stats *stats);

int tprof_nmi_init(void);
void tprof_nmi_uninit(void);

#endif /* TPROF_NMI_H */
