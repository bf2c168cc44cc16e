// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the colours of percentages on a screen
 */
#include <stdlib.h>

#include <curses.h>

#include "base/types.h"
#include "screen/colours.h"

/**
 * struct heat - a range of percentages
 * @least:	smallest percentage
 * @few:	colour on a terminal of 8 colours, -1 for the default
 * @many:	colour on a terminal of 256 colours, -1 for the default
 */
struct heat {
	double	least;
	short	few;
	short	many;
};

/* The hottest range is the first. The last one has all that is left. */
static const struct heat heats[] = {
	{ 20, COLOR_RED, 196 },
	{ 5, COLOR_RED, 208 },
	{ 0.5, COLOR_GREEN, 34 },
	{ 0, -1, -1 },
};

static bool has_heats;

/* Prepare the colours, unless the terminal has none or NO_COLOR is set. */
void colours_begin(void)
{
	const char *none = getenv("NO_COLOR");
	size_t i;

	has_heats = has_colors() && !(none && *none) && start_color() == OK &&
		    use_default_colors() == OK;
	for (i = 0; has_heats && i < ARRAY_SIZE(heats); i++)
		init_pair(i + 1, COLORS >= 256 ? heats[i].many : heats[i].few, -1);
}

/* Return the attribute of ncurses for a percentage. */
unsigned long colour_of(double heat)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(heats) && heat < heats[i].least)
		i++;
	return has_heats ? COLOR_PAIR(i + 1) : A_NORMAL;
}
