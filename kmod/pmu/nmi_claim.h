/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which of the NMIs that nobody wants are ours
 */
#ifndef TPROF_NMI_CLAIM_H
#define TPROF_NMI_CLAIM_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include "kernel.h"
#endif

/**
 * struct tprof_claim_span - a time from now on
 * @since:	TSC
 * @length:	cycles
 *
 * If the TSC began anew, as it does in suspend, it is over: the difference is
 * then far beyond any length.
 */
struct tprof_claim_span {
	u64	since;
	u64	length;
};

/**
 * struct tprof_claim_place - where an NMI came
 * @ip:		address, 0 if it says nothing
 * @sp:		stack
 *
 * Handed over by value, in registers.
 */
struct tprof_claim_place {
	unsigned long ip;
	unsigned long sp;
};

/**
 * struct tprof_claim - what a CPU's late NMIs are known by
 * @any:	while any is ours
 * @latched:	while the next one at @place is
 * @place:	where the last one of ours came
 * @owed:	while the next one anywhere is, since one did the work of two
 * @disarmed:	likewise, since a counter was disarmed
 * @patience:	how long all but @any are, whoever sends it
 *
 * Of its CPU alone. tprof_claim_expect() runs with interrupts off, and an NMI may
 * come between any two of its steps: @disarmed is its own, and @any then ends
 * with the source that is named last.
 */
struct tprof_claim {
	struct tprof_claim_span any;
	struct tprof_claim_span latched;
	struct tprof_claim_place place;
	struct tprof_claim_span owed;
	struct tprof_claim_span disarmed;
	u64	patience;
};

void tprof_claim_served(struct tprof_claim *claim, u64 now, u64 window,
			struct tprof_claim_place place);
void tprof_claim_owe(struct tprof_claim *claim, u64 now);
void tprof_claim_came(struct tprof_claim *claim);
void tprof_claim_expect(struct tprof_claim *claim, u64 now, u64 window);
bool tprof_claim_unknown(struct tprof_claim *claim, u64 now,
			 struct tprof_claim_place place);

#endif /* TPROF_NMI_CLAIM_H */
