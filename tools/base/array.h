/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - arrays that grow by one entry at a time
 */
#ifndef TPROF_ARRAY_H
#define TPROF_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* Initial capacity in entries. Most arrays never need more. */
#define ARRAY_FIRST_ROOM	8

/*
 * Make sure that @array, which holds @nr entries of @bytes each, can hold one more.
 * @room is its capacity in entries; a NULL @array has capacity 0. Return the array,
 * which may have moved. If memory runs out, return NULL and leave @array unchanged.
 */
static inline void *array_grow(void *array, size_t nr, size_t *room, size_t bytes)
{
	size_t more = *room ? 2 * *room : ARRAY_FIRST_ROOM;

	if (nr < *room)
		return array;
	array = reallocarray(array, more, bytes);
	if (array)
		*room = more;
	return array;
}

#endif /* TPROF_ARRAY_H */
