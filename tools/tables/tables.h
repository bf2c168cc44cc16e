/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx tables - options, and tables of files from the cache or made now
 */
#ifndef TPROF_TABLES_H
#define TPROF_TABLES_H

#include "base/json.h"
#include "unwind/table_cache.h"

/**
 * struct tables - the state of the command
 * @json:	--json: print JSON; NULL for text
 * @cache:	the cache
 * @has_cache:	@cache is open
 * @nr:		number of tables printed
 * @bytes:	their size
 */
struct tables {
	struct json *json;
	struct table_cache cache;
	bool	has_cache;
	u32	nr;
	u64	bytes;
};

int tables_of_file(struct tables *tables, const char *path, const char *name, bool again,
		   struct unwind_table *table);
void tables_print(struct tables *tables, const char *name, const struct unwind_table *table);
void tables_print_end(const struct tables *tables);
void tables_print_rows(const struct tables *tables, const struct unwind_table *table);

#endif /* TPROF_TABLES_H */
