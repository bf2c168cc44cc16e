/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the user part of a call chain by unwind tables
 *
 * Most programs are compiled without frame pointers. For their chains, the command line makes
 * a table of each file (TABLE): which rule leads from an address to the caller's stack
 * pointer, return address and frame pointer. The steps are:
 *
 * 1. tprof_spaces_find() finds the executable mappings of current->mm, a sorted array.
 * 2. For each frame, the mapping of its address is searched, then the table's page of 64 KiB,
 *    then the row: at most 14 and 16 steps of a binary search. A rule that is cached needs
 *    none.
 * 3. The rule says where the caller's stack pointer is. Two words of the stack are read, the
 *    return address and perhaps the frame pointer. Code without a table or without a row is
 *    followed by the frame pointer. If the file may still get a table, the record gets a copy
 *    of the stack (stack_copy.h).
 * 4. The walk ends at an outermost frame, at a rule that is a cut, at absent memory, where the
 *    stack pointer does not grow, at the 17th signal frame, or at the maximum length.
 *
 * The mappings are not known when a process is sampled first, and not any more when the probe
 * of track_mmap.c has seen a change, or when the interrupted address is in no mapping. Then
 * the sample has the interrupted address only. The task learns its mappings in the task work
 * of the deferred chain and walks again. For samples in the kernel, which cannot be deferred,
 * a worker learns them, and the sample follows frame pointers. A worker does so, too, if a
 * chain could be deferred but is not. A deferred walk runs with preemption off, so that the
 * mappings stay; if it finds a page absent, it reads that page and walks again, up to 64
 * times.
 *
 * Only the slow path, tprof_walk_caller() and tprof_walk_on_cached(), writes the marks that
 * say which way a caller was found (TPROF_LX_EVENT_TABLES): a chain by cached rules alone has
 * none. perf takes such a mark for the beginning of user addresses, which it is, so it shows
 * the same frames. They do not count as frames. At most five are written, so that a chain has
 * less marks than the kernel's limit of 8.
 *
 * Context: see each function.
 */
#ifndef TPROF_BY_TABLES_H
#define TPROF_BY_TABLES_H

#include <linux/compiler.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/types.h>

#include "chain/end.h"
#include "chain/gather.h"
#include "chain/walker.h"

/**
 * tprof_by_tables_write - do the same as tprof_by_frames_write(), by unwind tables
 * @walker:	walker of the event
 * @frames:	maximum number of frames
 * @field:	result: PERF_SAMPLE_CALLCHAIN, at most TPROF_WALK_MAX_MARKS more words
 * @user:	interrupted registers, of user mode
 * @end:	result, zero before the call: how the chain ends
 *
 * Context: NMI.
 * Return: one past the last word written.
 */
static __always_inline u64 *
tprof_by_tables_write(const struct tprof_walker *walker, u32 frames, u64 *field,
		      const struct pt_regs *user, struct tprof_chain_end *end)
{
	const u64 *last = field + 2 + frames;
	u64 *nr = field, *next;

	field[1] = PERF_CONTEXT_USER;
	field[2] = user->ip;
	next = tprof_walker_walk_whole(walker, field + 3, last, user);
	if (unlikely(!next))
		next = tprof_walker_walk_in_place(walker, field + 3, last, user, end);
	*nr = next - nr - 1;
	return next;
}

void tprof_by_tables_gather(struct tprof_gather *gather, const struct tprof_walker *walker,
			    const struct pt_regs *user, bool may_defer);
struct tprof_chain_end tprof_by_tables_complete(struct tprof_chain *chain, u32 frames,
						const struct pt_regs *user,
						struct tprof_tables *tables);

#endif /* TPROF_BY_TABLES_H */
