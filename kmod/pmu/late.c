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
 * - The last one did the work of two sources. Then another comes, unless the two had
 *   met: one that was latched, or is sent only after its work was done. Of a CPU that
 *   idles no place tells the first, and of any CPU none the second.
 * - A counter was disarmed. Then one may have been under way, and it comes
 *   wherever the CPU is, later if that was taken away.
 * - Neither, but it comes shortly after one of ours: a foreign NMI did its work.
 *
 * Compiles in user space.
 */
#include "pmu/late.h"

static bool holds(const struct tprof_late_span *span, u64 now)
{
	return now - READ_ONCE(span->since) < READ_ONCE(span->length);
}

/* A longer one that was begun before goes on. */
static void extend(struct tprof_late_span *span, u64 now, u64 length)
{
	if (holds(span, now + length))
		return;
	WRITE_ONCE(span->since, now);
	WRITE_ONCE(span->length, length);
}

/*
 * What comes in between finds the one before, or this: the length is always the same,
 * or none.
 */
static void begin(struct tprof_late_span *span, u64 now, u64 length)
{
	WRITE_ONCE(span->since, now);
	barrier();
	WRITE_ONCE(span->length, length);
}

static void end(struct tprof_late_span *span)
{
	WRITE_ONCE(span->length, 0);
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
	begin(&late->latched, now, place.ip ? late->patience : 0);
	late->place = place;
}

/**
 * tprof_late_owe - the one that was served last did the work of two sources
 * @late:	this CPU's
 * @now:	TSC
 *
 * Context: NMI, behind tprof_late_served().
 */
void tprof_late_owe(struct tprof_late *late, u64 now)
{
	begin(&late->owed, now, late->patience);
}

/**
 * tprof_late_came - one came whose work was done, and its source knew it
 * @late:	this CPU's
 *
 * Context: NMI.
 */
void tprof_late_came(struct tprof_late *late)
{
	end(&late->owed);
}

/* There is one such. */
static bool take(struct tprof_late_span *span, u64 now)
{
	if (!holds(span, now))
		return false;
	end(span);
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
	    take(&late->latched, now)) {
		/* It is the other of the two, if there were two. */
		end(&late->owed);
		return true;
	}
	return take(&late->owed, now) || take(&late->disarmed, now) ||
	       holds(&late->any, now);
}
