// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the cache of the functions at addresses
 */
#include <stdlib.h>

#include "symbols/recent_places.h"
#include "unit.h"

#define NR	(4 * RECENT_PLACES)

static struct recent_places recent;
static struct object objects[] = { { .number = 0 }, { .number = 1 } };
static struct object far_object = { .number = 1 << PACKED_OBJECT_BITS };
static struct symbol symbols[3];

/* Add more addresses than the cache has slots. Return true if none gets another function. */
static bool keeps_functions_apart(void)
{
	bool is_ok = true;
	size_t nr_found = 0;

	for (u64 i = 0; i < NR; i++)
		recent_places_add(&recent, &objects[i % 2], i, &symbols[i % 3]);
	for (u64 i = 0; i < NR; i++) {
		struct symbol *symbol = recent_places_find(&recent, &objects[i % 2], i);

		is_ok &= !symbol || symbol == &symbols[i % 3];
		is_ok &= !recent_places_find(&recent, &objects[(i + 1) % 2], i);
		nr_found += !!symbol;
	}
	return is_ok && nr_found > RECENT_PLACES / 4 && nr_found <= RECENT_PLACES;
}

int main(void)
{
	const struct object *object = &objects[1];
	const u64 high = 1ULL << PACKED_ADDR_BITS;

	unit_ok(!recent_places_find(&recent, object, 1), "an empty cache has no function");
	if (recent_places_make(&recent))
		abort();
	recent_places_add(&recent, object, 1, &symbols[1]);
	unit_ok(recent_places_find(&recent, object, 1) == &symbols[1] &&
		!recent_places_find(&recent, object, 2) &&
		!recent_places_find(&recent, &objects[0], 1),
		"a function is found at its address in its binary only");
	recent_places_add(&recent, object, high | 3, &symbols[2]);
	recent_places_add(&recent, &far_object, 3, &symbols[2]);
	unit_ok(!recent_places_find(&recent, object, high | 3) &&
		!recent_places_find(&recent, object, 3) &&
		!recent_places_find(&recent, &far_object, 3) &&
		!recent_places_find(&recent, &objects[0], 3),
		"an address that cannot be packed is not in the cache");
	unit_ok(keeps_functions_apart(), "a full cache returns no wrong function");
	recent_places_free(&recent);
	unit_ok(!recent_places_find(&recent, object, 1), "a freed cache is empty");
	return unit_exit();
}
