/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which binaries of a recording have unwind tables, and these tables
 *
 * The threads of session/table_maker.h say what became of each binary. One other thread asks.
 * Tables that are in the cache are read from there when they are needed first.
 */
#ifndef TPROF_TABLE_STORE_H
#define TPROF_TABLE_STORE_H

#include <pthread.h>

#include "unwind/table_cache.h"

/**
 * enum table_state - what is known of a binary's table
 * @TABLE_PENDING: it may come
 * @TABLE_NONE:	the binary has none
 * @TABLE_CACHED: it is in the cache
 * @TABLE_READY: it is in memory
 */
enum table_state {
	TABLE_PENDING,
	TABLE_NONE,
	TABLE_CACHED,
	TABLE_READY,
};

/**
 * struct stored_table - a binary and its table
 * @id:		build-id of the binary
 * @state:	enum table_state; under the lock of the store
 * @table:	the table, if it is TABLE_READY; it does not change any more then
 */
struct stored_table {
	struct build_id id;
	enum table_state state;
	struct unwind_table table;
};

/**
 * struct table_store - the tables
 * @lock:	protects @all and the states
 * @all:	ordered set of struct stored_table
 * @cache:	the cache; of the thread that asks
 * @has_cache:	@cache is open
 */
struct table_store {
	pthread_mutex_t lock;
	void	*all;
	struct table_cache cache;
	bool	has_cache;
};

void table_store_init(struct table_store *store);
struct stored_table *table_store_get(struct table_store *store, const struct build_id *id);
void table_store_put(struct table_store *store, const struct build_id *id, enum table_state state,
		     struct unwind_table *table);
const struct unwind_table *table_store_table(struct table_store *store,
					     struct stored_table *stored, bool *is_pending);
void table_store_free(struct table_store *store);

#endif /* TPROF_TABLE_STORE_H */
