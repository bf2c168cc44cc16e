/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the rows of a table: entries of a profile, and the open parts of their call trees
 *
 * A row is known by the keys of its entry and of the nodes above it. So it stays open or
 * folded when the data are replaced, while it is filtered out, and in another order.
 */
#ifndef TPROF_ITEMS_H
#define TPROF_ITEMS_H

#include "profile/profile.h"

/**
 * struct item - a row
 * @node:	node of a call tree, or NULL for an entry
 * @entry:	number of the entry
 * @depth:	number of rows that the row is below
 * @is_open:	the rows below it follow
 */
struct item {
	const struct call_node *node;
	u32	entry;
	u16	depth;
	bool	is_open;
};

/**
 * struct items - all rows; empty if all members are zero
 * @profile:	the profile
 * @list:	the rows
 * @nr:		number of @list
 * @room:	capacity of @list
 * @open:	whether rows are open, by item_id(), for rows that were ever opened
 */
struct items {
	const struct profile *profile;
	struct item *list;
	size_t	nr;
	size_t	room;
	struct hash_table open;
};

u64 item_id(const struct profile *profile, const struct item *item);
const struct call_node *item_tree(const struct profile *profile, const struct item *item);
int items_add(struct items *items, u32 entry, const struct call_node *node);
int items_open(struct items *items, size_t at, bool whole);
void items_fold(struct items *items, size_t at);
size_t items_above(const struct items *items, size_t at);
size_t items_find(const struct items *items, u64 id);
void items_free(struct items *items);

#endif /* TPROF_ITEMS_H */
