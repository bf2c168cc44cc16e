/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - paths of cgroups, from records
 */
#ifndef TPROF_CGROUPS_H
#define TPROF_CGROUPS_H

#include "base/interned.h"
#include "perfdata/record_types.h"

/**
 * struct cgroups - cgroups and their paths; empty if all members are zero
 * @table:	cgroups, by id
 * @paths:	all paths
 */
struct cgroups {
	struct hash_table table;
	struct interned paths;
};

int cgroups_update(struct cgroups *cgroups, const struct cgroup_record *record);
const char *cgroups_path(const struct cgroups *cgroups, u64 id);
void cgroups_free(struct cgroups *cgroups);

#endif /* TPROF_CGROUPS_H */
