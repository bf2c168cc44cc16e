// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the order of whole call paths
 *
 * Paths with callers are in a tree. A path without callers has only the name of a thread and
 * the name of a function, so it stays an entry with these two names as its keys: a tree would
 * take 56 bytes more for each of a million entries. Entries get the order that their paths
 * would have in a tree.
 */
#include <errno.h>
#include <stdlib.h>

#include "profile/order.h"
#include "profile/path_order.h"

/**
 * struct path_thread - the name of a thread
 * @period:	sum of the periods of its entries
 * @last:	number of its first entry, counted from the end; never 0
 */
struct path_thread {
	u64	period;
	u32	last;
};

/* Sort threads by period, highest first, and threads with equal periods by @last. */
static int compare_threads(u64 a, u64 b)
{
	const struct path_thread *x = (void *)(uintptr_t)a, *y = (void *)(uintptr_t)b;

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	return x->last < y->last ? -1 : x->last > y->last;
}

static struct path_thread *thread_of(const struct profile *profile, struct hash_table *threads,
				     u32 entry)
{
	u64 name = entries_keys(&profile->entries, entry)[0];

	return hash_table_get(threads, name, sizeof(struct path_thread));
}

/* Add up the periods of all threads. */
static int find_threads(const struct profile *profile, struct hash_table *threads)
{
	struct path_thread *thread;
	u32 i;

	for (i = 0; i < profile->entries.nr; i++) {
		thread = thread_of(profile, threads, i);
		if (!thread)
			return -ENOMEM;
		if (!thread->last)
			thread->last = profile->entries.nr - i;
		thread->period += entries_self(&profile->entries, i)->period;
	}
	return 0;
}

/*
 * Sort the entries in @order by thread, then by period, highest first. Equal entries are
 * in the order from the last one to the first. Each sort is stable, so the sort by thread
 * comes last.
 */
static int sort_entries(const struct profile *profile, struct hash_table *threads,
			struct order *order)
{
	u32 i;

	for (i = 0; i < order->nr; i++) {
		order->numbers[i] = order->nr - 1 - i;
		order->keys[i] = ~entries_self(&profile->entries, i)->period;
	}
	order_by_number(order);
	for (i = 0; i < order->nr; i++)
		order->keys[i] = (uintptr_t)thread_of(profile, threads, i);
	return order_by_text(order, compare_threads);
}

/*
 * Sort the paths of @profile, which has the keys gather_path_keys(): the nodes of its tree or,
 * if there is no tree, its entries into @profile->sorted. No entry may be added afterwards.
 */
int paths_sort(struct profile *profile)
{
	struct hash_table threads = { 0 };
	struct order order;
	int err;

	call_tree_sort(&profile->paths);
	if (profile->paths.first)
		return 0;
	entries_end(&profile->entries);
	err = order_init(&order, profile->entries.nr);
	if (!err)
		err = find_threads(profile, &threads);
	if (!err)
		err = sort_entries(profile, &threads, &order);
	if (!err) {
		profile->sorted = order.numbers;
		order.numbers = NULL;
	}
	order_free(&order);
	hash_table_free(&threads, free);
	return err;
}
