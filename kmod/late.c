// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which of the NMIs that nobody wants are ours
 *
 * Of an NMI that comes when its work is done, three things can be known:
 *
 * - It was latched behind one that we served. Then it comes when that one
 *   returns, before the next instruction: where the last one came. There can be
 *   one such, however long the CPU was taken away in between, by a hypervisor
 *   or by firmware.
 * - A counter was disarmed. Then one may have been under way, and it comes
 *   wherever the CPU is; here, too, time says little.
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

/**
 * tprof_late_served - one of ours came and was served
 * @late:	this CPU's
 * @now:	TSC
 * @window:	how long any is ours from now on
 * @ip:		where it came
 * @sp:		the stack there
 *
 * Context: NMI.
 */
void tprof_late_served(struct tprof_late *late, u64 now, u64 window,
		       unsigned long ip, unsigned long sp)
{
	extend(&late->any, now, window);
	late->next.since = now;
	late->next.length = late->patience;
	late->ip = ip;
	late->sp = sp;
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
	late->ip = 0;
	late->next.since = now;
	late->next.length = late->patience;
}

/**
 * tprof_late_claim - is one that nobody wants ours?
 * @late:	this CPU's
 * @now:	TSC
 * @ip:		where it came
 * @sp:		the stack there
 *
 * Context: NMI.
 *
 * Return: true if it is.
 */
bool tprof_late_claim(struct tprof_late *late, u64 now, unsigned long ip,
		      unsigned long sp)
{
	bool is_next = holds(&late->next, now) &&
		       (!late->ip || (late->ip == ip && late->sp == sp));

	if (is_next)
		late->next.length = 0;
	return is_next || holds(&late->any, now);
}
