// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort the entries of a profile by one column
 */
#include <string.h>

#include "profile/order.h"
#include "view/table_order.h"

/* Sort by a value, highest first. */
static void sort_by_value(const struct profile *profile, struct order *order,
			  const struct column *column)
{
	struct profile_entry entry;
	u32 i;

	for (i = 0; i < order->nr; i++) {
		entry = entries_at(&profile->entries, i);
		order->keys[i] = ~column->value(&entry);
	}
	order_by_number(order);
}

static int sort(const struct profile *profile, struct order *order, const struct column *column)
{
	size_t key = 0;

	if (column->value) {
		sort_by_value(profile, order, column);
		return 0;
	}
	while (profile->keys->columns[key] != column)
		key++;
	return profile_sort_by_key(profile, order, key);
}

/*
 * Return the numbers of all entries, sorted by a column. Entries that are equal in it have
 * the order of the profile. Return NULL if memory runs out.
 */
u32 *table_order(const struct profile *profile, const struct column *column)
{
	struct order order;
	u32 *numbers = NULL;
	int err = order_init(&order, profile->entries.nr);

	if (!err) {
		memcpy(order.numbers, profile->sorted, order.nr * sizeof(*order.numbers));
		err = sort(profile, &order, column);
	}
	if (!err) {
		numbers = order.numbers;
		order.numbers = NULL;
	}
	order_free(&order);
	return numbers;
}
