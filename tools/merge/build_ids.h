/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - the table of build-ids of a recording
 */
#ifndef TPROF_MERGE_BUILD_IDS_H
#define TPROF_MERGE_BUILD_IDS_H

#include "base/hash_table.h"
#include "perfdata/feature_set.h"

/**
 * struct named_id - a binary in the table
 * @id:		its build-id
 * @misc:	misc of its entry
 * @name:	its name
 */
struct named_id {
	struct build_id id;
	u16	misc;
	char	name[];
};

/**
 * struct build_ids - the table; empty if all members are zero
 * @table:	struct named_id, by name
 */
struct build_ids {
	struct hash_table table;
};

int build_ids_read(struct build_ids *ids, const struct feature_set *features);
const struct build_id *build_ids_find(const struct build_ids *ids, const char *name);
void build_ids_free(struct build_ids *ids);

#endif /* TPROF_MERGE_BUILD_IDS_H */
