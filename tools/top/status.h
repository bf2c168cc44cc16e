/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - what happened in an interval, as the lines above the tables
 */
#ifndef TPROF_STATUS_H
#define TPROF_STATUS_H

#include "counts/counting.h"
#include "live/device.h"

#define STATUS_LINES	4
#define STATUS_LEN	256

/**
 * struct status - the counts of an interval
 * @time:	its end, in seconds of CLOCK_REALTIME
 * @ns:		its length
 * @samples:	samples that were read in it
 * @kernel:	those in the kernel
 * @all_samples: samples that were read since the start
 * @all_kernel:	those in the kernel
 * @cpu_ns:	CPU time of this process in it
 * @memory:	memory of this process
 * @stats:	statistics of the session since its start
 * @left_out:	samples that were left out for lack of memory, since the start
 * @passed_over: samples that were left out while the tables were paused, since the start
 * @nr_binaries_left_out: mappings of binaries that were left out, since the start
 * @counting:	counts of events in it; NULL, or without events, if there are none
 * @nr_waiting:	binaries that wait for their symbols
 * @nr_refused:	binaries without symbols for lack of memory
 */
struct status {
	s64	time;
	u64	ns;
	u64	samples;
	u64	kernel;
	u64	all_samples;
	u64	all_kernel;
	u64	cpu_ns;
	u64	memory;
	struct tprof_lx_stats stats;
	u64	left_out;
	u64	passed_over;
	u64	nr_binaries_left_out;
	const struct counting *counting;
	u32	nr_waiting;
	u32	nr_refused;
};

/* Return true if anything was lost since the start. */
static inline bool status_has_losses(const struct status *status)
{
	return status->stats.ledger.lost_ring || status->left_out || status->stats.side_lost ||
	       status->nr_binaries_left_out;
}

void status_title(const struct status *status, const char *event, char *buf, size_t len);
const char *status_line(const struct status *status, u32 at, char *buf, size_t len);

#endif /* TPROF_STATUS_H */
