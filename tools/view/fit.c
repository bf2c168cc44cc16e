// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the widths of a table's columns in a line that may be too short for them
 */
#include "view/fit.h"

/*
 * Other texts than symbols are first shortened to ENOUGH, which the title of binaries needs, and to
 * LEAST if symbols need more.
 */
#define ENOUGH		13
#define LEAST		6
/* Symbols with so many columns leave others ENOUGH. */
#define SYMBOL_ENOUGH	32
#define SYMBOL_LEAST	8

static u32 sum_of(const struct fit *fits, size_t nr)
{
	u32 sum = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		sum += fits[i].width;
	return sum;
}

/* Return by how much the columns are too wide for @room. */
static u32 excess_of(const struct fit *fits, size_t nr, u32 room)
{
	u32 sum = sum_of(fits, nr);

	return sum > room ? sum - room : 0;
}

/* Narrow a column to no less than @least, and to no less than what fits. */
static void narrow(struct fit *fit, u32 least, u32 excess)
{
	u32 most = fit->width > least ? fit->width - least : 0;

	fit->width -= most < excess ? most : excess;
}

/* Narrow the widest of the texts other than @symbol until all fits, or all have @least. */
static void narrow_others(struct fit *fits, size_t nr, size_t symbol, u32 least, u32 room)
{
	struct fit *widest;
	size_t i;

	while (excess_of(fits, nr, room)) {
		widest = NULL;
		for (i = 0; i < nr; i++) {
			if (i != symbol && fits[i].is_text && fits[i].width > least &&
			    (!widest || fits[i].width > widest->width))
				widest = &fits[i];
		}
		if (!widest)
			return;
		widest->width--;
	}
}

/* Narrow numbers to what they want, and cut their titles, until all fits. */
static void narrow_numbers(struct fit *fits, size_t nr, u32 room)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!fits[i].is_text)
			narrow(&fits[i], fits[i].wants, excess_of(fits, nr, room));
	}
}

/*
 * Give each of @nr columns a width, @room together if possible: what its contents want, and if
 * there is room, also its title. If there is not, column @symbol gets what it wants for as long
 * as the other texts can be shortened. Without symbols, @symbol is @nr.
 */
void fit_columns(struct fit *fits, size_t nr, size_t symbol, u32 room)
{
	u32 spare, more;
	size_t i;

	for (i = 0; i < nr; i++)
		fits[i].width = fits[i].is_text || fits[i].wants > fits[i].title ? fits[i].wants :
										    fits[i].title;
	narrow_others(fits, nr, symbol, ENOUGH, room);
	if (symbol < nr)
		narrow(&fits[symbol], SYMBOL_ENOUGH, excess_of(fits, nr, room));
	narrow_numbers(fits, nr, room);
	narrow_others(fits, nr, symbol, LEAST, room);
	if (symbol < nr)
		narrow(&fits[symbol], SYMBOL_LEAST, excess_of(fits, nr, room));
	for (i = 0; i < nr; i++) {
		spare = sum_of(fits, nr) < room ? room - sum_of(fits, nr) : 0;
		more = fits[i].title > fits[i].width ? fits[i].title - fits[i].width : 0;
		fits[i].width += more < spare ? more : spare;
	}
}
