/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sort numbers by many keys
 *
 * A profile may have a million entries, most of which have equal values and are sorted by
 * their names. Comparing two would read both and their names, in no cache. So the order
 * is made by one stable radix sort per key, from the least important key on, and texts are
 * ranked first, each different one once.
 */
#ifndef TPROF_ORDER_H
#define TPROF_ORDER_H

#include "base/types.h"

/**
 * struct order - the numbers from 0 to @nr - 1 in order
 * @nr:		how many
 * @numbers:	the numbers
 * @scratch:	room to sort in
 * @keys:	the current key by number, filled in by the caller
 */
struct order {
	u32	nr;
	u32	*numbers;
	u32	*scratch;
	u64	*keys;
};

int order_init(struct order *order, u32 nr);
void order_by_number(struct order *order);
int order_by_text(struct order *order, int (*compare)(u64 a, u64 b));
void order_free(struct order *order);

#endif /* TPROF_ORDER_H */
