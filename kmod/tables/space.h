/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - address spaces: which executable mappings the sampled processes have
 *
 * Context: see each function.
 */
#ifndef TPROF_SPACE_H
#define TPROF_SPACE_H

#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/rculist.h>

#include "tables/areas.h"

struct mm_struct;

#define TPROF_SPACE_HASH_BITS	12

/**
 * struct tprof_spaces - address spaces by mm
 * @lock:	serialises changes; innermost
 * @node:	entry in the list of all of them; read under RCU
 * @hash:	the address spaces; read under RCU
 * @nr:		number of them
 * @sweep_at:	@nr at which those of processes that have exited are removed
 * @objects:	the objects that are mapped
 */
struct tprof_spaces {
	struct mutex		lock; /* serialises changes; innermost */
	struct list_head	node;
	DECLARE_HASHTABLE(hash, TPROF_SPACE_HASH_BITS);
	u32			nr;
	u32			sweep_at;
	struct tprof_objects	*objects;
};

/**
 * struct tprof_space - an address space
 * @node:	entry in the hash
 * @mm:		the address space, with a reference to the struct; NULL after its removal
 * @changes:	number of changes that were seen
 * @user:	user to which the memory of this struct counts
 * @areas:	its mappings, or NULL; they hold if their @changes is the same
 * @rcu:	frees it after a grace period
 */
struct tprof_space {
	struct hlist_node	node;
	struct mm_struct	*mm;
	atomic_t		changes;
	kuid_t			user;
	struct tprof_areas __rcu *areas;
	struct rcu_head		rcu;
};

void tprof_spaces_init(struct tprof_spaces *spaces, struct tprof_objects *objects);
void tprof_spaces_free(struct tprof_spaces *spaces);
bool tprof_spaces_are_known(const struct tprof_spaces *spaces, const struct mm_struct *mm);
int tprof_spaces_learn(struct tprof_spaces *spaces, struct mm_struct *mm, kuid_t user,
		       bool is_certain);
void tprof_spaces_doubt(void);
void tprof_spaces_note(const struct mm_struct *mm);

/**
 * tprof_spaces_at - find an address space
 * @spaces:	address spaces
 * @mm:		its mm, or NULL
 *
 * Context: under RCU or the lock, or any that is not preemptible.
 * Return: address space, or NULL.
 */
static __always_inline struct tprof_space *tprof_spaces_at(const struct tprof_spaces *spaces,
							   const struct mm_struct *mm)
{
	struct tprof_space *space;

	hlist_for_each_entry_rcu(space,
				 &spaces->hash[hash_ptr(mm, TPROF_SPACE_HASH_BITS)], node, true) {
		/* Races with drop_space(). */
		if (likely(READ_ONCE(space->mm) == mm))
			return space;
	}
	return NULL;
}

/**
 * tprof_space_knows - report whether mappings are those that an address space has
 * @space:	address space
 * @areas:	mappings that were read, or NULL
 *
 * Context: any.
 * Return: false if the mappings have changed.
 */
static __always_inline bool tprof_space_knows(const struct tprof_space *space,
					      const struct tprof_areas *areas)
{
	/* Races with tprof_spaces_note() in another thread of the process. */
	return areas && areas->changes == (u32)atomic_read(&space->changes);
}

/**
 * tprof_spaces_find - find the mappings of an address space
 * @spaces:	address spaces
 * @mm:		mm of the current task, or NULL
 *
 * Context: any, NMI included, not preemptible. The result is valid until preemption.
 * Return: the mappings, or NULL if they must be learned.
 */
static __always_inline const struct tprof_map *
tprof_spaces_find(const struct tprof_spaces *spaces, const struct mm_struct *mm)
{
	const struct tprof_space *space = tprof_spaces_at(spaces, mm);
	const struct tprof_areas *areas;

	if (unlikely(!space))
		return NULL;
	areas = rcu_dereference_check(space->areas, true);
	return likely(tprof_space_knows(space, areas)) ? &areas->map : NULL;
}

#endif /* TPROF_SPACE_H */
