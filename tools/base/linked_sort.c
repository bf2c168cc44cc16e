// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort linked lists
 */
#include "base/linked_sort.h"

static void **next_of(void *entry, size_t next)
{
	return (void **)((u8 *)entry + next);
}

static void *after(void *entry, size_t next)
{
	return *next_of(entry, next);
}

/* Merge two sorted lists. */
static void *merge(void *a, void *b, size_t next, linked_order order)
{
	void *first = NULL, **end = &first;

	while (a && b) {
		void **from = order(a, b) ? &a : &b;

		*end = *from;
		end = next_of(*from, next);
		*from = *end;
	}
	*end = a ? a : b;
	return first;
}

/*
 * Sort a list. Equal entries keep their order.
 *
 * @next: offset of the pointer to the next entry
 *
 * Return the first entry.
 */
void *linked_sort(void *list, size_t next, linked_order order)
{
	void *slow = list, *fast = list, *half;

	if (!list || !after(list, next))
		return list;
	while (after(fast, next) && after(after(fast, next), next)) {
		slow = after(slow, next);
		fast = after(after(fast, next), next);
	}
	half = after(slow, next);
	*next_of(slow, next) = NULL;
	return merge(linked_sort(list, next, order), linked_sort(half, next, order), next, order);
}
