// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - walks the user's stack for the call chains of an event, by unwind tables
 *
 * Context: tprof_walker_alloc() and tprof_walker_free(): process, may sleep. All others: any,
 * NMI included, not preemptible. No locks, no allocation; loops are bounded: see walk.h.
 */
#include <linux/err.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/gfp.h"
#include "unwind/walk.h"
#include "unwind/walker.h"

/**
 * tprof_walker_alloc - allocate a walker
 * @tables:	tables of the session
 *
 * Return: walker, or ERR_PTR(-ENOMEM).
 */
struct tprof_walker *tprof_walker_alloc(struct tprof_tables *tables)
{
	struct tprof_walker *walker = kzalloc(sizeof(*walker), TPROF_GFP);

	if (!walker)
		return ERR_PTR(-ENOMEM);
	walker->tables = tables;
	walker->counts = alloc_percpu_gfp(struct tprof_walker_counts, TPROF_GFP);
	if (walker->counts)
		return walker;
	kfree(walker);
	return ERR_PTR(-ENOMEM);
}

/**
 * tprof_walker_free - free a walker
 * @walker:	walker that no sample uses any more, or NULL
 */
void tprof_walker_free(struct tprof_walker *walker)
{
	if (!walker)
		return;
	free_percpu(walker->counts);
	kfree(walker);
}

/**
 * tprof_walker_add_counts - add the counts of a CPU to a sum
 * @walker:	walker of the event
 * @cpu:	CPU
 * @stats:	sum
 */
void tprof_walker_add_counts(const struct tprof_walker *walker, int cpu,
			     struct tprof_lx_stats *stats)
{
	const struct tprof_walker_counts *counts = per_cpu_ptr(walker->counts, cpu);

	stats->frames_table += READ_ONCE(counts->by_table);
	stats->frames_fp += READ_ONCE(counts->by_frame);
	stats->chains_whole += READ_ONCE(counts->whole);
	stats->chains_cut += READ_ONCE(counts->rule);
	stats->chains_astray += READ_ONCE(counts->astray);
	stats->chains_unmapped += READ_ONCE(counts->unmapped);
}

static __always_inline unsigned long read_register(const void *task, u8 number)
{
	static const u8 offsets[16] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, dx),
		offsetof(struct pt_regs, cx), offsetof(struct pt_regs, bx),
		offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
		offsetof(struct pt_regs, bp), offsetof(struct pt_regs, sp),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
		offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
	};

	/* Racy read: see tprof_unwind_user_regs(). */
	return data_race(*(const unsigned long *)(task + offsets[number]));
}

/*
 * Compare the address of a word with the limit of user memory, and then mask it, so that a
 * mispredicted branch cannot read kernel memory at an address that the user or a table chose.
 */
static __always_inline bool mask_address(unsigned long *at)
{
	unsigned long limit = TASK_SIZE_MAX - sizeof(unsigned long) + 1;

	/* array_index_nospec() cannot use a constant of more than 32 bits. */
	OPTIMIZER_HIDE_VAR(limit);
	if (unlikely(*at >= limit))
		return false;
	*at = array_index_nospec(*at, limit);
	return true;
}

/* Read user memory. The caller has enabled access to it. */
static __always_inline bool read_in_place(const void *task, unsigned long at,
					  unsigned long *word)
{
	if (!mask_address(&at))
		return false;
	unsafe_get_user(*word, (const unsigned long __user *)at, absent);
	return true;

absent:
	return false;
}

static const struct tprof_walk_access in_place = {
	.read = read_in_place,
	.reg = read_register,
};

static __always_inline bool read_checked(const void *task, unsigned long at,
					 unsigned long *word)
{
	return mask_address(&at) &&
	       !copy_from_user_nmi(word, (const void __user *)at, sizeof(*word));
}

static const struct tprof_walk_access checked = {
	.read = read_checked,
	.reg = read_register,
};

static __always_inline struct tprof_walk begin_walk(const struct tprof_map *map,
						    const struct pt_regs *user)
{
	/* Racy reads: see tprof_unwind_user_regs(). */
	unsigned long ip = data_race(user->ip), sp = data_race(user->sp), bp = data_race(user->bp);

	return (struct tprof_walk){
		.map = map,
		.ip = ip,
		.sp = sp,
		.bp = bp,
		.has_bp = true,
		.has_all = true,
		.is_exact = true,
	};
}

static u64 *be_unmapped(const struct tprof_walker *walker, u64 *field,
			const struct pt_regs *user, struct tprof_unwind_end *end)
{
	end->cuts |= BIT(TPROF_UNWIND_UNMAPPED);
	/* Racy read: see tprof_unwind_user_regs(). */
	end->absent_at = data_race(user->sp);
	if (walker->counts)
		this_cpu_inc(walker->counts->unmapped);
	return field;
}

static void count_early_ends(const struct tprof_walker *walker, const struct tprof_walk *walk)
{
	if (walk->end.cuts & BIT(TPROF_UNWIND_RULE))
		this_cpu_inc(walker->counts->rule);
	if (walk->end.cuts & BIT(TPROF_UNWIND_ASTRAY))
		this_cpu_inc(walker->counts->astray);
}

/* End a walk that has written addresses from @field to @next. */
static u64 *end_walk(const struct tprof_walker *walker, const struct tprof_walk *walk,
		     u64 *field, u64 *next, const struct pt_regs *user,
		     struct tprof_unwind_end *end)
{
	if (unlikely(walk->is_unmapped && !walk->map->is_partial))
		return be_unmapped(walker, field, user, end);
	end->cuts |= walk->end.cuts;
	end->absent_at = walk->end.absent_at;
	if (!walker->counts)
		return next;
	this_cpu_add(walker->counts->by_table, walk->by_table);
	if (unlikely(walk->by_frame))
		this_cpu_add(walker->counts->by_frame, walk->by_frame);
	if (likely(walk->is_whole))
		this_cpu_inc(walker->counts->whole);
	else if (walk->end.cuts)
		count_early_ends(walker, walk);
	return next;
}

/**
 * tprof_walker_walk_in_place - write the callers of interrupted 64-bit user code
 * @walker:	walker of the event
 * @field:	result
 * @last:	end of the result
 * @user:	interrupted registers, of user mode
 * @end:	result: how the chain ends
 *
 * The task was running in user mode, so its page tables are loaded.
 *
 * Context: any, NMI included, not preemptible.
 * Return: one past the last address written.
 */
u64 *tprof_walker_walk_in_place(const struct tprof_walker *walker, u64 *field,
				const u64 *last, const struct pt_regs *user,
				struct tprof_unwind_end *end)
{
	const struct tprof_map *map = tprof_spaces_find(&walker->tables->spaces, current->mm);
	struct tprof_walk walk;
	u64 *next = field;

	if (unlikely(!map))
		return be_unmapped(walker, field, user, end);
	walk = begin_walk(map, user);
	pagefault_disable();
	if (user_access_begin((void __user *)PAGE_SIZE, sizeof(u64))) {
		next = tprof_walk_callers(&walk, &in_place, user, field, last);
		user_access_end();
	}
	pagefault_enable();
	return end_walk(walker, &walk, field, next, user, end);
}

/**
 * tprof_walker_walk - write the callers of 64-bit user code
 * @walker:	walker of the event
 * @field:	result
 * @last:	end of the result
 * @user:	registers of the user
 * @end:	result: how the chain ends
 *
 * Context: any, NMI included, not preemptible.
 * Return: one past the last address written.
 */
u64 *tprof_walker_walk(const struct tprof_walker *walker, u64 *field, const u64 *last,
		       const struct pt_regs *user, struct tprof_unwind_end *end)
{
	/* Racy read: a task that exits gives up its mm. */
	const struct tprof_map *map = tprof_spaces_find(&walker->tables->spaces,
							READ_ONCE(current->mm));
	struct tprof_walk walk;
	u64 *next;

	if (!map)
		return be_unmapped(walker, field, user, end);
	walk = begin_walk(map, user);
	next = tprof_walk_callers(&walk, &checked, user, field, last);
	return end_walk(walker, &walk, field, next, user, end);
}
