/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - walk the user's stack by cached rules
 *
 * Nearly all frames of nearly all chains have a rule of the most frequent kind, which is
 * cached: the CFA follows from rsp or rbp. This walk follows these only, with its state in
 * registers. It stops before each frame for which anything else is needed, and leaves that
 * frame to walk.h, errors included.
 *
 * Context: NMI. Everything is inline, as in walk.h. The unit test walk_test compiles this file
 * in user space.
 */
#ifndef TPROF_WALK_CACHED_H
#define TPROF_WALK_CACHED_H

#include "chain/rule_cache.h"
#include "chain/walk.h"

/* The first two bytes of a rule. */
#define TPROF_WALK_KIND(how, base)	((how) | (base) << 8)

/*
 * Return addresses and CFAs from here on are left to walk.h. The offset of the saved rbp from
 * the CFA is an s16, so its lowest place is 32768 below the CFA.
 */
#define TPROF_WALK_BELOW_CFA	32768UL
#define TPROF_WALK_CACHED_LIMIT	(TPROF_WALK_LIMIT - TPROF_WALK_BELOW_CFA)

/**
 * struct tprof_walk_place - the registers of a frame that a walk by cached rules needs
 * @ip:		address in the function of the frame
 * @sp:		its stack pointer
 * @bp:		its frame pointer
 * @is_exact:	@ip is the address of the next instruction: see struct tprof_walk
 * @is_whole:	the frame is an outermost one
 */
struct tprof_walk_place {
	unsigned long	ip;
	unsigned long	sp;
	unsigned long	bp;
	bool		is_exact;
	bool		is_whole;
};

/*
 * A constant function that reads 64 bits at an address that was checked and masked. It returns
 * TPROF_WALK_NO_WORD if the memory is not present.
 */
typedef unsigned long (*tprof_walk_load_t)(const void *task, unsigned long at);

#define TPROF_WALK_NO_WORD	(~0UL - 13)

/**
 * tprof_walk_cached - write the addresses of callers, as long as rules are cached
 * @cache:	cache of this CPU
 * @salt:	salt of the view
 * @place:	the first frame; result: @is_whole, or else @is_exact, which stays if no address
 *		was written, or else the last frame. If @is_exact stays, @ip is not valid
 * @load:	reads memory
 * @task:	passed to @load
 * @field:	result
 * @last:	end of the result
 *
 * The lowest place where rbp may be saved is compared with a limit, and then masked, so that a
 * mispredicted branch cannot read kernel memory at an address that the user or a table chose.
 *
 * Context: NMI.
 * Return: one past the last address written.
 */
static __always_inline u64 *
tprof_walk_cached(struct tprof_rule_cache *cache, u64 salt, struct tprof_walk_place *place,
		  tprof_walk_load_t load, const void *task, u64 *field, const u64 *last)
{
	unsigned long sp = place->sp, bp = place->bp, limit = TPROF_WALK_CACHED_LIMIT;
	u64 key = place->ip - !place->is_exact + salt;
	const u64 *begin = field;

	/* Later addresses are return addresses: the byte before is in the calling function. */
	salt--;
	/* array_index_nospec() cannot use a constant of more than 32 bits. */
	OPTIMIZER_HIDE_VAR(limit);
	if (unlikely(place->ip >= limit || sp - TPROF_WALK_BELOW_CFA >= limit))
		last = field;
	while (likely(field != last)) {
		const struct tprof_cached_rule *cached = tprof_rule_cache_at(cache, key);
		u32 kind = TPROF_WALK_KIND(cached->rule.how, cached->rule.base);
		unsigned long cfa = sp, lowest, caller, caller_bp = bp;
		long rbp = cached->rule.rbp;

		if (unlikely(cached->key != key))
			break;
		if (!likely(kind == TPROF_WALK_KIND(TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP))) {
			cfa = bp;
			if (kind != TPROF_WALK_KIND(TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RBP)) {
				/* Read it again, as it is not worth a register before. */
				place->is_whole = READ_ONCE(cached->rule.how) ==
						  TPROF_LX_UNWIND_END;
				break;
			}
			if (unlikely(cfa + (long)cached->rule.offset <= sp))
				break;
		}
		cfa += (long)cached->rule.offset;
		lowest = cfa - TPROF_WALK_BELOW_CFA;
		if (unlikely(lowest >= limit))
			break;
		lowest = array_index_nospec(lowest, limit);
		caller = load(task, lowest + TPROF_WALK_BELOW_CFA - 8);
		/* Neither TPROF_WALK_NO_WORD, nor what a reader could take for a mark. */
		if (unlikely(caller - 1 >= limit))
			break;
		if (rbp < 0) {
			caller_bp = load(task, lowest + TPROF_WALK_BELOW_CFA + rbp);
			if (unlikely((long)caller_bp < 0))
				break;
		} else if (unlikely(rbp != TPROF_LX_UNWIND_RBP_SAME)) {
			break;
		}
		*field++ = caller;
		sp = cfa;
		bp = caller_bp;
		key = caller + salt;
	}
	/* Do not keep the address in another register. */
	OPTIMIZER_HIDE_VAR(key);
	place->ip = key - salt;
	place->sp = sp;
	place->bp = bp;
	place->is_exact &= field == begin;
	return field;
}

/**
 * tprof_walk_set_place - let a walk go on after tprof_walk_cached()
 * @place:	result of tprof_walk_cached()
 */
static __always_inline void tprof_walk_set_place(struct tprof_walk *walk,
						 const struct tprof_walk_place *place)
{
	walk->is_whole = place->is_whole;
	/* If no address was written after an exact one, all registers are still known. */
	if (place->is_exact)
		return;
	walk->ip = place->ip;
	walk->sp = place->sp;
	walk->bp = place->bp;
	walk->saved = 0;
	walk->has_all = false;
	walk->is_exact = false;
}

/**
 * tprof_walk_on_cached - do the same as tprof_walk_cached() within a walk
 * @walk:	the walk, with a cache and a frame pointer
 * @load:	reads memory
 * @task:	passed to @load
 * @field:	result
 * @last:	end of the result, apart from marks
 *
 * Context: NMI.
 * Return: one past the last address written.
 */
static __always_inline u64 *
tprof_walk_on_cached(struct tprof_walk *walk, tprof_walk_load_t load, const void *task,
		     u64 *field, const u64 *last)
{
	struct tprof_walk_place place = {
		.ip = walk->ip, .sp = walk->sp, .bp = walk->bp, .is_exact = walk->is_exact,
	};
	bool needs_mark = tprof_walk_needs_mark(walk, false);
	u64 *from = field + needs_mark;
	u64 *next = tprof_walk_cached(walk->cache, walk->salt, &place, load, task, from,
				      last + walk->marks + needs_mark);

	walk->by_table += next - from;
	tprof_walk_set_place(walk, &place);
	if (next == from)
		return field;
	if (needs_mark)
		tprof_walk_mark(walk, field);
	return next;
}

#endif /* TPROF_WALK_CACHED_H */
