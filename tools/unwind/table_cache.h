/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - unwind tables in the user's cache, by build-id
 *
 * The directory is $XDG_CACHE_HOME/tprof-lx/tables, or ~/.cache/tprof-lx/tables.
 *
 * Only the user can write to the directory. A file is checked to the last row when it is read;
 * a damaged one is removed.
 */
#ifndef TPROF_TABLE_CACHE_H
#define TPROF_TABLE_CACHE_H

#include "unwind/table.h"

/**
 * struct table_cache - the directory
 * @path:	its path
 * @dir:	its descriptor
 */
struct table_cache {
	char	*path;
	int	dir;
};

int table_cache_open(struct table_cache *cache);
void table_cache_close(struct table_cache *cache);
int table_cache_read(const struct table_cache *cache, const struct build_id *id,
		     struct unwind_table *table);
int table_cache_write(const struct table_cache *cache, const struct unwind_table *table);
int table_cache_each(const struct table_cache *cache,
		     int (*visit)(void *arg, const struct build_id *id), void *arg);
int table_cache_clear(const struct table_cache *cache, u32 *nr);

#endif /* TPROF_TABLE_CACHE_H */
