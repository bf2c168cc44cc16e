// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - assigning events to counters
 */
#include <stdlib.h>
#include <string.h>

#include "base/meeting.h"
#include "unit.h"
#include "x86/x86_rows.h"

void (*tprof_test_interrupt)(void);

static const struct tprof_x86_caps caps = {
	.counters	= 0x7ULL << 32 | 0xf,
	.general_bits	= 48,
	.fixed_bits	= 40,
};

static struct tprof_x86_rows rows;
static struct tprof_pmu_event events[8];
static struct tprof_x86_seat seats[8];
static const u64 period = 4711;

/* Let an event take a counter. Return its row or -EBUSY. */
static int take(u64 able, int event)
{
	struct tprof_x86_seat *seat = &seats[event];
	int err;

	*seat = (struct tprof_x86_seat){
		.event	= &events[event],
		.period	= &period,
		.able	= able,
		.row	= -1,
	};
	err = tprof_x86_rows_take(&rows, seat);
	return err ?: seat->row;
}

static int admin(u32 kind, u32 number, u32 state, bool is_trial)
{
	struct tprof_lx_row_admin arg = {
		.kind	= kind,
		.number	= number,
		.state	= state,
	};

	return tprof_x86_rows_admin(&rows, &caps, &arg, is_trial);
}

static void test_taking(void)
{
	memset(&rows, 0, sizeof(rows));
	unit_ok(take(BIT_ULL(32) | 0xf, 0) == 32,
		"a fixed counter is taken first");
	unit_ok(take(BIT_ULL(32) | 0xf, 1) == 3,
		"the last general counter is taken next");
	unit_ok(take(0x3, 2) == 1,
		"only a counter that can count the event is taken");
	unit_ok(take(0xf, 3) == 2 && take(0xf, 4) == 0,
		"general counters are taken down to the first");
	unit_ok(take(BIT_ULL(32) | 0xf, 5) == -EBUSY,
		"an event is refused when no counter is free");
	unit_ok(take(BIT_ULL(33), 5) == 33,
		"another fixed counter is still free");
	tprof_x86_rows_give(&rows, &seats[2]);
	unit_ok(take(0xf, 6) == 1,
		"a counter that was given back is taken again");
}

/* Make the moves that the module plans for an event. Return its row or -EBUSY. */
static int take_with_moves(u64 able, int event)
{
	struct tprof_x86_moves moves;
	int row = take(able, event);

	if (row != -EBUSY || tprof_x86_rows_plan(&rows, able, &moves))
		return row;
	for (u32 i = 0; i < moves.nr; i++) {
		if (rows.taken & BIT_ULL(moves.to[i]))
			return -EINVAL;
		tprof_x86_rows_move(&rows, moves.from[i], moves.to[i]);
	}
	return take(able, event);
}

static void test_moving(void)
{
	struct tprof_x86_moves moves;

	memset(&rows, 0, sizeof(rows));
	take(0xf, 0);
	take(0xf, 1);
	unit_ok(take(0x4, 2) == -EBUSY && take_with_moves(0x4, 2) == 2,
		"an event makes room on the only counter of another");
	unit_ok(seats[0].row == 3 && seats[1].row == 1 && rows.taken == 0xe,
		"only the event that was in the way moves");

	memset(&rows, 0, sizeof(rows));
	take(BIT_ULL(33) | 0x8, 0);
	take(BIT_ULL(32) | 0x8, 1);
	take(0xc, 2);
	take(0x6, 3);
	unit_ok(seats[2].row == 3 && seats[3].row == 2, "two general counters are taken");
	unit_ok(take_with_moves(0x8, 4) == 3 && seats[2].row == 2 && seats[3].row == 1,
		"events move in a chain");
	unit_ok(take_with_moves(0x8, 5) == -EBUSY, "an event is refused if no moves help");
	unit_ok(tprof_x86_rows_plan(&rows, 0x8, &moves) == -EBUSY && rows.in_way == 0x8,
		"an event that has no other counter is in the way");
	take(0x1, 6);
	tprof_x86_rows_plan(&rows, 0x4, &moves);
	unit_ok(rows.in_way == 0xc, "events that could only swap counters are in the way");
	tprof_x86_rows_give(&rows, &seats[6]);
	admin(TPROF_LX_ROW_GENERAL, 0, TPROF_LX_ROW_DISABLED, false);
	unit_ok(take_with_moves(0x2, 7) == -EBUSY && rows.in_way == 0xe,
		"no event moves to a disabled counter");
	unit_ok(take_with_moves(0x1, 7) == -EBUSY && rows.in_way == 0x1,
		"a disabled counter is in the way");
	unit_ok(take(BIT_ULL(34), 7) == 34 && !rows.in_way,
		"nothing is in the way of an event that gets a counter");
}

static void test_sharing(void)
{
	struct tprof_lx_row list[4];

	memset(&rows, 0, sizeof(rows));
	take(0x6, 0);
	for (int i = 1; i < 4; i++) {
		seats[i] = seats[0];
		tprof_x86_rows_share(&rows, &seats[i], 2);
	}
	tprof_x86_rows_list(&rows, &caps, list, 4);
	unit_ok(list[2].state == TPROF_LX_ROW_TAKEN && list[2].sharers == 3,
		"the events that share a counter are counted");
	seats[3].able = 0x5;
	take(0x2, 4);
	unit_ok(take_with_moves(0x4, 5) == -EBUSY, "a shared counter moves only if all can");
	seats[3].able = 0x6;
	tprof_x86_rows_give(&rows, &seats[4]);
	unit_ok(take_with_moves(0x4, 5) == 2 && seats[0].row == 1 && seats[3].row == 1,
		"all events of a shared counter move");
	tprof_x86_rows_give(&rows, &seats[0]);
	tprof_x86_rows_give(&rows, &seats[2]);
	unit_ok(rows.seats[1] == &seats[1] && seats[1].next == &seats[3] && rows.taken == 0x6,
		"events leave a shared counter in any order");
	tprof_x86_rows_give(&rows, &seats[1]);
	tprof_x86_rows_give(&rows, &seats[3]);
	unit_ok(rows.taken == 0x4, "a counter is free when the last event has left it");
}

/* Return the most events, of those with the masks in @able, that can have a counter each. */
static int most(const u64 *able, int nr, u64 free)
{
	int best, with;

	if (!nr)
		return 0;
	best = most(able + 1, nr - 1, free);
	for (u64 usable = able[0] & free; usable; usable &= usable - 1) {
		with = 1 + most(able + 1, nr - 1, free & ~(usable & -usable));
		best = with > best ? with : best;
	}
	return best;
}

/* Compare with all assignments, for random events on four counters. */
static void test_exactness(void)
{
	bool is_exact = true;
	u64 able[6];

	srand(18);
	for (int round = 0; round < 20000; round++) {
		int nr = 0, row;

		memset(&rows, 0, sizeof(rows));
		for (int i = 0; i < 6; i++) {
			able[nr] = rand() % 15 + 1;
			row = take_with_moves(able[nr], i);
			is_exact &= (row >= 0) == (most(able, nr + 1, 0xf) == nr + 1);
			nr += row >= 0;
		}
		for (u64 taken = rows.taken; taken; taken &= taken - 1) {
			row = __ffs(taken);
			is_exact &= rows.seats[row]->row == row &&
				    rows.seats[row]->able & BIT_ULL(row);
		}
	}
	unit_ok(is_exact, "an event is refused only if no assignment has room for it");
}

static void test_listing(void)
{
	struct tprof_lx_row list[8];
	u32 nr;

	memset(&rows, 0, sizeof(rows));
	memset(list, 0xee, sizeof(list));
	events[0].owner.pid = 42;
	events[0].owner.config = 0xc0;
	take(BIT_ULL(33), 0);
	admin(TPROF_LX_ROW_GENERAL, 2, TPROF_LX_ROW_DISABLED, false);
	nr = tprof_x86_rows_list(&rows, &caps, list, 6);
	unit_ok(nr == 7, "all counters are counted, whatever the room");
	unit_ok(list[0].kind == TPROF_LX_ROW_GENERAL && list[0].bits == 48 &&
		list[0].state == TPROF_LX_ROW_FREE && !list[0].pid,
		"a free counter is listed");
	unit_ok(list[2].state == TPROF_LX_ROW_DISABLED,
		"a disabled counter is listed");
	unit_ok(list[5].kind == TPROF_LX_ROW_FIXED && list[5].number == 1 &&
		list[5].bits == 40 &&
		list[5].state == TPROF_LX_ROW_TAKEN &&
		list[5].pid == 42 && list[5].config == 0xc0 &&
		list[5].period == period,
		"a taken counter is listed with its owner and period");
	unit_ok(list[6].kind == 0xeeeeeeee,
		"nothing is written beyond the room");
}

static void test_foreign(void)
{
	struct tprof_lx_row list[8];

	memset(&rows, 0, sizeof(rows));
	rows.foreign = 0x8 | BIT_ULL(32);
	tprof_x86_rows_list(&rows, &caps, list, 8);
	unit_ok(list[3].state == TPROF_LX_ROW_FOREIGN && list[4].state == TPROF_LX_ROW_FOREIGN &&
		list[0].state == TPROF_LX_ROW_FREE,
		"a counter that firmware uses is listed");
	unit_ok(take(BIT_ULL(32) | 0xc, 0) == 2 && take(0x8, 1) == -EBUSY,
		"a counter that firmware uses is not given out");
	unit_ok(take_with_moves(0x4, 1) == -EBUSY && rows.in_way == 0x4,
		"no event moves to it");
	seats[0].able = 0xe;
	unit_ok(take_with_moves(0x4, 1) == 2 && seats[0].row == 1,
		"events move to other counters");
	rows.in_way = 0;
	unit_ok(take_with_moves(0x8, 2) == -EBUSY && rows.in_way == 0x8,
		"it is in the way of an event that has no other");
}

static void test_admin(void)
{
	memset(&rows, 0, sizeof(rows));
	unit_ok(!admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_DISABLED, true) &&
		!rows.disabled,
		"a trial of disabling changes nothing");
	unit_ok(!admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_DISABLED, false) &&
		take(BIT_ULL(32), 0) == -EBUSY,
		"a disabled counter is not given out");
	unit_ok(!admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_FREE, false) &&
		take(BIT_ULL(32), 0) == 32,
		"a counter that was enabled again is given out");
	unit_ok(admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_DISABLED, false) ==
		-EBUSY,
		"a taken counter cannot be disabled");
	unit_ok(!admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_FREE, false) &&
		rows.taken == BIT_ULL(32) && !rows.disabled,
		"a taken counter can be enabled, and stays taken");
	unit_ok(admin(TPROF_LX_ROW_FIXED, 3, TPROF_LX_ROW_FREE, true) ==
			-ENOENT &&
		admin(TPROF_LX_ROW_GENERAL, 4, TPROF_LX_ROW_FREE,
		      true) == -ENOENT &&
		admin(TPROF_LX_ROW_GENERAL, 33, TPROF_LX_ROW_FREE,
		      true) == -ENOENT &&
		admin(2, 0, TPROF_LX_ROW_FREE, true) == -ENOENT,
		"a counter that does not exist is -ENOENT");
}

#define CPUS		512
#define SESSIONS	16
#define COUNTERS	4

/* Walks over all threads of the machine. */
static unsigned int walks;
/* Sets that have a task in common. */
static const struct tprof_tasks *first_common, *second_common;

bool tprof_tasks_meet(const struct tprof_tasks *a, const struct tprof_tasks *b)
{
	walks++;
	return (a == first_common && b == second_common) ||
	       (b == first_common && a == second_common);
}

static struct tprof_tasks sessions[SESSIONS + 1];
static struct tprof_pmu_event shared_events[SESSIONS + 1];
static struct tprof_x86_rows cpus[CPUS];
static struct tprof_x86_seat cpu_seats[CPUS][SESSIONS + 1];

/* Let an event of a session share a counter on each CPU, as START does. Return how many have. */
static unsigned int start_shared(int session)
{
	unsigned int nr = 0;

	tprof_meeting_begin_round();
	for (int cpu = 0; cpu < CPUS; cpu++) {
		struct tprof_x86_seat *seat = &cpu_seats[cpu][session];
		int row;

		*seat = (struct tprof_x86_seat){
			.event	= &shared_events[session],
			.period	= &period,
			.able	= BIT_ULL(COUNTERS) - 1,
			.row	= -1,
		};
		if (!tprof_x86_rows_take(&cpus[cpu], seat)) {
			nr++;
			continue;
		}
		row = tprof_x86_rows_find_shared(&cpus[cpu], seat);
		if (row < 0)
			continue;
		tprof_x86_rows_share(&cpus[cpu], seat, row);
		nr++;
	}
	return nr;
}

/* How often tasks are compared depends on the sessions, not on CPUs or counters. */
static void test_meetings(void)
{
	unsigned int nr = 0;
	bool is_once = true;

	for (int i = 0; i <= SESSIONS; i++)
		shared_events[i].members = &sessions[i];
	for (int i = 0; i < SESSIONS; i++) {
		walks = 0;
		nr += start_shared(i);
		is_once &= walks == (i < COUNTERS ? 0 : i);
	}
	unit_ok(nr == CPUS * SESSIONS, "all sessions without common tasks share counters on all CPUs");
	unit_ok(is_once, "START compares the tasks of a session once with those of each other session");

	walks = 0;
	tprof_meeting_begin_round();
	for (int cpu = 0; cpu < CPUS; cpu++) {
		for (int i = 1; i < SESSIONS; i++)
			tprof_meeting_ask(&sessions[i], &sessions[0]);
	}
	unit_ok(walks == SESSIONS - 1, "ATTACH compares tasks once with those of each other session");

	first_common = &sessions[SESSIONS];
	second_common = &sessions[0];
	walks = 0;
	nr = start_shared(SESSIONS);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		struct tprof_x86_seat *seat = cpus[cpu].seats[cpu_seats[cpu][SESSIONS].row];

		for (; seat; seat = seat->next)
			nr -= seat->event == &shared_events[0];
	}
	unit_ok(nr == CPUS && walks <= SESSIONS,
		"an event shares no counter with an event of a common task, on any CPU");
	second_common = &sessions[1];
	unit_ok(!tprof_meeting_ask(&sessions[1], first_common),
		"an answer is kept within a round");
	tprof_meeting_begin_round();
	unit_ok(tprof_meeting_ask(&sessions[1], first_common) &&
		!tprof_meeting_ask(&sessions[1], &sessions[2]) &&
		!tprof_meeting_ask(&sessions[2], first_common),
		"an answer is forgotten with its round, and is of one pair");
}

int main(void)
{
	test_meetings();
	test_taking();
	test_moving();
	test_sharing();
	test_exactness();
	test_listing();
	test_foreign();
	test_admin();
	return unit_exit();
}
