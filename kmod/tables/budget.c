// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the memory of unwind tables and mappings, over all sessions
 *
 * The module parameter table_bytes limits it. Sessions without privileges have a quarter of
 * that, so that they cannot keep the others from their tables. Mappings have a half, as any
 * sampled process can make many. Each user but root has a quarter of that half, and all users but
 * root have three quarters, so that the processes of a few users leave room for all others.
 *
 * Context: process.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "base/params.h"
#include "tables/budget.h"

#define PRIVATE_SHARE	4
#define MAPPING_SHARE	2
/* Shares of what mappings have. */
#define USER_SHARE	4
#define ROOT_SHARE	4
#define USER_HASH_BITS	6

/**
 * struct payer - a user whose processes have mappings
 * @node:	entry in the hash
 * @uid:	the user, not root
 * @bytes:	memory that counts to the user, not 0
 */
struct payer {
	struct hlist_node	node;
	kuid_t			uid;
	size_t			bytes;
};

/* Protects @payers and @used_by_users; innermost. */
static DEFINE_MUTEX(payers_lock);
static DEFINE_HASHTABLE(payers, USER_HASH_BITS);
static size_t used_by_users;

static atomic_long_t used = ATOMIC_LONG_INIT(0);
static atomic_long_t used_privately = ATOMIC_LONG_INIT(0);
static atomic_long_t used_by_mappings = ATOMIC_LONG_INIT(0);

static bool take_bytes(atomic_long_t *from, size_t bytes, unsigned long limit)
{
	if (bytes <= limit && atomic_long_add_return(bytes, from) <= limit)
		return true;
	if (bytes <= limit)
		atomic_long_sub(bytes, from);
	return false;
}

/**
 * tprof_budget_take - count memory before it is allocated
 * @bytes:	length, at most TPROF_TABLE_BYTES_MAX
 * @is_private:	for a session without privileges
 *
 * Return: 0 or -ENOSPC.
 */
int tprof_budget_take(size_t bytes, bool is_private)
{
	unsigned long limit = tprof_params_table_bytes();

	if (is_private && !take_bytes(&used_privately, bytes, limit / PRIVATE_SHARE))
		return -ENOSPC;
	if (take_bytes(&used, bytes, limit))
		return 0;
	if (is_private)
		atomic_long_sub(bytes, &used_privately);
	return -ENOSPC;
}

/**
 * tprof_budget_give - undo tprof_budget_take()
 * @bytes:	as passed to tprof_budget_take()
 * @is_private:	as passed to tprof_budget_take()
 */
void tprof_budget_give(size_t bytes, bool is_private)
{
	atomic_long_sub(bytes, &used);
	if (is_private)
		atomic_long_sub(bytes, &used_privately);
}

static unsigned long mapping_limit(void)
{
	return tprof_params_table_bytes() / MAPPING_SHARE;
}

static struct payer *find_payer(kuid_t uid)
{
	struct payer *payer;

	lockdep_assert_held(&payers_lock);
	hash_for_each_possible(payers, payer, node, __kuid_val(uid)) {
		if (uid_eq(payer->uid, uid))
			return payer;
	}
	return NULL;
}

static struct payer *add_payer(kuid_t uid)
{
	struct payer *payer = kzalloc(sizeof(*payer), GFP_KERNEL | __GFP_NOWARN);

	if (!payer)
		return NULL;
	payer->uid = uid;
	hash_add(payers, &payer->node, __kuid_val(uid));
	return payer;
}

/* Return true if @bytes more stay below a limit, which may be below what is used. */
static bool has_room(size_t used_bytes, size_t bytes, unsigned long limit)
{
	return used_bytes <= limit && bytes <= limit - used_bytes;
}

static int take_as_user(size_t bytes, kuid_t uid)
{
	unsigned long limit = mapping_limit();
	struct payer *payer;

	if (uid_eq(uid, GLOBAL_ROOT_UID))
		return 0;
	guard(mutex)(&payers_lock);
	payer = find_payer(uid);
	if (!has_room(payer ? payer->bytes : 0, bytes, limit / USER_SHARE) ||
	    !has_room(used_by_users, bytes, limit - limit / ROOT_SHARE))
		return -ENOSPC;
	payer = payer ?: add_payer(uid);
	if (!payer)
		return -ENOMEM;
	payer->bytes += bytes;
	used_by_users += bytes;
	return 0;
}

static void give_as_user(size_t bytes, kuid_t uid)
{
	struct payer *payer;

	if (uid_eq(uid, GLOBAL_ROOT_UID))
		return;
	guard(mutex)(&payers_lock);
	used_by_users -= bytes;
	payer = find_payer(uid);
	payer->bytes -= bytes;
	if (payer->bytes)
		return;
	hash_del(&payer->node);
	kfree(payer);
}

/**
 * tprof_budget_take_mapping - do the same as tprof_budget_take(), for what mappings need
 * @bytes:	length, not 0
 * @is_private:	for a session without privileges
 * @user:	user of the process that has the mappings
 *
 * Return: 0, -ENOSPC or -ENOMEM.
 */
int tprof_budget_take_mapping(size_t bytes, bool is_private, kuid_t user)
{
	int err = take_as_user(bytes, user);

	if (err)
		return err;
	if (!take_bytes(&used_by_mappings, bytes, mapping_limit())) {
		give_as_user(bytes, user);
		return -ENOSPC;
	}
	err = tprof_budget_take(bytes, is_private);
	if (err) {
		atomic_long_sub(bytes, &used_by_mappings);
		give_as_user(bytes, user);
	}
	return err;
}

/**
 * tprof_budget_give_mapping - undo tprof_budget_take_mapping()
 * @bytes:	as passed to tprof_budget_take_mapping()
 * @is_private:	as passed to tprof_budget_take_mapping()
 * @user:	as passed to tprof_budget_take_mapping()
 */
void tprof_budget_give_mapping(size_t bytes, bool is_private, kuid_t user)
{
	atomic_long_sub(bytes, &used_by_mappings);
	tprof_budget_give(bytes, is_private);
	give_as_user(bytes, user);
}

/** tprof_budget_used - return the bytes in use */
u64 tprof_budget_used(void)
{
	return atomic_long_read(&used);
}
