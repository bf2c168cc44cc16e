// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - counters that several events share
 *
 * If no task is a target of two sessions, their gates are never open at the same time on a
 * CPU, so their events can share a counter. When a gate opens, its events take their seats:
 * the counter is loaded with the count and the period of the event, unless that event has
 * used the counter last. A gate without shared counters costs nothing more.
 *
 * Context: process, under the x86 lock, with CPU hotplug locked. swing_shared(),
 * tprof_x86_share_count(), tprof_x86_share_settle() and the functions call_*() run with
 * interrupts off, on the CPU.
 */
#include <linux/bitops.h>
#include <linux/container_of.h>

#include "base/ipi.h"
#include "base/meeting.h"
#include "x86/x86_share.h"

static struct tprof_x86_run *run_of_seat(struct tprof_x86_seat *seat)
{
	return container_of(seat, struct tprof_x86_run, seat);
}

static void take_seat(struct tprof_x86_cpu *xcpu, struct tprof_x86_run *run)
{
	if (xcpu->counters[run->seat.row] != &run->counter)
		tprof_x86_cpu_seat(xcpu, &run->counter, &run->select, run->seat.row);
}

/*
 * Open or close a gate with shared counters, or with events that are not for this CPU. If the
 * gate of another session has opened before this one closes, it has taken the counters.
 */
static void swing_shared(const struct tprof_pmu_gate *gate, bool is_open)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct tprof_x86_run *run;
	u64 rows = gate->rows;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		run = tprof_x86_run_here(gate->members[i].event);
		if (run->seat.row < 0)
			continue;
		if (is_open)
			take_seat(xcpu, run);
		else if (xcpu->counters[run->seat.row] != &run->counter)
			rows &= ~BIT_ULL(run->seat.row);
	}
	tprof_x86_cpu_gate(xcpu, rows, is_open);
}

/**
 * tprof_x86_share_count - read the count of an event on this CPU
 * @run:	event that has a counter on this CPU, shared or not, armed or not
 *
 * Context: interrupts off, on the CPU.
 * Return: events.
 */
u64 tprof_x86_share_count(struct tprof_x86_run *run)
{
	return tprof_x86_run_has_seat(run) ? tprof_x86_cpu_read(&run->counter) :
					     run->counter.count;
}

/**
 * tprof_x86_share_settle - add up the counts of a gate
 * @gate:	gate of this CPU; its counters are shared or not, armed or not
 * @marks:	as in tprof_pmu_settle()
 * @sums:	as in tprof_pmu_settle()
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_share_settle(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums)
{
	struct tprof_x86_run *run;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		run = tprof_x86_run_here(gate->members[i].event);
		tprof_pmu_settle(&gate->members[i], tprof_x86_share_count(run), marks, sums);
	}
}

/**
 * tprof_x86_share_check - let a gate check which of its events have a counter
 * @gate:	gate, which another CPU may be using
 */
void tprof_x86_share_check(struct tprof_pmu_gate *gate)
{
	WRITE_ONCE(gate->swing, swing_shared);
	WRITE_ONCE(gate->settle, tprof_x86_share_settle);
}

/**
 * tprof_x86_share_begin - let an event share a counter that others have taken
 * @run:	event that has no counter
 *
 * The gates of the others check from now on which event has the counter. The gate of the
 * event itself is closed, so the others go on.
 *
 * Return: 0; or -EBUSY if there is no counter that the event can share.
 */
int tprof_x86_share_begin(struct tprof_x86_run *run)
{
	struct tprof_x86_seat *seat;
	int row;

	if (!run->seat.event->members)
		return -EBUSY;
	row = tprof_x86_rows_find_shared(run->rows, &run->seat);
	if (row < 0)
		return -EBUSY;
	for (seat = run->rows->seats[row]; seat; seat = seat->next) {
		if (run_of_seat(seat)->gate)
			tprof_x86_share_check(run_of_seat(seat)->gate);
	}
	tprof_x86_rows_share(run->rows, &run->seat, row);
	return 0;
}

static void call_leave(void *data)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct tprof_x86_run *run = data;
	struct tprof_x86_seat *other = run->rows->seats[run->seat.row];

	if (other == &run->seat)
		other = other->next;
	if (xcpu->counters[run->seat.row] == &run->counter)
		take_seat(xcpu, run_of_seat(other));
	run->counter.is_stalled = false;
}

/*
 * Let the gate of an event that has its counter alone again swing and settle without a check, if
 * none of its events shares one or is not for the CPU. Each of them has its counter: see
 * call_leave().
 */
static void stop_checks(const struct tprof_x86_run *run)
{
	const struct tprof_x86_run *other;
	struct tprof_pmu_gate *gate = run->gate;
	u32 i;

	if (!gate)
		return;
	for (i = 0; i < gate->nr_members; i++) {
		other = tprof_x86_run_of(gate->members[i].event, run->cpu);
		if (other->seat.row < 0 || tprof_x86_is_shared(other))
			return;
	}
	WRITE_ONCE(gate->swing, gate->ops->gate);
	WRITE_ONCE(gate->settle, gate->ops->settle);
}

/**
 * tprof_x86_share_end - give back a shared counter
 * @run:	event that shares its counter, not behind its gate any more
 *
 * If the event has used the counter last, another event takes it.
 */
void tprof_x86_share_end(struct tprof_x86_run *run)
{
	int row = run->seat.row;

	tprof_ipi_call(run->cpu, call_leave, run);
	tprof_x86_rows_give(run->rows, &run->seat);
	if (!run->rows->seats[row]->next)
		stop_checks(run_of_seat(run->rows->seats[row]));
}

/**
 * tprof_x86_share_join - let a gate check which event has a counter, if it is shared
 * @run:	event that has a counter
 * @gate:	gate that the event is behind
 */
void tprof_x86_share_join(struct tprof_x86_run *run, struct tprof_pmu_gate *gate)
{
	if (tprof_x86_is_shared(run))
		tprof_x86_share_check(gate);
}

/**
 * tprof_x86_share_collides - report whether an event may not get targets
 * @run:	event that may have a counter
 * @tasks:	tasks that are to become targets
 *
 * Return: true if the event shares its counter with an event of one of @tasks.
 */
bool tprof_x86_share_collides(const struct tprof_x86_run *run, const struct tprof_tasks *tasks)
{
	const struct tprof_x86_seat *seat;

	if (run->seat.row < 0)
		return false;
	for (seat = run->rows->seats[run->seat.row]; seat; seat = seat->next) {
		if (seat != &run->seat && tprof_meeting_ask(seat->event->members, tasks))
			return true;
	}
	return false;
}
