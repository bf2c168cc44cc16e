// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - paths of cgroups, from records
 */
#include <errno.h>
#include <stdlib.h>

#include "world/cgroups.h"

/**
 * struct cgroup - a cgroup
 * @path:	its path below the root of the cgroups
 */
struct cgroup {
	const char *path;
};

/*
 * Apply a record. Paths of cgroups begin with a slash; other records carry data of
 * tprof-lx. Return 0 or -ENOMEM.
 */
int cgroups_update(struct cgroups *cgroups, const struct cgroup_record *record)
{
	const char *path;
	struct cgroup *cgroup;

	if (*record->path != '/')
		return 0;
	path = interned_get(&cgroups->paths, record->path);
	cgroup = path ? hash_table_get(&cgroups->table, record->id, sizeof(*cgroup)) : NULL;
	if (!cgroup)
		return -ENOMEM;
	cgroup->path = path;
	return 0;
}

/*
 * Return the path of a cgroup, or "[unknown]" if no record has it. For equal paths, the
 * pointer is the same.
 */
const char *cgroups_path(const struct cgroups *cgroups, u64 id)
{
	const struct cgroup *cgroup = hash_table_find(&cgroups->table, hash_number(id), NULL,
						      NULL);

	return cgroup ? cgroup->path : "[unknown]";
}

void cgroups_free(struct cgroups *cgroups)
{
	hash_table_free(&cgroups->table, free);
	interned_free(&cgroups->paths);
}
