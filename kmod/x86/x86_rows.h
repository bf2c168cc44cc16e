/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - assignment of a CPU's counters to events
 *
 * The events of all sessions share the counters. An event keeps a counter until it
 * stops, because counters are not multiplexed, but it need not be the same one: if an
 * event finds no free counter, others may move to free one. An event is refused only if
 * no assignment has a counter for each event. The file also compiles in user space, for
 * the unit tests.
 *
 * Some events can be counted by some counters only. When an event finds none of its counters
 * free, a search in breadth finds the shortest chain of moves, at the end of which is a free
 * counter. If there is none, START returns EBUSY, unless the event can share a counter. So
 * neither the order of events nor that of sessions matters, except that events of processes
 * that have counters of their own are not put together on one, to free another for an event of
 * all processes. The counters that the search has reached are marked in ROWS (@in_way), until
 * an event gets a counter of that CPU, and commands name only the holders of these.
 */
#ifndef TPROF_X86_ROWS_H
#define TPROF_X86_ROWS_H

#include "pmu/pmu.h"
#include "x86/x86_caps.h"

/**
 * struct tprof_x86_seat - an event that may have a counter of a CPU
 * @event:	event
 * @period:	where to read the event's current period on that CPU
 * @able:	mask of the counters that can count the event
 * @row:	its counter, or -1 if it has none
 * @next:	next event that shares the counter, or NULL
 */
struct tprof_x86_seat {
	struct tprof_pmu_event	*event;
	const u64		*period;
	u64			able;
	int			row;
	struct tprof_x86_seat	*next;
};

/**
 * struct tprof_x86_rows - the counters of a CPU
 * @taken:	mask of counters that events use
 * @disabled:	mask of counters that the administrator disabled
 * @foreign:	mask of counters that run for firmware or another program
 * @in_way:	mask of the counters that the last event lacked that was refused, 0 if an event
 *		got a counter since
 * @seats:	first event on each taken counter
 *
 * Protected by the x86 lock (pmu_x86.c).
 */
struct tprof_x86_rows {
	u64			taken;
	u64			disabled;
	u64			foreign;
	u64			in_way;
	struct tprof_x86_seat	*seats[TPROF_X86_MAX_ROWS];
};

/**
 * struct tprof_x86_moves - moves of events to other counters, in the order to be made
 * @nr:		number of moves
 * @from:	counter of an event
 * @to:		counter that is free before the move
 */
struct tprof_x86_moves {
	u32	nr;
	u8	from[TPROF_X86_MAX_ROWS];
	u8	to[TPROF_X86_MAX_ROWS];
};

/* Return the mask of the counters that no event may use. */
static inline u64 tprof_x86_rows_barred(const struct tprof_x86_rows *rows)
{
	return rows->disabled | rows->foreign;
}

int tprof_x86_rows_take(struct tprof_x86_rows *rows, struct tprof_x86_seat *seat);
int tprof_x86_rows_find_shared(const struct tprof_x86_rows *rows,
			       const struct tprof_x86_seat *seat);
void tprof_x86_rows_share(struct tprof_x86_rows *rows, struct tprof_x86_seat *seat, int row);
void tprof_x86_rows_give(struct tprof_x86_rows *rows, struct tprof_x86_seat *seat);
int tprof_x86_rows_plan(struct tprof_x86_rows *rows, u64 able,
			struct tprof_x86_moves *moves);
void tprof_x86_rows_move(struct tprof_x86_rows *rows, int from, int to);
u32 tprof_x86_rows_list(const struct tprof_x86_rows *rows,
			const struct tprof_x86_caps *caps,
			struct tprof_lx_row *list, u32 room);
int tprof_x86_rows_admin(struct tprof_x86_rows *rows,
			 const struct tprof_x86_caps *caps,
			 const struct tprof_lx_row_admin *arg, bool is_trial);

#endif /* TPROF_X86_ROWS_H */
