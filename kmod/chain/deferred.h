/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - deferred call chains: completed on the return to user mode
 *
 * An NMI cannot wait for pages of the user's stack. The task can wait, before
 * it returns to user mode. Its stack does not change until then.
 *
 * These chains are not deferred:
 *
 * - chains of samples in the kernel: the task may sleep for days before it returns to user mode,
 *   and the module could not be unloaded until then; for the same reason, chains of page faults;
 * - chains with an absent address that is not near the stack pointer, or that the task itself could
 *   not read a few seconds before;
 * - chains beyond MAX_ASKED of a CPU in 100 ms;
 * - chains of a user with ENTRIES_PER_USER tasks that wait for their memory on this CPU. Otherwise
 *   a user with memory that never comes would keep the entries from all others. As many are left
 *   to root.
 *
 * The chain is another record (TPROF_LX_MISC_CHAIN_DEFERRED in the header of the sample says
 * that it comes), and the reader puts it into the sample. If another thread of the process
 * maps memory between a sample and its deferred chain, the reader does not wait for the chain.
 */
#ifndef TPROF_DEFERRED_H
#define TPROF_DEFERRED_H

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>

#include "chain/chain.h"
#include "tables/tables.h"

/**
 * struct tprof_deferred_record - record of a deferred chain: a header and then
 * struct tprof_lx_chain
 * @header:	complete except for the size
 * @id:		as in struct tprof_lx_chain
 * @path:	as in struct tprof_lx_chain
 * @elapsed:	as in struct tprof_lx_chain; set by the writer of the record
 * @chain:	as in struct tprof_lx_chain
 * @stack:	copy of the stack, see TPROF_LX_MISC_STACK
 * @stack_bytes: its length, 0 for none
 */
struct tprof_deferred_record {
	struct perf_event_header header;
	u64			id;
	char			path[sizeof_field(struct tprof_lx_chain, path)];
	u64			elapsed;
	struct tprof_chain	chain;
	void			*stack;
	u32			stack_bytes;
};

static_assert(offsetof(struct tprof_deferred_record, chain) ==
	      sizeof(struct perf_event_header) +
	      offsetof(struct tprof_lx_chain, nr));

/*
 * Write @record. @asked_at is the time (ktime_get_mono_fast_ns()) at which a sample
 * requested the chain, and @tables the tables that it was found by, or NULL.
 * Context: process, in the task of the chain.
 */
typedef void (*tprof_deferred_report_t)(struct tprof_deferred_record *record,
				   u64 asked_at, const struct tprof_tables *tables);

bool tprof_deferred_ask(const struct pt_regs *user, const struct tprof_chain_plan *plan,
			unsigned long at);

int tprof_deferred_start(tprof_deferred_report_t report);
void tprof_deferred_stop(void);
void tprof_deferred_uninit(void);

#endif /* TPROF_DEFERRED_H */
