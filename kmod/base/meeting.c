// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - whether two sets of tasks meet, found once for each pair
 *
 * The file also compiles in user space, for the unit tests.
 */
#include "base/meeting.h"

static u64 current_round;

/**
 * tprof_meeting_begin_round - forget all answers
 *
 * Call this when tasks may have been added to sets since the last round: at START, at ATTACH, and
 * when a CPU comes online. A round lasts until the next one, as no session that uses counters gets
 * a target in between. See seats.c.
 *
 * Context: process.
 */
void tprof_meeting_begin_round(void)
{
	/* Races with a CPU that comes online: then both begin the same round, or one each. */
	WRITE_ONCE(current_round, READ_ONCE(current_round) + 1);
}

/**
 * tprof_meeting_ask - report whether a task is in both of two sets
 * @a:		set
 * @b:		set
 *
 * Context: process, under the x86 lock.
 * Return: same as tprof_tasks_meet(), as of a moment in this round.
 */
bool tprof_meeting_ask(struct tprof_tasks *a, const struct tprof_tasks *b)
{
	const struct tprof_meeting *last = &a->meeting;
	u64 round = READ_ONCE(current_round);

	if (last->with != b || last->round != round)
		a->meeting = (struct tprof_meeting){
			.with		= b,
			.round		= round,
			.do_meet	= tprof_tasks_meet(a, b),
		};
	return last->do_meet;
}
