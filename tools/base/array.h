/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - arrays that grow one by one
 */
#ifndef TPROF_ARRAY_H
#define TPROF_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* Of most arrays there are few entries. */
#define ARRAY_FIRST_ROOM	8

/*
 * Have room for one more.
 *
 * @array: the array, NULL when it is empty
 *
 * Return the array, which may have moved, or NULL without memory; then it is as
 * it was.
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
