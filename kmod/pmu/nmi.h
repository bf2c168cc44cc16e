/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - hands each NMI to the back ends that may have sent it
 */
#ifndef TPROF_NMI_H
#define TPROF_NMI_H

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/bits.h>
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
 * @late_us:	time in microseconds, after an NMI of this source or after
 *		tprof_nmi_expect(), in which every unknown NMI is claimed.
 *		nmi_claim.c lists the other NMIs that are claimed.
 * @entry:	the module's NMI handler if this source was added first: calls
 *		tprof_nmi_serve() with @handle. May be NULL. Context: NMI.
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

#ifdef __KERNEL__
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
	atomic_long_t watched;
	struct tprof_claim expected;
	u64	sampled;
	u64	late;
	u64	foreign;
};

DECLARE_PER_CPU_ALIGNED(struct tprof_nmi_cpu, tprof_nmi_cpus);
extern u64 tprof_nmi_first_window;

int tprof_nmi_serve_all(unsigned int type, struct pt_regs *regs);
int tprof_nmi_account(struct pt_regs *regs, enum tprof_nmi_verdict verdict);

/* Return where an NMI interrupted the CPU. */
static inline struct tprof_claim_place tprof_nmi_place_of(const struct pt_regs *regs)
{
	return (struct tprof_claim_place){ regs->ip, regs->sp };
}

/**
 * tprof_nmi_serve - handle an NMI for the first source
 * @handle:	the source's @handle, to be inlined
 * @type:	NMI_LOCAL
 * @regs:	interrupted registers
 *
 * If the NMI took samples and has the same window as our previous NMI, which is the most
 * frequent case, do what tprof_nmi_account() would do.
 *
 * Context: NMI.
 * Return: NMI_HANDLED or NMI_DONE.
 */
static __always_inline int
tprof_nmi_serve(enum tprof_nmi_verdict (*handle)(struct pt_regs *regs),
		unsigned int type, struct pt_regs *regs)
{
	struct tprof_nmi_cpu *ncpu = this_cpu_ptr(&tprof_nmi_cpus);
	enum tprof_nmi_verdict verdict;

	/* Barrier M, pairs with tprof_nmi_watch(). */
	if (unlikely(atomic_long_read_acquire(&ncpu->watched) != BIT(0)))
		return tprof_nmi_serve_all(type, regs);
	verdict = handle(regs);
	if (unlikely(verdict != TPROF_NMI_SAMPLED ||
		     ncpu->expected.window != tprof_nmi_first_window))
		return tprof_nmi_account(regs, verdict);
	this_cpu_inc(tprof_nmi_cpus.sampled);
	tprof_claim_note(&ncpu->expected, rdtsc(), tprof_nmi_place_of(regs));
	return NMI_HANDLED;
}
#else
/* The unit tests handle NMIs by the source's @handle alone. */
static inline int tprof_nmi_serve(enum tprof_nmi_verdict (*handle)(struct pt_regs *regs),
				  unsigned int type, struct pt_regs *regs)
{
	return handle(regs);
}
#endif

#endif /* TPROF_NMI_H */
