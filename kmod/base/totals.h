/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - totals of the module since it was loaded, over all sessions
 */
#ifndef TPROF_TOTALS_H
#define TPROF_TOTALS_H

#include <linux/types.h>

/**
 * enum tprof_total - what is counted
 * @TPROF_TOTAL_CALLS:		ioctls
 * @TPROF_TOTAL_CALLS_FAILED:	ioctls that returned an error
 * @TPROF_TOTAL_BUFFERS:	requests for the memory of a ring or of a fifo
 * @TPROF_TOTAL_BUFFERS_FAILED:	such requests that failed
 * @TPROF_TOTAL_IPI_CALLS:	functions that a CPU called in an IPI, or without one on the CPU
 *				of the caller
 * @TPROF_TOTAL_CPU_WORKS:	works that were queued for a CPU
 * @TPROF_TOTAL_GRACE_PERIODS:	waits for all RCU readers or probes
 * @TPROF_TOTAL_LOST:		samples that a full ring has refused
 * @TPROF_TOTAL_SIDE_LOST:	side-band records lost
 * @TPROF_TOTAL_ROUNDS:		passes that moved records
 * @TPROF_TOTAL_EMPTY_ROUNDS:	passes that found none
 * @TPROF_TOTAL_KICKS:		flushes that rings requested
 * @TPROF_TOTAL_STALLS:		events that stopped because a ring was full
 * @TPROF_NR_TOTALS:		number of totals
 */
enum tprof_total {
	TPROF_TOTAL_CALLS,
	TPROF_TOTAL_CALLS_FAILED,
	TPROF_TOTAL_BUFFERS,
	TPROF_TOTAL_BUFFERS_FAILED,
	TPROF_TOTAL_IPI_CALLS,
	TPROF_TOTAL_CPU_WORKS,
	TPROF_TOTAL_GRACE_PERIODS,
	TPROF_TOTAL_LOST,
	TPROF_TOTAL_SIDE_LOST,
	TPROF_TOTAL_ROUNDS,
	TPROF_TOTAL_EMPTY_ROUNDS,
	TPROF_TOTAL_KICKS,
	TPROF_TOTAL_STALLS,
	TPROF_NR_TOTALS,
};

void tprof_totals_add(enum tprof_total total, unsigned int nr);
u64 tprof_totals_read(enum tprof_total total);

#endif /* TPROF_TOTALS_H */
