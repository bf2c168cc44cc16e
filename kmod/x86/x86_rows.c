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

#include "x86/x86_rows.h"

/**
 * tprof_x86_rows_take - take a free counter for an event
 * @rows:	counters of a CPU
 * @able:	mask of counters that can count the event
 * @event:	event
 * @period:	where to read the event's current period on that CPU
 *
 * Take the usable counter with the highest row. So a fixed counter, which can count only
 * one event, is preferred to a general one. Among the general counters, the first
 * ones are spared for events that only they can count.
 *
 * Return: row of the counter, or -EBUSY.
 */
int tprof_x86_rows_take(struct tprof_x86_rows *rows, u64 able,
			struct tprof_pmu_event *event, const u64 *period)
{
	u64 usable = able & ~rows->taken & ~rows->disabled;
	int row;

	if (!usable)
		return -EBUSY;
	row = __fls(usable);
	rows->taken |= BIT_ULL(row);
	rows->events[row] = event;
	rows->periods[row] = period;
	return row;
}

/**
 * tprof_x86_rows_give - free the counter of an event
 * @rows:	counters of a CPU
 * @row:	counter that is taken
 */
void tprof_x86_rows_give(struct tprof_x86_rows *rows, int row)
{
	rows->taken &= ~BIT_ULL(row);
	rows->events[row] = NULL;
	rows->periods[row] = NULL;
}

static void describe_row(const struct tprof_x86_rows *rows,
			 const struct tprof_x86_caps *caps, int row,
		     struct tprof_lx_row *entry)
{
	bool is_fixed = row >= TPROF_X86_FIXED;

	memset(entry, 0, sizeof(*entry));
	if (rows->taken & BIT_ULL(row)) {
		*entry = rows->events[row]->owner;
		entry->state = TPROF_LX_ROW_TAKEN;
		entry->period = *rows->periods[row];
	} else if (rows->disabled & BIT_ULL(row)) {
		entry->state = TPROF_LX_ROW_DISABLED;
	} else {
		entry->state = TPROF_LX_ROW_FREE;
	}
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
 * Return: 0; -ENOENT if there is no such counter; -EBUSY if an event uses it.
 */
int tprof_x86_rows_admin(struct tprof_x86_rows *rows,
			 const struct tprof_x86_caps *caps,
			 const struct tprof_lx_row_admin *arg, bool is_trial)
{
	int row = find_row(caps, arg->kind, arg->number);

	if (row < 0)
		return row;
	if (rows->taken & BIT_ULL(row))
		return -EBUSY;
	if (is_trial)
		return 0;
	if (arg->state == TPROF_LX_ROW_DISABLED)
		rows->disabled |= BIT_ULL(row);
	else
		rows->disabled &= ~BIT_ULL(row);
	return 0;
}
