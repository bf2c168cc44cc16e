// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back end `nmi`: a clock that needs no PMU and sees all code
 *
 * The timer that samples a CPU runs on another CPU, here called its host, which
 * sends an NMI. The host is the online CPU with the next lower number; for the first
 * CPU it is the last one. The two CPUs are not in step, so the NMI interrupts
 * arbitrary code, with interrupts on or off.
 *
 *   host                                sampled CPU
 *
 *   clock->pending += ticks     (H)     NMI: in_flight == 0? not ours
 *   in_flight == 1? one is on its way        in_flight == 1? ours     (H)
 *   in_flight = 1, send NMI                  in_flight = 0
 *                                            sample what is pending
 *
 * An NMI is ours if this back end sent it. But an NMI names no sender, and two NMIs
 * that are pending at once are merged into one. So the host sets the mark
 * @in_flight before it sends an NMI to a CPU. While the mark is set, no host sends
 * a second NMI until LOST_JIFFIES after the first. An NMI that finds the mark is
 * claimed as ours. It clears the mark and takes all pending ticks. From then on, a
 * host may send a second NMI. If the first NMI takes the ticks of the second, the
 * second finds the mark but no ticks. It is claimed all the same.
 *
 * One race remains. A foreign NMI may come after the host has set the mark and
 * before it has sent our NMI. The foreign NMI finds the mark and does our work.
 * Then our NMI comes and finds no mark. Mostly it comes microseconds later, but
 * a hypervisor may deschedule the host just before it sends. So @sending counts
 * the hosts that are sending. An NMI that is served while @sending is not 0 may
 * have been foreign. So the next unknown NMI is claimed if it comes while
 * @sending is not 0, or within LATE_US of the sending.
 *
 * If the hypervisor also deschedules the sampled CPU for longer than LATE_US,
 * this back end does not claim our NMI. If the foreign NMI came from a counter
 * of this module, nmi.c claims ours. Otherwise the kernel reports it as
 * unknown. LATE_US must not be longer: almost every served NMI finds its host
 * still @sending, so a longer window would claim more foreign NMIs.
 *
 * The mark can stay set after the last clock of a CPU has stopped: the NMI may
 * be lost, or a hypervisor may deschedule the CPU while the NMI is on its way.
 * If a CPU without a clock still has the mark LOST_JIFFIES after the sending,
 * an NMI that finds the mark may have another owner. So such an NMI is claimed
 * only if it is unknown, and then clears the mark.
 *
 * With one CPU online there is no host to send an NMI. Then each tick samples
 * the code that the timer has interrupted, as `timer` does, and the event
 * reports that it is degraded.
 *
 * An event of processes that samples user mode only, or that has a user without privileges, needs
 * no host either: see is_gated().
 *
 * Context: ticks run in hard interrupts on the host; the handlers in NMI;
 * everything else in process context.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/find.h>
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
#include "clock/gated.h"
#include "pmu/nmi.h"

/* Time after an NMI of ours in which an unknown NMI is claimed, in microseconds. */
#define LATE_US		100

/*
 * An NMI that has not come after this time counts as lost, and another NMI is
 * sent.
 */
#define LOST_JIFFIES	HZ

/**
 * struct nmi_clock - a clock that sends an NMI at each tick
 * @clock:	timer on the host
 * @node:	entry in @clocks of the sampled CPU; changed under the nmi lock, read
 *		under RCU
 * @all:	entry in @running; under the nmi lock
 * @pending:	number of ticks not sampled yet; the host increases it, the
 *		sampled CPU sets it to 0
 */
struct nmi_clock {
	struct tprof_clock	clock;
	struct list_head	node;
	struct list_head	all;
	atomic64_t		pending;
};

/**
 * struct sampled_cpu - a CPU that is sampled
 * @clocks:	clocks that sample it; its NMI walks the list
 * @in_flight:	an NMI of ours is on its way; hosts set it, this CPU clears it
 * @sending:	number of hosts inside of send_nmi() for this CPU
 * @sent:	TSC just after the last NMI was sent; hosts write it, races are
 *		harmless
 * @is_owed:	an NMI of ours may still come although its work is done; accessed by
 *		this CPU only, in NMI
 * @sent_at:	jiffies just before the last NMI was sent; hosts write it, races are
 *		harmless
 * @collapsed:	number of NMIs not sent because another was on its way
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
 * Protects @running, the clocks of each CPU and each clock's host. Taken with
 * CPU hotplug locked, inside the cpu lock of cpu.c.
 */
static DEFINE_MUTEX(nmi_lock);
static LIST_HEAD(running);
static enum cpuhp_state nmi_cpuhp_state;

/*
 * Set @in_flight. Return true if the caller must send an NMI, because none is on its
 * way or the last one counts as lost.
 */
static bool mark_in_flight(struct sampled_cpu *scpu)
{
	/*
	 * Barrier H, pairs with nmi_handle(): an NMI that sees the mark sees the
	 * pending ticks and @sending.
	 */
	return !atomic_xchg(&scpu->in_flight, 1) ||
	       !time_before(jiffies, READ_ONCE(scpu->sent_at) + LOST_JIFFIES);
}

static void send_nmi(int cpu)
{
	struct sampled_cpu *scpu = per_cpu_ptr(&sampled_cpus, cpu);

	/* Increment @sending before setting the mark: barrier H in mark_in_flight(). */
	atomic_inc(&scpu->sending);
	if (mark_in_flight(scpu)) {
		WRITE_ONCE(scpu->sent_at, jiffies);
		apic->send_IPI(cpu, NMI_VECTOR);
		WRITE_ONCE(scpu->sent, rdtsc());
	} else {
		atomic64_inc(&scpu->collapsed);
	}
	/* Barrier H, pairs with is_near(): an NMI that sees @sending at 0 sees @sent. */
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

	/*
	 * The loop is bounded: the list has at most one clock for each event of each
	 * session. No lock is needed, because an NMI handler is an RCU reader.
	 */
	list_for_each_entry_rcu(nclock, &scpu->clocks, node) {
		ticks = atomic64_xchg(&nclock->pending, 0);
		if (!ticks)
			continue;
		tprof_clock_sample_from_host(&nclock->clock, regs, ticks);
		is_served = true;
	}
	return is_served;
}

/*
 * Return true if the CPU has no clock left, and the last NMI was sent at least
 * LOST_JIFFIES ago. If @in_flight is still set, that NMI counts as lost.
 */
static bool is_lost(struct sampled_cpu *scpu)
{
	return list_empty(&scpu->clocks) &&
	       !time_before(jiffies, READ_ONCE(scpu->sent_at) + LOST_JIFFIES);
}

static enum tprof_nmi_verdict nmi_handle(struct pt_regs *regs)
{
	struct sampled_cpu *scpu = this_cpu_ptr(&sampled_cpus);

	/*
	 * If the NMI for which @in_flight is set counts as lost, the present
	 * NMI may have another owner: nmi_claim() claims it only if it is
	 * unknown.
	 */
	if (!atomic_read(&scpu->in_flight) || is_lost(scpu))
		return TPROF_NMI_FOREIGN;
	/* Barrier H, pairs with mark_in_flight(). */
	if (!atomic_xchg(&scpu->in_flight, 0))
		return TPROF_NMI_FOREIGN;
	if (atomic_read(&scpu->sending))
		scpu->is_owed = true;
	return serve_clocks(scpu, regs) ? TPROF_NMI_SAMPLED : TPROF_NMI_LATE;
}

/*
 * Return true if an NMI of ours is being sent, or if @sent is at most @window
 * away from @now. @sent may be later than @now, because the host's TSC may be a
 * little ahead of this CPU's.
 */
static bool is_near(struct sampled_cpu *scpu, u64 now, u64 window)
{
	/* Barrier H, pairs with send_nmi(). */
	return atomic_read_acquire(&scpu->sending) ||
	       now - READ_ONCE(scpu->sent) + window < 2 * window;
}

static bool nmi_claim(u64 now, u64 window)
{
	struct sampled_cpu *scpu = this_cpu_ptr(&sampled_cpus);

	if (atomic_read(&scpu->in_flight) && is_lost(scpu)) {
		/*
		 * A clock that has just started may have sent another NMI.
		 * Setting @is_owed lets that NMI be claimed, too.
		 */
		scpu->is_owed = true;
		atomic_set(&scpu->in_flight, 0);
		return true;
	}
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

/*
 * Return the last online CPU below @end, or -1. @leaving is a CPU that is going offline and is
 * skipped, or -1.
 */
static int last_below(unsigned int end, int leaving)
{
	const unsigned long *online = cpumask_bits(cpu_online_mask);
	unsigned int cpu = find_last_bit(online, end);

	if (cpu == leaving) {
		end = cpu;
		cpu = find_last_bit(online, end);
	}
	return cpu < end ? cpu : -1;
}

/* Return the online CPU before @cpu. If @cpu is the first, return the last, which may be @cpu. */
static int host_of(int cpu, int leaving)
{
	int before = last_below(cpu, leaving);

	return before >= 0 ? before : last_below(nr_cpu_ids, leaving);
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

/* For each possible CPU and event: Documentation/calls.md. */
static_assert(sizeof(struct nmi_clock) <= 208 + sizeof(struct hrtimer));

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

/*
 * Unwatch @cpu if it has no clock left, because then no host sends it an NMI.
 * If an NMI is still on its way, nmi_handle() must be called for it. So @cpu
 * then stays watched until its next clock stops.
 */
static void unwatch_if_unused(int cpu)
{
	struct sampled_cpu *scpu = per_cpu_ptr(&sampled_cpus, cpu);

	lockdep_assert_held(&nmi_lock);
	if (list_empty(&scpu->clocks) && !atomic_read(&scpu->in_flight))
		tprof_nmi_unwatch(&nmi_source, cpu);
}

static void remove_clock(struct nmi_clock *nclock)
{
	lockdep_assert_held(&nmi_lock);
	tprof_clock_stop(&nclock->clock);
	list_del_init(&nclock->all);
	list_del_rcu(&nclock->node);
	unwatch_if_unused(nclock->clock.cpu);
}

/*
 * Return true if the event has gated clocks. While user mode runs, interrupts are on. So if
 * an event samples user mode only, the timer of the CPU itself finds the same code as an NMI.
 * In a session without privileges, the event has them even if it samples the kernel. It then
 * finds no code that runs with interrupts off, but takes no time of CPUs without a target.
 */
static bool is_gated(const struct tprof_pmu_event *event)
{
	return event->openings && (event->attr->exclude_kernel || event->is_confined);
}

static int nmi_start(struct tprof_pmu_event *event, int cpu)
{
	struct nmi_clock *nclocks = event->priv;
	struct nmi_clock *nclock = &nclocks[cpu];
	int err;

	if (is_gated(event)) {
		tprof_gated_start(&nclock->clock);
		return 0;
	}
	mutex_lock(&nmi_lock);
	tprof_nmi_watch(&nmi_source, cpu);
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
 * Stop a clock. An NMI that comes later does not find the clock in the list, but a
 * handler that is walking the list now may still use @node. So the session waits
 * for a grace period before it starts the event again, which adds @node to the
 * list, and before it frees the event.
 */
static void nmi_stop(struct tprof_pmu_event *event, int cpu)
{
	struct nmi_clock *nclocks = event->priv;

	if (is_gated(event)) {
		tprof_gated_stop(&nclocks[cpu].clock);
		return;
	}
	mutex_lock(&nmi_lock);
	if (!list_empty(&nclocks[cpu].all))
		remove_clock(&nclocks[cpu]);
	mutex_unlock(&nmi_lock);
}

static void nmi_join(struct tprof_pmu_gate *gate, struct tprof_pmu_member *member, int cpu)
{
	struct nmi_clock *nclocks = member->event->priv;

	member->here = is_gated(member->event) ? &nclocks[cpu].clock : NULL;
}

static bool nmi_is_degraded(struct tprof_pmu_event *event)
{
	return is_gated(event) ? !event->attr->exclude_kernel : num_online_cpus() == 1;
}

static void nmi_stall(const struct tprof_pmu_event *event, bool is_stalled)
{
	struct nmi_clock *nclocks = event->priv;

	tprof_clock_stall(&nclocks[smp_processor_id()].clock, is_stalled);
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

	/* Report the NMIs of all sources here, as this back end is always registered. */
	tprof_nmi_read_stats(cpu, stats);
	stats->collapsed += atomic64_read(&scpu->collapsed);
}

static int place_clocks(int leaving)
{
	struct nmi_clock *nclock;

	mutex_lock(&nmi_lock);
	list_for_each_entry(nclock, &running, all) {
		/* cpu.c stops the clocks that sample the CPU going offline. */
		if (nclock->clock.cpu != leaving && place_clock(nclock, leaving))
			pr_warn("CPU %d is no longer sampled\n",
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
	.join = nmi_join,
	.gate = tprof_gated_swing,
	.stall = nmi_stall,
	.is_degraded = nmi_is_degraded,
	.read_stats = nmi_read_stats,
};

/**
 * tprof_pmu_nmi_init - register the back end `nmi`, at module load
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

/* Wait until every NMI that was sent has come or counts as lost. */
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

/** tprof_pmu_nmi_uninit - unregister the back end `nmi` after the last event */
void tprof_pmu_nmi_uninit(void)
{
	tprof_pmu_unregister(&nmi_ops);
	cpuhp_remove_state_nocalls(nmi_cpuhp_state);
	wait_for_nmis();
}
