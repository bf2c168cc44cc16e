// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the counts of events on all CPUs
 *
 * Context: process. Lock order: see cpu.c.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/timekeeping.h>
#include <asm/msr.h>

#include "base/tsc.h"
#include "gate/gate.h"
#include "session/cpu_count.h"

static u64 runtime_until(const struct tprof_runtime *runtime, u64 now)
{
	u64 ns = runtime->total_ns;

	return runtime->runs && now > runtime->since_ns ? ns + now - runtime->since_ns : ns;
}

/* Return the same time as read_event() takes from the gate, without an interrupt of its CPU. */
static u64 now_from_afar(struct tprof_crew *crew, const struct tprof_sampler *sampler, int cpu)
{
	const struct tprof_gate *gate;

	if (!sampler->runtimes[cpu].runs || !sampler->pmu.is_gated)
		return ktime_get_ns();
	gate = per_cpu_ptr(crew->gates, cpu);
	return tprof_tsc_to_ns(tprof_pmu_open_cycles(&gate->opening, rdtsc()));
}

/**
 * tprof_cpu_ran_ns - return for how long an event has run on a CPU
 * @crew:	events of a session
 * @index:	index of an event
 * @cpu:	possible CPU
 *
 * This interrupts no CPU: any user may list events. The time may lack that since a gate has opened
 * or closed, if it does so now.
 *
 * Context: process, under the session lock and the cpu lock.
 * Return: nanoseconds; with a gate, only those for which it was open.
 */
u64 tprof_cpu_ran_ns(struct tprof_crew *crew, u32 index, int cpu)
{
	struct tprof_sampler *sampler = crew->samplers[index];
	const struct tprof_pmu_event *event = &sampler->pmu;
	u64 ns = runtime_until(&sampler->runtimes[cpu], now_from_afar(crew, sampler, cpu));

	return ns && event->cores && !event->ops->is_for(event, cpu) ? 0 : ns;
}

/* Return the count of an event on a CPU. Set @now to the time until which its runtime is. */
static u64 read_event(struct tprof_crew *crew, struct tprof_sampler *sampler, int cpu, u64 *now)
{
	struct tprof_pmu_event *event = &sampler->pmu;
	u64 value;

	if (!sampler->runtimes[cpu].runs || !event->is_gated) {
		value = event->ops->read(event, cpu);
		*now = ktime_get_ns();
		return value;
	}
	*now = tprof_gate_read(per_cpu_ptr(crew->gates, cpu), cpu, event, &value);
	return value;
}

/* Add the count and the time of an event on a CPU, on which it may not count. */
static void add_reading(struct tprof_crew *crew, struct tprof_sampler *sampler, int cpu,
			struct tprof_lx_count *count)
{
	const struct tprof_pmu_event *event = &sampler->pmu;
	u64 now, ns;

	count->value += read_event(crew, sampler, cpu, &now);
	ns = runtime_until(&sampler->runtimes[cpu], now);
	if (event->cores && !event->ops->is_for(event, cpu))
		count->missed_ns += ns;
	else
		count->ran_ns += ns;
}

/**
 * tprof_cpu_read - read the count of an event
 * @crew:	events of a session
 * @index:	index of an event with a counting back end
 * @count:	argument of the ioctl; its results are filled in
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_cpu_read(struct tprof_crew *crew, u32 index,
		    struct tprof_lx_count *count)
{
	struct tprof_sampler *sampler = crew->samplers[index];
	struct tprof_pmu_event *event = &sampler->pmu;
	struct tprof_pmu_yields yields = {};
	int cpu;

	count->value = 0;
	count->ran_ns = 0;
	count->missed_ns = 0;
	tprof_cpu_lock();
	for_each_possible_cpu(cpu) {
		if (count->cpu != TPROF_LX_SUM && count->cpu != cpu)
			continue;
		add_reading(crew, sampler, cpu, count);
		/* After the back end has read the count, and perhaps found another program. */
		if (event->ops->add_yields)
			event->ops->add_yields(event, cpu, &yields);
	}
	tprof_cpu_unlock();
	count->yields = yields.nr;
}

static bool is_behind_gate(struct tprof_crew *crew, int cpu, u32 index)
{
	return crew->gates && per_cpu_ptr(crew->gates, cpu)->mask & BIT(index);
}

/**
 * tprof_cpu_settle - bring the counts of an event by thread up to date
 * @crew:	events of a session
 * @tally:	counts by thread
 * @index:	index of an event with counts by thread
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_cpu_settle(struct tprof_crew *crew, struct tprof_tally *tally, u32 index)
{
	struct tprof_pmu_event *event = &crew->samplers[index]->pmu;
	int cpu;

	tprof_cpu_lock();
	for_each_possible_cpu(cpu) {
		if (is_behind_gate(crew, cpu, index))
			tprof_gate_settle(per_cpu_ptr(crew->gates, cpu), cpu);
		else
			tprof_tally_adjust(tally, cpu, index, event->ops->read(event, cpu));
	}
	tprof_cpu_unlock();
}

/**
 * tprof_cpu_write - set the count of an event
 * @crew:	events of a session
 * @index:	index of an event with a counting back end, not running
 * @count:	argument of the ioctl
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_cpu_write(struct tprof_crew *crew, u32 index,
		     const struct tprof_lx_count *count)
{
	struct tprof_pmu_event *event = &crew->samplers[index]->pmu;
	bool is_sum = count->cpu == TPROF_LX_SUM;
	u32 target = is_sum ? cpumask_first(crew->cpus) : count->cpu;
	int cpu;

	tprof_cpu_lock();
	for_each_possible_cpu(cpu) {
		if (cpu == target)
			event->ops->write(event, cpu, count->value);
		else if (is_sum)
			event->ops->write(event, cpu, 0);
	}
	tprof_cpu_unlock();
}
