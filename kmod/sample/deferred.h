/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call chains that are continued on the way back to user mode
 *
 * Where the user's stack is not in memory, an NMI cannot wait for it. The task
 * can, before it runs on: until then its stack is as it was.
 */
#ifndef TPROF_DEFERRED_H
#define TPROF_DEFERRED_H

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>

#include "sample/unwind.h"

/**
 * struct tprof_deferred_record - a chain as it is told: header, struct tprof_lx_chain
 * @header:	its size is not set
 * @id:		as in struct tprof_lx_chain
 * @path:	likewise
 * @elapsed:	likewise, for who tells to set
 * @chain:	likewise
 */
struct tprof_deferred_record {
	struct perf_event_header header;
	u64			id;
	char			path[sizeof_field(struct tprof_lx_chain, path)];
	u64			elapsed;
	struct tprof_chain	chain;
};

static_assert(offsetof(struct tprof_deferred_record, chain) ==
	      sizeof(struct perf_event_header) +
	      offsetof(struct tprof_lx_chain, nr));

/*
 * @asked_at: of the first sample, by ktime_get_mono_fast_ns()
 * Context: process, in the task whose chain it is.
 */
typedef void (*tprof_deferred_report_t)(struct tprof_deferred_record *record,
				   u64 asked_at);

bool tprof_deferred_ask(const struct pt_regs *user, u32 frames, unsigned long at);

int tprof_deferred_start(tprof_deferred_report_t tell);
void tprof_deferred_stop(void);
void tprof_deferred_uninit(void);

#endif /* TPROF_DEFERRED_H */
