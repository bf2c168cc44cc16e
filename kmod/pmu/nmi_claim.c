// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which unknown NMIs are ours
 *
 * An NMI is unknown if no handler found work for it. It can still be ours, that is,
 * caused by this module. There are four cases:
 *
 * - Latched: a second NMI of ours came while the first was being handled. The CPU
 *   takes it as soon as the first one returns, before the next instruction, so
 *   it comes at the same place. That holds even if a hypervisor or the firmware
 *   takes the CPU away in between. The CPU latches one NMI at most. On an idle CPU
 *   the place proves nothing, as every NMI comes there.
 * - Owed: one NMI did the work of two sources, so a second NMI is still due,
 *   unless the two were merged. It is either latched or not sent yet. A latched
 *   one is recognised by its place, except on an idle CPU. One that is not sent
 *   yet cannot be recognised.
 * - Disarmed: the NMI of a counter that was disarmed may be on its way. It can come
 *   at any place, and late if a hypervisor takes the CPU away.
 * - Any: a handler may do the work of ours in a foreign NMI, so that ours finds none.
 *   So every unknown NMI that comes shortly after one of ours is claimed.
 *
 * Compiles in user space.
 */
#include "pmu/nmi_claim.h"

static bool span_holds(const struct tprof_claim_span *span, u64 now)
{
	return now - READ_ONCE(span->since) < READ_ONCE(span->length);
}

/* Make @span last until @now + @length, if it does not last longer already. */
static void extend_span(struct tprof_claim_span *span, u64 now, u64 length)
{
	if (span_holds(span, now + length))
		return;
	WRITE_ONCE(span->since, now);
	WRITE_ONCE(span->length, length);
}

/*
 * An NMI between the two writes sees a valid span: each span has only one
 * length other than 0.
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
 * tprof_claim_served - note that an NMI of ours was served
 * @claim:	this CPU's claims
 * @now:	TSC
 * @window:	TSC cycles from @now during which every unknown NMI is ours
 * @place:	where the NMI interrupted the CPU; its @ip is 0 if the CPU was idle
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
 * tprof_claim_owe - note that the last NMI did the work of two sources
 * @claim:	this CPU's claims
 * @now:	TSC
 *
 * Context: NMI, after tprof_claim_served().
 */
void tprof_claim_owe(struct tprof_claim *claim, u64 now)
{
	begin_span(&claim->owed, now, claim->patience);
}

/**
 * tprof_claim_came - note that an owed NMI has come and its source recognised it
 * @claim:	this CPU's claims
 *
 * Context: NMI.
 */
void tprof_claim_came(struct tprof_claim *claim)
{
	end_span(&claim->owed);
}

/* A span stands for a single NMI: the first claim ends it. */
static bool take_span(struct tprof_claim_span *span, u64 now)
{
	if (!span_holds(span, now))
		return false;
	end_span(span);
	return true;
}

/**
 * tprof_claim_expect - note that a disarmed counter's NMI may be on its way
 * @claim:	this CPU's claims
 * @now:	TSC
 * @window:	TSC cycles from @now during which every unknown NMI is ours
 *
 * Context: interrupts off.
 */
void tprof_claim_expect(struct tprof_claim *claim, u64 now, u64 window)
{
	extend_span(&claim->any, now, window);
	begin_span(&claim->disarmed, now, claim->patience);
}

/**
 * tprof_claim_unknown - decide whether an unknown NMI is ours
 * @claim:	this CPU's claims
 * @now:	TSC
 * @place:	where the NMI interrupted the CPU
 *
 * Context: NMI.
 *
 * Return: true if it is ours.
 */
bool tprof_claim_unknown(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place)
{
	if (claim->place.ip == place.ip && claim->place.sp == place.sp &&
	    take_span(&claim->latched, now)) {
		/* If an NMI was owed too, this is it. */
		end_span(&claim->owed);
		return true;
	}
	return take_span(&claim->owed, now) || take_span(&claim->disarmed, now) ||
	       span_holds(&claim->any, now);
}
