// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - assignment of a CPU's counters to events
 *
 * Context: process, under the x86 lock. The file also compiles in user space, for
 * the unit tests.
 */
#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <string.h>
#endif

#include "base/meeting.h"
#include "x86/x86_rows.h"

/**
 * tprof_x86_rows_take - take a free counter for an event
 * @rows:	counters of a CPU
 * @seat:	event, with @able filled in; its counter is stored in @row
 *
 * Take the usable counter with the highest row. So a fixed counter, which can count only
 * one event, is preferred to a general one. Among the general counters, the first
 * ones are spared for events that only they can count.
 *
 * Return: 0, or -EBUSY.
 */
int tprof_x86_rows_take(struct tprof_x86_rows *rows, struct tprof_x86_seat *seat)
{
	u64 usable = seat->able & ~rows->taken & ~tprof_x86_rows_barred(rows);

	if (!usable)
		return -EBUSY;
	seat->row = __fls(usable);
	rows->in_way = 0;
	rows->taken |= BIT_ULL(seat->row);
	rows->seats[seat->row] = seat;
	seat->next = NULL;
	return 0;
}

/* Return true if an event with @members may share the counter of @seat with its events. */
static bool can_share(const struct tprof_tasks *members, const struct tprof_x86_seat *seat, u32 *nr)
{
	struct tprof_tasks *others;

	for (*nr = 0; seat; seat = seat->next, ++*nr) {
		others = seat->event->members;
		if (!others || others == members || tprof_meeting_ask(others, members))
			return false;
	}
	return true;
}

/**
 * tprof_x86_rows_find_shared - find a counter that an event may share
 * @rows:	counters of a CPU
 * @seat:	event with members, that has no counter
 *
 * Return: the row with the fewest events, or -1.
 */
int tprof_x86_rows_find_shared(const struct tprof_x86_rows *rows,
			       const struct tprof_x86_seat *seat)
{
	u64 left = seat->able & rows->taken & ~tprof_x86_rows_barred(rows);
	u32 nr, fewest = ~0U;
	int found = -1, row;

	for (; left; left &= left - 1) {
		row = __ffs(left);
		if (can_share(seat->event->members, rows->seats[row], &nr) && nr < fewest) {
			fewest = nr;
			found = row;
		}
	}
	return found;
}

/**
 * tprof_x86_rows_share - let an event share a counter with others
 * @rows:	counters of a CPU
 * @seat:	event that has no counter
 * @row:	counter that other events have taken
 */
void tprof_x86_rows_share(struct tprof_x86_rows *rows, struct tprof_x86_seat *seat, int row)
{
	struct tprof_x86_seat **last = &rows->seats[row];

	while (*last)
		last = &(*last)->next;
	*last = seat;
	seat->next = NULL;
	seat->row = row;
	rows->in_way = 0;
}

/**
 * tprof_x86_rows_give - give back the counter of an event
 * @rows:	counters of a CPU
 * @seat:	event that has a counter
 *
 * The counter is free if no other event shares it.
 */
void tprof_x86_rows_give(struct tprof_x86_rows *rows, struct tprof_x86_seat *seat)
{
	struct tprof_x86_seat **link = &rows->seats[seat->row];

	while (*link != seat)
		link = &(*link)->next;
	*link = seat->next;
	if (!rows->seats[seat->row])
		rows->taken &= ~BIT_ULL(seat->row);
	seat->row = -1;
}

/* Return the mask of the counters that can count all events of a counter. */
static u64 able_of(const struct tprof_x86_rows *rows, int row)
{
	const struct tprof_x86_seat *seat;
	u64 able = ~0ULL;

	for (seat = rows->seats[row]; seat; seat = seat->next)
		able &= seat->able;
	return able;
}

/* The events of the last counter in the chain move to @to, which is free, and so on. */
static void list_moves(struct tprof_x86_moves *moves, const s8 *before, int row, int to)
{
	moves->nr = 0;
	while (row >= 0) {
		moves->from[moves->nr] = row;
		moves->to[moves->nr] = to;
		moves->nr++;
		to = row;
		row = before[row];
	}
}

/**
 * tprof_x86_rows_plan - find out how events can move so that a counter becomes free
 * @rows:	counters of a CPU
 * @able:	mask of counters, all taken, disabled or foreign, one of which is to become free
 * @moves:	result: the moves, as few as possible
 *
 * The counters and events are a bipartite graph, of which the assignment is a matching.
 * A search in breadth finds the shortest chain of moves to a free counter. If there is
 * none, no assignment has a counter for one event more (Berge's theorem).
 *
 * Return: 0; or -EBUSY, with @rows->in_way filled in.
 */
int tprof_x86_rows_plan(struct tprof_x86_rows *rows, u64 able,
			struct tprof_x86_moves *moves)
{
	u64 seen = 0, next = able & rows->taken, usable;
	s8 before[TPROF_X86_MAX_ROWS];
	u8 queue[TPROF_X86_MAX_ROWS];
	u32 head = 0, tail = 0;
	int row = -1;

	for (;;) {
		seen |= next;
		for (; next; next &= next - 1) {
			before[__ffs(next)] = row;
			queue[tail++] = __ffs(next);
		}
		if (head == tail)
			break;
		row = queue[head++];
		usable = able_of(rows, row) & ~tprof_x86_rows_barred(rows);
		if (usable & ~rows->taken) {
			list_moves(moves, before, row, __fls(usable & ~rows->taken));
			return 0;
		}
		next = usable & ~seen;
	}
	moves->nr = 0;
	rows->in_way = seen | (able & tprof_x86_rows_barred(rows));
	return -EBUSY;
}

/**
 * tprof_x86_rows_move - move the events of a counter to another one
 * @rows:	counters of a CPU
 * @from:	counter of the events
 * @to:		counter that is free
 */
void tprof_x86_rows_move(struct tprof_x86_rows *rows, int from, int to)
{
	struct tprof_x86_seat *seat;

	rows->seats[to] = rows->seats[from];
	rows->seats[from] = NULL;
	for (seat = rows->seats[to]; seat; seat = seat->next)
		seat->row = to;
	rows->taken ^= BIT_ULL(from) | BIT_ULL(to);
}

static u16 count_sharers(const struct tprof_x86_seat *first)
{
	const struct tprof_x86_seat *seat;
	u16 nr = 0;

	for (seat = first->next; seat && nr < U16_MAX; seat = seat->next)
		nr++;
	return nr;
}

static void describe_row(const struct tprof_x86_rows *rows,
			 const struct tprof_x86_caps *caps, int row,
		     struct tprof_lx_row *entry)
{
	bool is_fixed = row >= TPROF_X86_FIXED;

	memset(entry, 0, sizeof(*entry));
	if (rows->taken & BIT_ULL(row)) {
		*entry = rows->seats[row]->event->owner;
		entry->state = TPROF_LX_ROW_TAKEN;
		entry->period = *rows->seats[row]->period;
		entry->sharers = count_sharers(rows->seats[row]);
	} else if (rows->disabled & BIT_ULL(row)) {
		entry->state = TPROF_LX_ROW_DISABLED;
	} else if (rows->foreign & BIT_ULL(row)) {
		entry->state = TPROF_LX_ROW_FOREIGN;
	} else {
		entry->state = TPROF_LX_ROW_FREE;
	}
	entry->in_way = rows->in_way >> row & 1;
	entry->kind = is_fixed ? TPROF_LX_ROW_FIXED : TPROF_LX_ROW_GENERAL;
	entry->number = is_fixed ? row - TPROF_X86_FIXED : row;
	entry->bits = tprof_x86_row_bits(caps, row);
}

/**
 * tprof_x86_rows_list - list all counters of a CPU
 * @rows:	counters of a CPU
 * @caps:	capabilities of that CPU
 * @list:	to be filled
 * @room:	number of entries in @list
 *
 * Return: number of counters, which may be more than @room.
 */
u32 tprof_x86_rows_list(const struct tprof_x86_rows *rows,
			const struct tprof_x86_caps *caps,
			struct tprof_lx_row *list, u32 room)
{
	u64 left = caps->counters;
	u32 i;

	for (i = 0; left; i++) {
		if (i < room)
			describe_row(rows, caps, __ffs(left), &list[i]);
		left &= left - 1;
	}
	return i;
}

static int find_row(const struct tprof_x86_caps *caps, u32 kind, u32 number)
{
	int row = number;

	if (kind > TPROF_LX_ROW_FIXED || number >= TPROF_X86_FIXED)
		return -ENOENT;
	if (kind == TPROF_LX_ROW_FIXED)
		row += TPROF_X86_FIXED;
	return caps->counters & BIT_ULL(row) ? row : -ENOENT;
}

/**
 * tprof_x86_rows_admin - disable a counter, or enable it again
 * @rows:	counters of a CPU
 * @caps:	capabilities of that CPU
 * @arg:	which counter, and its new state
 * @is_trial:	only check whether it can be done
 *
 * Return: 0; -ENOENT if there is no such counter; -EBUSY if it is to be disabled, and an event
 * uses it.
 */
int tprof_x86_rows_admin(struct tprof_x86_rows *rows,
			 const struct tprof_x86_caps *caps,
			 const struct tprof_lx_row_admin *arg, bool is_trial)
{
	bool is_disabling = arg->state == TPROF_LX_ROW_DISABLED;
	int row = find_row(caps, arg->kind, arg->number);

	if (row < 0)
		return row;
	if (is_disabling && rows->taken & BIT_ULL(row))
		return -EBUSY;
	if (is_trial)
		return 0;
	if (is_disabling)
		rows->disabled |= BIT_ULL(row);
	else
		rows->disabled &= ~BIT_ULL(row);
	return 0;
}
