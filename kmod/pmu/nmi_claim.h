/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which unknown NMIs are ours
 */
#ifndef TPROF_NMI_CLAIM_H
#define TPROF_NMI_CLAIM_H

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/types.h>
#else
#include "kernel.h"
#endif

/**
 * struct tprof_claim_span - a stretch of time
 * @since:	TSC at its start
 * @length:	TSC cycles; 0 if it has ended
 *
 * A span also ends when the TSC restarts from 0, as it does in suspend: @since is
 * then in the future, so the unsigned difference of TSC and @since exceeds any
 * @length.
 */
struct tprof_claim_span {
	u64	since;
	u64	length;
};

/**
 * struct tprof_claim_place - where an NMI interrupted the CPU
 * @ip:		instruction pointer; 0 if the place does not identify an NMI
 * @sp:		stack pointer
 *
 * Passed by value, in registers.
 */
struct tprof_claim_place {
	unsigned long ip;
	unsigned long sp;
};

/**
 * struct tprof_claim - how a CPU recognises unknown NMIs of ours
 * @served:	TSC when the last NMI of ours was served
 * @window:	TSC cycles after @served during which every unknown NMI is ours
 * @place:	where the last NMI of ours interrupted the CPU
 * @is_latched:	the next unknown NMI at @place is ours, if it comes within @patience
 *		after @served
 * @any:	another span in which every unknown NMI is ours: after a counter was
 *		disarmed, or the rest of an earlier @window
 * @owed:	span in which the next unknown NMI is ours, because one NMI served two
 *		sources
 * @disarmed:	span in which the next unknown NMI is ours, because a counter was
 *		disarmed
 * @patience:	length of @owed and @disarmed, in TSC cycles
 *
 * After tprof_nmi_init(), only the structure's own CPU accesses it. An NMI may come
 * between any two steps of tprof_claim_expect(), which runs with interrupts off.
 * Only tprof_claim_expect() begins @disarmed. Both tprof_claim_expect() and an NMI
 * may extend @any: the last write counts.
 */
struct tprof_claim {
	u64	served;
	u64	window;
	struct tprof_claim_place place;
	bool	is_latched;
	struct tprof_claim_span any;
	struct tprof_claim_span owed;
	struct tprof_claim_span disarmed;
	u64	patience;
};

/**
 * tprof_claim_note - note that an NMI of ours was served
 * @claim:	this CPU's claims
 * @now:	TSC
 * @window:	TSC cycles from @now during which every unknown NMI is ours; not less than
 *		@claim->window
 * @place:	where the NMI interrupted the CPU
 *
 * This is a fast path, so it only takes notes. tprof_claim_unknown() evaluates them,
 * because unknown NMIs are rare.
 *
 * Context: NMI.
 */
static __always_inline void
tprof_claim_note(struct tprof_claim *claim, u64 now, u64 window, struct tprof_claim_place place)
{
	claim->served = now;
	claim->window = window;
	claim->place = place;
	claim->is_latched = true;
}

void tprof_claim_served(struct tprof_claim *claim, u64 now, u64 window,
			struct tprof_claim_place place);
void tprof_claim_owe(struct tprof_claim *claim, u64 now);
void tprof_claim_came(struct tprof_claim *claim);
void tprof_claim_expect(struct tprof_claim *claim, u64 now, u64 window);
bool tprof_claim_unknown(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place);

#endif /* TPROF_NMI_CLAIM_H */
