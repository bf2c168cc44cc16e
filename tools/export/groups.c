// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - sums of samples with equal keys
 */
#include <errno.h>

#include "base/array.h"
#include "export/groups.h"

/**
 * struct wanted - a group to look for
 * @groups:	the groups
 * @key:	its keys
 */
struct wanted {
	const struct groups *groups;
	const struct group *key;
};

/* The table has numbers of groups, plus one, because the list of groups moves. */
static bool is_group(const void *entry, const void *arg)
{
	const struct wanted *wanted = arg;
	const struct group *group = &wanted->groups->list[(uintptr_t)entry - 1];
	const struct group *key = wanted->key;

	return group->stack == key->stack && group->tid == key->tid && group->cpu == key->cpu &&
	       group->pid == key->pid && group->event == key->event &&
	       group->comm == key->comm && group->cgroup == key->cgroup &&
	       group->host == key->host &&
	       group->tuple == key->tuple;
}

static u64 hash_of(const struct group *key)
{
	u64 hash = hash_number((u64)key->stack << 32 | key->event);

	hash = hash_number(hash + ((u64)key->pid << 32 | key->tid));
	hash = hash_number(hash + key->cpu + (uintptr_t)key->comm + ((u64)key->tuple << 32));
	if (key->host)
		hash = hash_number(hash + (uintptr_t)key->host);
	return key->cgroup ? hash_number(hash + (uintptr_t)key->cgroup) : hash;
}

/*
 * Add @sample, which may stand for several samples, to its group. Set @number to the number of
 * the group, unless it is NULL. Return 0 or -ENOMEM.
 */
int groups_add(struct groups *groups, const struct group *sample, u32 *number)
{
	const struct wanted wanted = { groups, sample };
	u64 hash = hash_of(sample);
	size_t nr = groups->table.nr;
	void *found = hash_table_find(&groups->table, hash, is_group, &wanted);
	struct group *list;

	if (number)
		*number = found ? (uintptr_t)found - 1 : nr;
	if (found) {
		list = &groups->list[(uintptr_t)found - 1];
		list->samples += sample->samples;
		list->weight += sample->weight;
		return 0;
	}
	list = array_grow(groups->list, nr, &groups->room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	groups->list = list;
	list[nr] = *sample;
	return hash_table_add(&groups->table, hash, (void *)(uintptr_t)(nr + 1));
}

/* Remove all groups. */
void groups_clear(struct groups *groups)
{
	hash_table_clear(&groups->table);
}

void groups_free(struct groups *groups)
{
	hash_table_free(&groups->table, NULL);
	free(groups->list);
}
