// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - objects: files with a build-id, and their unwind tables
 *
 * A table belongs to the sessions that have given it, and goes when the last one ends. An
 * object stays, as mappings refer to it.
 *
 * Context: process, may sleep.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/gfp.h"
#include "base/user.h"
#include "tables/budget.h"
#include "tables/object.h"

/**
 * struct tprof_object - a file with a build-id
 * @node:	entry in the hash
 * @id:		build-id
 * @table:	its table, or NULL; changes under the lock, read in any context
 * @user:	user to which the memory of this struct counts
 * @nr_holds:	number of sessions that have given a table
 * @nr_real:	number of those whose table has rows
 */
struct tprof_object {
	struct hlist_node		node;
	struct tprof_object_id		id;
	const struct tprof_table	*table;
	kuid_t				user;
	u32				nr_holds;
	u32				nr_real;
};

static atomic_long_t nr_tables = ATOMIC_LONG_INIT(0);

/** tprof_objects_count - return the number of tables of all sessions */
u64 tprof_objects_count(void)
{
	return atomic_long_read(&nr_tables);
}

/**
 * tprof_objects_init - begin without objects
 * @objects:	result
 * @is_private:	for a session without privileges
 */
void tprof_objects_init(struct tprof_objects *objects, bool is_private)
{
	mutex_init(&objects->lock);
	hash_init(objects->hash);
	objects->changes = 0;
	objects->is_private = is_private;
}

/**
 * tprof_objects_free - free all objects
 * @objects:	objects without a table, to which no mapping refers
 */
void tprof_objects_free(struct tprof_objects *objects)
{
	struct tprof_object *object;
	struct hlist_node *next;
	int bucket;

	hash_for_each_safe(objects->hash, bucket, next, object, node) {
		hash_del(&object->node);
		tprof_budget_give_mapping(sizeof(*object), objects->is_private, object->user);
		kfree(object);
	}
}

static struct tprof_object *make_object(struct tprof_objects *objects,
					const struct tprof_object_id *id, u32 key, kuid_t user)
{
	struct tprof_object *object;
	int err = tprof_budget_take_mapping(sizeof(*object), objects->is_private, user);

	if (err)
		return ERR_PTR(err);
	object = kzalloc(sizeof(*object), GFP_KERNEL | __GFP_NOWARN);
	if (!object) {
		tprof_budget_give_mapping(sizeof(*object), objects->is_private, user);
		return ERR_PTR(-ENOMEM);
	}
	object->id = *id;
	object->user = user;
	/* Pairs with tprof_objects_have_table(), which takes no lock. */
	hash_add_rcu(objects->hash, &object->node, key);
	return object;
}

static u32 key_of(const struct tprof_object_id *id)
{
	return jhash(id->bytes, id->size, 0);
}

/* Context: under the lock, or any but NMI while @objects cannot be freed. */
static struct tprof_object *find_object(const struct tprof_objects *objects,
					const struct tprof_object_id *id)
{
	struct tprof_object *object;

	hash_for_each_possible_rcu(objects->hash, object, node, key_of(id), true) {
		if (object->id.size == id->size &&
		    !memcmp(object->id.bytes, id->bytes, id->size))
			return object;
	}
	return NULL;
}

static struct tprof_object *get_object(struct tprof_objects *objects,
				       const struct tprof_object_id *id, kuid_t user)
{
	struct tprof_object *object;

	lockdep_assert_held(&objects->lock);
	object = find_object(objects, id);
	return object ?: make_object(objects, id, key_of(id), user);
}

/**
 * tprof_objects_have_table - report whether an object has a table
 * @objects:	objects, which the caller's session or RCU keeps
 * @id:		build-id
 *
 * Context: any but NMI.
 * Return: true if it has. The answer may be old at once.
 */
bool tprof_objects_have_table(const struct tprof_objects *objects,
			      const struct tprof_object_id *id)
{
	const struct tprof_object *object = find_object(objects, id);

	/* Races with TABLE. */
	return object && READ_ONCE(object->table);
}

/**
 * tprof_objects_find - find an object, or make it
 * @id:		build-id
 * @user:	user to which the memory of a new object counts
 *
 * Return: where the address of its table is, valid until tprof_objects_free(); or NULL if there
 * is no memory for the object.
 */
const struct tprof_table *const *tprof_objects_find(struct tprof_objects *objects,
						    const struct tprof_object_id *id,
						    kuid_t user)
{
	struct tprof_object *object;

	guard(mutex)(&objects->lock);
	object = get_object(objects, id, user);
	return IS_ERR(object) ? NULL : &object->table;
}

static struct tprof_object_table *owner_of(const struct tprof_table *table)
{
	return container_of(table, struct tprof_object_table, table);
}

static bool is_same(const struct tprof_object_table *a, const struct tprof_object_table *b)
{
	return a->bytes == b->bytes && a->table.page0 == b->table.page0 &&
	       a->table.nr_pages == b->table.nr_pages &&
	       a->table.nr_rows == b->table.nr_rows &&
	       a->table.nr_rules == b->table.nr_rules &&
	       !memcmp(a->data, b->data, a->bytes - sizeof(*a));
}

static struct tprof_object_hold *find_hold(const struct list_head *holds,
					   const struct tprof_object *object)
{
	struct tprof_object_hold *hold;

	list_for_each_entry(hold, holds, node) {
		if (hold->object == object)
			return hold;
	}
	return NULL;
}

/* Count a change of an object's table, which was made before. */
static void count_change(struct tprof_objects *objects)
{
	/* Barrier V, pairs with salt_of(): see rule_cache.h. */
	smp_store_release(&objects->changes, objects->changes + 1);
}

/* A table without rows says that the file has none. It gives way to any other. */
static bool is_empty(const struct tprof_table *table)
{
	return !table->nr_rows;
}

static struct tprof_object_hold *make_hold(struct list_head *holds, struct tprof_object *object)
{
	struct tprof_object_hold *hold = kzalloc(sizeof(*hold), TPROF_GFP);

	if (!hold)
		return NULL;
	hold->object = object;
	list_add(&hold->node, holds);
	object->nr_holds++;
	return hold;
}

/*
 * Add @object to the objects whose tables a session has given, if it is not among them. @is_real:
 * the table has rows.
 */
static int hold_object(struct list_head *holds, struct tprof_object *object, bool is_real)
{
	struct tprof_object_hold *hold = find_hold(holds, object) ?: make_hold(holds, object);

	if (!hold)
		return -ENOMEM;
	object->nr_real += is_real && !hold->is_real;
	hold->is_real |= is_real;
	return 0;
}

static void free_later(struct tprof_objects *objects, struct tprof_object_table *table)
{
	tprof_budget_give(table->bytes, objects->is_private);
	kvfree_rcu(table, rcu);
}

/* Give @object its first table, or one in place of an empty table. */
static void set_table(struct tprof_objects *objects, struct tprof_object *object,
		      struct tprof_object_table *table)
{
	struct tprof_object_table *old = object->table ? owner_of(object->table) : NULL;

	/* Barrier U, pairs with tprof_walk_search(): the table is complete. */
	smp_store_release(&object->table, &table->table);
	count_change(objects);
	if (old)
		free_later(objects, old);
	else
		atomic_long_inc(&nr_tables);
}

static int give_locked(struct tprof_objects *objects, struct list_head *holds,
		       const struct tprof_object_id *id, struct tprof_object_table *table)
{
	struct tprof_object *object = get_object(objects, id, tprof_user_of_current());
	bool is_news;
	int err;

	if (IS_ERR(object))
		return PTR_ERR(object);
	is_news = !object->table || (is_empty(object->table) && !is_empty(&table->table));
	if (!is_news && !is_empty(&table->table) && !is_same(owner_of(object->table), table))
		return -EEXIST;
	err = hold_object(holds, object, !is_empty(&table->table));
	if (err)
		return err;
	if (is_news)
		set_table(objects, object, table);
	else
		tprof_object_table_free(table, objects->is_private);
	return 0;
}

/**
 * tprof_objects_give - give an object a table
 * @holds:	list of the session; under the session lock
 * @id:		build-id
 * @table:	table that was checked; on success, it belongs to @objects
 *
 * Return: 0, -EEXIST if the object has another table, -ENOMEM, or -ENOSPC.
 */
int tprof_objects_give(struct tprof_objects *objects, struct list_head *holds,
		       const struct tprof_object_id *id, struct tprof_object_table *table)
{
	guard(mutex)(&objects->lock);
	return give_locked(objects, holds, id, table);
}

static void drop_table(struct tprof_objects *objects, struct tprof_object *object)
{
	struct tprof_object_table *table = owner_of(object->table);

	WRITE_ONCE(object->table, NULL);
	count_change(objects);
	atomic_long_dec(&nr_tables);
	free_later(objects, table);
}

/* A session has ended. A table with rows does not outlive the last session that has given it. */
static void drop_hold(struct tprof_objects *objects, const struct tprof_object_hold *hold)
{
	struct tprof_object *object = hold->object;

	object->nr_holds--;
	object->nr_real -= hold->is_real;
	if (object->table && !(is_empty(object->table) ? object->nr_holds : object->nr_real))
		drop_table(objects, object);
}

/**
 * tprof_objects_withdraw - withdraw the tables that a session has given
 * @holds:	list of the session, emptied
 */
void tprof_objects_withdraw(struct tprof_objects *objects, struct list_head *holds)
{
	struct tprof_object_hold *hold, *next;

	guard(mutex)(&objects->lock);
	list_for_each_entry_safe(hold, next, holds, node) {
		drop_hold(objects, hold);
		list_del(&hold->node);
		kfree(hold);
	}
}

/**
 * tprof_object_table_alloc - allocate a table
 * @numbers:	numbers of pages, rows and rules, within their limits; its arrays are not used
 * @is_private:	for a session without privileges
 *
 * Return: a table whose arrays the caller fills, or ERR_PTR() of -ENOSPC or -ENOMEM.
 */
struct tprof_object_table *tprof_object_table_alloc(const struct tprof_table *numbers,
						    bool is_private)
{
	size_t pages = ALIGN((numbers->nr_pages + 1) * sizeof(u32), 8);
	size_t rules = numbers->nr_rules * sizeof(*numbers->rules);
	/* tprof_table_find() may read a row too many after a branch that was mispredicted. */
	size_t rows = ((size_t)numbers->nr_rows + 1) * sizeof(*numbers->rows);
	size_t bytes = sizeof(struct tprof_object_table) + pages + rules + rows;
	struct tprof_object_table *table;
	int err = tprof_budget_take(bytes, is_private);

	if (err)
		return ERR_PTR(err);
	table = kvzalloc(bytes, TPROF_GFP);
	if (!table) {
		tprof_budget_give(bytes, is_private);
		return ERR_PTR(-ENOMEM);
	}
	table->bytes = bytes;
	table->table = *numbers;
	table->table.first = (void *)table->data;
	table->table.rules = (void *)table->data + pages;
	table->table.rows = (void *)table->data + pages + rules;
	return table;
}

/**
 * tprof_object_table_free - free a table that no object has
 * @is_private:	as passed to tprof_object_table_alloc()
 */
void tprof_object_table_free(struct tprof_object_table *table, bool is_private)
{
	tprof_budget_give(table->bytes, is_private);
	kvfree(table);
}
