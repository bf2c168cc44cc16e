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
#include "pmu/nmi_claim.h"

static bool span_holds(const struct tprof_claim_span *span, u64 now)
{
	return now - READ_ONCE(span->since) < READ_ONCE(span->length);
}

/* A longer one that was begun before goes on. */
static void extend_span(struct tprof_claim_span *span, u64 now, u64 length)
{
	if (span_holds(span, now + length))
		return;
	WRITE_ONCE(span->since, now);
	WRITE_ONCE(span->length, length);
}

/*
 * What comes in between finds the one before, or this: the length is always the same,
 * or none.
 */
static void begin_span(struct tprof_claim_span *span, u64 now, u64 length)
{
	WRITE_ONCE(span->since, now);
	barrier();
	WRITE_ONCE(span->length, length);
}

static void end_span(struct tprof_claim_span *span)
{
	WRITE_ONCE(span->length, 0);
}

/**
 * tprof_claim_served - one of ours came and was served
 * @claim:	this CPU's
 * @now:	TSC
 * @window:	how long any is ours from now on
 * @place:	where it came, or nowhere
 *
 * Context: NMI.
 */
void tprof_claim_served(struct tprof_claim *claim, u64 now, u64 window,
			struct tprof_claim_place place)
{
	extend_span(&claim->any, now, window);
	begin_span(&claim->latched, now, place.ip ? claim->patience : 0);
	claim->place = place;
}

/**
 * tprof_claim_owe - the one that was served last did the work of two sources
 * @claim:	this CPU's
 * @now:	TSC
 *
 * Context: NMI, behind tprof_claim_served().
 */
void tprof_claim_owe(struct tprof_claim *claim, u64 now)
{
	begin_span(&claim->owed, now, claim->patience);
}

/**
 * tprof_claim_came - one came whose work was done, and its source knew it
 * @claim:	this CPU's
 *
 * Context: NMI.
 */
void tprof_claim_came(struct tprof_claim *claim)
{
	end_span(&claim->owed);
}

/* There is one such. */
static bool take_span(struct tprof_claim_span *span, u64 now)
{
	if (!span_holds(span, now))
		return false;
	end_span(span);
	return true;
}

/**
 * tprof_claim_expect - one may be under way that has nothing to do any more
 * @claim:	this CPU's
 * @now:	TSC
 * @window:	how long any is ours from now on
 *
 * Context: interrupts off.
 */
void tprof_claim_expect(struct tprof_claim *claim, u64 now, u64 window)
{
	extend_span(&claim->any, now, window);
	begin_span(&claim->disarmed, now, claim->patience);
}

/**
 * tprof_claim_unknown - is one that nobody wants ours?
 * @claim:	this CPU's
 * @now:	TSC
 * @place:	where it came
 *
 * Context: NMI.
 *
 * Return: true if it is.
 */
bool tprof_claim_unknown(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place)
{
	if (claim->place.ip == place.ip && claim->place.sp == place.sp &&
	    take_span(&claim->latched, now)) {
		/* It is the other of the two, if there were two. */
		end_span(&claim->owed);
		return true;
	}
	return take_span(&claim->owed, now) || take_span(&claim->disarmed, now) ||
	       span_holds(&claim->any, now);
}
