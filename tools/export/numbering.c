// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - numbers in the order of first use
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/numbering.h"

#define FIRST_ROOM	1024

static int make_room(struct numbering *numbering, size_t old)
{
	size_t room = numbering->room ?: FIRST_ROOM;
	u32 *numbers;

	while (room <= old)
		room *= 2;
	numbers = reallocarray(numbering->numbers, room, sizeof(*numbers));
	if (!numbers)
		return -ENOMEM;
	memset(numbers + numbering->room, 0, (room - numbering->room) * sizeof(*numbers));
	numbering->numbers = numbers;
	numbering->room = room;
	return 0;
}

/* Set @number to the new number of @old. Return 1 if it is new, 0 if it is not, or -ENOMEM. */
int numbering_find(struct numbering *numbering, size_t old, u32 *number)
{
	*number = 0;
	if (old >= numbering->room && make_room(numbering, old))
		return -ENOMEM;
	*number = numbering->numbers[old];
	if (*number)
		return 0;
	*number = numbering->numbers[old] = ++numbering->nr;
	return 1;
}

void numbering_free(struct numbering *numbering)
{
	free(numbering->numbers);
}
