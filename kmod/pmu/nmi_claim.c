// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which unknown NMIs are ours
 *
 * An NMI is unknown if no handler found work for it. It can still be ours, that is,
 * caused by this module. There are four cases:
 *
 * - Latched: a second NMI of ours came while the first was being handled. The CPU
 *   takes the second as soon as the first returns, before the next instruction, so
 *   both come at the same place. That holds even if a hypervisor or the firmware
 *   takes the CPU away in between. The CPU latches one NMI at most. On an idle CPU
 *   the place proves nothing, as every NMI comes at the same one.
 * - Owed: one NMI did the work of two sources, so a second NMI is still due,
 *   unless the two were merged. It is either latched or not sent yet. A latched
 *   one is recognised by its place, except on an idle CPU. One that is not sent
 *   yet has nothing to recognise it by, so the next unknown NMI is claimed.
 * - Disarmed: the NMI of a counter that was disarmed may be on its way. It can come
 *   at any place, and late if a hypervisor takes the CPU away. So the next unknown
 *   NMI is claimed.
 * - Any: if a foreign NMI comes first, our handler may do the work of our own NMI in it,
 *   so that our NMI finds none. So every unknown NMI shortly after one of ours is
 *   claimed.
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
 * An NMI that comes between the two writes sees the new @since with the old @length. The
 * old @length is either equal to the new one, or 0: for this NMI, the span has not begun.
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
 * tprof_claim_change_window - change the window that a served NMI opens
 * @claim:	this CPU's claims
 * @now:	TSC
 * @window:	TSC cycles after an NMI, from the next one on
 *
 * @any keeps the rest of the window that the last NMI has opened.
 *
 * Context: NMI.
 */
void tprof_claim_change_window(struct tprof_claim *claim, u64 now, u64 window)
{
	u64 passed = now - claim->served;

	if (passed < claim->window)
		extend_span(&claim->any, now, claim->window - passed);
	claim->window = window;
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
 * tprof_claim_came - stop expecting an owed NMI
 * @claim:	this CPU's claims
 *
 * Called when a source has recognised an NMI of its own that found nothing to do. This
 * NMI may be the owed one, so no unknown NMI is claimed in its place.
 *
 * Context: NMI.
 */
void tprof_claim_came(struct tprof_claim *claim)
{
	end_span(&claim->owed);
}

/* Return true if @now is in the span, and end it, so that it claims a single NMI. */
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
 * Return true if the NMI was latched while the last one was served. At most one can be
 * latched, so clear @is_latched. Leave @served alone, from which the window is counted.
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
		/* If an NMI was owed, this is the one. */
		end_span(&claim->owed);
		return true;
	}
	return take_span(&claim->owed, now) || take_span(&claim->disarmed, now) ||
	       span_holds(&claim->any, now) || now - claim->served < claim->window;
}
