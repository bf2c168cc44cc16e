// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - whose an NMI is
 *
 * One handler for all back ends that are sampled by NMI, since each one that
 * is registered costs every NMI of the machine the reading of a clock.
 *
 * An NMI carries no sender, and two that meet are one. So every source is
 * asked about every NMI, and says whether there was something of its own to
 * do. Three kinds remain that find nothing to do:
 *
 * - Two overflows, or ticks, at the same time: the first NMI served both, the
 *   second one, latched behind it, finds nothing.
 * - A foreign NMI that came first and did the work of ours.
 * - A counter that was disarmed while its NMI was under way.
 *
 * They are claimed only when nobody else wanted them, as unknown NMIs, and
 * only if we served one, or disarmed a counter, before: nmi_claim.c says which, or the
 * source that sends them itself. So a foreign NMI that has an owner is never taken
 * from him, nor one that comes with a reason (SERR, IOCHK).
 *
 * For how long any is ours is the source's to say. AMD's counters can take long
 * from overflow to NMI, by no known bound; perf allows them a tenth of a second,
 * and so do we. So long a single one is claimed from others, too, when it was
 * latched, or when a counter was disarmed.
 *
 * Context: the handlers in NMI, tprof_nmi_expect() on the CPU it is about, the
 * rest in process context.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <asm/nmi.h>
#include <asm/tsc.h>

#include "pmu/nmi_claim.h"
#include "pmu/nmi.h"

/* How long the one that was latched, owed, or under way, is waited for. */
#define PATIENCE_US	(100 * USEC_PER_MSEC)

enum {
	MAX_SOURCES	= 2,
	/* Assumed where the kernel does not know it: fast, so that time is long. */
	FAST_TSC_KHZ	= 8000000,
};

/**
 * struct nmi_cpu - a CPU and its NMIs
 * @expected:	which of those that nobody wants are ours
 * @sampled:	statistics
 * @late:	see @sampled
 * @foreign:	see @sampled
 *
 * Of its CPU alone; others read the statistics.
 */
struct nmi_cpu {
	struct tprof_claim expected;
	u64	sampled;
	u64	late;
	u64	foreign;
};

static DEFINE_PER_CPU_ALIGNED(struct nmi_cpu, nmi_cpus);

/* Grows only, at load; an entry is written before it is counted. */
static const struct tprof_nmi_source *sources[MAX_SOURCES];
static u64 source_window[MAX_SOURCES];
static unsigned int nr_sources;

/* Read from other CPUs at any time. */
static void add_to_stat(u64 *count, int nr)
{
	WRITE_ONCE(*count, *count + nr);
}

static struct tprof_claim_place place_of(const struct pt_regs *regs)
{
	return (struct tprof_claim_place){ regs->ip, regs->sp };
}

/* That of a CPU that idles is always the same. */
static struct tprof_claim_place place_to_know(const struct pt_regs *regs)
{
	/* Who is interrupted may be changing others of his flags. */
	return data_race(is_idle_task(current)) ? (struct tprof_claim_place){ 0 } :
				       place_of(regs);
}

static int nmi_handler(unsigned int type, struct pt_regs *regs)
{
	struct nmi_cpu *ncpu = this_cpu_ptr(&nmi_cpus);
	enum tprof_nmi_verdict verdict, best = TPROF_NMI_FOREIGN;
	unsigned int i, nr, nr_ours = 0;
	u64 window = 0, now;

	/* K, matches tprof_nmi_add(). */
	nr = smp_load_acquire(&nr_sources);
	for (i = 0; i < nr; i++) {
		verdict = sources[i]->handle(regs);
		if (verdict == TPROF_NMI_FOREIGN)
			continue;
		window = max(window, source_window[i]);
		best = max(best, verdict);
		nr_ours++;
	}
	if (best == TPROF_NMI_FOREIGN) {
		add_to_stat(&ncpu->foreign, 1);
		return NMI_DONE;
	}
	if (best == TPROF_NMI_SAMPLED)
		add_to_stat(&ncpu->sampled, 1);
	else
		add_to_stat(&ncpu->late, 1);
	now = rdtsc();
	tprof_claim_served(&ncpu->expected, now, window, place_to_know(regs));
	if (nr_ours > 1)
		tprof_claim_owe(&ncpu->expected, now);
	else if (best == TPROF_NMI_LATE)
		tprof_claim_came(&ncpu->expected);
	return NMI_HANDLED;
}

static bool is_claimed_by_source(u64 now)
{
	unsigned int i, nr;

	/* K, matches tprof_nmi_add(). */
	nr = smp_load_acquire(&nr_sources);
	for (i = 0; i < nr; i++) {
		if (sources[i]->claim && sources[i]->claim(now, source_window[i]))
			return true;
	}
	return false;
}

/* Nobody claimed it: see the head of the file for when it is ours. */
static int nmi_unknown_handler(unsigned int type, struct pt_regs *regs)
{
	struct nmi_cpu *ncpu = this_cpu_ptr(&nmi_cpus);
	u64 now = rdtsc();

	if (!tprof_claim_unknown(&ncpu->expected, now, place_of(regs)) &&
	    !is_claimed_by_source(now))
		return NMI_DONE;
	add_to_stat(&ncpu->late, 1);
	add_to_stat(&ncpu->foreign, -1);
	return NMI_HANDLED;
}

static u64 us_to_cycles(u32 us)
{
	u64 khz = tsc_khz ?: FAST_TSC_KHZ;

	return khz * us / 1000;
}

/**
 * tprof_nmi_add - have it asked about every NMI
 * @source:	what sends NMIs; stays until tprof_nmi_uninit()
 *
 * Context: process, at module load.
 */
void tprof_nmi_add(const struct tprof_nmi_source *source)
{
	if (WARN_ON_ONCE(nr_sources == MAX_SOURCES))
		return;
	sources[nr_sources] = source;
	source_window[nr_sources] = us_to_cycles(source->late_us);
	/* K, matches nmi_handler(): an entry is whole before it is counted. */
	smp_store_release(&nr_sources, nr_sources + 1);
}

/**
 * tprof_nmi_expect - one of its NMIs may come and find nothing to do
 * @source:	what may have sent it
 *
 * Context: interrupts off, on the CPU that it would come to.
 */
void tprof_nmi_expect(const struct tprof_nmi_source *source)
{
	tprof_claim_expect(&this_cpu_ptr(&nmi_cpus)->expected, rdtsc(),
			   us_to_cycles(source->late_us));
}

/**
 * tprof_nmi_read_stats - add the statistics of all sources
 * @cpu:	of this CPU
 * @stats:	where to
 */
void tprof_nmi_read_stats(int cpu, struct tprof_pmu_stats *stats)
{
	struct nmi_cpu *ncpu = per_cpu_ptr(&nmi_cpus, cpu);

	stats->sampled += READ_ONCE(ncpu->sampled);
	stats->late += READ_ONCE(ncpu->late);
	stats->foreign += READ_ONCE(ncpu->foreign);
}

/**
 * tprof_nmi_init - module load, before any source
 *
 * The handlers stay as long as the module, so that an NMI that arrives after
 * the last event was stopped is still known as ours.
 *
 * Return: 0 or -errno.
 */
int tprof_nmi_init(void)
{
	int cpu, err;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(&nmi_cpus, cpu)->expected.patience =
			us_to_cycles(PATIENCE_US);
	err = register_nmi_handler(NMI_LOCAL, nmi_handler, 0, "tprof-lx");
	if (err)
		return err;
	err = register_nmi_handler(NMI_UNKNOWN, nmi_unknown_handler, 0,
				   "tprof-lx-late");
	if (err)
		unregister_nmi_handler(NMI_LOCAL, "tprof-lx");
	return err;
}

/** tprof_nmi_uninit - module exit, when no source sends any more */
void tprof_nmi_uninit(void)
{
	/* Whatever was under way has come by then. */
	if (nr_sources)
		usleep_range(PATIENCE_US, 2 * PATIENCE_US);
	unregister_nmi_handler(NMI_UNKNOWN, "tprof-lx-late");
	unregister_nmi_handler(NMI_LOCAL, "tprof-lx");
}
