// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the memory of unwind tables and mappings, over all sessions
 *
 * The module parameter table_bytes limits it. Sessions without privileges have a quarter of
 * that, so that they cannot keep the others from their tables. Mappings have a half, as any
 * sampled process can make many.
 *
 * Context: process.
 */
#include <linux/atomic.h>
#include <linux/errno.h>

#include "base/params.h"
#include "tables/budget.h"

#define PRIVATE_SHARE	4
#define MAPPING_SHARE	2

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

/**
 * tprof_budget_take_mapping - do the same as tprof_budget_take(), for what mappings need
 * @bytes:	length
 * @is_private:	for a session without privileges
 *
 * Return: 0 or -ENOSPC.
 */
int tprof_budget_take_mapping(size_t bytes, bool is_private)
{
	int err;

	if (!take_bytes(&used_by_mappings, bytes, tprof_params_table_bytes() / MAPPING_SHARE))
		return -ENOSPC;
	err = tprof_budget_take(bytes, is_private);
	if (err)
		atomic_long_sub(bytes, &used_by_mappings);
	return err;
}

/**
 * tprof_budget_give_mapping - undo tprof_budget_take_mapping()
 * @bytes:	as passed to tprof_budget_take_mapping()
 * @is_private:	as passed to tprof_budget_take_mapping()
 */
void tprof_budget_give_mapping(size_t bytes, bool is_private)
{
	atomic_long_sub(bytes, &used_by_mappings);
	tprof_budget_give(bytes, is_private);
}

/** tprof_budget_used - return the bytes in use */
u64 tprof_budget_used(void)
{
	return atomic_long_read(&used);
}
