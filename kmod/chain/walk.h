/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - walk the user's stack by unwind tables, and by frame pointers elsewhere
 *
 * The caller provides the functions that read the user's memory and registers, so that
 * the walk can be part of a section in which user memory is accessible, and so that the
 * unit test walk_test can compile it in user space. Everything is inline, as such a
 * section may call no function.
 *
 * Tables and stacks may be hostile. The walk reads nothing but through these functions. It
 * ends: each step adds a frame, of which the chain has a maximum number, and the stack
 * pointer grows, but for a few signal frames.
 *
 * Context: any, NMI included.
 */
#ifndef TPROF_WALK_H
#define TPROF_WALK_H

#ifdef __KERNEL__
#include <linux/bits.h>
#include <linux/types.h>
#else
#include "kernel.h"
#endif

#include <linux/perf_event.h>

#include "chain/end.h"
#include "chain/limit.h"
#include "chain/rule_cache.h"
#include "tables/map.h"

/* Maximum number of signal frames in a chain. */
#define TPROF_WALK_MAX_SIGNALS	16

/*
 * Maximum number of marks between the addresses of a chain. It is odd, so addresses after the
 * last mark count as found by the frame pointer: all depend on one that was. With one mark for
 * the kernel part and one for the user part, a chain has less than the 8 marks that the
 * kernel's own chains may have (perf_event_max_contexts_per_stack).
 */
#define TPROF_WALK_MAX_MARKS	5

/* Smallest value that can be a frame pointer. */
#define TPROF_WALK_LOWEST	4096

/* Layout of struct ucontext: its struct sigcontext, and registers in that. */
#define TPROF_WALK_SIGCONTEXT	40
#define TPROF_WALK_SAVED_RBP	80
#define TPROF_WALK_SAVED_RSP	120
#define TPROF_WALK_SAVED_RIP	128

/**
 * struct tprof_walk - a walk, and the registers of the present frame
 * @map:	mappings of the address space
 * @cache:	rules that were found before, or NULL. All values of @ip are then below
 *		TPROF_WALK_LIMIT
 * @salt:	salt of the view of @cache
 * @ip:		address in the function of the frame
 * @sp:		its stack pointer
 * @bp:		its frame pointer, if @has_bp
 * @bx:		its rbx, if @has_bx
 * @saved:	address of the struct sigcontext that the registers are from, or 0
 * @has_bp:	@bp is known
 * @has_bx:	@bx is known; it never is without @follows_bx
 * @follows_bx:	find @bx in each frame; for this, @cache must be NULL, as its rules do not say
 *		where rbx is
 * @needs_bx:	the chain is cut because @bx is not known, and would be with @follows_bx
 * @has_all:	all registers are known: those of the interrupted code, or those at @saved
 * @is_exact:	@ip is the address of the next instruction; else it is a return address,
 *		which may be that of another function
 * @is_whole:	the walk has reached an outermost frame
 * @is_unmapped: the interrupted code is in no mapping
 * @is_stray:	the last address written is in no mapping, so it is no return address
 * @signals:	number of signal frames so far
 * @by_table:	number of steps by a table
 * @by_frame:	number of steps by the frame pointer
 * @marks:	number of marks written: odd if the frame pointer has led to the last address
 * @end:	how the chain ends
 */
struct tprof_walk {
	const struct tprof_map	*map;
	struct tprof_rule_cache	*cache;
	u64			salt;
	unsigned long		ip;
	unsigned long		sp;
	unsigned long		bp;
	unsigned long		bx;
	unsigned long		saved;
	bool			has_bp;
	bool			has_bx;
	bool			follows_bx;
	bool			needs_bx;
	bool			has_all;
	bool			is_exact;
	bool			is_whole;
	bool			is_unmapped;
	bool			is_stray;
	u32			signals;
	u32			by_table;
	u32			by_frame;
	u32			marks;
	struct tprof_chain_end	end;
};

/**
 * struct tprof_walk_access - how a walk reads memory and registers; a constant
 * @read:	reads 64 bits at any address; returns false if it cannot
 * @reg:	returns a register of the interrupted code, by its DWARF number
 */
struct tprof_walk_access {
	bool (*read)(const void *task, unsigned long at, unsigned long *word);
	unsigned long (*reg)(const void *task, u8 number);
};

static __always_inline bool tprof_walk_cut(struct tprof_walk *walk, enum tprof_chain_cut cut)
{
	walk->end.cuts |= BIT(cut);
	return false;
}

static __always_inline bool
tprof_walk_read(struct tprof_walk *walk, const struct tprof_walk_access *access,
		const void *task, unsigned long at, unsigned long *word)
{
	if (likely(access->read(task, at, word)))
		return true;
	walk->end.absent_at = at;
	return tprof_walk_cut(walk, TPROF_CHAIN_ABSENT);
}

/*
 * Search for the rule of an address in a mapping. Without a table, it is the frame pointer's.
 * Set @lacks if the file may still get a table.
 */
static __always_inline struct tprof_lx_unwind_rule
tprof_walk_search(const struct tprof_map_entry *entry, unsigned long address, bool *lacks)
{
	const struct tprof_lx_unwind_rule *rule = NULL;
	const struct tprof_table *table = NULL;

	if (likely(entry->table)) {
		/* Races with TABLE, and with the end of the session that gave the table. */
		table = READ_ONCE(*entry->table);
		*lacks = !table;
	}
	if (likely(table))
		rule = tprof_table_find(table, address - entry->start + entry->offset);
	return likely(rule) ? *rule : (struct tprof_lx_unwind_rule){ .how = TPROF_LX_UNWIND_FP };
}

/*
 * Return whether a rule may be cached. tprof_walk_cached() compares a CFA that it computes from
 * rbp with rsp, but takes it for granted that one computed from rsp is above rsp.
 */
static __always_inline bool tprof_walk_may_cache(const struct tprof_lx_unwind_rule *rule)
{
	return rule->how != TPROF_LX_UNWIND_CFA ||
	       TPROF_LX_UNWIND_REGISTER(rule->base) != TPROF_LX_UNWIND_RSP || rule->offset > 0;
}

/* Return the rule for the present frame. */
static __always_inline struct tprof_lx_unwind_rule tprof_walk_rule(struct tprof_walk *walk)
{
	/* After a call that does not return, another function may follow. */
	unsigned long address = walk->ip - !walk->is_exact;
	struct tprof_cached_rule *cached = NULL;
	const struct tprof_map_entry *entry;
	struct tprof_lx_unwind_rule rule;
	bool lacks = false;

	if (walk->cache) {
		cached = tprof_rule_cache_at(walk->cache, address + walk->salt);
		if (cached->key == address + walk->salt)
			return cached->rule;
	}
	entry = tprof_map_find(walk->map, address);
	if (unlikely(!entry)) {
		walk->is_unmapped |= walk->has_all && !walk->saved;
		walk->is_stray = !walk->is_exact && !walk->map->is_partial;
		return (struct tprof_lx_unwind_rule){ .how = TPROF_LX_UNWIND_FP };
	}
	rule = tprof_walk_search(entry, address, &lacks);
	if (unlikely(lacks)) {
		walk->end.cuts |= BIT(TPROF_CHAIN_TABLELESS);
		return rule;
	}
	if (cached && tprof_walk_may_cache(&rule)) {
		/* tprof_walk_cached() does not look at where rbx is. */
		rule.base = TPROF_LX_UNWIND_REGISTER(rule.base);
		*cached = (struct tprof_cached_rule){ address + walk->salt, rule };
	}
	return rule;
}

/* Cut the chain, as a register is not known. */
static __always_inline bool tprof_walk_lack(struct tprof_walk *walk, u8 number)
{
	walk->needs_bx = number == TPROF_LX_UNWIND_RBX && !walk->follows_bx;
	return tprof_walk_cut(walk, TPROF_CHAIN_RULE);
}

/* Read a register. Only rbp, rsp and rbx may be known in all frames. */
static __always_inline bool
tprof_walk_register(struct tprof_walk *walk, const struct tprof_walk_access *access,
		    const void *task, u8 number, unsigned long *value)
{
	/* Offsets in struct sigcontext, by the numbers of DWARF. */
	static const u8 saved[16] = {
		104, 96, 112, 88, 72, 64, TPROF_WALK_SAVED_RBP, TPROF_WALK_SAVED_RSP,
		0, 8, 16, 24, 32, 40, 48, 56,
	};

	*value = number == TPROF_LX_UNWIND_RSP ? walk->sp : walk->bp;
	if (number == TPROF_LX_UNWIND_RSP || (number == TPROF_LX_UNWIND_RBP && walk->has_bp))
		return true;
	if (number == TPROF_LX_UNWIND_RBX && walk->has_bx) {
		*value = walk->bx;
		return true;
	}
	if (number == TPROF_LX_UNWIND_RBP || !walk->has_all)
		return tprof_walk_lack(walk, number);
	if (walk->saved)
		return tprof_walk_read(walk, access, task, walk->saved + saved[number & 15],
				       value);
	*value = access->reg(task, number & 15);
	return true;
}

/* Compute the value that rsp had before the call of the present function. */
static __always_inline bool
tprof_walk_cfa(struct tprof_walk *walk, const struct tprof_walk_access *access,
	       const void *task, struct tprof_lx_unwind_rule rule, unsigned long *cfa)
{
	if (unlikely(rule.how == TPROF_LX_UNWIND_PLT)) {
		*cfa = walk->sp + 8 + ((s32)(walk->ip & 15) >= rule.offset ? 8 : 0);
		return true;
	}
	if (!tprof_walk_register(walk, access, task, TPROF_LX_UNWIND_REGISTER(rule.base), cfa))
		return false;
	*cfa += (long)rule.offset;
	if (likely(rule.how == TPROF_LX_UNWIND_CFA))
		return true;
	return tprof_walk_read(walk, access, task, *cfa, cfa);
}

/*
 * Find the rbx of the caller, if the walk follows it. If its memory is not present, the chain
 * may end later, where rbx is needed.
 */
static __always_inline void
tprof_walk_up_bx(struct tprof_walk *walk, const struct tprof_walk_access *access,
		 const void *task, unsigned long cfa, u8 place)
{
	if (likely(!walk->follows_bx))
		return;
	if (place > TPROF_LX_UNWIND_RBX_SAME)
		walk->has_bx = access->read(task, cfa - 8 * place, &walk->bx);
	else if (place == TPROF_LX_UNWIND_RBX_UNKNOWN)
		walk->has_bx = false;
	else if (walk->has_all)
		walk->has_bx = tprof_walk_register(walk, access, task, TPROF_LX_UNWIND_RBX,
						   &walk->bx);
}

/* Go to the caller. Its stack pointer is @cfa. */
static __always_inline bool
tprof_walk_up(struct tprof_walk *walk, const struct tprof_walk_access *access,
	      const void *task, unsigned long cfa, s16 rbp, u8 rbx)
{
	if (unlikely(cfa <= walk->sp))
		return tprof_walk_cut(walk, TPROF_CHAIN_ASTRAY);
	tprof_walk_up_bx(walk, access, task, cfa, rbx);
	if (!tprof_walk_read(walk, access, task, cfa - 8, &walk->ip))
		return false;
	if (rbp < 0) {
		if (!tprof_walk_read(walk, access, task, cfa + (long)rbp, &walk->bp))
			return false;
		walk->has_bp = true;
	} else if (rbp != TPROF_LX_UNWIND_RBP_SAME) {
		walk->has_bp = false;
	}
	walk->sp = cfa;
	walk->saved = 0;
	walk->has_all = false;
	walk->is_exact = false;
	return true;
}

/* Go to the code that a signal has interrupted, which may have another stack. */
static __always_inline bool
tprof_walk_signal(struct tprof_walk *walk, const struct tprof_walk_access *access,
		  const void *task, s32 offset)
{
	unsigned long saved = walk->sp + offset + TPROF_WALK_SIGCONTEXT;

	if (walk->signals++ == TPROF_WALK_MAX_SIGNALS)
		return tprof_walk_cut(walk, TPROF_CHAIN_ASTRAY);
	if (!tprof_walk_read(walk, access, task, saved + TPROF_WALK_SAVED_RIP, &walk->ip) ||
	    !tprof_walk_read(walk, access, task, saved + TPROF_WALK_SAVED_RSP, &walk->sp) ||
	    !tprof_walk_read(walk, access, task, saved + TPROF_WALK_SAVED_RBP, &walk->bp))
		return false;
	walk->saved = saved;
	walk->has_bp = true;
	walk->has_bx = false;
	walk->has_all = true;
	walk->is_exact = true;
	return true;
}

/* Go to the caller by the frame pointer, which may be any number. */
static __always_inline bool
tprof_walk_frame(struct tprof_walk *walk, const struct tprof_walk_access *access,
		 const void *task)
{
	if (!walk->has_bp)
		return tprof_walk_cut(walk, TPROF_CHAIN_RULE);
	if (walk->bp < TPROF_WALK_LOWEST)
		return false;
	walk->by_frame++;
	return tprof_walk_up(walk, access, task, walk->bp + 16, -16,
			     TPROF_LX_UNWIND_RBX_UNKNOWN);
}

/* Go to the caller. Return false if the chain ends here. */
static __always_inline bool
tprof_walk_step(struct tprof_walk *walk, const struct tprof_walk_access *access,
		const void *task)
{
	struct tprof_lx_unwind_rule rule = tprof_walk_rule(walk);
	unsigned long cfa;

	if (unlikely(walk->is_stray))
		return tprof_walk_cut(walk, TPROF_CHAIN_ASTRAY);
	switch (rule.how) {
	case TPROF_LX_UNWIND_CFA:
	case TPROF_LX_UNWIND_DEREF:
	case TPROF_LX_UNWIND_PLT:
		walk->by_table++;
		return tprof_walk_cfa(walk, access, task, rule, &cfa) &&
		       tprof_walk_up(walk, access, task, cfa, rule.rbp,
				     TPROF_LX_UNWIND_RBX_PLACE(rule.base));
	case TPROF_LX_UNWIND_FP:
		return tprof_walk_frame(walk, access, task);
	case TPROF_LX_UNWIND_SIGNAL:
		walk->by_table++;
		return tprof_walk_signal(walk, access, task, rule.offset);
	case TPROF_LX_UNWIND_END:
		walk->is_whole = true;
		return false;
	default:
		return tprof_walk_cut(walk, TPROF_CHAIN_RULE);
	}
}

/* Return whether a mark must precede an address that was found by the frame pointer, or not. */
static __always_inline bool tprof_walk_needs_mark(const struct tprof_walk *walk, bool by_frame)
{
	return walk->marks % 2 != by_frame && walk->marks < TPROF_WALK_MAX_MARKS;
}

/* Write a mark: how the next address was found is not how the last one was. */
static __always_inline u64 *tprof_walk_mark(struct tprof_walk *walk, u64 *field)
{
	*field = PERF_CONTEXT_USER;
	walk->marks++;
	return field + 1;
}

/**
 * tprof_walk_caller - write the address of the caller of the present frame
 * @walk:	the walk; its registers are those of the present frame
 * @access:	how to read memory and registers
 * @task:	passed to the functions of @access
 * @field:	result
 * @last:	end of the result, apart from marks
 *
 * Context: any that the functions of @access allow, NMI included.
 * Return: one past the address written; @field if the chain ends here.
 */
static __always_inline u64 *
tprof_walk_caller(struct tprof_walk *walk, const struct tprof_walk_access *access,
		  const void *task, u64 *field, const u64 *last)
{
	u32 by_frame = walk->by_frame;

	if (!tprof_walk_step(walk, access, task))
		return field;
	/* A reader could take an address outside of user space for a mark. */
	if (unlikely(!walk->ip || walk->ip >= TPROF_WALK_LIMIT))
		return field;
	if (unlikely(field == last + walk->marks)) {
		tprof_walk_cut(walk, TPROF_CHAIN_DEEP);
		return field;
	}
	if (unlikely(tprof_walk_needs_mark(walk, walk->by_frame != by_frame)))
		field = tprof_walk_mark(walk, field);
	*field = walk->ip;
	return field + 1;
}

/**
 * tprof_walk_drop_stray - remove what is no return address from the end of a chain
 * @walk:	a walk that has ended
 * @next:	one past the last address written
 *
 * The outermost function of a coroutine may have no rule that ends the chain. What is above it on
 * the stack is then taken for a return address.
 *
 * Context: any, NMI included.
 * Return: one past the last address of the chain.
 */
static __always_inline u64 *tprof_walk_drop_stray(struct tprof_walk *walk, u64 *next)
{
	if (likely(!walk->is_stray))
		return next;
	/* There is a mark before it if it was found in another way than the address before. */
	next--;
	if (!walk->marks || next[-1] != PERF_CONTEXT_USER)
		return next;
	walk->marks--;
	return next - 1;
}

/**
 * tprof_walk_begin_again - begin a walk again if it must follow rbx
 * @walk:	a walk that has ended
 * @begin:	the walk at its beginning
 *
 * Few functions have a frame at a distance from rbx, and these run seldom; _dl_runtime_resolve()
 * is one. So walks follow rbx only at their second attempt.
 *
 * Context: any, NMI included.
 * Return: whether the walk begins again; if so, nothing counts that it has written.
 */
static __always_inline bool tprof_walk_begin_again(struct tprof_walk *walk,
						   const struct tprof_walk *begin)
{
	if (likely(!walk->needs_bx))
		return false;
	*walk = *begin;
	walk->cache = NULL;
	walk->follows_bx = true;
	return true;
}

/**
 * tprof_walk_callers - write the addresses of the callers
 * @walk:	the walk; its registers are those of the interrupted code
 * @access:	how to read memory and registers
 * @task:	passed to the functions of @access
 * @field:	result
 * @last:	end of the result, apart from marks
 *
 * Context: any that the functions of @access allow, NMI included.
 * Return: one past the last address written.
 */
static __always_inline u64 *
tprof_walk_callers(struct tprof_walk *walk, const struct tprof_walk_access *access,
		   const void *task, u64 *field, const u64 *last)
{
	const struct tprof_walk begin = *walk;
	u64 *from, *next;

	do {
		next = field;
		do {
			from = next;
			next = tprof_walk_caller(walk, access, task, from, last);
		} while (next != from);
	} while (tprof_walk_begin_again(walk, &begin));
	return tprof_walk_drop_stray(walk, next);
}

#endif /* TPROF_WALK_H */
