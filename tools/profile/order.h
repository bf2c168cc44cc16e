/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sort by several keys
 *
 * A profile may have a million entries. Most have equal values, so names decide their
 * order. A comparison sort would read entries and names from memory again and again.
 * Instead, the numbers of the entries are sorted by one stable radix sort per key, the
 * least important key first. Before this, text keys are replaced by their ranks: each
 * distinct text is compared only to find its rank.
 *
 * Addresses in no function are not ranked, but sorted as numbers. Equal rows are in the order
 * of their first samples.
 */
#ifndef TPROF_ORDER_H
#define TPROF_ORDER_H

#include "base/types.h"

/**
 * struct order - the numbers from 0 to @nr - 1, in the order of their keys
 * @nr:		number of @numbers
 * @numbers:	the numbers
 * @scratch:	memory to sort in
 * @keys:	key of each number, indexed by number; the caller sets them for each sort
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
