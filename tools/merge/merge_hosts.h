/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - the hosts of the output, and identifiers that keep them apart
 */
#ifndef TPROF_MERGE_HOSTS_H
#define TPROF_MERGE_HOSTS_H

#include "merge/merge.h"

const char *merge_host(const struct source *source);
int merge_hosts(struct merge *merge);
void merge_add_hosts(const struct merge *merge, struct feature_set *features);
u64 merge_id(const struct merge *merge, const struct source *source, u64 id, u32 merged);

#endif /* TPROF_MERGE_HOSTS_H */
