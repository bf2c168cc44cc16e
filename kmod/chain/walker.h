/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - walks the user's stack for the call chains of an event, by unwind tables
 *
 * Context: see each function.
 */
#ifndef TPROF_WALKER_H
#define TPROF_WALKER_H

#include <linux/ptrace.h>
#include <linux/tprof_lx.h>

#include "chain/end.h"
#include "chain/walk.h"
#include "tables/tables.h"

/**
 * struct tprof_walker_counts - the walks of an event on a CPU
 * @by_table:	steps by a table
 * @by_frame:	steps by the frame pointer
 * @whole:	walks to an outermost frame
 * @rule:	walks that ended with TPROF_CHAIN_RULE
 * @astray:	walks that ended with TPROF_CHAIN_ASTRAY
 * @unmapped:	walks that did not begin: TPROF_CHAIN_UNMAPPED
 *
 * Written on the CPU only, by single instructions, as an NMI may interrupt them.
 */
struct tprof_walker_counts {
	unsigned long	by_table;
	unsigned long	by_frame;
	unsigned long	whole;
	unsigned long	rule;
	unsigned long	astray;
	unsigned long	unmapped;
};

/**
 * struct tprof_walker - walks the user's stack for an event
 * @tables:	tables of the session; constant while overflows are possible
 * @counts:	its walks, or NULL
 */
struct tprof_walker {
	struct tprof_tables			*tables;
	struct tprof_walker_counts __percpu	*counts;
};

struct tprof_walker *tprof_walker_alloc(struct tprof_tables *tables);
void tprof_walker_free(struct tprof_walker *walker);
void tprof_walker_add_counts(const struct tprof_walker *walker, int cpu,
			     struct tprof_lx_stats *stats);

u64 *tprof_walker_walk_whole(const struct tprof_walker *walker, u64 *field, const u64 *last,
			     const struct pt_regs *user);
u64 *tprof_walker_walk_in_place(const struct tprof_walker *walker, u64 *field,
				const u64 *last, const struct pt_regs *user,
				struct tprof_chain_end *end);
u64 *tprof_walker_walk(const struct tprof_walker *walker, struct tprof_walk *walk, u64 *field,
		       const u64 *last, const struct pt_regs *user, struct tprof_chain_end *end);

#endif /* TPROF_WALKER_H */
