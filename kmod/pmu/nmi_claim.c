// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which unknown NMIs are ours
 *
 * An NMI is unknown if no handler found work for it. It can still be ours, that is,
 * caused by this module. There are four cases:
 *
 * - Latched: a second NMI of ours came while the first was being handled. The CPU
 *   takes the second as soon as the first returns, before the next instruction, so
 *   both interrupt the CPU at the same place. That holds even if a hypervisor or the
 *   firmware takes the CPU away in between. The CPU latches one NMI at most. The
 *   place proves nothing on an idle CPU, because every NMI interrupts it at the same
 *   place.
 * - Owed: one NMI did the work of two sources. Unless their NMIs were merged into
 *   one, a second NMI is still due: it is either latched or not sent yet. A latched
 *   NMI is recognised by its place, except on an idle CPU. Nothing identifies an NMI
 *   that is not sent yet, so the next unknown NMI is claimed.
 * - Disarmed: the NMI of a counter that was disarmed may be on its way. It can come
 *   at any place, and late if a hypervisor takes the CPU away. So the next unknown
 *   NMI is claimed.
 * - Any: if a foreign NMI comes before our own, our handler runs for it, too, and
 *   may do the work of our own NMI. Our own NMI then finds no work. So every
 *   unknown NMI shortly after a served one is claimed.
 *
 * This file also compiles in user space, for the unit tests.
 */
#include "pmu/nmi_claim.h"

static bool span_holds(const struct tprof_claim_span *span, u64 now)
{
	return now - READ_ONCE(span->since) < READ_ONCE(span->length);
}

/* Make @span last until @now + @length, unless it lasts longer already. */
static void extend_span(struct tprof_claim_span *span, u64 now, u64 length)
{
	if (span_holds(span, now + length))
		return;
	WRITE_ONCE(span->since, now);
	WRITE_ONCE(span->length, length);
}

/*
 * An NMI that comes between the two writes sees the new @since with the old @length.
 * If the old @length is 0, the span has not begun for this NMI. Otherwise the
 * old @length equals the new @length, so this NMI sees the new span.
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

/* If a window is still open, extend @claim->any to the end of that window. */
static void keep_window(struct tprof_claim *claim, u64 now)
{
	u64 passed = now - claim->served;

	if (passed < claim->window)
		extend_span(&claim->any, now, claim->window - passed);
}

/**
 * tprof_claim_served - note that an NMI of ours was served
 * @claim:	this CPU's claims
 * @now:	TSC
 * @window:	TSC cycles from @now during which every unknown NMI is ours
 * @place:	where the NMI interrupted the CPU
 *
 * Context: NMI.
 */
void tprof_claim_served(struct tprof_claim *claim, u64 now, u64 window,
			struct tprof_claim_place place)
{
	/* A longer window, which begins later, also ends later. */
	if (window < claim->window)
		keep_window(claim, now);
	tprof_claim_note(claim, now, window, place);
}

/**
 * tprof_claim_owe - note that two sources had requested the last NMI
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
 * tprof_claim_came - stop expecting an owed NMI
 * @claim:	this CPU's claims
 *
 * The caller does this when a source has recognised an NMI of its own that found no
 * work. This NMI may be the owed one, so no unknown NMI must be claimed in its
 * place.
 *
 * Context: NMI.
 */
void tprof_claim_came(struct tprof_claim *claim)
{
	end_span(&claim->owed);
}

/*
 * If @now is in the span, end the span, so that it claims a single NMI, and return
 * true.
 */
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

/*
 * Return true if this NMI was latched while our previous NMI was served. If so, clear
 * @is_latched, because the CPU latches at most one NMI. Keep @served, because @window
 * is counted from it.
 */
static bool take_latched(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place)
{
	bool is_same_place = place.ip && place.ip == claim->place.ip &&
			     place.sp == claim->place.sp;

	if (!claim->is_latched || !is_same_place ||
	    now - claim->served >= claim->patience)
		return false;
	claim->is_latched = false;
	return true;
}

/**
 * tprof_claim_unknown - decide whether an unknown NMI is ours
 * @claim:	this CPU's claims
 * @now:	TSC
 * @place:	where the NMI interrupted the CPU; its @ip is 0 if the CPU was idle
 *
 * Context: NMI.
 *
 * Return: true if it is ours.
 */
bool tprof_claim_unknown(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place)
{
	if (take_latched(claim, now, place)) {
		/* If an NMI was owed, it is this one. */
		end_span(&claim->owed);
		return true;
	}
	return take_span(&claim->owed, now) || take_span(&claim->disarmed, now) ||
	       span_holds(&claim->any, now) || now - claim->served < claim->window;
}
