// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a cache of the functions at addresses
 */
#include <errno.h>

#include "base/huge_pages.h"
#include "symbols/recent_places.h"

#define SLOTS_BYTES	(RECENT_PLACES * sizeof(struct recent_place))

/* Allocate the slots, if they are not yet. */
int recent_places_make(struct recent_places *recent)
{
	if (!recent->slots)
		recent->slots = huge_alloc(SLOTS_BYTES);
	return recent->slots ? 0 : -ENOMEM;
}

void recent_places_free(struct recent_places *recent)
{
	huge_free(recent->slots, SLOTS_BYTES);
	*recent = (struct recent_places){ 0 };
}
