// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the functions with samples, and the addresses of their samples
 *
 * The samples of each address are an entry of a profile, by three keys: the binary, the
 * function and the address in the binary.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/hot_functions.h"
#include "base/array.h"

enum { KEY_OBJECT, KEY_SYMBOL, KEY_ADDR };

static u64 object_of(const struct hit *hit)
{
	return (uintptr_t)hit->spot.object;
}

static u64 symbol_of(const struct hit *hit)
{
	return (uintptr_t)hit->spot.symbol;
}

static u64 addr_of(const struct hit *hit)
{
	return hit->spot.addr;
}

static const struct column key_columns[] = {
	[KEY_OBJECT] = { .word = "object", .kind = COLUMN_NUMBER, .sample = PERF_SAMPLE_IP,
			 .key = object_of },
	[KEY_SYMBOL] = { .word = "function", .kind = COLUMN_NUMBER, .sample = PERF_SAMPLE_IP,
			 .key = symbol_of },
	[KEY_ADDR] = { .word = "address", .kind = COLUMN_NUMBER, .sample = PERF_SAMPLE_IP,
		       .key = addr_of },
};

/* Return the keys that the profiles for hot_functions_make() must have. */
struct profile_keys hot_functions_keys(void)
{
	struct profile_keys keys = { .nr = ARRAY_SIZE(key_columns) };
	size_t i;

	for (i = 0; i < keys.nr; i++)
		keys.columns[i] = &key_columns[i];
	return keys;
}

static void free_function(void *entry)
{
	struct hot_function *function = entry;

	free(function->sums);
	free(function);
}

static struct hot_function *add_function(struct hot_functions *all, u64 hash)
{
	struct hot_function **list = array_grow(all->list, all->nr, &all->room, sizeof(*list));
	struct hot_function *function;

	if (!list)
		return NULL;
	all->list = list;
	function = calloc(1, sizeof(*function));
	if (!function)
		return NULL;
	function->sums = calloc(all->nr_events, sizeof(*function->sums));
	if (!function->sums || hash_table_add(&all->table, hash, function)) {
		free_function(function);
		return NULL;
	}
	list[all->nr++] = function;
	return function;
}

/* Find or add the function with the keys of an entry. A symbol is of one binary. */
static struct hot_function *get_function(struct hot_functions *all, const u64 *keys)
{
	u64 hash = hash_number(keys[KEY_SYMBOL]);
	struct hot_function *function = hash_table_find(&all->table, hash, NULL, NULL);

	if (function)
		return function;
	function = add_function(all, hash);
	if (!function)
		return NULL;
	function->object = (struct object *)(uintptr_t)keys[KEY_OBJECT];
	function->symbol = (struct symbol *)(uintptr_t)keys[KEY_SYMBOL];
	return function;
}

static int add_address(struct hot_functions *all, const struct hot_address *address)
{
	struct hot_address *addresses = array_grow(all->addresses, all->nr_addresses,
						   &all->address_room, sizeof(*addresses));

	if (!addresses)
		return -ENOMEM;
	all->addresses = addresses;
	addresses[all->nr_addresses++] = *address;
	return 0;
}

static int add_entry(struct hot_functions *all, u32 event, const struct profile_entry *entry)
{
	const struct symbol *symbol = (const struct symbol *)(uintptr_t)entry->keys[KEY_SYMBOL];
	struct hot_address address = { NULL, entry->keys[KEY_ADDR], event, *entry->self };
	struct hot_function *function;

	/* An entry may have samples only as a caller. */
	if (!entry->self->samples)
		return 0;
	if (!symbol->name) {
		all->nr_elsewhere += entry->self->samples;
		return 0;
	}
	function = get_function(all, entry->keys);
	if (!function)
		return -ENOMEM;
	address.function = function;
	function->sums[event].period += entry->self->period;
	function->sums[event].samples += entry->self->samples;
	return add_address(all, &address);
}

/* Add event @event, which is number @number of the recording. */
static int add_profile(struct hot_functions *all, u32 event, u32 number,
		       const struct profile *profile)
{
	struct profile_entry entry;
	int err = 0;
	u32 i;

	all->events[event] = (struct hot_event){ number, profile->event,
						 { profile->period, profile->samples } };
	for (i = 0; i < profile->entries.nr && !err; i++) {
		entry = entries_at(&profile->entries, i);
		err = add_entry(all, event, &entry);
	}
	return err;
}

static int by_addr(const void *a, const void *b)
{
	const struct hot_address *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : (int)x->event - (int)y->event;
}

static int by_heat(const void *a, const void *b)
{
	const struct hot_function *x = *(struct hot_function *const *)a;
	const struct hot_function *y = *(struct hot_function *const *)b;
	int names;

	if (x->heat != y->heat)
		return x->heat > y->heat ? -1 : 1;
	names = strcmp(x->symbol->name, y->symbol->name);
	return names ? names : x->symbol->start < y->symbol->start ? -1 : 1;
}

static void find_heat(const struct hot_functions *all, struct hot_function *function)
{
	double share;
	u32 i;

	for (i = 0; i < all->nr_events; i++) {
		if (!all->events[i].total.period)
			continue;
		share = 100.0 * function->sums[i].period / all->events[i].total.period;
		if (share > function->heat)
			function->heat = share;
	}
}

/* Give each function its part of all addresses. */
static void share_addresses(struct hot_functions *all)
{
	struct hot_function *function;
	size_t i;

	if (all->nr_addresses)
		qsort(all->addresses, all->nr_addresses, sizeof(*all->addresses), by_addr);
	for (i = 0; i < all->nr_addresses; i++) {
		function = all->addresses[i].function;
		if (!function->nr++)
			function->addresses = &all->addresses[i];
	}
}

static u32 count_events(const struct gather *gather)
{
	u32 i, nr = 0;

	for (i = 0; i < gather->nr_profiles; i++)
		nr += gather->profiles[i] && gather->profiles[i]->samples;
	return nr;
}

/*
 * List the functions of all samples. The keys of @gather must be hot_functions_keys(), and it
 * must outlive @all. Call hot_functions_free() even if this fails.
 */
int hot_functions_make(struct hot_functions *all, const struct gather *gather)
{
	u32 nr = count_events(gather), i;
	size_t at;
	int err = 0;

	*all = (struct hot_functions){ .events = calloc(nr + 1, sizeof(*all->events)) };
	if (!all->events)
		return -ENOMEM;
	/* Functions have sums for all events, so count the events first. */
	all->nr_events = nr;
	for (i = 0, nr = 0; i < gather->nr_profiles && !err; i++) {
		if (gather->profiles[i] && gather->profiles[i]->samples)
			err = add_profile(all, nr++, i, gather->profiles[i]);
	}
	share_addresses(all);
	for (at = 0; at < all->nr; at++)
		find_heat(all, all->list[at]);
	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), by_heat);
	return err;
}

void hot_functions_free(struct hot_functions *all)
{
	hash_table_free(&all->table, free_function);
	free(all->list);
	free(all->addresses);
	free(all->events);
	*all = (struct hot_functions){ 0 };
}
