/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - hands each NMI to the back ends that may have sent it
 */
#ifndef TPROF_NMI_H
#define TPROF_NMI_H

#ifdef __KERNEL__
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <asm/nmi.h>
#include <asm/tsc.h>
#endif

#include "pmu/nmi_claim.h"
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
 * @late_us:	time in microseconds in which every unknown NMI is claimed. It begins at
 *		tprof_nmi_expect(), and at each NMI of the source: at its end or, if @entry
 *		called tprof_nmi_count_sampled(), at that call. nmi_claim.c lists the other
 *		NMIs that are claimed.
 * @entry:	the NMI handler of the module if this source was added first: it
 *		calls tprof_nmi_is_for_first(). May be NULL. No other source then has
 *		a longer @late_us. Context: NMI.
 * @handle:	does all work that is due for the source. nmi.c calls it for
 *		every NMI of a CPU from tprof_nmi_watch() to
 *		tprof_nmi_unwatch(). Context: NMI.
 * @claim:	returns true if an unknown NMI is the source's own. @now is the
 *		TSC, @window is @late_us in TSC cycles. May be NULL. Context:
 *		NMI.
 */
struct tprof_nmi_source {
	u32 late_us;
	int (*entry)(unsigned int type, struct pt_regs *regs);
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

/**
 * struct tprof_nmi_cpu - what a CPU knows about its NMIs
 * @watched:	mask of the sources that may have sent an NMI to this CPU; any CPU
 *		changes it
 * @expected:	which unknown NMIs are ours
 * @sampled:	as in struct tprof_pmu_stats
 * @late:	as in struct tprof_pmu_stats
 * @foreign:	as in struct tprof_pmu_stats
 *
 * This CPU alone writes all members but @watched; other CPUs read the statistics.
 */
struct tprof_nmi_cpu {
	unsigned long watched;
	struct tprof_claim expected;
	u64	sampled;
	u64	late;
	u64	foreign;
};

DECLARE_PER_CPU_ALIGNED(struct tprof_nmi_cpu, tprof_nmi_cpus);

int tprof_nmi_serve_all(unsigned int type, struct pt_regs *regs);

/**
 * tprof_nmi_is_for_first - report whether an NMI can be for the first source alone
 *
 * Context: NMI.
 * Return: true if this CPU watches the first source, and no other.
 */
static __always_inline bool tprof_nmi_is_for_first(void)
{
	unsigned long watched = this_cpu_read(tprof_nmi_cpus.watched);

	/*
	 * Barrier M, pairs with tprof_nmi_watch(). A compiler barrier suffices, because
	 * x86 does not reorder loads.
	 */
	barrier();
	return watched == BIT(0);
}

#ifdef __KERNEL__
extern u64 tprof_nmi_first_window;

int tprof_nmi_count(struct pt_regs *regs, enum tprof_nmi_verdict verdict);

/* Return where an NMI interrupted the CPU. */
static inline struct tprof_claim_place tprof_nmi_place_of(const struct pt_regs *regs)
{
	return (struct tprof_claim_place){ regs->ip, regs->sp };
}

/**
 * tprof_nmi_count_sampled - count an NMI that takes samples
 * @regs:	interrupted registers
 *
 * The function does the same as tprof_nmi_count() with TPROF_NMI_SAMPLED. It need not keep
 * the longest window of several sources, because the first source has the longest one.
 *
 * Context: NMI, after tprof_nmi_is_for_first() has returned true.
 */
static __always_inline void tprof_nmi_count_sampled(struct pt_regs *regs)
{
	this_cpu_inc(tprof_nmi_cpus.sampled);
	tprof_claim_note(this_cpu_ptr(&tprof_nmi_cpus.expected), rdtsc(), tprof_nmi_first_window,
			 tprof_nmi_place_of(regs));
}

/**
 * tprof_nmi_end - count an NMI that the first source has handled
 * @regs:	interrupted registers
 * @verdict:	what the source reports
 *
 * Context: NMI, after tprof_nmi_is_for_first() has returned true.
 * Return: NMI_HANDLED or NMI_DONE.
 */
static __always_inline int tprof_nmi_end(struct pt_regs *regs, enum tprof_nmi_verdict verdict)
{
	if (unlikely(verdict != TPROF_NMI_SAMPLED))
		return tprof_nmi_count(regs, verdict);
	tprof_nmi_count_sampled(regs);
	return NMI_HANDLED;
}
#else
/* In user space, the unit tests define the functions. */
#define NMI_HANDLED	1

void tprof_nmi_count_sampled(struct pt_regs *regs);
int tprof_nmi_end(struct pt_regs *regs, enum tprof_nmi_verdict verdict);
#endif

#endif /* TPROF_NMI_H */
