// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which events run on which CPUs, across CPU hotplug
 *
 * An event is started on every online CPU of its session's set. A CPU that comes online
 * gets a lane (its ring and counts) and the running events. A CPU that goes offline
 * loses the events but keeps its lane, so that the records in it can be read.
 *
 * Context: process. Lock order: CPU hotplug lock, cpu lock, locks of the back end.
 */
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mutex.h>
#include <linux/timekeeping.h>

#include "base/meeting.h"
#include "base/params.h"
#include "sample/sample_stall.h"
#include "session/cpu.h"
#include "session/cpu_rings.h"
#include "stream/stream.h"

/*
 * The cpu lock protects @crews, which events run on which CPUs, their runtimes,
 * and the creation of lanes. It is taken inside the CPU hotplug lock, which
 * hotplug callbacks hold.
 */
static DEFINE_MUTEX(cpu_lock);
static LIST_HEAD(crews);
static enum cpuhp_state prepare_state, online_state;

/**
 * tprof_cpu_lock - lock CPU hotplug, and take the cpu lock
 *
 * Context: process, may sleep.
 */
void tprof_cpu_lock(void)
{
	cpus_read_lock();
	mutex_lock(&cpu_lock);
}

/** tprof_cpu_unlock - undo tprof_cpu_lock() */
void tprof_cpu_unlock(void)
{
	mutex_unlock(&cpu_lock);
	cpus_read_unlock();
}

static void begin_runtime(struct tprof_runtime *runtime, u64 now)
{
	runtime->since_ns = now;
	runtime->runs = true;
}

static void end_runtime(struct tprof_runtime *runtime, u64 now)
{
	if (runtime->runs)
		runtime->total_ns += now - runtime->since_ns;
	runtime->runs = false;
}

/* Return those events of @mask that run on @cpu. */
static u32 events_of_cpu(const struct tprof_crew *crew, int cpu, u32 mask)
{
	unsigned long bits = mask;
	u32 i;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		if (!tprof_sampler_has_cpu(crew->samplers[i], cpu))
			mask &= ~BIT(i);
	}
	return mask;
}

static u32 gated_events(const struct tprof_crew *crew, u32 mask)
{
	unsigned long bits = mask;
	u32 i, gated = 0;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		if (crew->samplers[i]->pmu.is_gated)
			gated |= BIT(i);
	}
	return gated;
}

/*
 * Put the gated events of @mask behind the gate of @cpu. All events of @mask
 * run there.
 */
static void join_gate(struct tprof_crew *crew, int cpu, u32 mask)
{
	unsigned long bits = gated_events(crew, events_of_cpu(crew, cpu, mask));
	struct tprof_gate *gate;
	u64 now;
	u32 i;

	if (!bits)
		return;
	gate = per_cpu_ptr(crew->gates, cpu);
	now = tprof_gate_change(gate, cpu, crew->samplers, gate->mask | bits);
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS)
		begin_runtime(&crew->samplers[i]->runtimes[cpu], now);
}

/*
 * Take the gated events of @mask from behind the gate of @cpu, before they are
 * stopped. An event that could not be started when the CPU came online is not
 * behind the gate.
 */
static void leave_gate(struct tprof_crew *crew, int cpu, u32 mask)
{
	unsigned long bits = gated_events(crew, events_of_cpu(crew, cpu, mask));
	struct tprof_gate *gate;
	u64 now;
	u32 i;

	if (!bits)
		return;
	gate = per_cpu_ptr(crew->gates, cpu);
	if (!(gate->mask & bits))
		return;
	now = tprof_gate_change(gate, cpu, crew->samplers, gate->mask & ~bits);
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS)
		end_runtime(&crew->samplers[i]->runtimes[cpu], now);
}

/* Let the events begin or end that were started or stopped on @cpu. */
static int commit_events(struct tprof_crew *crew, int cpu, unsigned long bits)
{
	const struct tprof_pmu_ops *ops;
	int err = 0;
	u32 i;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		ops = crew->samplers[i]->pmu.ops;
		if (ops->commit)
			err = ops->commit(cpu) ?: err;
	}
	return err;
}

static void stop_on_cpu(struct tprof_crew *crew, int cpu, u32 mask)
{
	unsigned long bits = events_of_cpu(crew, cpu, mask);
	struct tprof_pmu_event *event;
	u64 now;
	u32 i;

	lockdep_assert_held(&cpu_lock);
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		event = &crew->samplers[i]->pmu;
		event->ops->stop(event, cpu);
	}
	commit_events(crew, cpu, bits);
	now = ktime_get_ns();
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		if (!crew->samplers[i]->pmu.is_gated)
			end_runtime(&crew->samplers[i]->runtimes[cpu], now);
	}
}

static void begin_runtimes(struct tprof_crew *crew, int cpu, unsigned long bits)
{
	u64 now = ktime_get_ns();
	u32 i;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		if (!crew->samplers[i]->pmu.is_gated)
			begin_runtime(&crew->samplers[i]->runtimes[cpu], now);
	}
}

/* Start all events or none. */
static int start_on_cpu(struct tprof_crew *crew, int cpu, u32 mask)
{
	unsigned long bits = events_of_cpu(crew, cpu, mask);
	struct tprof_pmu_event *event;
	int err = 0;
	u32 i;

	lockdep_assert_held(&cpu_lock);
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		event = &crew->samplers[i]->pmu;
		err = event->ops->start(event, cpu);
		if (err) {
			mask &= BIT(i) - 1;
			break;
		}
	}
	err = err ?: commit_events(crew, cpu, bits);
	if (err)
		stop_on_cpu(crew, cpu, mask);
	else
		begin_runtimes(crew, cpu, bits);
	return err;
}

static void stop_everywhere(struct tprof_crew *crew, u32 mask, int end)
{
	int cpu;

	for_each_cpu_and(cpu, crew->cpus, cpu_online_mask) {
		if (cpu >= end)
			break;
		stop_on_cpu(crew, cpu, mask);
	}
}

/*
 * Join the gates when the events have started on all CPUs. So gated events
 * begin to count at about the same time on all CPUs, and count nothing if START
 * fails.
 */
static int start_everywhere(struct tprof_crew *crew, u32 mask)
{
	int cpu, err;

	for_each_cpu_and(cpu, crew->cpus, cpu_online_mask) {
		err = start_on_cpu(crew, cpu, mask);
		if (err) {
			stop_everywhere(crew, mask, cpu);
			return err;
		}
	}
	for_each_cpu_and(cpu, crew->cpus, cpu_online_mask)
		join_gate(crew, cpu, mask);
	return 0;
}

/**
 * tprof_cpu_prepare - give all online CPUs a lane
 * @crew:	events of a session, none running, after tprof_cpu_choose_rings()
 *
 * CPUs outside the session's set get a lane too, because each CPU writes the side-band
 * records of the tasks that run on it.
 *
 * Context: process, may sleep, under the session lock.
 * Return: 0, -ENOMEM or -ENOBUFS.
 */
int tprof_cpu_prepare(struct tprof_crew *crew)
{
	int cpu, err = 0;

	tprof_cpu_lock();
	for_each_online_cpu(cpu) {
		err = tprof_stream_add_lane(crew->stream, cpu,
					    tprof_cpu_ring_bytes(crew, cpu));
		if (err)
			break;
	}
	/* From now on, each CPU that comes online gets a lane for this session. */
	if (!err && list_empty(&crew->node))
		list_add_tail(&crew->node, &crews);
	tprof_cpu_unlock();
	return err;
}

/**
 * tprof_cpu_release - undo tprof_cpu_prepare()
 * @crew:	events of a session, none running
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_cpu_release(struct tprof_crew *crew)
{
	mutex_lock(&cpu_lock);
	list_del_init(&crew->node);
	mutex_unlock(&cpu_lock);
}

/**
 * tprof_cpu_start - start events
 * @crew:	events of a session, prepared
 * @mask:	events to start, none running
 *
 * Context: process, may sleep, under the session lock.
 * Return: 0 if all of them run, else -errno, and none runs.
 */
int tprof_cpu_start(struct tprof_crew *crew, u32 mask)
{
	int err;

	tprof_cpu_lock();
	err = start_everywhere(crew, mask);
	if (!err)
		crew->running |= mask;
	tprof_cpu_unlock();
	return err;
}

/**
 * tprof_cpu_stop - stop events
 * @crew:	events of a session
 * @mask:	events to stop; all of them must be running
 *
 * After the return, no overflow of these events begins, but one that began before may
 * still be running.
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_cpu_stop(struct tprof_crew *crew, u32 mask)
{
	int cpu;

	tprof_cpu_lock();
	for_each_cpu_and(cpu, crew->cpus, cpu_online_mask)
		leave_gate(crew, cpu, mask);
	stop_everywhere(crew, mask, nr_cpu_ids);
	crew->running &= ~mask;
	tprof_cpu_unlock();
}

/**
 * tprof_cpu_collides - report whether running events may not get targets
 * @crew:	events of a session
 * @tasks:	tasks that are to become targets
 *
 * Context: process, may sleep, CPU hotplug locked, under the session lock.
 * Return: true if one of the events shares a counter with an event that has one of @tasks
 * among its members.
 */
bool tprof_cpu_collides(struct tprof_crew *crew, const struct tprof_tasks *tasks)
{
	unsigned long bits = crew->running;
	struct tprof_pmu_event *event;
	bool collides = false;
	u32 i;

	mutex_lock(&cpu_lock);
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		event = &crew->samplers[i]->pmu;
		collides |= event->ops->collides && event->ops->collides(event, tasks);
	}
	mutex_unlock(&cpu_lock);
	return collides;
}

/*
 * End the stalls of events that were stopped on @cpu. A CPU that could not get a lane when it
 * came online has no stalls.
 */
static void end_stalls(struct tprof_crew *crew, int cpu, u32 mask)
{
	struct tprof_lane *lane = crew->stream->lanes[cpu];

	lockdep_assert_held(&cpu_lock);
	if (lane)
		tprof_sample_end_stalls(crew->samplers, lane, mask, false);
}

/**
 * tprof_cpu_resume - let the stalled events of a CPU go on
 * @crew:	events of a session
 * @lane:	lane of the CPU; its ring has room again
 *
 * If the events were stopped meanwhile, or the CPU went offline, they do not go on: neither
 * happens under the cpu lock. CONFIG or the last close(2) may be waiting for the worker, to
 * free the lane.
 *
 * Context: the worker, without other locks.
 */
void tprof_cpu_resume(struct tprof_crew *crew, struct tprof_lane *lane)
{
	tprof_cpu_lock();
	tprof_sample_end_stalls(crew->samplers, lane, crew->running, true);
	tprof_cpu_unlock();
}

/**
 * tprof_cpu_end_stalls - end the stalls of events that were stopped
 * @crew:	events of a session
 * @mask:	events that do not run and have no overflow under way
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_cpu_end_stalls(struct tprof_crew *crew, u32 mask)
{
	int cpu;

	tprof_cpu_lock();
	for_each_possible_cpu(cpu)
		end_stalls(crew, cpu, mask);
	tprof_cpu_unlock();
}

static void start_on_new_cpu(struct tprof_crew *crew, int cpu, u32 mask)
{
	int err;

	err = tprof_stream_add_lane(crew->stream, cpu, tprof_cpu_ring_bytes(crew, cpu));
	if (!err && cpumask_test_cpu(cpu, crew->cpus)) {
		err = start_on_cpu(crew, cpu, mask);
		if (err)
			end_stalls(crew, cpu, mask);
		else
			join_gate(crew, cpu, mask);
	}
	if (err)
		pr_warn("CPU %d is online but cannot be sampled: error %d\n", cpu,
			err);
}

/*
 * Add the lanes before the CPU runs. The CPU switches tasks before
 * on_cpu_online() is called, and the records of these switches need a lane.
 */
static int cpu_will_come(unsigned int cpu)
{
	struct tprof_crew *crew;

	mutex_lock(&cpu_lock);
	list_for_each_entry(crew, &crews, node) {
		/*
		 * On failure, start_on_new_cpu() tries again and logs the error. Go on: the user
		 * of another session may have locked memory left.
		 */
		tprof_stream_add_lane(crew->stream, cpu, tprof_cpu_ring_bytes(crew, cpu));
	}
	mutex_unlock(&cpu_lock);
	return 0;
}

/*
 * Start the events of all processes first: the events of processes can share the counters that
 * are left. The sessions may have been started in another order.
 */
static int on_cpu_online(unsigned int cpu)
{
	struct tprof_crew *crew;
	u32 gated;

	tprof_debug(TPROF_TOPIC_CPU, "CPU %u comes online\n", cpu);
	mutex_lock(&cpu_lock);
	tprof_meeting_begin_round();
	list_for_each_entry(crew, &crews, node) {
		gated = gated_events(crew, crew->running);
		start_on_new_cpu(crew, cpu, crew->running & ~gated);
	}
	list_for_each_entry(crew, &crews, node) {
		gated = gated_events(crew, crew->running);
		if (gated)
			start_on_new_cpu(crew, cpu, gated);
	}
	mutex_unlock(&cpu_lock);
	return 0;
}

static int on_cpu_offline(unsigned int cpu)
{
	struct tprof_crew *crew;

	tprof_debug(TPROF_TOPIC_CPU, "CPU %u goes offline\n", cpu);
	mutex_lock(&cpu_lock);
	list_for_each_entry(crew, &crews, node) {
		if (!cpumask_test_cpu(cpu, crew->cpus))
			continue;
		leave_gate(crew, cpu, crew->running);
		stop_on_cpu(crew, cpu, crew->running);
		/* This thread runs on @cpu, so no overflow is under way there. */
		end_stalls(crew, cpu, crew->running);
	}
	mutex_unlock(&cpu_lock);
	return 0;
}

/**
 * tprof_cpu_init - register for CPU hotplug at module load
 *
 * Return: 0 or -errno.
 */
int tprof_cpu_init(void)
{
	int err;

	err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN,
					"tprof_lx/cpu:prepare", cpu_will_come,
					NULL);
	if (err < 0)
		return err;
	prepare_state = err;
	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					"tprof_lx/cpu:online", on_cpu_online,
					on_cpu_offline);
	if (err < 0) {
		cpuhp_remove_state_nocalls(prepare_state);
		return err;
	}
	online_state = err;
	return 0;
}

/** tprof_cpu_uninit - unregister from CPU hotplug, after the last session */
void tprof_cpu_uninit(void)
{
	cpuhp_remove_state_nocalls(online_state);
	cpuhp_remove_state_nocalls(prepare_state);
}
