// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - address spaces: which executable mappings the sampled processes have
 *
 *   sample: any context     finds no mappings, or old ones: asks to learn them
 *   tprof_spaces_learn():   task work or a worker: reads and publishes them
 *   tprof_spaces_note():    probe of perf_event_mmap(): the mappings have changed
 *
 * Nothing reports that a mapping was removed. The old entry stays, but no code runs there
 * until something else is mapped, which the probe sees. If code was moved by mremap(2), the
 * interrupted address is in no mapping, and the sample asks to learn them anew.
 *
 * An address space holds its mm, so that no other mm gets the same address. When the set has
 * grown, those of processes that have exited are removed. Its memory is not charged to anyone's
 * memory cgroup, as the sampled task must not run into its limit, but has a budget, and counts to
 * the user whose task is sampled.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "base/grace.h"
#include "tables/budget.h"
#include "tables/space.h"

/* Number of address spaces at which the first exited ones are looked for. */
#define FIRST_SWEEP	64
/* At most so many are added from one sweep to the next. */
#define MAX_ADDED	256

/* Protects changes of @all_spaces, which is read under RCU. Innermost. */
static DEFINE_MUTEX(list_lock);
static LIST_HEAD(all_spaces);

/**
 * tprof_spaces_init - begin without address spaces
 * @spaces:	result
 * @objects:	the objects that may be mapped
 *
 * Context: process, may sleep.
 */
void tprof_spaces_init(struct tprof_spaces *spaces, struct tprof_objects *objects)
{
	mutex_init(&spaces->lock);
	hash_init(spaces->hash);
	spaces->nr = 0;
	spaces->sweep_at = FIRST_SWEEP;
	spaces->objects = objects;
	guard(mutex)(&list_lock);
	list_add_rcu(&spaces->node, &all_spaces);
}

static void drop_space(struct tprof_spaces *spaces, struct tprof_space *space)
{
	struct mm_struct *mm = space->mm;

	hash_del_rcu(&space->node);
	spaces->nr--;
	/* A reader that has found it must not take a new mm at the same address for it. */
	WRITE_ONCE(space->mm, NULL);
	mmdrop(mm);
	tprof_areas_free(rcu_dereference_protected(space->areas, true), spaces->objects);
	tprof_budget_give_mapping(sizeof(*space), spaces->objects->is_private, space->user);
	kfree_rcu(space, rcu);
}

/* Drop the address spaces of processes that have exited, or all. */
static void sweep_spaces(struct tprof_spaces *spaces, bool is_all)
{
	struct hlist_node *next;
	struct tprof_space *space;
	int bucket;

	hash_for_each_safe(spaces->hash, bucket, next, space, node) {
		if (is_all || !atomic_read(&space->mm->mm_users))
			drop_space(spaces, space);
	}
	spaces->sweep_at = spaces->nr + clamp_t(u32, spaces->nr, FIRST_SWEEP, MAX_ADDED);
}

/**
 * tprof_spaces_free - remove all address spaces
 * @spaces:	address spaces that no sample uses any more
 *
 * Context: process, may sleep.
 */
void tprof_spaces_free(struct tprof_spaces *spaces)
{
	mutex_lock(&list_lock);
	list_del_rcu(&spaces->node);
	mutex_unlock(&list_lock);
	/* tprof_spaces_note() may have found it. */
	tprof_grace_of_readers();
	sweep_spaces(spaces, true);
}

/**
 * tprof_spaces_are_known - report whether mappings are known
 * @spaces:	address spaces
 * @mm:		mm of the current task
 *
 * Context: any, NMI included.
 * Return: true if tprof_spaces_find() finds them.
 */
bool tprof_spaces_are_known(const struct tprof_spaces *spaces, const struct mm_struct *mm)
{
	guard(rcu)();
	return tprof_spaces_find(spaces, mm);
}

static struct tprof_space *make_space(struct tprof_spaces *spaces, struct mm_struct *mm,
				      kuid_t user)
{
	bool is_private = spaces->objects->is_private;
	struct tprof_space *space;

	if (spaces->nr >= spaces->sweep_at)
		sweep_spaces(spaces, false);
	if (tprof_budget_take_mapping(sizeof(*space), is_private, user))
		return NULL;
	space = kzalloc(sizeof(*space), GFP_KERNEL | __GFP_NOWARN);
	if (!space) {
		tprof_budget_give_mapping(sizeof(*space), is_private, user);
		return NULL;
	}
	mmgrab(mm);
	space->mm = mm;
	space->user = user;
	hlist_add_head_rcu(&space->node, &spaces->hash[hash_ptr(mm, TPROF_SPACE_HASH_BITS)]);
	spaces->nr++;
	return space;
}

/*
 * Set @changes to the number of changes of @mm before its mappings are read. Return 0; -EALREADY
 * if another task has learned them, or -ENOMEM.
 */
static int begin_to_learn(struct tprof_spaces *spaces, struct mm_struct *mm, kuid_t user,
			  u32 *changes, bool is_certain)
{
	struct tprof_space *space;
	bool is_known;

	guard(mutex)(&spaces->lock);
	space = tprof_spaces_at(spaces, mm) ?: make_space(spaces, mm, user);
	if (!space)
		return -ENOMEM;
	is_known = tprof_space_knows(space, rcu_dereference_protected(space->areas, true));
	if (is_known && !is_certain)
		return -EALREADY;
	/* The first task that finds the mappings old counts the change, not each. */
	if (is_known)
		atomic_inc(&space->changes);
	*changes = atomic_read(&space->changes);
	return 0;
}

/* Publish mappings, unless another task has published newer ones. */
static void publish_areas(struct tprof_spaces *spaces, struct mm_struct *mm,
			  struct tprof_areas *areas)
{
	struct tprof_areas *old;
	struct tprof_space *space;

	guard(mutex)(&spaces->lock);
	space = tprof_spaces_at(spaces, mm);
	old = space ? rcu_dereference_protected(space->areas, true) : NULL;
	if (!space || (old && (s32)(areas->changes - old->changes) < 0)) {
		tprof_areas_free(areas, spaces->objects);
		return;
	}
	rcu_assign_pointer(space->areas, areas);
	tprof_areas_free(old, spaces->objects);
}

/**
 * tprof_spaces_learn - read and publish the mappings of an address space
 * @spaces:	address spaces
 * @mm:		mm of the current task, or one with a reference
 * @user:	user of a task of @mm
 * @is_certain:	the known mappings are old, although no change was seen
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -ENOSPC.
 */
int tprof_spaces_learn(struct tprof_spaces *spaces, struct mm_struct *mm, kuid_t user,
		       bool is_certain)
{
	struct tprof_areas *areas;
	u32 changes;
	int err;

	err = begin_to_learn(spaces, mm, user, &changes, is_certain);
	if (err)
		return err == -EALREADY ? 0 : err;
	areas = tprof_areas_read(mm, spaces->objects, user);
	if (IS_ERR(areas))
		return PTR_ERR(areas);
	areas->changes = changes;
	publish_areas(spaces, mm, areas);
	return 0;
}

/**
 * tprof_spaces_doubt - note that any mapping may have changed
 *
 * The probe was not registered until now.
 *
 * Context: process.
 */
void tprof_spaces_doubt(void)
{
	const struct tprof_spaces *spaces;
	struct tprof_space *space;
	int bucket;

	rcu_read_lock();
	list_for_each_entry_rcu(spaces, &all_spaces, node) {
		hash_for_each_rcu(spaces->hash, bucket, space, node)
			atomic_inc(&space->changes);
	}
	rcu_read_unlock();
}

/**
 * tprof_spaces_note - note that an executable mapping was added or changed
 * @mm:		its address space
 *
 * Context: any but NMI, not preemptible.
 */
void tprof_spaces_note(const struct mm_struct *mm)
{
	const struct tprof_spaces *spaces;
	struct tprof_space *space;

	rcu_read_lock();
	list_for_each_entry_rcu(spaces, &all_spaces, node) {
		space = tprof_spaces_at(spaces, mm);
		if (space)
			atomic_inc(&space->changes);
	}
	rcu_read_unlock();
}
