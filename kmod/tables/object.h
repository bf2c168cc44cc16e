/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - objects: files with a build-id, and their unwind tables
 *
 * Context: process, may sleep. Only the table of an object is read in other contexts, NMI
 * included, by struct tprof_map_entry.
 */
#ifndef TPROF_OBJECT_H
#define TPROF_OBJECT_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "base/elfnote.h"
#include "tables/table.h"

#define TPROF_OBJECT_HASH_BITS	8

/**
 * struct tprof_object_id - a build-id
 * @bytes:	the id, padded with zeroes
 * @size:	its length
 */
struct tprof_object_id {
	u8	bytes[TPROF_ELFNOTE_ID_MAX];
	u32	size;
};

/**
 * struct tprof_objects - objects by build-id
 * @lock:	serialises changes; innermost
 * @hash:	the objects, which live as long as this struct
 * @changes:	number of tables that objects were given or have lost; read in any context
 * @is_private:	for a session without privileges
 */
struct tprof_objects {
	struct mutex	lock; /* serialises changes; innermost */
	DECLARE_HASHTABLE(hash, TPROF_OBJECT_HASH_BITS);
	u64		changes;
	bool		is_private;
};

/**
 * struct tprof_object_table - an unwind table and its memory
 * @rcu:	frees it after a grace period, as an NMI may read it
 * @bytes:	length of this struct and @data
 * @table:	the table; its arrays are in @data
 * @data:	pages, rules and rows, in this order
 */
struct tprof_object_table {
	struct rcu_head		rcu;
	size_t			bytes;
	struct tprof_table	table;
	u8			data[] __aligned(8);
};

/**
 * struct tprof_object_hold - an object whose table a session has given
 * @node:	entry in the session's list
 * @object:	the object
 * @is_real:	the table that the session has given has rows
 */
struct tprof_object_hold {
	struct list_head	node;
	struct tprof_object	*object;
	bool			is_real;
};

void tprof_objects_init(struct tprof_objects *objects, bool is_private);
void tprof_objects_free(struct tprof_objects *objects);
const struct tprof_table *const *tprof_objects_find(struct tprof_objects *objects,
						    const struct tprof_object_id *id,
						    kuid_t user);
bool tprof_objects_have_table(const struct tprof_objects *objects,
			      const struct tprof_object_id *id);
int tprof_objects_give(struct tprof_objects *objects, struct list_head *holds,
		       const struct tprof_object_id *id, struct tprof_object_table *table);
void tprof_objects_withdraw(struct tprof_objects *objects, struct list_head *holds);
u64 tprof_objects_count(void);

struct tprof_object_table *tprof_object_table_alloc(const struct tprof_table *numbers,
						    bool is_private);
void tprof_object_table_free(struct tprof_object_table *table, bool is_private);

#endif /* TPROF_OBJECT_H */
