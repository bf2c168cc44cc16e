/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which of the NMIs that nobody wants are ours
 */
#ifndef TPROF_LATE_H
#define TPROF_LATE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include "kernel.h"
#endif

/**
 * struct tprof_late_span - a time from now on
 * @since:	TSC
 * @length:	cycles
 *
 * If the TSC began anew, as it does in suspend, it is over: the difference is
 * then far beyond any length.
 */
struct tprof_late_span {
	u64	since;
	u64	length;
};

/**
 * struct tprof_late - what a CPU's late NMIs are known by
 * @any:	while any is ours
 * @next:	while the next one is ours, if it comes at @ip
 * @patience:	how long @next is, whoever sent it
 * @ip:		where the last one of ours came, or 0: wherever it comes
 * @sp:		the stack there
 *
 * Of its CPU alone, with interrupts off. An NMI may come between any two steps
 * of tprof_late_expect() and do its own: what it leaves is as good.
 */
struct tprof_late {
	struct tprof_late_span any;
	struct tprof_late_span next;
	u64	patience;
	unsigned long ip;
	unsigned long sp;
};

void tprof_late_served(struct tprof_late *late, u64 now, u64 window,
		       unsigned long ip, unsigned long sp);
void tprof_late_expect(struct tprof_late *late, u64 now, u64 window);
bool tprof_late_claim(struct tprof_late *late, u64 now, unsigned long ip,
		      unsigned long sp);

#endif /* TPROF_LATE_H */
