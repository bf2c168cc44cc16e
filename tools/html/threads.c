// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - numbers of threads and their names
 */
#include <stdlib.h>

#include "base/array.h"
#include "html/threads.h"

static bool is_thread(const void *entry, const void *wanted)
{
	const struct thread *thread = entry, *key = wanted;

	return thread->pid == key->pid && thread->tid == key->tid && thread->comm == key->comm &&
	       thread->cgroup == key->cgroup && thread->host == key->host;
}

/* Find or add a thread. Return NULL if out of memory. */
const struct thread *threads_add(struct threads *threads, const struct thread *key)
{
	u64 hash = hash_number(hash_number((u64)key->pid << 32 | key->tid) +
			       (uintptr_t)key->comm + (uintptr_t)key->cgroup +
			       (uintptr_t)key->host);
	struct thread *thread = hash_table_find(&threads->table, hash, is_thread, key), **list;
	size_t nr = threads->table.nr;

	if (thread)
		return thread;
	list = array_grow(threads->list, nr, &threads->room, sizeof(*list));
	if (!list)
		return NULL;
	threads->list = list;
	thread = arena_get(&threads->memory, sizeof(*thread));
	if (!thread || hash_table_add(&threads->table, hash, thread))
		return NULL;
	*thread = *key;
	thread->number = nr;
	list[nr] = thread;
	return thread;
}

bool threads_have_cgroups(const struct threads *threads)
{
	size_t i;

	for (i = 0; i < threads->table.nr; i++) {
		if (threads->list[i]->cgroup)
			return true;
	}
	return false;
}

bool threads_have_hosts(const struct threads *threads)
{
	size_t i;

	for (i = 0; i < threads->table.nr; i++) {
		if (threads->list[i]->host)
			return true;
	}
	return false;
}

void threads_free(struct threads *threads)
{
	hash_table_free(&threads->table, NULL);
	arena_free(&threads->memory);
	free(threads->list);
}
