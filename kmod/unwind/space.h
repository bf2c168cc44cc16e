/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - address spaces: which executable mappings the sampled processes have
 *
 * Context: see each function.
 */
#ifndef TPROF_SPACE_H
#define TPROF_SPACE_H

#include <linux/hashtable.h>
#include <linux/mutex.h>

#include "unwind/map.h"
#include "unwind/object.h"

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

void tprof_spaces_init(struct tprof_spaces *spaces, struct tprof_objects *objects);
void tprof_spaces_free(struct tprof_spaces *spaces);
const struct tprof_map *tprof_spaces_find(const struct tprof_spaces *spaces,
					  const struct mm_struct *mm);
bool tprof_spaces_are_known(const struct tprof_spaces *spaces, const struct mm_struct *mm);
int tprof_spaces_learn(struct tprof_spaces *spaces, struct mm_struct *mm, bool is_certain);
void tprof_spaces_doubt(void);
void tprof_spaces_note(const struct mm_struct *mm);

#endif /* TPROF_SPACE_H */
