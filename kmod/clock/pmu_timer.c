// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back end `timer`: an hrtimer in hard interrupt context
 *
 * It works on any machine. Code that runs with interrupts off is not sampled until it
 * enables them again, as with every profiler that relies on interrupts.
 *
 * Context: ticks in hard interrupts on the sampled CPU; everything else in
 * process context.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/irq_regs.h>

#include "base/gfp.h"
#include "clock/clock.h"
#include "clock/gated.h"
#include "pmu/overflow.h"

/*
 * Do the same as tprof_clock_sample(), in few steps for a common sample of one tick. If the
 * event has a gate, it is the gate of this CPU, and interrupts are off. So the gate is still
 * open, as tprof_clock_take_due() has found.
 */
static void timer_tick(struct tprof_clock *clock, u64 ticks)
{
	struct tprof_pmu_event *event = clock->event;
	struct pt_regs *regs = get_irq_regs();

	if (likely(READ_ONCE(event->is_common) && ticks == 1 && !clock->missed && regs))
		tprof_sample_take_common_outside_nmi(event, regs, event->period);
	else
		tprof_clock_sample(clock, regs, ticks);
}

/* For each possible CPU and event: Documentation/calls.md. */
static_assert(sizeof(struct tprof_clock) <= 168 + sizeof(struct hrtimer));

static int timer_event_init(struct tprof_pmu_event *event)
{
	struct tprof_clock *clocks;
	int cpu, err;

	err = tprof_clock_check(event);
	if (err)
		return err;
	clocks = kvcalloc(nr_cpu_ids, sizeof(*clocks), TPROF_GFP);
	if (!clocks)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		tprof_clock_setup(&clocks[cpu], event, cpu, timer_tick);
	event->priv = clocks;
	return 0;
}

static void timer_event_uninit(struct tprof_pmu_event *event)
{
	kvfree(event->priv);
}

static int timer_start(struct tprof_pmu_event *event, int cpu)
{
	struct tprof_clock *clocks = event->priv;

	if (!event->openings)
		return tprof_clock_start(&clocks[cpu], cpu);
	tprof_gated_start(&clocks[cpu]);
	return 0;
}

static void timer_stop(struct tprof_pmu_event *event, int cpu)
{
	struct tprof_clock *clocks = event->priv;

	if (event->openings)
		tprof_gated_stop(&clocks[cpu]);
	else
		tprof_clock_stop(&clocks[cpu]);
}

static void timer_join(struct tprof_pmu_gate *gate, struct tprof_pmu_member *member, int cpu)
{
	struct tprof_clock *clocks = member->event->priv;

	member->here = &clocks[cpu];
}

static void timer_stall(const struct tprof_pmu_event *event, bool is_stalled)
{
	struct tprof_clock *clocks = event->priv;

	tprof_clock_stall(&clocks[smp_processor_id()], is_stalled);
}

static bool timer_describe(char *text, size_t bytes)
{
	strscpy(text, "clock in the timer interrupt of each CPU", bytes);
	return false;
}

static const struct tprof_pmu_ops timer_ops = {
	.version = TPROF_PMU_VERSION,
	.name = "timer",
	.owner = THIS_MODULE,
	.flags = TPROF_LX_BACKEND_CLOCK,
	.min_period = TPROF_CLOCK_MIN_PERIOD,
	.max_period = TPROF_CLOCK_MAX_PERIOD,
	.describe = timer_describe,
	.event_init = timer_event_init,
	.event_uninit = timer_event_uninit,
	.start = timer_start,
	.stop = timer_stop,
	.join = timer_join,
	.gate = tprof_gated_swing,
	.stall = timer_stall,
};

/**
 * tprof_pmu_timer_init - register the back end `timer`, at module load
 *
 * Return: 0 or -errno.
 */
int tprof_pmu_timer_init(void)
{
	return tprof_pmu_register(&timer_ops);
}

/** tprof_pmu_timer_uninit - unregister the back end `timer`, at module exit */
void tprof_pmu_timer_uninit(void)
{
	tprof_pmu_unregister(&timer_ops);
}
