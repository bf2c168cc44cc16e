// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which binaries of a recording have unwind tables, and these tables
 */
#include <search.h>
#include <stdlib.h>

#include "base/ordered_set.h"
#include "perfdata/buildid.h"
#include "session/table_store.h"

/* Prepare an empty store. Call this in the thread that asks. */
void table_store_init(struct table_store *store)
{
	*store = (struct table_store){ .lock = PTHREAD_MUTEX_INITIALIZER };
	store->has_cache = !table_cache_open(&store->cache);
}

static struct stored_table *get_locked(struct table_store *store, const struct build_id *id)
{
	const struct stored_table key = { .id = *id };
	bool is_new;

	return ordered_get(&store->all, &key, sizeof(key), build_id_compare, &is_new);
}

/* Find or add a binary. It stays where it is until table_store_free(). NULL: no memory. */
struct stored_table *table_store_get(struct table_store *store, const struct build_id *id)
{
	struct stored_table *stored;

	pthread_mutex_lock(&store->lock);
	stored = get_locked(store, id);
	pthread_mutex_unlock(&store->lock);
	return stored;
}

/*
 * Say what became of the table of a binary. With TABLE_READY, take @table over. A table is better
 * than none: another file with the same build-id may have none.
 */
void table_store_put(struct table_store *store, const struct build_id *id, enum table_state state,
		     struct unwind_table *table)
{
	struct stored_table *stored;

	pthread_mutex_lock(&store->lock);
	stored = get_locked(store, id);
	if (stored && stored->state < state) {
		if (state == TABLE_READY) {
			stored->table = *table;
			*table = (struct unwind_table){ 0 };
		}
		stored->state = state;
	}
	pthread_mutex_unlock(&store->lock);
}

/*
 * Return the table of @stored, or NULL if it has none, or none yet. Set @is_pending to whether one
 * may come. A table that cannot be read from the cache any more is lost.
 */
const struct unwind_table *table_store_table(struct table_store *store,
					     struct stored_table *stored, bool *is_pending)
{
	enum table_state state;

	pthread_mutex_lock(&store->lock);
	if (stored->state == TABLE_CACHED)
		stored->state = store->has_cache &&
				!table_cache_read(&store->cache, &stored->id, &stored->table) ?
				TABLE_READY : TABLE_NONE;
	state = stored->state;
	pthread_mutex_unlock(&store->lock);
	*is_pending = state == TABLE_PENDING;
	return state == TABLE_READY ? &stored->table : NULL;
}

static void free_stored(void *entry)
{
	struct stored_table *stored = entry;

	unwind_table_free(&stored->table);
	free(stored);
}

void table_store_free(struct table_store *store)
{
	tdestroy(store->all, free_stored);
	store->all = NULL;
	if (store->has_cache)
		table_cache_close(&store->cache);
	store->has_cache = false;
}
