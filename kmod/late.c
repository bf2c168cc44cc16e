// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which of the NMIs that nobody wants are ours
 *
 * Of an NMI that comes when its work is done, four things can be known:
 *
 * - It was latched behind one that we served. Then it comes when that one
 *   returns, before the next instruction: where the last one came. There can be
 *   one such, even if the CPU was taken away in between by a hypervisor or by
 *   firmware. Of a CPU that idles this says nothing, since it is always there.
 * - The last one did the work of two that had sent one each. Then another comes,
 *   unless the two had met, and it comes late where the second sender was held up
 *   between his saying so and his sending: by a hypervisor, say.
 * - A counter was disarmed. Then one may have been under way, and it comes
 *   wherever the CPU is, later if that was taken away.
 * - Neither, but it comes shortly after one of ours: a foreign NMI did its work.
 *
 * Compiles in user space.
 */
#include "late.h"

static bool holds(const struct tprof_late_span *span, u64 now)
{
	return now - span->since < span->length;
}

/* A longer one that was begun before goes on. */
static void extend(struct tprof_late_span *span, u64 now, u64 length)
{
	if (holds(span, now + length))
		return;
	span->since = now;
	span->length = length;
}

/* What comes in between finds it not begun. */
static void begin(struct tprof_late_span *span, u64 now, u64 length)
{
	WRITE_ONCE(span->length, 0);
	barrier();
	WRITE_ONCE(span->since, now);
	barrier();
	WRITE_ONCE(span->length, length);
}

/**
 * tprof_late_served - one of ours came and was served
 * @late:	this CPU's
 * @now:	TSC
 * @window:	how long any is ours from now on
 * @place:	where it came, or nowhere
 *
 * Context: NMI.
 */
void tprof_late_served(struct tprof_late *late, u64 now, u64 window,
		       struct tprof_late_place place)
{
	extend(&late->any, now, window);
	late->latched.since = now;
	late->latched.length = place.ip ? late->patience : 0;
	late->place = place;
}

/**
 * tprof_late_owe - the one that was served was two
 * @late:	this CPU's
 * @now:	TSC
 *
 * Context: NMI.
 */
void tprof_late_owe(struct tprof_late *late, u64 now)
{
	late->owed.since = now;
	late->owed.length = late->patience;
}

/* There is one such. */
static bool take(struct tprof_late_span *span, u64 now)
{
	if (!holds(span, now))
		return false;
	span->length = 0;
	return true;
}

/**
 * tprof_late_expect - one may be under way that has nothing to do any more
 * @late:	this CPU's
 * @now:	TSC
 * @window:	how long any is ours from now on
 *
 * Context: interrupts off.
 */
void tprof_late_expect(struct tprof_late *late, u64 now, u64 window)
{
	extend(&late->any, now, window);
	begin(&late->disarmed, now, late->patience);
}

/**
 * tprof_late_claim - is one that nobody wants ours?
 * @late:	this CPU's
 * @now:	TSC
 * @place:	where it came
 *
 * Context: NMI.
 *
 * Return: true if it is.
 */
bool tprof_late_claim(struct tprof_late *late, u64 now,
		      struct tprof_late_place place)
{
	if (late->place.ip == place.ip && late->place.sp == place.sp &&
	    take(&late->latched, now))
		return true;
	return take(&late->owed, now) || take(&late->disarmed, now) ||
	       holds(&late->any, now);
}
