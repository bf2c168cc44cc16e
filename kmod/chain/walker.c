// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - walks the user's stack for the call chains of an event, by unwind tables
 *
 * A walk in an NMI caches the rules that it finds. The caches are allocated with the first
 * walker and freed with the last.
 *
 * Context: tprof_walker_alloc() and tprof_walker_free(): process, may sleep. All others: any,
 * NMI included, not preemptible. No locks, no allocation; loops are bounded: see walk.h.
 */
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <asm/asm.h>
#include <asm/extable_fixup_types.h>

#include "base/gfp.h"
#include "chain/user_regs.h"
#include "chain/walk_cached.h"
#include "chain/walker.h"

/* Protects @caches and @nr_users. Taken inside the session lock. */
static DEFINE_MUTEX(caches_lock);
static struct tprof_rule_cache __percpu *caches;
static u32 nr_users;

static int get_caches(void)
{
	guard(mutex)(&caches_lock);
	if (!nr_users) {
		caches = alloc_percpu_gfp(struct tprof_rule_cache, TPROF_GFP);
		if (!caches)
			return -ENOMEM;
	}
	nr_users++;
	return 0;
}

static void put_caches(void)
{
	guard(mutex)(&caches_lock);
	if (--nr_users)
		return;
	free_percpu(caches);
	caches = NULL;
}

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
	if (walker->counts && !get_caches())
		return walker;
	free_percpu(walker->counts);
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
	put_caches();
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
	return tprof_user_register(task, number);
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

static __always_inline void begin_walk(struct tprof_walk *walk, const struct tprof_map *map,
				       const struct pt_regs *user)
{
	/* Racy reads: see tprof_user_regs(). */
	unsigned long ip = data_race(user->ip), sp = data_race(user->sp), bp = data_race(user->bp);

	*walk = (struct tprof_walk){
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
			const struct pt_regs *user, struct tprof_chain_end *end)
{
	end->cuts |= BIT(TPROF_CHAIN_UNMAPPED);
	/* Racy read: see tprof_user_regs(). */
	end->absent_at = data_race(user->sp);
	if (walker->counts)
		this_cpu_inc(walker->counts->unmapped);
	return field;
}

static void count_early_ends(const struct tprof_walker *walker, const struct tprof_walk *walk)
{
	if (walk->end.cuts & BIT(TPROF_CHAIN_RULE))
		this_cpu_inc(walker->counts->rule);
	if (walk->end.cuts & BIT(TPROF_CHAIN_ASTRAY))
		this_cpu_inc(walker->counts->astray);
}

/* End a walk that has written addresses from @field to @next. */
static u64 *end_walk(const struct tprof_walker *walker, const struct tprof_walk *walk,
		     u64 *field, u64 *next, const struct pt_regs *user,
		     struct tprof_chain_end *end)
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

/*
 * Read user memory. The caller has enabled access to it, and checked the address. With
 * unsafe_get_user(), the result would be tested twice: whether there is one, and its value.
 * copy_from_user_nofault() would enable the access for each word. So the entry in the table of
 * exceptions is written here: a fault leaves -EFAULT, which is no address of user space.
 */
static __always_inline unsigned long load_in_place(const void *task, unsigned long at)
{
	unsigned long word;

	BUILD_BUG_ON(TPROF_WALK_NO_WORD != -EFAULT);
	/* clang-format off */
	asm volatile("1:	mov %1, %0\n"
		     "2:\n"
		     _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %0)
		     : "=r" (word)
		     : "m" (*(const unsigned long *)at));
	/* clang-format on */
	return word;
}

static __always_inline u64 salt_of(const struct tprof_walker *walker,
				   const struct tprof_map *map, struct tprof_rule_cache *cache)
{
	/* Barrier V, pairs with count_change(): tables are read after @changes. */
	u64 changes = smp_load_acquire(&walker->tables->objects.changes);

	return tprof_rule_cache_salt(cache, map->number, changes);
}

/**
 * tprof_walker_walk_whole - write the callers of interrupted 64-bit user code by cached rules
 * @walker:	walker of the event
 * @field:	result
 * @last:	end of the result
 * @user:	interrupted registers, of user mode
 *
 * Nearly all chains are such. tprof_walker_walk_in_place() finds the others from their
 * beginning, so that this function need not say where and why it has ended.
 *
 * Context: NMI.
 * Return: one past the last address written; NULL if the walk does not reach an outermost
 * frame.
 */
u64 *tprof_walker_walk_whole(const struct tprof_walker *walker, u64 *field, const u64 *last,
			     const struct pt_regs *user)
{
	const struct tprof_map *map = tprof_spaces_find(&walker->tables->spaces, current->mm);
	struct tprof_rule_cache *cache = this_cpu_ptr(caches);
	struct tprof_walker_counts __percpu *counts = walker->counts;
	struct tprof_walk_place place = {
		.ip = user->ip, .sp = user->sp, .bp = user->bp, .is_exact = true,
	};
	u64 *next;
	u64 salt;

	if (unlikely(!map))
		return NULL;
	salt = salt_of(walker, map, cache);
	if (unlikely(!user_access_begin((void __user *)PAGE_SIZE, sizeof(u64))))
		return NULL;
	next = tprof_walk_cached(cache, salt, &place, load_in_place, user, field, last);
	user_access_end();
	if (unlikely(!place.is_whole))
		return NULL;
	this_cpu_add(counts->by_table, (unsigned long)(next - field));
	this_cpu_inc(counts->whole);
	return next;
}

static u64 *walk_in_place(struct tprof_walk *walk, u64 *next, const u64 *last,
			  const struct pt_regs *user)
{
	bool has_caller = true;
	u64 *from;

	while (has_caller && user_access_begin((void __user *)PAGE_SIZE, sizeof(u64))) {
		from = next;
		next = tprof_walk_caller(walk, &in_place, user, from, last);
		has_caller = next != from;
		if (has_caller && walk->cache && walk->has_bp) {
			next = tprof_walk_on_cached(walk, load_in_place, user, next, last);
			has_caller = !walk->is_whole;
		}
		user_access_end();
	}
	return next;
}

/**
 * tprof_walker_walk_in_place - write the callers of interrupted 64-bit user code
 * @walker:	walker of the event
 * @field:	result
 * @last:	end of the result, apart from marks
 * @user:	interrupted registers, of user mode
 * @end:	result: how the chain ends
 *
 * The task was running in user mode, so its page tables are loaded. A fault does not sleep in
 * an NMI, so faults need not be disabled.
 *
 * Context: NMI.
 * Return: one past the last address written.
 */
u64 *tprof_walker_walk_in_place(const struct tprof_walker *walker, u64 *field,
				const u64 *last, const struct pt_regs *user,
				struct tprof_chain_end *end)
{
	const struct tprof_map *map = tprof_spaces_find(&walker->tables->spaces, current->mm);
	struct tprof_walk begin, walk;
	u64 *next;

	if (unlikely(!map))
		return be_unmapped(walker, field, user, end);
	begin_walk(&walk, map, user);
	if (likely(walk.ip < TASK_SIZE_MAX)) {
		walk.cache = this_cpu_ptr(caches);
		walk.salt = salt_of(walker, map, walk.cache);
	}
	begin = walk;
	do
		next = walk_in_place(&walk, field, last, user);
	while (tprof_walk_begin_again(&walk, &begin));
	next = tprof_walk_drop_stray(&walk, next);
	return end_walk(walker, &walk, field, next, user, end);
}

/**
 * tprof_walker_walk - write the callers of 64-bit user code
 * @walker:	walker of the event
 * @walk:	memory for the walk
 * @field:	result
 * @last:	end of the result, apart from marks
 * @user:	registers of the user
 * @end:	result: how the chain ends
 *
 * Context: any, NMI included, not preemptible.
 * Return: one past the last address written.
 */
u64 *tprof_walker_walk(const struct tprof_walker *walker, struct tprof_walk *walk, u64 *field,
		       const u64 *last, const struct pt_regs *user, struct tprof_chain_end *end)
{
	/* Racy read: a task that exits gives up its mm. */
	const struct tprof_map *map = tprof_spaces_find(&walker->tables->spaces,
							READ_ONCE(current->mm));
	u64 *next;

	if (!map)
		return be_unmapped(walker, field, user, end);
	begin_walk(walk, map, user);
	next = tprof_walk_callers(walk, &checked, user, field, last);
	return end_walk(walker, walk, field, next, user, end);
}
