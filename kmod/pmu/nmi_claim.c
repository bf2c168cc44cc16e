// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which unknown NMIs are ours
 *
 * An NMI is unknown if no handler found work for it. It can still be one of
 * ours. There are four cases:
 *
 * - Latched: a second NMI of ours came while we handled the first. The CPU
 *   takes it as soon as the first one returns, before the next instruction, so
 *   it comes at the same place. That holds even if a hypervisor or the firmware
 *   takes the CPU away in between. There can be only one. On an idle CPU the
 *   place proves nothing, as every NMI comes there.
 * - Owed: one NMI did the work of two sources, so a second NMI is still due,
 *   unless the two were merged. It is either latched or not sent yet. A latched
 *   one is recognised by its place, except on an idle CPU. One that is not sent
 *   yet cannot be recognised.
 * - Disarmed: the NMI of a counter that was disarmed may be on its way. It
 *   comes wherever the CPU is then, and later if the CPU was taken away.
 * - Any: a foreign NMI did the work of ours. We claim every unknown NMI that
 *   comes shortly after one of ours.
 *
 * Compiles in user space.
 */
#include "pmu/nmi_claim.h"

static bool span_holds(const struct tprof_claim_span *span, u64 now)
{
	return now - READ_ONCE(span->since) < READ_ONCE(span->length);
}

/* A span that already lasts longer is left alone. */
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
 * tprof_claim_change_window - change the window of NMIs that are served
 * @claim:	this CPU's claims
 * @now:	TSC
 * @window:	TSC cycles for which every unknown NMI is ours from the next one on
 *
 * What is left of the window that the last NMI has opened stays open as @any.
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
 * tprof_claim_came - note that an owed NMI has come and its source knew it
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
 * @window:	TSC cycles for which every unknown NMI is ours from now on
 *
 * Context: interrupts off.
 */
void tprof_claim_expect(struct tprof_claim *claim, u64 now, u64 window)
{
	extend_span(&claim->any, now, window);
	begin_span(&claim->disarmed, now, claim->patience);
}

/*
 * A latched NMI comes at the place of the served one, and there can be only one.
 * @is_latched says so: @served still dates the window for any other.
 */
static bool take_latched(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place)
{
	if (!claim->is_latched || now - claim->served >= claim->patience ||
	    !place.ip || claim->place.ip != place.ip ||
	    claim->place.sp != place.sp)
		return false;
	claim->is_latched = false;
	return true;
}

/**
 * tprof_claim_unknown - decide whether an unknown NMI is ours
 * @claim:	this CPU's claims
 * @now:	TSC
 * @place:	where the NMI interrupted the CPU, or 0 if it was idle
 *
 * Context: NMI.
 *
 * Return: true if it is ours.
 */
bool tprof_claim_unknown(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place)
{
	if (take_latched(claim, now, place)) {
		/* If an NMI was owed too, this is the one. */
		end_span(&claim->owed);
		return true;
	}
	return take_span(&claim->owed, now) || take_span(&claim->disarmed, now) ||
	       span_holds(&claim->any, now) || now - claim->served < claim->window;
}
