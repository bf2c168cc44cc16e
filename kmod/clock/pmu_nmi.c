// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back end `nmi`: a clock that needs no PMU and sees all
 *
 * The timer that samples a CPU runs on the CPU before it, which sends an NMI.
 * The two are not in step, so what the NMI finds is arbitrary code, with
 * interrupts on or off.
 *
 *   host                                sampled CPU
 *
 *   clock->pending += ticks     (H)     NMI: in_flight = 0?  not ours
 *   in_flight = 1? one is on its way            = 1?  ours       (H)
 *   send NMI                            take pending of each clock, sample
 *
 * Whose NMI is it. An NMI carries no sender, and two that meet become one. So
 * at most one of ours is on its way to a CPU at any time, and @in_flight says
 * that it is: an NMI that finds it set is claimed, takes all pending ticks,
 * and makes room for the next. That one may find nothing to do, when this one
 * had already seen what it was sent for; it is ours all the same.
 *
 * One race remains. Another's NMI that arrives between our marking and our
 * sending finds @in_flight set and does our work; ours, behind it, finds it clear.
 * That is mostly a matter of microseconds, but a hypervisor may take the host its
 * processor away just then. So the host says while it is @sending: who was served
 * then may have been another's, and one that nobody wants is ours as long as the
 * host has not sent it, and shortly after. If the sampled CPU is taken away as well,
 * for longer than that, ours is told of as unknown, unless the other was a counter's:
 * then nmi.c waits for it. To wait longer for any would swallow NMIs that nobody
 * should miss, as a served one nearly always finds its host still @sending.
 *
 * With a single CPU online there is no other to send the NMI. Then the tick
 * samples what it interrupted itself, as `timer` does, and the event says that
 * it is degraded.
 *
 * Context: ticks in hard interrupts on the host; the handlers in NMI; the rest
 * in process context under the nmi lock.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/irq_regs.h>
#include <asm/irq_vectors.h>

#include "base/gfp.h"
#include "base/params.h"
#include "clock/clock.h"
#include "pmu/nmi.h"

/* How long after one of ours an unclaimed NMI is taken for ours. */
#define LATE_US		100

/* After which an NMI that did not arrive is taken for lost, and sent again. */
#define LOST_JIFFIES	HZ

/**
 * struct nmi_clock - a clock whose ticks are NMIs
 * @clock:	timer on the host
 * @node:	in the list of the sampled CPU; RCU readers, W: nmi lock
 * @all:	in @running; nmi lock
 * @pending:	ticks that were not sampled yet; host adds, sampled CPU takes
 */
struct nmi_clock {
	struct tprof_clock	clock;
	struct list_head	node;
	struct list_head	all;
	atomic64_t		pending;
};

/**
 * struct sampled_cpu - a CPU that is sampled
 * @clocks:	that sample it; read in NMI
 * @in_flight:	an NMI of ours is on its way; hosts set, this CPU clears
 * @sending:	hosts that are about to mark and send, until they have
 * @sent:	TSC when the last one had; hosts, races are harmless
 * @is_owed:	one of ours may still come; this CPU's, in NMI
 * @sent_at:	jiffies when it was sent; hosts, races are harmless
 * @collapsed:	statistics, hosts
 */
struct sampled_cpu {
	struct list_head	clocks;
	atomic_t		in_flight;
	atomic_t		sending;
	u64			sent;
	bool			is_owed;
	unsigned long		sent_at;
	atomic64_t		collapsed;
};

static DEFINE_PER_CPU_ALIGNED(struct sampled_cpu, sampled_cpus);

/*
 * Protects who runs where. Taken with CPU hotplug locked, nests in the cpu
 * lock of cpu.c.
 */
static DEFINE_MUTEX(nmi_lock);
static LIST_HEAD(running);
static enum cpuhp_state nmi_cpuhp_state;

/* Return: false if one is under way, and not lost, which will do. */
static bool mark_in_flight(struct sampled_cpu *scpu)
{
	/* H, matches nmi_handle(): who sees it set sees what is pending. */
	return !atomic_xchg(&scpu->in_flight, 1) ||
	       !time_before(jiffies, READ_ONCE(scpu->sent_at) + LOST_JIFFIES);
}

static void send_nmi(int cpu)
{
	struct sampled_cpu *scpu = per_cpu_ptr(&sampled_cpus, cpu);

	/* H, matches nmi_handle(): who sees the mark sees that it is not sent yet. */
	atomic_inc(&scpu->sending);
	if (mark_in_flight(scpu)) {
		WRITE_ONCE(scpu->sent_at, jiffies);
		apic->send_IPI(cpu, NMI_VECTOR);
		WRITE_ONCE(scpu->sent, rdtsc());
	} else {
		atomic64_inc(&scpu->collapsed);
	}
	/* H, matches nmi_claim(): who sees nobody sending sees when it was sent. */
	smp_mb__before_atomic();
	atomic_dec(&scpu->sending);
}

static void nmi_tick(struct tprof_clock *clock, u64 ticks)
{
	struct nmi_clock *nclock =
		container_of(clock, struct nmi_clock, clock);

	if (clock->cpu == smp_processor_id()) {
		tprof_clock_sample(clock, get_irq_regs(), ticks);
	} else {
		atomic64_add(ticks, &nclock->pending);
		send_nmi(clock->cpu);
	}
}

static bool serve_clocks(struct sampled_cpu *scpu, struct pt_regs *regs)
{
	struct nmi_clock *nclock;
	bool is_served = false;
	u64 ticks;

	/* Bounded by the events of all sessions; an NMI is an RCU reader. */
	list_for_each_entry_rcu(nclock, &scpu->clocks, node) {
		ticks = atomic64_xchg(&nclock->pending, 0);
		if (!ticks)
			continue;
		tprof_clock_sample(&nclock->clock, regs, ticks);
		is_served = true;
	}
	return is_served;
}

/* One that never came, of clocks that are not there any more. */
static bool is_lost(struct sampled_cpu *scpu)
{
	return list_empty(&scpu->clocks) &&
	       !time_before(jiffies, READ_ONCE(scpu->sent_at) + LOST_JIFFIES);
}

static enum tprof_nmi_verdict nmi_handle(struct pt_regs *regs)
{
	struct sampled_cpu *scpu = this_cpu_ptr(&sampled_cpus);

	/* H, matches send_nmi(). */
	if (!atomic_read(&scpu->in_flight) ||
	    !atomic_xchg(&scpu->in_flight, 0))
		return TPROF_NMI_FOREIGN;
	if (is_lost(scpu))
		return TPROF_NMI_FOREIGN;
	if (atomic_read(&scpu->sending))
		scpu->is_owed = true;
	return serve_clocks(scpu, regs) ? TPROF_NMI_SAMPLED : TPROF_NMI_LATE;
}

/* Is one being sent, or was just now? That CPU's TSC may be a little ahead. */
static bool is_near(struct sampled_cpu *scpu, u64 now, u64 window)
{
	/* H, matches send_nmi(). */
	return atomic_read_acquire(&scpu->sending) ||
	       now - READ_ONCE(scpu->sent) + window < 2 * window;
}

static bool nmi_claim(u64 now, u64 window)
{
	struct sampled_cpu *scpu = this_cpu_ptr(&sampled_cpus);

	if (!scpu->is_owed)
		return false;
	scpu->is_owed = false;
	return is_near(scpu, now, window);
}

static const struct tprof_nmi_source nmi_source = {
	.late_us = LATE_US,
	.handle = nmi_handle,
	.claim = nmi_claim,
};

/* The online CPU before @cpu, itself if there is no other; not @leaving. */
static int host_of(int cpu, int leaving)
{
	int before = -1, last = cpu;
	int other;

	for_each_online_cpu(other) {
		if (other == leaving)
			continue;
		if (other < cpu)
			before = other;
		last = other;
	}
	return before >= 0 ? before : last;
}

static int place_clock(struct nmi_clock *nclock, int leaving)
{
	struct tprof_clock *clock = &nclock->clock;
	int host = host_of(clock->cpu, leaving);

	lockdep_assert_held(&nmi_lock);
	if (host == clock->host)
		return 0;
	tprof_debug(TPROF_TOPIC_PMU, "CPU %d is sampled from CPU %d\n",
		    clock->cpu, host);
	return clock->host < 0 ? tprof_clock_start(clock, host) :
				 tprof_clock_move(clock, host);
}

static int nmi_event_init(struct tprof_pmu_event *event)
{
	struct nmi_clock *nclocks;
	int cpu, err;

	err = tprof_clock_check(event);
	if (err)
		return err;
	nclocks = kvcalloc(nr_cpu_ids, sizeof(*nclocks), TPROF_GFP);
	if (!nclocks)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		tprof_clock_setup(&nclocks[cpu].clock, event, cpu, nmi_tick);
		INIT_LIST_HEAD(&nclocks[cpu].all);
	}
	event->priv = nclocks;
	return 0;
}

static void nmi_event_uninit(struct tprof_pmu_event *event)
{
	kvfree(event->priv);
}

static void remove_clock(struct nmi_clock *nclock)
{
	lockdep_assert_held(&nmi_lock);
	tprof_clock_stop(&nclock->clock);
	list_del_init(&nclock->all);
	list_del_rcu(&nclock->node);
}

static int nmi_start(struct tprof_pmu_event *event, int cpu)
{
	struct nmi_clock *nclocks = event->priv;
	struct nmi_clock *nclock = &nclocks[cpu];
	int err;

	mutex_lock(&nmi_lock);
	atomic64_set(&nclock->pending, 0);
	list_add_tail(&nclock->all, &running);
	list_add_tail_rcu(&nclock->node, &per_cpu_ptr(&sampled_cpus, cpu)->clocks);
	err = place_clock(nclock, -1);
	if (err)
		remove_clock(nclock);
	mutex_unlock(&nmi_lock);
	return err;
}

/*
 * An NMI that is still on its way finds no clock in the list, or one whose
 * sink is closed, and is counted as late. The core ends the session's NMIs
 * with a grace period before it starts the event again or frees it, so
 * list_add_tail_rcu() never meets a reader that is still on the old node.
 */
static void nmi_stop(struct tprof_pmu_event *event, int cpu)
{
	struct nmi_clock *nclocks = event->priv;

	mutex_lock(&nmi_lock);
	if (!list_empty(&nclocks[cpu].all))
		remove_clock(&nclocks[cpu]);
	mutex_unlock(&nmi_lock);
}

static bool nmi_is_degraded(struct tprof_pmu_event *event)
{
	return num_online_cpus() == 1;
}

static bool nmi_describe(char *text, size_t bytes)
{
	bool is_alone = num_online_cpus() == 1;

	strscpy(text,
		is_alone ? "one CPU online: samples from its timer interrupt" :
			   "clock by NMI from one CPU to the next",
		bytes);
	return is_alone;
}

static void nmi_read_stats(int cpu, struct tprof_pmu_stats *stats)
{
	struct sampled_cpu *scpu = per_cpu_ptr(&sampled_cpus, cpu);

	/* This back end is always there, so it tells of all NMIs. */
	tprof_nmi_read_stats(cpu, stats);
	stats->collapsed += atomic64_read(&scpu->collapsed);
}

static int place_clocks(int leaving)
{
	struct nmi_clock *nclock;

	mutex_lock(&nmi_lock);
	list_for_each_entry(nclock, &running, all) {
		/* Of what samples the leaving CPU, cpu.c takes care. */
		if (nclock->clock.cpu != leaving && place_clock(nclock, leaving))
			pr_warn("CPU %d is not sampled any more\n",
				nclock->clock.cpu);
	}
	mutex_unlock(&nmi_lock);
	return 0;
}

static int nmi_cpu_online(unsigned int cpu)
{
	return place_clocks(-1);
}

static int nmi_cpu_offline(unsigned int cpu)
{
	return place_clocks(cpu);
}

static const struct tprof_pmu_ops nmi_ops = {
	.version = TPROF_PMU_VERSION,
	.name = "nmi",
	.owner = THIS_MODULE,
	.flags = TPROF_LX_BACKEND_CLOCK | TPROF_LX_BACKEND_NMI,
	.min_period = TPROF_CLOCK_MIN_PERIOD,
	.max_period = TPROF_CLOCK_MAX_PERIOD,
	.describe = nmi_describe,
	.event_init = nmi_event_init,
	.event_uninit = nmi_event_uninit,
	.start = nmi_start,
	.stop = nmi_stop,
	.is_degraded = nmi_is_degraded,
	.read_stats = nmi_read_stats,
};

/**
 * tprof_pmu_nmi_init - module load
 *
 * Return: 0 or -errno.
 */
int tprof_pmu_nmi_init(void)
{
	int cpu, err;

	for_each_possible_cpu(cpu)
		INIT_LIST_HEAD(&per_cpu_ptr(&sampled_cpus, cpu)->clocks);

	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "tprof_lx/nmi",
					nmi_cpu_online, nmi_cpu_offline);
	if (err < 0)
		return err;
	nmi_cpuhp_state = err;
	err = tprof_pmu_register(&nmi_ops);
	if (err) {
		cpuhp_remove_state_nocalls(nmi_cpuhp_state);
		return err;
	}
	tprof_nmi_add(&nmi_source);
	return 0;
}

/* What was sent has arrived, or was lost: then nothing is to be waited for. */
static void wait_for_nmis(void)
{
	unsigned long end = jiffies + LOST_JIFFIES;
	int cpu;

	for_each_online_cpu(cpu) {
		while (atomic_read(&per_cpu_ptr(&sampled_cpus, cpu)->in_flight) &&
		       time_before(jiffies, end))
			usleep_range(100, 1000);
	}
}

/** tprof_pmu_nmi_uninit - module exit, when no event is left */
void tprof_pmu_nmi_uninit(void)
{
	tprof_pmu_unregister(&nmi_ops);
	cpuhp_remove_state_nocalls(nmi_cpuhp_state);
	wait_for_nmis();
}
