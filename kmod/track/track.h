/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - telling readers what runs: tasks, names, mappings, modules
 *
 * Probes on the scheduler's tracepoints, on perf_event_mmap() and on the
 * module notifier write side-band records into the lane of the CPU they run
 * on. They are there only while a tracker is attached, that is, while a
 * session runs that asked for them.
 *
 * Context: probes run not preemptible, with raw spinlocks of the scheduler
 * held (sched_switch): no lock, no allocation, nothing that sleeps, on
 * PREEMPT_RT kernels either. Mappings are finished in task work, which may
 * sleep.
 */
#ifndef TPROF_TRACK_H
#define TPROF_TRACK_H

#include <linux/list.h>
#include <linux/types.h>

struct tprof_sampler;

/**
 * enum tprof_track_want - which records a session wants
 * @TPROF_TRACK_COMM:		COMM
 * @TPROF_TRACK_COMM_EXEC:	PERF_RECORD_MISC_COMM_EXEC in those of an exec
 * @TPROF_TRACK_TASK:		FORK, EXIT
 * @TPROF_TRACK_MMAP:		MMAP2 of executable mappings (MMAP unless MMAP2),
 *				and of modules that come, KSYMBOL when they go
 * @TPROF_TRACK_MMAP_DATA:	the same of all other mappings
 * @TPROF_TRACK_MMAP2:		as MMAP2
 * @TPROF_TRACK_BUILD_ID:	with build-ids
 * @TPROF_TRACK_SWITCH:		SWITCH_CPU_WIDE
 * @TPROF_TRACK_CHAIN:		call chains that were continued later
 */
enum tprof_track_want {
	TPROF_TRACK_COMM	= 1U << 0,
	TPROF_TRACK_COMM_EXEC	= 1U << 1,
	TPROF_TRACK_TASK	= 1U << 2,
	TPROF_TRACK_MMAP	= 1U << 3,
	TPROF_TRACK_MMAP2	= 1U << 4,
	TPROF_TRACK_BUILD_ID	= 1U << 5,
	TPROF_TRACK_SWITCH	= 1U << 6,
	TPROF_TRACK_MMAP_DATA	= 1U << 7,
	TPROF_TRACK_CHAIN	= 1U << 8,
};

/**
 * struct tprof_tracker - one session's wish to be told
 * @node:	in the list of attached trackers; RCU readers, changed under the
 *		track lock
 * @sampler:	event whose id, clock and trailer the records carry, and whose
 *		@targets limit them; constant while attached
 * @wants:	enum tprof_track_want; constant while attached
 * @frames:	of TPROF_TRACK_CHAIN: how many a chain may have; likewise
 */
struct tprof_tracker {
	struct list_head		node;
	const struct tprof_sampler	*sampler;
	u32				wants;
	u32				frames;
};

int tprof_track_attach(struct tprof_tracker *tracker);
void tprof_track_detach(struct tprof_tracker *tracker);

int tprof_track_init(void);
void tprof_track_uninit(void);

#endif /* TPROF_TRACK_H */
