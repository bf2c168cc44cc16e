/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a stack of zooms and filters: which rows of a table are shown
 *
 * The last one can be undone. Each knows the row that the cursor was in before.
 */
#ifndef TPROF_ZOOMS_H
#define TPROF_ZOOMS_H

#include "profile/profile.h"
#include "view/items.h"
#include "view/pattern.h"

#define ZOOMS_MAX	16

/* Number of values of a key for which zooms_show() remembers whether a pattern matches. */
#define ZOOM_MEMO	64

enum zoom_kind {
	ZOOM_KEY,	/* entries with the same key in a column */
	ZOOM_TEXT,	/* entries with a text that matches a pattern */
	ZOOM_NODE,	/* a part of the call tree of an entry */
};

/**
 * struct zoom - a condition that rows must meet
 * @kind:	its kind
 * @key:	ZOOM_KEY: index in profile.keys
 * @keys:	ZOOM_KEY: @keys[@key] is the key; ZOOM_NODE: the keys of the entry
 * @pattern:	ZOOM_TEXT: the pattern
 * @memo:	ZOOM_TEXT: for some keys, (the key) << 1 | (@pattern matches its text)
 * @path:	ZOOM_NODE: keys of the nodes from the root to the node
 * @nr_path:	length of @path
 * @entry:	number of the entry of the row that had the cursor before
 * @back:	item_id() of that row
 */
struct zoom {
	enum zoom_kind kind;
	size_t	key;
	u64	keys[PROFILE_MAX_KEYS];
	struct pattern pattern;
	u64	memo[PROFILE_MAX_KEYS][ZOOM_MEMO];
	u64	*path;
	size_t	nr_path;
	u32	entry;
	u64	back;
};

/**
 * struct zooms - all conditions; empty if all members are zero
 * @list:	the conditions, the last one last
 * @nr:		number of @list
 */
struct zooms {
	struct zoom list[ZOOMS_MAX];
	u32	nr;
};

struct zoom *zooms_push(struct zooms *zooms, enum zoom_kind kind, u64 back);
u64 zooms_pop(struct zooms *zooms);
bool zooms_show(struct zooms *zooms, const struct profile *profile, u32 entry);
const struct zoom *zooms_node(const struct zooms *zooms);
int zoom_set_node(struct zoom *zoom, const struct profile *profile, const struct item *item);
bool zoom_find_node(const struct zoom *zoom, const struct profile *profile, struct item *item);
const char *zoom_text(const struct zoom *zoom, const struct profile *profile, char *buf,
		      size_t len);
bool entry_matches(const struct profile *profile, u32 entry, const struct pattern *pattern);
void zooms_free(struct zooms *zooms);

#endif /* TPROF_ZOOMS_H */
