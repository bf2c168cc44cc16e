// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - list the addresses of JIT-compiled functions, with times
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "symbols/jit_loads.h"

int jit_loads_add(struct jit_loads *loads, const struct jit_load *load)
{
	struct jit_load *list = array_grow(loads->list, loads->nr, &loads->room, sizeof(*list));

	if (!list)
		return -ENOMEM;
	loads->list = list;
	list[loads->nr] = *load;
	loads->nr++;
	return 0;
}

/*
 * Compare by time, then by file offset. A file may not be in this order: several
 * threads of a JIT compiler may write to it.
 */
static int compare(const void *left, const void *right)
{
	const struct jit_load *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

void jit_loads_sort(struct jit_loads *loads)
{
	if (loads->nr)
		qsort(loads->list, loads->nr, sizeof(*loads->list), compare);
}

void jit_loads_free(struct jit_loads *loads)
{
	free(loads->list);
	*loads = (struct jit_loads){ 0 };
}
