// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a cache of the functions at addresses
 */
#include <errno.h>
#include <stdlib.h>

#include "base/huge_pages.h"
#include "symbols/recent_places.h"

/* Allocate the slots, if they are not yet. */
int recent_places_make(struct recent_places *recent)
{
	size_t bytes = RECENT_PLACES * sizeof(*recent->slots);

	if (!recent->slots)
		recent->slots = huge_pages(calloc(1, bytes), bytes);
	return recent->slots ? 0 : -ENOMEM;
}

void recent_places_free(struct recent_places *recent)
{
	free(recent->slots);
	*recent = (struct recent_places){ 0 };
}
