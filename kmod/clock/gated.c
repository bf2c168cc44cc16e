// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - gated clocks: clocks that stand still while the gate of their event is closed
 *
 * A gated clock samples the CPU on which its timer runs. All gated clocks of a CPU share one
 * timer, which expires when the first of those that are open is due. A clock is due when its
 * gate has been open for a period since its last sample. So a gate that opens starts the
 * timer only if no clock is due before, whatever the number of its clocks.
 *
 * A gate that closes does not stop the timer: that would take longer than the rest of its
 * work, at each switch from a target. So the timer may expire once after all gates have
 * closed. That tick finds nothing open, and the timer then stands still until a gate opens.
 *
 * A tick ends with a rest, as rest.h defines it. In sessions without CAP_SYS_ADMIN, the time
 * of a tick includes the estimate of cost.h for the entry to its interrupt and the exit from it.
 *
 * Context: tprof_gated_swing() with interrupts off and locks of the scheduler held; ticks in
 * hard interrupts, on PREEMPT_RT kernels too; all others in process context.
 */
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "base/mono.h"
#include "base/tsc.h"
#include "clock/gated.h"
#include "clock/rest.h"

/* @expires of a timer that does not run. */
#define NEVER	U64_MAX

/**
 * struct gated_cpu - the gated clocks of a CPU
 * @timer:	expires at @expires
 * @expires:	CLOCK_MONOTONIC, or NEVER
 * @open:	clocks of gates that are open
 * @nr_started:	number of clocks that run, open or not; under the cpu lock of cpu.c
 *
 * While a clock runs, all but @nr_started are changed only on the CPU, with interrupts off.
 */
struct gated_cpu {
	struct hrtimer		timer;
	u64			expires;
	struct hlist_head	open;
	unsigned int		nr_started;
};

static DEFINE_PER_CPU(struct gated_cpu, gated_cpus);

/* Set @due, if the gate has been open for @open cycles of the TSC at the time @now. */
static __always_inline void set_due(struct tprof_clock *clock, u64 open, u64 now)
{
	s64 left = clock->sampled + clock->open_period - open;
	u64 due = left > 0 ? now + tprof_tsc_to_ns(left) : now;

	clock->due = max(due, clock->rests_until);
}

static noinline void rest_gated(struct tprof_clock *clock, u64 now, u64 spent_ns)
{
	u64 rests_until = now + tprof_clock_rest_ns(clock, spent_ns);

	if (rests_until <= clock->due)
		return;
	clock->rests_until = rests_until;
	clock->due = rests_until;
	/* For tprof_clock_note_late(): the next tick is the first one after a rest. */
	clock->skipped = 1;
}

/*
 * Take the samples of a clock that is due at the time @now. Entry and exit of the interrupt take
 * @around_ns.
 */
static __always_inline void tick_clock(struct tprof_clock *clock, u64 now, u64 around_ns)
{
	u64 begin = rdtsc(), late = now - clock->due, ticks, spent, spent_ns;
	tprof_clock_tick_t tick;

	tprof_clock_note_late(clock, late, late >= clock->event->period);
	clock->skipped = 0;
	ticks = tprof_clock_take_due(clock, begin);
	if (likely(ticks)) {
		tick = READ_ONCE(clock->tick);
		tick(clock, ticks);
	}
	set_due(clock, tprof_pmu_open_cycles(clock->opening, begin), now);
	/*
	 * The number of clocks is at least the n of the rest, and @cycle_ns is rounded up. So
	 * this usually shows that no rest is needed.
	 */
	spent = rdtsc() - begin;
	tprof_cost_spend(&clock->event->cost, spent, 1);
	spent_ns = spent * clock->cycle_ns;
	if (clock->event->is_bounded)
		spent_ns += around_ns;
	spent_ns = max(spent_ns, clock->overdue);
	if (unlikely(spent_ns * TPROF_CLOCK_COST_SHARE * tprof_clock_nr(clock->cpu) >
		     clock->due - now))
		rest_gated(clock, now, spent_ns);
}

static enum hrtimer_restart gated_tick(struct hrtimer *timer)
{
	struct gated_cpu *gcpu = container_of(timer, struct gated_cpu, timer);
	u64 now = tprof_mono_ns(), next = NEVER, around_ns;
	struct tprof_clock *clock;

	tprof_cost_note_entry(now - gcpu->expires);
	around_ns = tprof_cost_around_ns(smp_processor_id());
	/* The loop is bounded: the list has at most one clock for each event of each session. */
	hlist_for_each_entry(clock, &gcpu->open, node) {
		if (clock->due <= now)
			tick_clock(clock, now, around_ns);
		next = min(next, clock->due);
	}
	gcpu->expires = next;
	if (next == NEVER)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(next));
	return HRTIMER_RESTART;
}

/**
 * tprof_gated_start - start a clock, with its gate closed
 * @clock:	clock that does not run; its event has a gate
 *
 * Context: process, CPU hotplug locked, under the cpu lock.
 */
void tprof_gated_start(struct tprof_clock *clock)
{
	struct gated_cpu *gcpu = per_cpu_ptr(&gated_cpus, clock->cpu);

	tprof_clock_begin(clock);
	clock->hz = NSEC_PER_SEC / tprof_clock_countable_period(clock);
	clock->rests_until = 0;
	clock->host = clock->cpu;
	if (gcpu->nr_started++)
		return;
	hrtimer_setup(&gcpu->timer, gated_tick, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	gcpu->expires = NEVER;
}

/**
 * tprof_gated_stop - stop a clock
 * @clock:	clock that is behind no gate any more, or that does not run
 *
 * The last clock of a CPU stops the timer. So no timer is left when the CPU goes offline, or
 * when the module is unloaded.
 *
 * Context: process, CPU hotplug locked, under the cpu lock.
 */
void tprof_gated_stop(struct tprof_clock *clock)
{
	struct gated_cpu *gcpu = per_cpu_ptr(&gated_cpus, clock->cpu);

	if (clock->host < 0)
		return;
	clock->host = -1;
	if (!--gcpu->nr_started)
		hrtimer_cancel(&gcpu->timer);
}

static __always_inline void open_clock(struct gated_cpu *gcpu, struct tprof_clock *clock)
{
	const struct tprof_pmu_opening *opening = clock->opening;

	set_due(clock, opening->open_tsc, tprof_mono_ns_at(opening->since_tsc));
	hlist_add_head(&clock->node, &gcpu->open);
	if (clock->due >= gcpu->expires)
		return;
	gcpu->expires = clock->due;
	hrtimer_start(&gcpu->timer, ns_to_ktime(clock->due), HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * tprof_gated_swing - open or close the gate of gated clocks
 * @gate:	the clocks; @here of a member is NULL if its clock is not gated
 * @is_open:	the gate is now open
 *
 * Context: interrupts off, on the CPU, locks of the scheduler held.
 */
void tprof_gated_swing(const struct tprof_pmu_gate *gate, bool is_open)
{
	struct tprof_clock_demand *demand = this_cpu_ptr(&tprof_clock_demands);
	struct gated_cpu *gcpu = this_cpu_ptr(&gated_cpus);
	unsigned int nr = demand->nr_open;
	u64 hz = demand->hz_open;
	struct tprof_clock *clock;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		clock = gate->members[i].here;
		if (!clock)
			continue;
		if (is_open) {
			open_clock(gcpu, clock);
			nr++;
			hz += clock->hz;
		} else {
			hlist_del(&clock->node);
			nr--;
			hz -= clock->hz;
		}
	}
	WRITE_ONCE(demand->nr_open, nr);
	WRITE_ONCE(demand->hz_open, hz);
}
