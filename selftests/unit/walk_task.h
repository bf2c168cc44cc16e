/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a task whose stack a walk by unwind tables follows
 *
 * The user's memory is an array of words.
 */
#ifndef TPROF_UNIT_WALK_TASK_H
#define TPROF_UNIT_WALK_TASK_H

#include "chain/walk_cached.h"

#define STACK		0x7ffd00000000UL
#define NR_WORDS	256
#define MAP_NUMBER	20

/* A memory of the user, and its registers by their DWARF numbers. */
struct task {
	unsigned long	words[NR_WORDS];
	unsigned long	registers[16];
	unsigned long	reads;
	bool		is_user;
};

static bool read_word(const void *task, unsigned long at, unsigned long *word)
{
	struct task *user = (struct task *)task;
	unsigned long index = (at - STACK) / sizeof(*word);

	user->reads++;
	if (at < STACK || at % sizeof(*word) || index >= NR_WORDS)
		return false;
	*word = user->words[index];
	return true;
}

/* The tested code has checked that the address is in user space. */
static unsigned long load_word(const void *task, unsigned long at)
{
	unsigned long word = TPROF_WALK_NO_WORD;

	((struct task *)task)->is_user &= at < TPROF_WALK_LIMIT - sizeof(word) + 1;
	read_word(task, at, &word);
	return word;
}

static unsigned long read_register(const void *task, u8 number)
{
	return ((const struct task *)task)->registers[number];
}

static const struct tprof_walk_access test_access = {
	.read = read_word,
	.reg = read_register,
};

/* Begin a walk at @ip with the registers of @task. */
static inline struct tprof_walk task_walk(const struct tprof_map *map, const struct task *task,
					  unsigned long ip)
{
	return (struct tprof_walk){
		.map = map,
		.ip = ip,
		.sp = task->registers[TPROF_LX_UNWIND_RSP],
		.bp = task->registers[TPROF_LX_UNWIND_RBP],
		.has_bp = true,
		.has_all = true,
		.is_exact = true,
	};
}

static struct tprof_rule_cache cache;
static u64 changes;
static size_t nr_cached;

/* Do the same as tprof_walker_walk_in_place(), if @walk has a cache. @room: without marks. */
static size_t walk_by_cache(struct tprof_walk *walk, struct task *task, u64 *callers, size_t room)
{
	const u64 *last = callers + room;
	u64 *next, *from;
	struct tprof_walk begin;

	walk->cache = walk->ip < TPROF_WALK_LIMIT ? &cache : NULL;
	walk->salt = tprof_rule_cache_salt(&cache, MAP_NUMBER, changes);
	begin = *walk;
	do {
		next = callers;
		do {
			from = next;
			if (walk->cache && walk->has_bp)
				next = tprof_walk_on_cached(walk, load_word, task, next, last);
			nr_cached += next - from;
			from = next;
			if (!walk->is_whole)
				next = tprof_walk_caller(walk, &test_access, task, from, last);
		} while (next != from);
	} while (tprof_walk_begin_again(walk, &begin));
	return tprof_walk_drop_stray(walk, next) - callers;
}

/*
 * Return the largest number of words that a walk reads for @nr words of its chain. Each frame has
 * at most four; a walk that has begun again has read them twice, and rbx the second time.
 */
static inline size_t max_reads(const struct tprof_walk *walk, size_t nr)
{
	return (walk->follows_bx ? 4 + 5 : 4) * (nr + 2);
}

static bool is_same_place(const struct tprof_walk *a, const struct tprof_walk *b)
{
	return a->ip == b->ip && a->sp == b->sp && a->has_bp == b->has_bp &&
	       (!a->has_bp || a->bp == b->bp) && a->saved == b->saved &&
	       a->has_all == b->has_all && a->is_exact == b->is_exact;
}

static bool is_same_end(const struct tprof_walk *a, const struct tprof_walk *b)
{
	return ((a->is_whole && b->is_whole) || is_same_place(a, b)) &&
	       a->is_whole == b->is_whole && a->is_unmapped == b->is_unmapped &&
	       a->signals == b->signals && a->by_table == b->by_table &&
	       a->by_frame == b->by_frame && a->marks == b->marks &&
	       a->end.cuts == b->end.cuts &&
	       a->end.absent_at == b->end.absent_at;
}

#endif /* TPROF_UNIT_WALK_TASK_H */
