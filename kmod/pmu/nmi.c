// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - hands each NMI to the back ends that may have sent it
 *
 * One handler serves all back ends that sample by NMI, because the kernel reads a
 * clock for each registered handler on every NMI.
 *
 * An NMI names no sender, and two that are pending at once are merged into one. So
 * the handler calls every source, that is, every back end that may have sent an NMI
 * to this CPU (tprof_nmi_watch()). Each source reports whether it found work of its
 * own. An NMI of ours finds no work for one of three reasons:
 *
 * - Two overflows or ticks happened at the same time. The first NMI served both. The
 *   second, which was latched while the first was handled, finds nothing.
 * - A foreign NMI came first. Our handler ran for it, too, and did the work of our
 *   NMI.
 * - A counter was disarmed while its NMI was on its way.
 *
 * If a source recognises such an NMI as its own, it returns TPROF_NMI_LATE. If
 * no source does, we claim the NMI only after every other handler has declined
 * it, as an unknown NMI. So we take no foreign NMI that has an owner, and none
 * for which the chipset reports a reason (SERR, IOCHK). nmi_claim.c decides
 * which unknown NMIs are ours, from the NMIs that this CPU served and the
 * counters that it disarmed. If nmi_claim.c does not claim an NMI, a source
 * still can (@claim).
 *
 * For @late_us after the last NMI of a source, we claim every unknown NMI. AMD's
 * counters can take long from overflow to NMI, without a known bound: perf allows
 * 100 ms, and so do we. For PATIENCE_US, whatever the source, we also claim one NMI
 * of each of these kinds: latched, owed, and sent by a disarmed counter
 * (nmi_claim.c).
 *
 * Context: the handlers in NMI; tprof_nmi_expect() with interrupts off, on the CPU
 * that the NMI would interrupt; tprof_nmi_watch() and tprof_nmi_unwatch() in
 * any but NMI; everything else in process context.
 */
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <asm/nmi.h>
#include <asm/tsc.h>

#include "pmu/nmi.h"
#include "pmu/nmi_claim.h"

/*
 * Time for which one NMI of each kind is claimed: latched, owed, and sent by a
 * disarmed counter.
 */
#define PATIENCE_US	(100 * USEC_PER_MSEC)

enum {
	MAX_SOURCES	= 2,
	/*
	 * TSC frequency to assume if tsc_khz is 0: a high one, so that no window is
	 * too short.
	 */
	FAST_TSC_KHZ	= 8000000,
};

DEFINE_PER_CPU_ALIGNED(struct tprof_nmi_cpu, tprof_nmi_cpus);

/*
 * Entries are added to both arrays at module load only, each before nr_sources is
 * incremented.
 */
static const struct tprof_nmi_source *sources[MAX_SOURCES];
static u64 source_window[MAX_SOURCES];
static unsigned int nr_sources;

/* The same as source_window[0], where the inline functions of nmi.h find it. */
u64 tprof_nmi_first_window;

static struct nmiaction nmi_action = {
	.list = LIST_HEAD_INIT(nmi_action.list),
	.handler = tprof_nmi_serve_all,
	.name = "tprof-lx",
};

/*
 * Count an NMI. If it is ours, note it in @expected, from which nmi_claim.c
 * decides about later unknown NMIs.
 */
static int count_nmi(struct tprof_nmi_cpu *ncpu, struct pt_regs *regs,
		     enum tprof_nmi_verdict verdict, u64 window)
{
	switch (verdict) {
	case TPROF_NMI_FOREIGN:
		this_cpu_inc(tprof_nmi_cpus.foreign);
		return NMI_DONE;
	case TPROF_NMI_LATE:
		this_cpu_inc(tprof_nmi_cpus.late);
		tprof_claim_came(&ncpu->expected);
		break;
	case TPROF_NMI_SAMPLED:
		this_cpu_inc(tprof_nmi_cpus.sampled);
		break;
	}
	tprof_claim_served(&ncpu->expected, rdtsc(), window, tprof_nmi_place_of(regs));
	return NMI_HANDLED;
}

/**
 * tprof_nmi_serve_all - call all sources that this CPU watches
 * @type:	NMI_LOCAL
 * @regs:	interrupted registers
 *
 * The loop is bounded: at most MAX_SOURCES bits are set.
 *
 * Context: NMI.
 * Return: NMI_HANDLED or NMI_DONE.
 */
int tprof_nmi_serve_all(unsigned int type, struct pt_regs *regs)
{
	struct tprof_nmi_cpu *ncpu = this_cpu_ptr(&tprof_nmi_cpus);
	enum tprof_nmi_verdict verdict, best = TPROF_NMI_FOREIGN;
	unsigned int i, nr_ours = 0;
	unsigned long watched;
	u64 window = 0;
	int handled;

	/* Barrier M, pairs with tprof_nmi_watch(). */
	watched = smp_load_acquire(&ncpu->watched);
	for (; watched; watched &= watched - 1) {
		i = __ffs(watched);
		verdict = sources[i]->handle(regs);
		if (verdict == TPROF_NMI_FOREIGN)
			continue;
		window = max(window, source_window[i]);
		best = max(best, verdict);
		nr_ours++;
	}
	handled = count_nmi(ncpu, regs, best, window);
	if (nr_ours > 1)
		tprof_claim_owe(&ncpu->expected, rdtsc());
	return handled;
}

/**
 * tprof_nmi_count - count an NMI that the first source has handled
 * @regs:	interrupted registers
 * @verdict:	what the source reports
 *
 * Context: NMI.
 * Return: NMI_HANDLED or NMI_DONE.
 */
int tprof_nmi_count(struct pt_regs *regs, enum tprof_nmi_verdict verdict)
{
	return count_nmi(this_cpu_ptr(&tprof_nmi_cpus), regs, verdict, source_window[0]);
}

static bool is_claimed_by_source(u64 now)
{
	unsigned int i, nr;

	/* Barrier K, pairs with tprof_nmi_add(): entries below @nr have been written. */
	nr = smp_load_acquire(&nr_sources);
	for (i = 0; i < nr; i++) {
		if (sources[i]->claim && sources[i]->claim(now, source_window[i]))
			return true;
	}
	return false;
}

/*
 * Return where the NMI interrupted the CPU, or 0 if the CPU was idle. All NMIs
 * interrupt an idle CPU at the same place, so that place identifies none of them.
 */
static struct tprof_claim_place place_to_know(const struct pt_regs *regs)
{
	/*
	 * Racy read: the interrupted task may be writing other bits of its own
	 * @flags.
	 */
	return data_race(is_idle_task(current)) ? (struct tprof_claim_place){ 0 } :
				       tprof_nmi_place_of(regs);
}

/*
 * The kernel calls this if no other handler claimed the NMI. The top of this file
 * describes when such an NMI is ours.
 */
static int nmi_unknown_handler(unsigned int type, struct pt_regs *regs)
{
	struct tprof_nmi_cpu *ncpu = this_cpu_ptr(&tprof_nmi_cpus);
	u64 now = rdtsc();

	if (!tprof_claim_unknown(&ncpu->expected, now, place_to_know(regs)) &&
	    !is_claimed_by_source(now))
		return NMI_DONE;
	this_cpu_inc(tprof_nmi_cpus.late);
	this_cpu_dec(tprof_nmi_cpus.foreign);
	return NMI_HANDLED;
}

static u64 us_to_cycles(u32 us)
{
	u64 khz = tsc_khz ?: FAST_TSC_KHZ;

	return khz * us / 1000;
}

/**
 * tprof_nmi_add - register a source of NMIs
 * @source:	source, which stays valid until tprof_nmi_uninit()
 *
 * Context: process, at module load.
 */
void tprof_nmi_add(const struct tprof_nmi_source *source)
{
	if (WARN_ON_ONCE(nr_sources == MAX_SOURCES))
		return;
	sources[nr_sources] = source;
	source_window[nr_sources] = us_to_cycles(source->late_us);
	if (!nr_sources) {
		tprof_nmi_first_window = source_window[0];
		nmi_action.handler = source->entry ?: tprof_nmi_serve_all;
	}
	WARN_ON_ONCE(sources[0]->entry && source_window[nr_sources] > tprof_nmi_first_window);
	/* Barrier K, pairs with is_claimed_by_source(). */
	smp_store_release(&nr_sources, nr_sources + 1);
}

/* Return the number of a source, or nr_sources if it was not added, which is a bug. */
static unsigned int index_of(const struct tprof_nmi_source *source)
{
	unsigned int i;

	for (i = 0; i < nr_sources; i++) {
		if (sources[i] == source)
			break;
	}
	WARN_ON_ONCE(i == nr_sources);
	return i;
}

/**
 * tprof_nmi_watch - call a source for each NMI of a CPU from now on
 * @source:	source that was added
 * @cpu:	CPU that the NMIs interrupt
 *
 * The caller does this before the source can send its first NMI to the CPU.
 *
 * Context: any but NMI.
 */
void tprof_nmi_watch(const struct tprof_nmi_source *source, int cpu)
{
	unsigned int i = index_of(source);

	if (i < nr_sources)
		set_bit(i, &per_cpu_ptr(&tprof_nmi_cpus, cpu)->watched);
	/*
	 * Barrier M, pairs with tprof_nmi_is_for_first() and tprof_nmi_serve_all(): the
	 * source sends its first NMI after this, so the NMI's handler sees the bit.
	 */
	smp_mb__after_atomic();
}

/**
 * tprof_nmi_unwatch - no longer call a source for the NMIs of a CPU
 * @source:	source that was added
 * @cpu:	CPU that the NMIs interrupt
 *
 * The caller does this when @handle would find no work and return TPROF_NMI_FOREIGN
 * for each NMI. If an NMI of the source still comes, it is an unknown one, which we
 * can claim.
 *
 * Context: any but NMI.
 */
void tprof_nmi_unwatch(const struct tprof_nmi_source *source, int cpu)
{
	clear_bit(index_of(source), &per_cpu_ptr(&tprof_nmi_cpus, cpu)->watched);
}

/**
 * tprof_nmi_expect - announce an NMI that may come and find no work
 * @source:	source that may have sent it
 *
 * Context: interrupts off, on the CPU that the NMI would interrupt.
 */
void tprof_nmi_expect(const struct tprof_nmi_source *source)
{
	tprof_claim_expect(&this_cpu_ptr(&tprof_nmi_cpus)->expected, rdtsc(),
			   us_to_cycles(source->late_us));
}

/**
 * tprof_nmi_read_stats - add the NMI statistics of a CPU to @stats
 * @cpu:	CPU that took the NMIs
 * @stats:	statistics to add to
 */
void tprof_nmi_read_stats(int cpu, struct tprof_pmu_stats *stats)
{
	struct tprof_nmi_cpu *ncpu = per_cpu_ptr(&tprof_nmi_cpus, cpu);

	stats->sampled += READ_ONCE(ncpu->sampled);
	stats->late += READ_ONCE(ncpu->late);
	stats->foreign += READ_ONCE(ncpu->foreign);
}

/**
 * tprof_nmi_init - register the NMI handlers, at module load before any NMI is sent
 *
 * The handlers stay registered as long as the module is loaded. So an NMI that
 * comes after the last event was stopped is still recognised as ours.
 *
 * Return: 0 or -errno.
 */
int tprof_nmi_init(void)
{
	int cpu, err;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(&tprof_nmi_cpus, cpu)->expected.patience =
			us_to_cycles(PATIENCE_US);
	err = __register_nmi_handler(NMI_LOCAL, &nmi_action);
	if (err)
		return err;
	err = register_nmi_handler(NMI_UNKNOWN, nmi_unknown_handler, 0,
				   "tprof-lx-late");
	if (err)
		unregister_nmi_handler(NMI_LOCAL, "tprof-lx");
	return err;
}

/** tprof_nmi_uninit - unregister the NMI handlers, after all sources stopped sending NMIs */
void tprof_nmi_uninit(void)
{
	/* Wait for NMIs that are still on their way. */
	if (nr_sources)
		usleep_range(PATIENCE_US, 2 * PATIENCE_US);
	unregister_nmi_handler(NMI_UNKNOWN, "tprof-lx-late");
	unregister_nmi_handler(NMI_LOCAL, "tprof-lx");
}
